"""The program `anamnesis`, its five tools and the API of its dashboard, on a store that its published package made.

Texts that are compared word for word were printed by `anamnesis-memory` 0.1.3 for the same store.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.anamnesis.http import DIALECT
from recollect.dialects.anamnesis.tools import anamnesis_tools
from recollect.surfaces.cli.anamnesis.program import main
from recollect.surfaces.mcp.tools import answered, for_client, visitor_of
from tests.surfaces.http.client import Client, served
from tests.vault.machines import bare_remote

pytestmark = pytest.mark.xdist_group("dialect dialects anamnesis")  # one after the other, on one server

STORE = Path(__file__).parents[1] / "vault" / "anamnesis_store"
SHOP = "github.com/alice/shop"
GLOBAL = """# Anamnesis memory (auto-injected)

## [semantic] Database
_project: global | origin: thinkpad_

The service keeps its orders in PostgreSQL 17.

## [semantic] Empty
_project: global | origin: thinkpad_

## [semantic] Port
_project: global | origin: thinkpad_

The local server of this laptop has port 8123.
"""
TRANSCRIPT = [
    {"type": "user", "message": {"role": "user", "content": "Fix the rounding in cart.py"}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "/w/shop/cart.py"}}],
        },
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
    },
    {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "It rounds once, at the end."}]},
    },
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of Anamnesis, which its variables name."""
    place = Path(shutil.copytree(STORE, tmp_path / "anamnesis"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANAMNESIS_HOME", str(place))
    monkeypatch.setenv("ANAMNESIS_MACHINE_ID", "thinkpad")
    monkeypatch.setenv("RECOLLECT_EMBEDDING", "off")
    monkeypatch.delenv("RECOLLECT_HOME", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return place


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[str]:
    """The lines that a command prints, on either stream."""
    assert main(words) == code
    shown = capsys.readouterr()
    return (shown.out + shown.err).splitlines()


def test_what_is_injected_is_word_for_word_what_anamnesis_injects(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inject", "--project", "unheard-of"]) == 0
    assert capsys.readouterr().out == GLOBAL
    of_shop = said(capsys, "inject", "--project", SHOP)
    assert of_shop[: len(GLOBAL.splitlines())] == GLOBAL.splitlines()
    assert f"_project: {SHOP} | origin: thinkpad | source: reflection (confidence 0.6)_" in of_shop
    assert f"_project: {SHOP} | origin: thinkpad | source: session-end (confidence 1)_" in of_shop
    assert not any("PostgreSQL 16" in line for line in of_shop), "it was superseded"
    only_one = said(capsys, "inject", "--project", SHOP, "--k", "1")
    assert [line for line in only_one if line.startswith("## [")][-1].startswith("## [episodic]")


def test_a_marker_names_the_project_of_a_hook(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work" / ".anamnesis").mkdir(parents=True)
    (tmp_path / "work" / ".anamnesis" / "project").write_text(f"\n{SHOP}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"cwd": str(tmp_path / "work")})))
    assert any("[procedural] Deploy" in line for line in said(capsys, "inject"))


def test_status_and_reindex_tell_what_anamnesis_tells_and_no_file_changes(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    assert said(capsys, "status") == [
        f"store: {root}",
        "notes: 6  by_type={'episodic': 1, 'procedural': 1, 'semantic': 4}  "
        "by_scope={'machine-local': 1, 'portable': 5}  by_workspace={'personal': 6}",
        "sync: initialized=False remote=None head= dirty=False (not initialized)",
    ]
    assert said(capsys, "reindex") == ["reindex: indexed 6 note(s)"]
    assert said(capsys, "dedup") == ["dedup: 0 duplicate(s) would be removed (dry-run; pass --apply)"]
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_a_session_is_captured_once_as_the_note_that_anamnesis_writes(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = {"sessionId": "s-1", "cwd": str(tmp_path / "shop"), "gitBranch": "main"}
    transcript = tmp_path / "transcript.jsonl"
    lines = [
        {**head, **line, "uuid": f"u{number}", "timestamp": f"2026-11-17T01:0{number}:00Z"}
        for number, line in enumerate(TRANSCRIPT)
    ]
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    first = said(capsys, "capture", "--transcript", str(transcript), "--no-sync", "--project", "shop")
    assert first[0].startswith("capture: wrote episodic note ")
    assert first[0].endswith(" (project=shop, source=session-end)")
    again = said(capsys, "capture", "--transcript", str(transcript), "--no-sync", "--project", "shop")
    assert again[0] == first[0], "the same session is one note"
    [file] = root.glob(f"memory/episodic/{first[0].split()[4]}.md")
    text = file.read_text()
    assert "prov_source: session-end" in text
    assert "title: Fix the rounding in cart.py" in text
    assert "**Ask:** Fix the rounding in cart.py" in text
    assert "**Files touched (1):**" in text
    assert "**Outcome:** It rounds once, at the end." in text
    assert said(capsys, "capture", "--transcript", "nowhere.jsonl", "--no-sync", "--project", "x") == [
        "capture: skipped trivial session (project=x, source=session-end)",
        "capture: nothing to commit (no sync)",
    ]


def test_two_machines_sync_and_the_memory_of_claude_code_comes_along_when_asked(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    native = tmp_path / ".claude" / "projects" / "-w-shop" / "memory"
    native.mkdir(parents=True)
    (native / "tea.md").write_text("---\ndescription: Tea\n---\nThe team drinks oolong tea.\n")
    remote = str(bare_remote(tmp_path / "remote.git"))
    assert said(capsys, "config", "set", "remote", remote) == ["config: updated remote"]
    [line] = said(capsys, "sync")
    assert line.startswith("sync: pushed=True pulled=0 conflicted=False head=")
    assert line.endswith(" (synced)")
    monkeypatch.setenv("ANAMNESIS_IMPORT_NATIVE", "1")
    assert "pushed=True" in said(capsys, "sync")[0]
    monkeypatch.setenv("ANAMNESIS_HOME", str(tmp_path / "other"))
    monkeypatch.setenv("ANAMNESIS_MACHINE_ID", "Desktop PC")
    monkeypatch.setenv("ANAMNESIS_GIT_REMOTE", remote)
    monkeypatch.delenv("ANAMNESIS_IMPORT_NATIVE")
    assert "pulled=6" in said(capsys, "sync")[0], "five portable notes and the one of Claude Code"
    assert any("oolong" in path.read_text() for path in (tmp_path / "other" / "memory").rglob("*.md"))
    assert said(capsys, "import", "--no-sync")[0].startswith("import: imported=")


def test_settings_are_kept_in_the_file_of_anamnesis_and_a_key_is_not_shown(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(capsys, "config", "set", "reflection.api_key", "sk-12345678", "reflection.timeout", "5") == [
        "config: updated reflection.api_key, reflection.timeout"
    ]
    listed = said(capsys, "config", "list")
    assert listed[0] == "machine_id = 'thinkpad'  [env]"
    assert listed[-1] == "reflection.api_key = sk-...78  [file]"
    assert "sk-12345678" not in "\n".join(said(capsys, "config", "list", "--json"))
    assert said(capsys, "config", "get", "reflection.timeout") == ["5.0"]
    assert (root / "config.json").stat().st_mode & 0o777 == 0o600
    assert said(capsys, "config", "unset", "reflection.timeout") == ["config: unset reflection.timeout"]
    assert said(capsys, "config", "set", "reflection.timeout", "soon", code=2) == [
        "config set: timeout must be a number"
    ]
    assert said(capsys, "config", "get", "nope", code=2) == ["config: unknown setting 'nope'"]
    assert said(capsys, "config", "set", "remote", code=2) == ["config set: expected key value pairs"]
    assert said(capsys, "config", "test")[0].startswith("config test: provider heuristic")


def test_the_other_commands_answer_and_write_nothing_unless_told(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "map.json").write_text(json.dumps({"projects": {SHOP: "shop"}}))
    renamed = said(capsys, "migrate", "--map", str(tmp_path / "map.json"))
    assert renamed[-1] == "migrate: 2 note(s) would change (dry-run; pass --apply to write)"
    applied = said(capsys, "migrate", "--map", str(tmp_path / "map.json"), "--apply", "--no-sync")
    assert applied == ["migrate: changed 2 note(s); committed locally (no sync)"]
    assert said(capsys, "migrate", "--map", "nowhere.json", code=1)[0].startswith("migrate: failed (")
    assert said(capsys, "backfill-provenance")[-1].startswith("backfill: ")
    assert said(capsys, "reflect") == []
    assert said(capsys, "merge") == ["merge: 0 note(s) would be superseded (dry-run; pass --apply)"]
    assert said(capsys, "merge", "--apply", code=1)[0].startswith("merge --apply is recall-gated")
    assert said(capsys, "eval", code=2) == ["eval: specify a subcommand: build | run | experiment"]
    assert said(capsys, "eval", "run", code=2)[0].startswith("eval run: no eval set")
    assert said(capsys, "eval", "build", "--n", "5")[0].startswith("eval build: wrote ")
    assert "recall@10" in json.loads("\n".join(said(capsys, "eval", "run", "--json")))
    assert said(capsys, "init", "--print")  # nothing is written, and what would be is shown


# -- tools and the API of the dashboard --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp("served")
    store = shutil.copytree(STORE, folder / "anamnesis")
    with Memory(home=folder / "home", embedding="off") as opened:
        opened.open_vault(str(store))
        yield opened


@pytest.fixture(scope="module")
def client(memory: Memory) -> Iterator[Client]:
    secret = memory.access.issue(dialect="anamnesis", scope="admin").secret
    with served(memory, dialects=(DIALECT,)) as anybody:
        assert anybody.get("/api/notes").status == 401
        yield anybody.with_token(secret)


def call(memory: Memory, name: str, **given: Any) -> Any:
    tool = next(each for each in anamnesis_tools() if each.name == name)
    told = answered(tool, visitor_of(memory, None, {"profile": "anamnesis"}), given)
    return told.structured_content if not told.is_error else told.content[0].text  # type: ignore[union-attr]


def test_five_tools_with_their_hints(memory: Memory) -> None:
    listed = {tool.name: for_client(tool).annotations for tool in anamnesis_tools()}
    assert list(listed) == ["memory_search", "memory_list", "memory_status", "memory_write", "memory_sync"]
    hints = {name: (each.read_only_hint, each.open_world_hint) for name, each in listed.items() if each}
    assert hints["memory_search"] == hints["memory_list"] == hints["memory_status"] == (True, False)
    assert (hints["memory_write"], hints["memory_sync"]) == ((False, False), (False, True))


def test_tools_answer_in_the_fields_of_anamnesis(memory: Memory) -> None:
    found = call(memory, "memory_search", query="Where are orders kept?")["result"]
    assert found[0]["body"] == "The service keeps its orders in PostgreSQL 17."
    assert not [each for each in found if "16" in each["body"]], "it was superseded"
    assert call(memory, "memory_search", query="?!")["result"] == []
    assert call(memory, "memory_search", query="orders", scope="machine-local")["result"] == []
    every = call(memory, "memory_list")["result"]
    assert list(every[0]) == [
        "id", "type", "title", "project", "machine_id", "scope", "user_id", "workspace_id", "tags", "created_at",
        "updated_at",
    ]  # fmt: skip
    assert [each["title"] for each in call(memory, "memory_list", type="procedural")["result"]] == [
        each["title"] for each in every if each["type"] == "procedural"
    ]
    assert call(memory, "memory_status")["by_scope"]["machine-local"] == 1
    for scope, tree in (("portable", "memory"), ("machine-local", "local")):
        made = call(memory, "memory_write", type="semantic", title="Tea", body=f"Tea is {scope}", scope=scope)
        assert (made["scope"], made["body"], made["project"]) == (scope, f"Tea is {scope}", "global")
        [folder] = {path.parent for path in memory.settings.home.parent.glob(f"anamnesis/{tree}/semantic/*.md")}
        assert f"Tea is {scope}" in (folder / f"{made['id']}.md").read_text()
    assert "type must be one of" in call(memory, "memory_write", type="odd", title="x", body="y")
    assert call(memory, "memory_sync")["detail"] == "committed locally; no remote configured"


API: list[tuple[str, str, Any, int, str]] = [
    ("GET", "notes?limit=3", None, 200, "notes query"),
    ("GET", "notes?q=orders&type=semantic", None, 200, "notes query"),
    ("POST", "notes", {"type": "semantic", "title": ""}, 400, "error"),
    ("POST", "notes", {"type": "odd", "title": "x"}, 400, "error"),
    ("GET", "notes/nothing", None, 404, "error"),
    ("GET", "overview", None, 200, "stats repo indexExists pendingReflections"),
    ("GET", "fleet", None, 200, "machines repo"),
    ("GET", "history?limit=5", None, 200, "commits"),
    ("GET", "commits/0000000", None, 404, "error"),
    ("GET", "graph", None, 200, "nodes edges"),
    ("POST", "sync", {}, 200, "pushed pulled conflicted head"),
    ("POST", "reindex", {}, 200, "reindexed"),
    ("POST", "reflect?project=shop", {}, 200, "applied projects"),
    ("POST", "backfill-provenance", {}, 200, "applied changed"),
    ("GET", "settings", None, 200, "settings"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "fields"), API)
def test_the_api_of_the_dashboard_answers(
    client: Client, method: str, path: str, body: Any, status: int, fields: str
) -> None:
    answer = client.send(method, f"/api/{path}", body)
    assert answer.status == status
    assert set(fields.split()) <= answer.json.keys()


def test_a_note_is_made_edited_kept_and_deleted_in_the_dashboard(client: Client) -> None:
    made = client.post("/api/notes", {"type": "semantic", "title": "Fern", "body": "Water it", "tags": ["plant"]})
    assert made.status == 201
    place = f"/api/notes/{made.json['id']}"
    note = made.json["note"]
    assert (note["provSource"], note["confidence"], note["workspaceId"]) == ("human", 1.0, "personal")
    edited = client.send("PUT", place, {"type": "semantic", "title": "Fern", "body": "Water it daily"}).json["note"]
    assert (edited["body"], edited["createdAt"]) == ("Water it daily", note["createdAt"])
    assert client.post(f"{place}/keep", {}).json["note"]["tags"] == ["plant", "reviewed"]
    assert len(client.get(f"{place}/history").json["commits"]) >= 2
    assert client.get(f"{place}/diff").json["lines"]
    assert client.send("DELETE", place).status == 200
    assert made.json["id"] not in [each["id"] for each in client.get("/api/notes").json["notes"]]
