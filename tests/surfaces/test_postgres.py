"""The command line on a server: the same commands, and no password on any screen."""

from __future__ import annotations

import pytest

from tests.support.postgres import Server
from tests.surfaces.shell import Shell


@pytest.mark.postgres
def test_the_same_commands_work_on_a_server(shell: Shell, postgres_server: Server) -> None:
    with postgres_server.database() as address:
        note = shell.ok("save", "Alice prefers tea", RECOLLECT_STORE=address)
        found = shell.ok("search", "what does Alice prefer", "--store", address)
        assert [hit["note"]["id"] for hit in found["hits"]] == [note["id"]]
        assert shell.ok("status", "--store", address)["store"].startswith("postgres")
        assert shell.run("doctor", "--store", address).code == 0

        refused = shell.run("backup", "copy.db", "--store", address, "--json")
        assert (refused.code, refused.error["code"]) == (7, "unsupported")
    assert not shell.home.exists()
