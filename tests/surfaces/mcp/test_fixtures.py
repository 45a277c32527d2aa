"""What the conformance suite calls is there for a developer who asks, beside what is always there; for nobody else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput
from recollect.surfaces.server.serving import serve
from tests.surfaces.http.client import served
from tests.surfaces.mcp.speaking import over_http
from tests.surfaces.shell import Shell


def test_fixtures_stand_beside_the_tools_that_are_always_there(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="admin", name="tester").secret
    with served(one_memory, fixtures=True) as client, over_http(client.port, secret) as speaker:
        names = [tool.name for tool in speaker.tools()]
        assert names[0] == "search"
        assert "test_simple_text" in names
        assert "test://static-text" in speaker.resources()
        assert speaker.call("test_simple_text").content[0].text == "This is a simple text response for testing."  # type: ignore[union-attr]
        kept = speaker.told("remember", text="We deploy with make release")
        assert speaker.told("get", note_id=kept["id"])["text"] == "We deploy with make release"


def test_fixtures_still_need_a_token(one_memory: Memory) -> None:
    with served(one_memory, fixtures=True) as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_simple_text"}}
        assert client.post("/mcp", message).status == 401


def test_without_the_switch_there_are_none_and_their_module_is_not_loaded(one_memory: Memory) -> None:
    secret = one_memory.access.issue(scope="admin", name="tester").secret
    with served(one_memory) as client, over_http(client.port, secret) as speaker:
        assert not [tool.name for tool in speaker.tools() if tool.name.startswith("test_")]
    loaded = "import recollect.surfaces.server.serving, sys; print('recollect.surfaces.mcp.fixtures' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"


def test_fixtures_are_for_this_machine_only(one_memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"0\.0\.0\.0 is not a loopback address") as caught:
        serve(one_memory, host="0.0.0.0", port=0, fixtures=True, ready=lambda _: None)
    assert caught.value.code == "fixtures_host"


def test_fixtures_are_in_no_help_text(shell: Shell) -> None:
    assert "fixture" not in shell.run("serve", "--help").out.lower()
