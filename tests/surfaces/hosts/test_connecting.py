"""Connecting and taking it back: whatever was there before is there again, and nothing of others is ever lost."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.domain.errors import Conflict, Misconfigured
from recollect.surfaces.hosts.files import Edit, carry_out, load_records, plan, plan_undo, undo
from recollect.surfaces.hosts.json_text import parse
from recollect.surfaces.hosts.known import HOSTS, Ground, HostFile, Wiring, paragraph, skill
from recollect.surfaces.hosts.names import HOST_NAMES
from recollect.surfaces.hosts.plan import HostStanding, Ours, standing
from tests.surfaces.hosts.settings_files import FILES, json_files

WIRING = Wiring(("/opt/my tools/recollect",), instructions=True)
NEWER = replace(WIRING, command=("/opt/newer/recollect",), home="/srv/memory")


class Machine:
    """A home folder with the files of agents in it."""

    def __init__(self, folder: Path, agents: Sequence[str] = HOST_NAMES) -> None:
        self.agents = agents
        self.person, self.home = folder / "person", folder / "recollect"
        self.person.mkdir(parents=True)
        self.ground = Ground(self.person)

    def put(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.person / name).parent.mkdir(parents=True, exist_ok=True)
            (self.person / name).write_bytes(text.encode())

    def targets(self, wiring: Wiring) -> list[tuple[str, HostFile]]:
        return [(name, target) for name in self.agents for target in HOSTS[name].targets(self.ground, wiring)]

    def connect(self, wiring: Wiring = WIRING) -> list[Edit]:
        records = load_records(self.home)
        edits = plan(self.targets(wiring), Ours((*records.commands, wiring.command)))
        carry_out(edits, records, self.home, wiring)
        return edits

    def disconnect(self, wiring: Wiring = WIRING) -> None:
        records = load_records(self.home)
        undo(plan_undo(self.targets(wiring), records, self.home), records, self.home)

    def bytes(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.person)): path.read_bytes() for path in self.person.rglob("*") if path.is_file()
        }

    def folders(self) -> set[str]:
        return {str(path.relative_to(self.person)) for path in self.person.rglob("*") if path.is_dir()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_hosts_are_those_that_are_named() -> None:
    assert tuple(HOSTS) == HOST_NAMES


def test_undo_puts_back_every_byte_and_takes_every_new_file_and_folder_away(machine: Machine) -> None:
    machine.put(FILES)
    before, folders = machine.bytes(), machine.folders()
    machine.connect()
    assert machine.bytes() != before
    machine.disconnect()
    assert (machine.bytes(), machine.folders()) == (before, folders)
    assert list(machine.home.iterdir()) == []


def test_undo_on_a_machine_where_nothing_was_leaves_nothing(machine: Machine) -> None:
    machine.connect()
    machine.disconnect()
    assert (machine.bytes(), machine.folders()) == ({}, set())


def test_connecting_twice_is_connecting_once(machine: Machine) -> None:
    machine.put(FILES)
    machine.connect()
    once = machine.bytes()
    assert not any(edit.changes for edit in machine.connect())
    assert machine.bytes() == once


def test_connecting_anew_with_another_command_leaves_nothing_of_the_old_one(machine: Machine) -> None:
    machine.put(FILES)
    before = machine.bytes()
    machine.connect()
    machine.connect(NEWER)
    assert not any(b"my tools" in content for content in machine.bytes().values())
    machine.disconnect(NEWER)
    assert machine.bytes() == before


def test_hooks_that_go_to_a_server_are_ours_as_well_and_stay_until_another_is_named(machine: Machine) -> None:
    machine.put(FILES)
    before = machine.bytes()
    machine.connect()
    machine.connect(replace(WIRING, server="http://127.0.0.1:7077"))
    told = machine.bytes()[".claude/settings.json"]
    assert b"http://127.0.0.1:7077/v1/hook?agent=claude-code&event=Stop" in told and b"hook Stop" not in told
    assert not any(edit.changes for edit in machine.connect(WIRING)), "who names no server does not take it back"
    machine.connect(replace(WIRING, server="http://127.0.0.1:8000"))
    moved = machine.bytes()[".claude/settings.json"]
    assert b":8000/v1/hook" in moved and b":7077/" not in moved
    machine.disconnect()
    assert machine.bytes() == before


def test_what_others_wrote_is_still_there_when_we_are_connected(machine: Machine) -> None:
    machine.put(FILES)
    machine.connect()
    settings_text = (machine.person / ".claude/settings.json").read_text()
    for words in ("// how I like it", "// keep this", "/* the end */", "say done", "ruff format"):
        assert words in settings_text
    config = tomllib.loads((machine.person / ".codex/config.toml").read_text())
    assert config["mcp_servers"]["github"]["args"] == ["--all"]
    assert config["mcp_servers"]["recollect"] == {"command": "/opt/my tools/recollect", "args": ["mcp"]}
    cursor = json.loads((machine.person / ".cursor/hooks.json").read_text())
    assert [each["command"] for each in cursor["hooks"]["stop"]] == [
        "./done.sh",
        "'/opt/my tools/recollect' hook stop --agent cursor",
    ]


def test_after_somebody_else_changed_a_file_only_our_parts_are_taken_out(machine: Machine) -> None:
    machine.put(FILES)
    machine.connect()
    for name in (".claude/settings.json", ".claude.json", ".codex/config.toml", ".gemini/settings.json"):
        path = machine.person / name
        text = path.read_bytes().decode()
        path.write_bytes(
            (
                text + '\n[more]\nadded = "since"\n' if name.endswith("toml") else text.replace("{", '{ "since": 1,', 1)
            ).encode()
        )
    machine.disconnect()
    for name, content in machine.bytes().items():
        assert b"recollect" not in content, name
    account = parse((machine.person / ".claude.json").read_text()).value
    assert account == {"since": 1, **parse(FILES[".claude.json"]).value}
    assert tomllib.loads((machine.person / ".codex/config.toml").read_text())["more"] == {"added": "since"}
    left = (machine.person / ".claude/settings.json").read_bytes().decode()
    assert left == FILES[".claude/settings.json"].replace("{", '{ "since": 1,', 1)


def test_what_somebody_changed_between_two_runs_is_what_undo_puts_back(machine: Machine) -> None:
    machine.put(FILES)
    machine.connect()
    path = machine.person / ".claude/settings.json"
    path.write_text(path.read_text().replace('"opus"', '"haiku"'))
    machine.connect(NEWER)
    machine.disconnect(NEWER)
    assert path.read_text() == FILES[".claude/settings.json"].replace('"opus"', '"haiku"')


def test_without_our_records_undo_still_takes_our_parts_out(machine: Machine) -> None:
    machine.put(FILES)
    machine.connect()
    (machine.home / "connected.json").unlink()
    machine.disconnect()
    assert not any(b"recollect" in content for content in machine.bytes().values())
    assert parse((machine.person / ".claude.json").read_text()).value == parse(FILES[".claude.json"]).value


def test_one_agent_is_taken_out_and_what_the_others_share_stays(machine: Machine) -> None:
    machine.connect()
    records = load_records(machine.home)
    of_codex = [(name, target) for name, target in machine.targets(WIRING) if name == "codex"]
    undo(plan_undo(of_codex, records, machine.home), records, machine.home)
    left = machine.bytes()
    assert not any(name.startswith(".codex") for name in left)
    assert ".agents/skills/recollect/SKILL.md" in left
    machine.disconnect()
    assert machine.bytes() == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", '{"hooks": '),
        (".claude/settings.json", "[]"),
        (".claude/settings.json", '{"hooks": []}'),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        (".claude.json", '{"mcpServers": "none"}'),
        (".codex/config.toml", "model = "),
        (".codex/config.toml", "mcp_servers = {}"),
        (".gemini/settings.json", "{'a': 1}"),
        (".openclaw/openclaw.json", "{mcp: {servers: []}}"),
    ],
)
def test_a_broken_file_is_refused_and_nothing_at_all_is_touched(machine: Machine, name: str, text: str) -> None:
    machine.put({**FILES, name: text})
    before = machine.bytes()
    with pytest.raises(Misconfigured, match="Nothing was changed") as refused:
        machine.connect()
    assert refused.value.code == "broken_settings"
    assert name in refused.value.message
    assert machine.bytes() == before
    assert not machine.home.exists()


def test_a_server_of_our_name_with_words_of_its_own_is_left_alone(machine: Machine) -> None:
    text = '{"mcpServers": {"recollect": {"command": "recollect", "args": ["mcp", "--space", "work"]}}}'
    machine.put({".cursor/mcp.json": text})
    edits = machine.connect()
    assert next(edit for edit in edits if edit.path.name == "mcp.json").foreign
    assert (machine.person / ".cursor/mcp.json").read_text() == text


def test_what_a_person_added_to_our_server_stays_when_the_command_changes(machine: Machine) -> None:
    machine.connect()
    path = machine.person / ".cursor/mcp.json"
    path.write_text(path.read_text().replace('"args"', '"env": {"A": "b"},\n      "args"'))
    machine.connect(NEWER)
    [entry] = json.loads(path.read_text())["mcpServers"].values()
    assert entry == {
        "command": "/opt/newer/recollect",
        "env": {"A": "b"},
        "args": ["mcp", "--home", "/srv/memory"],
    }


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(machine: Machine) -> None:
    machine.put({"dotfiles/claude.json": "{}\n"})
    (machine.person / "dotfiles/claude.json").chmod(0o640)
    (machine.person / ".claude.json").symlink_to("dotfiles/claude.json")
    machine.connect()
    assert (machine.person / ".claude.json").is_symlink()
    assert (machine.person / "dotfiles/claude.json").stat().st_mode & 0o777 == 0o640
    machine.disconnect()
    assert os.readlink(machine.person / ".claude.json") == "dotfiles/claude.json"  # noqa: PTH115
    assert machine.bytes()["dotfiles/claude.json"] == b"{}\n"


def test_a_file_that_changes_while_we_are_at_it_is_left_as_it_is(machine: Machine) -> None:
    machine.put(FILES)
    edits = plan(machine.targets(WIRING), Ours((WIRING.command,)))
    (machine.person / ".claude.json").write_text('{"meanwhile": true}')
    with pytest.raises(Conflict):
        carry_out(edits, load_records(machine.home), machine.home, WIRING)
    assert (machine.person / ".claude.json").read_text() == '{"meanwhile": true}'
    machine.disconnect()
    assert machine.bytes()[".claude.json"] == b'{"meanwhile": true}'


def test_a_missing_hook_is_told_from_one_that_is_as_it_should_be(machine: Machine) -> None:
    machine.connect()
    [target] = [
        each for _, each in machine.targets(WIRING) if each.path.name == "settings.json" and ".claude" in str(each.path)
    ]
    text = target.path.read_text()
    assert standing(text, target, Ours()) is HostStanding.CURRENT
    assert standing(text.replace("hook Stop --", "stop --"), target, Ours()) is HostStanding.STALE


CLAW = ".openclaw/openclaw.json"


def _claw(machine: Machine) -> dict[str, Any]:
    found: dict[str, Any] = parse((machine.person / CLAW).read_text(), json5=True).value
    return found


def test_openclaw_gets_a_plugin_and_lets_it_in(machine: Machine) -> None:
    machine.put({CLAW: "{plugins: {allow: ['telegram'], entries: {telegram: {enabled: true}}}}"})
    machine.connect()
    plugins = _claw(machine)["plugins"]
    assert plugins["allow"] == ["telegram", "recollect"], "a list of who may run must name it, too"
    assert plugins["entries"]["recollect"] == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    folder = machine.person / ".openclaw/extensions/recollect"
    assert {path.name for path in folder.iterdir()} == {"index.js", "package.json", "openclaw.plugin.json"}


def test_a_plugin_that_somebody_switched_off_stays_off(machine: Machine) -> None:
    off = "{plugins: {entries: {recollect: {enabled: false}}}}"
    machine.put({CLAW: off})
    machine.connect()
    assert _claw(machine)["plugins"]["entries"]["recollect"] == {"enabled": False}
    machine.disconnect()
    assert (machine.person / CLAW).read_text() == off


def test_a_permit_is_taken_out_of_a_file_that_others_have_changed_since(machine: Machine) -> None:
    machine.put({CLAW: '{"plugins": {"allow": ["telegram"]}}'})
    machine.connect()
    path = machine.person / CLAW
    path.write_text(path.read_text().replace("{", '{ "since": 1,', 1))
    machine.disconnect()
    assert _claw(machine) == {"since": 1, "plugins": {"allow": ["telegram"]}}


def test_the_skill_keeps_to_the_fields_that_every_client_reads() -> None:
    head = skill().split("---\n")[1]
    assert {line.partition(":")[0] for line in head.splitlines() if not line.startswith(" ")} == {
        "name",
        "description",
        "metadata",
    }
    description = next(line for line in head.splitlines() if line.startswith("description"))
    assert len(description) < 1024
    assert ": " not in description.partition(": ")[2]  # it would be a mapping in YAML
    assert paragraph().count("recollect:") == 2


@given(st.dictionaries(st.sampled_from([".claude/settings.json", ".claude.json", ".cursor/mcp.json"]), json_files()))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_for_any_files_undo_puts_back_every_byte_and_twice_is_once(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]
) -> None:
    machine = Machine(tmp_path_factory.mktemp("machine"), ("claude-code", "cursor"))
    machine.put(files)
    before = machine.bytes()
    machine.connect()
    once = machine.bytes()
    machine.connect()
    assert machine.bytes() == once
    for name, text in files.items():
        said, was = parse(once[name].decode()).value, parse(text).value
        assert {key: value for key, value in said.items() if key not in ("hooks", "mcpServers")} == {
            key: value for key, value in was.items() if key not in ("hooks", "mcpServers")
        }
    machine.disconnect()
    assert machine.bytes() == before
