"""A TOML table is added, changed and taken out, and everything around it stays as it is."""

from __future__ import annotations

import tomllib

import pytest

from recollect.surfaces.hosts.json_text import BrokenJson
from recollect.surfaces.hosts.toml_text import with_table, without_table
from tests.surfaces.hosts.settings_files import CODEX_CONFIG

NAME = ("mcp_servers", "recollect")
ENTRY = {"command": "/opt/recollect", "args": ["mcp"]}


@pytest.mark.parametrize(
    "text",
    ["", "# only a remark\n", 'model = "x"', CODEX_CONFIG, CODEX_CONFIG.replace("\n", "\r\n"), "[mcp_servers]\n"],
)
def test_a_table_is_added_at_the_end_and_taken_out_again(text: str) -> None:
    changed = with_table(text, NAME, ENTRY)
    assert changed.startswith(text)
    assert tomllib.loads(changed)["mcp_servers"]["recollect"] == ENTRY
    assert without_table(changed, NAME).rstrip() == text.rstrip()


def test_a_table_in_the_middle_is_taken_out_and_the_remarks_of_the_next_one_stay() -> None:
    text = '[mcp_servers.recollect]\ncommand = "x"\n[mcp_servers.recollect.env]\nA = "b"\n\n# mine\n[other]\nb = 1\n'
    assert without_table(text, NAME) == "# mine\n[other]\nb = 1\n"


def test_only_what_has_changed_is_written_and_what_others_added_stays() -> None:
    text = '[mcp_servers.recollect]\n# patience\nstartup_timeout_sec = 30\ncommand = "/old"\nargs = ["mcp"]\n'
    assert with_table(text, NAME, ENTRY) == text.replace("/old", "/opt/recollect")


@pytest.mark.parametrize("text", ["mcp_servers = {}", "mcp_servers = 1", 'mcp_servers = {recollect = {command = "x"}}'])
def test_what_cannot_be_added_to_is_refused(text: str) -> None:
    with pytest.raises(BrokenJson):
        with_table(text, NAME, ENTRY)


def test_what_is_not_toml_is_refused() -> None:
    with pytest.raises(BrokenJson, match="line 1"):
        with_table("a = = 1", NAME, ENTRY)
