"""Other memories come in: with their own dates, once, without their secrets, and only after they were looked over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from recollect import Memory, Note
from recollect.domain.clock import format_time
from recollect.domain.origin import Authority, Caller, Channel
from recollect.surfaces.cli.imports import import_source
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.terminal import Terminal
from tests.support.clock import SteadyClock
from tests.surfaces.imports.item_exports import langmem, mempalace
from tests.surfaces.shell import Shell

SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
SESSION = "0f3c5f0e-1111-4222-8333-444455556666"


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def claude_code(folder: Path) -> Path:
    """The settings folder of Claude Code, with one project: a thing it remembers, an index, a transcript."""
    project = folder / ".claude" / "projects" / "-w-shop"
    (project / "memory").mkdir(parents=True)
    (project / "memory" / "MEMORY.md").write_text("- [Tests](tests.md) — how to run them\n")
    (project / "memory" / "tests.md").write_text(
        "---\nname: tests\ndescription: how the tests are run\nmetadata:\n  type: feedback\n---\n"
        "Run the migrations before the tests.\n\n**Why:** they fail otherwise.\n"
    )
    said: dict[str, Any] = {"sessionId": SESSION, "cwd": str(folder / "shop"), "gitBranch": "fix", "version": "2.1.325"}

    def line(kind: str, minute: int, content: Any, **more: Any) -> dict[str, Any]:
        at = f"2025-05-04T10:{minute:02}:00.000Z"
        message = {"role": kind, "content": content}
        return {**said, "type": kind, "uuid": f"u{minute}", "timestamp": at, "message": message, **more}

    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "1 failed", "is_error": True}
    (project / f"{SESSION}.jsonl").write_text(
        lines(
            {"type": "queue-operation", "operation": "enqueue"},
            line("user", 0, "<system-reminder>be good</system-reminder>Please make the checkout faster"),
            line("user", 1, "Caveat: the messages below", isMeta=True),
            line(
                "assistant",
                2,
                [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look at the cart."}],
            ),
            line("assistant", 3, [call]),
            line("user", 4, [result]),
            line("user", 5, f"The key is {SECRET}"),
            {"type": "a-type-of-next-week", "message": 3},
        )
        + "not json\n"
    )
    return folder / ".claude"


def claude_mem(folder: Path) -> Path:
    """The database of claude-mem."""
    path = folder / "claude-mem.db"
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE sdk_sessions (id INTEGER, content_session_id TEXT, project TEXT);"
        "CREATE TABLE observations (id INTEGER, project TEXT, text TEXT, type TEXT, title TEXT, facts TEXT,"
        " narrative TEXT, concepts TEXT, created_at TEXT, created_at_epoch INTEGER);"
        "CREATE TABLE session_summaries (id INTEGER, project TEXT, request TEXT, learned TEXT,"
        " created_at_epoch INTEGER);"
        "CREATE TABLE user_prompts (id INTEGER, content_session_id TEXT, prompt_text TEXT, created_at_epoch INTEGER);"
    )
    connection.execute("INSERT INTO sdk_sessions VALUES (1, 's-1', 'shop')")
    told = ("The cart caches prices for an hour", '["The key is sku"]', '["caching"]', 1735689600000)
    connection.execute(
        "INSERT INTO observations VALUES (1, 'shop', NULL, 'discovery', 'Cart cache', ?2, ?1, ?3, NULL, ?4)", told
    )
    connection.execute(
        "INSERT INTO observations VALUES (2, 'shop', 'ok', 'change', NULL, NULL, NULL, NULL, NULL, NULL)"
    )
    connection.execute(
        "INSERT INTO session_summaries VALUES (1, 'shop', 'Make it faster', 'Prices are cached', 1735693200000)"
    )
    connection.execute("INSERT INTO user_prompts VALUES (1, 's-1', 'Make the checkout faster', 1735689500000)")
    connection.close()
    return folder


def agentmemory(folder: Path) -> Path:
    """What agentmemory exports."""
    memory = {"id": "mem_1", "type": "architecture", "title": "Queue", "content": "Orders go through a queue first"}
    said = {
        "version": "0.9.21",
        "sessions": [{"id": "ses_1", "project": "shop", "cwd": "/w/shop"}],
        "observations": {
            "ses_1": [
                {"id": "obs_1", "title": "Edit cart.py", "narrative": "Edited", "timestamp": "2025-01-02T10:00:00Z"}
            ]
        },
        "memories": [
            {**memory, "concepts": ["queues"], "createdAt": "2025-01-01T12:00:00Z", "strength": 7, "isLatest": True},
            {**memory, "id": "mem_2", "createdAt": "2025-02-01T12:00:00Z"},
            {**memory, "id": "mem_0", "content": "Orders are written at once, as it was", "isLatest": False},
            "broken",
        ],
        "lessons": [
            {
                "id": "lsn_1",
                "content": "Warm the cache after a deploy",
                "confidence": 0.7,
                "createdAt": "2025-01-03T00:00:00Z",
            }
        ],
        "summaries": [],
    }
    path = folder / "agentmemory.json"
    path.write_text(json.dumps(said))
    return path


def basic_memory(folder: Path) -> Path:
    """A folder of basic-memory."""
    pages = folder / "basic-memory"
    (pages / "notes").mkdir(parents=True)
    (pages / "notes" / "coffee.md").write_text(
        "---\ntitle: Coffee\ntype: note\npermalink: notes/coffee\ntags:\n- drinks\ncreated: 2025-03-01\n---\n\n"
        "# Coffee\n\nBeans are kept in the freezer.\n\n"
        "## Observations\n- [method] Pour over brings out the fruit #brewing\n\n"
        "## Relations\n- relates_to [[Tea]]\n"
    )
    (pages / "undated.md").write_text("The grinder is set to number twelve.\n")
    return pages


def mem0(folder: Path) -> Path:
    """What mem0 hands out."""
    path = folder / "mem0.json"
    memory = {"user_id": "alice", "created_at": "2025-11-02T08:30:00-07:00", "categories": ["food"]}
    path.write_text(
        json.dumps(
            {
                "results": [
                    {"id": "1", "memory": "Is allergic to hazelnuts", **memory},
                    {"id": "2", "memory": f"Uses the key {SECRET} for uploads", **memory},
                    {"id": "3", "memory": "", **memory},
                    {"id": "4", "memory": "Use pnpm", **memory, "metadata": {"team": "web", "seen": [1, 2]}},
                ]
            }
        )
    )
    return path


def zep(folder: Path) -> Path:
    """Edges and nodes of a graph of Zep, as its API hands them out."""
    path = folder / "zep.json"
    edge = {"name": "WORKS_AT", "source_node_uuid": "n1", "target_node_uuid": "n2", "episodes": ["e1"]}
    at = {"created_at": "2025-04-01T10:00:00Z"}
    edges: list[dict[str, Any]] = [
        {**edge, **at, "uuid": "1", "fact": "Ana works at Acme", "valid_at": "2020-01-01T00:00:00Z"},
        {**edge, **at, "uuid": "2", "fact": "Ana works at Globex", "valid_at": "2018-01-01T00:00:00Z"},
        {**edge, **at, "uuid": "3", "fact": "", "attributes": {"since": 2020}},
    ]
    edges[1] |= {"invalid_at": "2020-01-01T00:00:00Z", "expired_at": "2025-04-02T10:00:00Z"}
    nodes = [
        {"uuid": "n1", "name": "Ana", "summary": "Ana builds bridges", "labels": ["Person"], **at},
        {"uuid": "n2", "name": "Acme", "summary": "", **at},
    ]
    path.write_text(json.dumps({"edges": edges, "nodes": nodes}))
    return path


def hindsight(folder: Path) -> Path:
    """A page of the memories of a bank of Hindsight."""
    path = folder / "hindsight.json"
    items = [
        {
            "id": "1",
            "text": "Alice works at Google",
            "date": "2024-01-15T10:30:00Z",
            "type": "world",
            "context": "work",
        },
        {
            "id": "2",
            "text": "Alice was promoted",
            "mentioned_at": "2024-04-01T00:00:00Z",
            "occurred_start": "2024-03-15T00:00:00Z",
            "type": "experience",
            "tags": ["career"],
        },
    ]
    path.write_text(json.dumps({"items": items, "total": 2, "limit": 100, "offset": 0}))
    return path


def supermemory(folder: Path) -> Path:
    """A list of Supermemory."""
    path = folder / "supermemory.json"
    one = {"containerTags": ["user_1"], "createdAt": "2025-05-01T00:00:00.000Z", "metadata": {"source": "web"}}
    listed = [
        {"id": "1", "customId": "mine", "title": "Tea", "content": "Ana drinks green tea", **one},
        {"id": "2", "memory": "Ana drank coffee", "isLatest": False, **one},
        {"id": "3", "memory": "Ana drank milk", "isForgotten": True, **one},
    ]
    path.write_text(json.dumps({"memories": listed, "pagination": {"totalItems": 3}}))
    return path


def letta(folder: Path) -> Path:
    """The memory of an agent of Letta in files."""
    root = folder / "agents" / "agent-7" / "memory"
    (root / "system" / "project").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "note.md").write_text("not a memory")
    (root / "system" / "memory_filesystem.md").write_text("a tree that Letta draws")
    told = "---\ndescription: How the project is built\nread_only: true\n---\n\nIt is built with bun.\n"
    (root / "system" / "project" / "tooling.md").write_text(told)
    (root / "empty.md").write_text("---\ndescription: Nothing yet\n---\n")
    return folder / "agents"


def run(memory: Memory, *words: str, clock: SteadyClock | None = None) -> dict[str, Any]:
    request = parse([*words, "--json"])
    assert isinstance(request, Request)
    told: dict[str, Any] = json.loads(import_source(memory, request, Terminal(), clock or SteadyClock()).lines[0])
    return told


SOURCES = {
    "claude-code": claude_code,
    "claude-mem": claude_mem,
    "agentmemory": agentmemory,
    "basic-memory": basic_memory,
    "mem0": mem0,
    "zep": zep,
    "hindsight": hindsight,
    "supermemory": supermemory,
    "letta": letta,
    "mempalace": mempalace,
    "langmem": langmem,
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_dry_run_says_what_there_is_and_writes_nothing_and_a_second_run_adds_nothing(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    place = str(SOURCES[name](tmp_path))
    rehearsed = run(memory, "import", name, place, "--dry-run")
    assert memory.status().notes == 0
    first = run(memory, "import", name, place)
    assert first["audit"] == rehearsed["audit"]
    assert first["result"]["imported"] == rehearsed["result"]["imported"] > 0
    assert first["result"]["failures"] == []
    second = run(memory, "import", name, place)["result"]
    assert (second["imported"], second["failures"]) == (0, [])
    assert second["unchanged"] == first["result"]["imported"]
    assert memory.doctor().healthy


def test_a_transcript_of_claude_code_becomes_a_session_in_the_words_of_its_time(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "claude-code", str(claude_code(tmp_path)))
    assert sum(told["audit"]["secrets"].values()) == 1
    assert [each["message"] for each in told["audit"]["unread"]] == ["1 line is not JSON; the others were read."]
    digest = memory.session(SESSION)
    assert digest.ask == "Please make the checkout faster"
    assert digest.session.scope.project == "shop"
    assert (digest.session.branch, digest.failures, digest.prompts) == ("fix", 1, 2)
    beats = memory.replay(SESSION).beats
    assert [each.observation.observed_at.minute for each in beats] == [0, 4, 5]
    assert SECRET not in beats[-1].observation.text
    assert beats[0].observation.origin.channel is Channel.TRANSCRIPT
    [note] = memory.list().items
    assert note.text.startswith("Run the migrations before the tests.")
    assert (note.kind, note.scope.project, note.title) == ("procedural", "shop", "how the tests are run")
    assert note.authority is Authority.QUOTED


def test_a_session_that_hooks_have_kept_is_not_taken_in_again(tmp_path: Path, memory: Memory) -> None:
    memory.acting_as(Caller(Channel.HOOK)).start_session(SESSION)
    told = run(memory, "import", "claude-code", str(claude_code(tmp_path)))
    assert told["audit"]["captured"] == 1
    assert memory.replay(SESSION).beats == ()


def test_an_imported_transcript_teaches_what_the_same_prompts_teach_by_hook(memory: Memory, tmp_path: Path) -> None:
    prompts = [
        "We deploy to Fly.io. What is left to do?",
        "never edit generated files by hand",
        "hey, can you remember that the API key rotates monthly?",
        "Remember to always run make lint before committing",
        "never edit generated files by hand",
        "Fix the header, please",
    ]
    project = tmp_path / ".claude" / "projects" / "-w-shop"
    project.mkdir(parents=True)
    said = {"sessionId": SESSION, "cwd": str(tmp_path / "shop"), "type": "user", "version": "2.1.325"}
    (project / f"{SESSION}.jsonl").write_text(
        lines(
            *(
                {
                    **said,
                    "uuid": f"u{at}",
                    "timestamp": f"2025-05-04T10:0{at}:00Z",
                    "message": {"role": "user", "content": text},
                }
                for at, text in enumerate(prompts)
            )
        )
    )
    hooked = memory.acting_as(Caller(Channel.HOOK))
    for text in prompts:
        hooked.observe("prompt", text, session="by-hook", project="shop", space="hooked")

    told = run(memory, "import", "claude-code", str(tmp_path / ".claude"))

    def known(space: str) -> set[tuple[str, str | None, str]]:
        return {(note.text, note.scope.project, note.authority.value) for note in memory.list(space=space).items}

    assert known("default") == known("hooked")
    assert {text for text, _, _ in known("default")} >= {
        "never edit generated files by hand",
        "the API key rotates monthly",
        "always run make lint before committing",
    }
    assert told["learned"] == len(known("default")) > 3
    hooked.observe("prompt", prompts[1], session="elsewhere", space="hooked")
    assert ("never edit generated files by hand", None, "fact") in known("hooked"), "for all projects is another scope"
    assert run(memory, "import", "claude-code", str(tmp_path / ".claude"))["learned"] == 0


def dated(note: Note) -> str:
    """The date that the other memory gives a note: since then it holds, and then it claims to have been recorded."""
    assert note.valid_from is not None
    claimed: str = note.metadata["claimed"]["recorded_at"]
    assert format_time(note.valid_from) == claimed
    assert note.recorded_at > note.valid_from
    return claimed


def test_what_claude_mem_observed_comes_with_its_dates(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "claude-mem", str(claude_mem(tmp_path)))
    assert told["audit"]["junk"] == 1
    found = {note.title: note for note in memory.list().items}
    assert set(found) == {"Cart cache", "Make it faster"}
    note = found["Cart cache"]
    assert note.text == "The cart caches prices for an hour\n- The key is sku"
    assert (dated(note), note.tags) == ("2025-01-01T00:00:00.000000Z", ("caching", "discovery"))
    assert memory.session("s-1").ask == "Make the checkout faster"


def test_of_an_agentmemory_export_only_what_holds_comes_in_and_only_once(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "agentmemory", str(agentmemory(tmp_path)))
    assert (told["audit"]["duplicates"], len(told["audit"]["unread"])) == (1, 1)
    found = {note.text: note for note in memory.list().items}
    assert set(found) == {"Orders go through a queue first", "Warm the cache after a deploy"}
    assert dated(found["Orders go through a queue first"])[5:7] == "01"
    assert found["Warm the cache after a deploy"].confidence == 0.7
    assert memory.session("ses_1").session.scope.project == "shop"


def test_pages_of_basic_memory_become_notes_about_their_subject(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "basic-memory", str(basic_memory(tmp_path)))
    assert told["audit"]["undated"] == 1
    coffee = memory.list(subject="Coffee").items
    assert {note.text for note in coffee} == {
        "Pour over brings out the fruit",
        "# Coffee\n\nBeans are kept in the freezer.",
    }
    assert {dated(note)[:10] for note in coffee} == {"2025-03-01"}


def test_memories_of_mem0_keep_their_owner_and_lose_their_secrets(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "mem0", str(mem0(tmp_path)))
    assert sum(told["audit"]["secrets"].values()) == 1
    notes = memory.list().items
    assert {note.scope.user for note in notes} == {"alice"}
    assert {dated(note) for note in notes} == {"2025-11-02T15:30:00.000000Z"}
    assert not any(SECRET in note.text for note in notes)


def test_a_fact_of_zep_that_is_over_comes_in_as_past(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "zep", str(zep(tmp_path)))
    assert [each["place"] for each in told["audit"]["unread"]] == ["memory 3"]
    notes = {note.text: note for note in memory.list(subject="Ana").items}
    assert notes.keys() == {"Ana works at Acme", "Ana builds bridges"}
    assert str(notes["Ana works at Acme"].valid_from)[:10] == "2020-01-01"
    before = {note.text for note in memory.list(subject="Ana", as_of="2019-01-01T00:00:00Z").items}
    assert before == {"Ana works at Globex"}


def test_facts_and_experiences_of_hindsight_keep_their_times(memory: Memory, tmp_path: Path) -> None:
    run(memory, "import", "hindsight", str(hindsight(tmp_path)))
    found = {note.text: (note.kind.value, dated(note)[:10], note.tags) for note in memory.list().items}
    assert found == {
        "Alice works at Google": ("semantic", "2024-01-15", ("world",)),
        "Alice was promoted": ("episodic", "2024-03-15", ("career", "experience")),
    }


def test_only_what_supermemory_still_holds_comes_in(memory: Memory, tmp_path: Path) -> None:
    run(memory, "import", "supermemory", str(supermemory(tmp_path)))
    [note] = memory.list().items
    assert (note.text, note.title, note.tags) == ("Ana drinks green tea", "Tea", ("user_1",))
    assert (note.metadata["customId"], note.metadata["source"]) == ("mine", "web")


def test_blocks_of_letta_become_notes_of_their_agent(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "letta", str(letta(tmp_path)))
    assert [Path(each["place"]).name for each in told["audit"]["unread"]] == ["empty.md"]
    [note] = memory.list().items
    assert (note.text, note.title) == ("It is built with bun.", "How the project is built")
    assert (note.scope.agent, note.tags) == ("agent-7", ("system",))


def test_short_memories_and_the_metadata_of_the_source_are_kept(memory: Memory, tmp_path: Path) -> None:
    told = run(memory, "import", "mem0", str(mem0(tmp_path)))

    assert told["audit"]["junk"] == 0
    [note] = [note for note in memory.list().items if note.text == "Use pnpm"]
    assert (note.metadata["team"], note.metadata["seen"]) == ("web", [1, 2])
    assert note.metadata["imported_from"] == "mem0"


def test_what_was_forgotten_does_not_come_back(memory: Memory, tmp_path: Path) -> None:
    place = str(basic_memory(tmp_path))
    run(memory, "import", "basic-memory", place)
    for note in memory.list().items:
        memory.forget(note.id)
    again = run(memory, "import", "basic-memory", place)["result"]
    assert (again["imported"], memory.status().notes) == (0, 0)


@pytest.mark.parametrize("name", ["agentmemory", "mem0", "claude-mem", "zep"])
@pytest.mark.parametrize("content", [b"", b"{", b"3", b"\xff\xfe\x00", b"SQLite format 3\x00broken"])
def test_a_file_that_is_something_else_is_named_and_nothing_is_written(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / "export.bin"
    path.write_bytes(content)
    with Memory(store=":memory:", home=tmp_path, embedding="off") as memory:
        told = run(memory, "import", name, str(path))
        assert (told["result"]["imported"], memory.status().notes) == (0, 0)
    [unread] = told["audit"]["unread"]
    assert unread["place"] == str(path)


def chats(make: Callable[[], Any], folder: Path) -> Path:
    path = folder / "conversations.json"
    path.write_text(json.dumps(make()))
    return path


def test_an_export_of_chatgpt_is_listened_to_with_its_own_dates(memory: Memory, tmp_path: Path) -> None:
    content = {"content_type": "text", "parts": ["I live in Lisbon."]}
    message = {"author": {"role": "user"}, "create_time": 1735689600.0, "content": content}
    tree = {"a": {"id": "a", "message": None}, "b": {"id": "b", "parent": "a", "message": message}}
    said = [{"title": "Moving", "mapping": tree, "current_node": "b", "id": "c1"}]
    place = str(chats(lambda: said, tmp_path))
    rehearsed = run(memory, "import", "chatgpt", place, "--dry-run")
    assert (rehearsed["audit"]["sessions"], memory.status().notes) == (1, 0)
    run(memory, "import", "chatgpt", place)
    [note] = memory.list().items
    assert note.valid_from is not None
    assert note.valid_from.year == 2025
    assert run(memory, "import", "chatgpt", place)["result"]["unchanged"] == 1


def test_the_report_is_for_people_too(shell: Shell, tmp_path: Path) -> None:
    ended = shell.run("import", "mem0", str(mem0(tmp_path)), "--dry-run")
    assert ended.code == 1
    assert ended.out.startswith("Found: 3 notes, 0 sessions with 0 turns.\nSecrets, taken out: 1 ")
    assert "memory 3: It has no text.\n" in ended.out
    assert re.search(r"^[\d,]+ records? would be imported", ended.out, re.MULTILINE)
    assert "imported." not in ended.out.replace("would be imported.", "")
    assert "This was a dry run: nothing was written." in ended.err
    assert shell.ok("status")["notes"] == 0


def test_a_source_needs_its_file_and_a_file_that_is_there(shell: Shell, tmp_path: Path) -> None:
    assert shell.run("import", "mem0", "--json").error["code"] == "usage"
    assert shell.run("import", "mem0", str(tmp_path / "none"), "--json").error["code"] == "file_not_found"
    assert shell.run("import", "mem1", "x.json", "--json").error["code"] == "unknown_source"
    assert shell.run("import", "claude-code", "--json").error["code"] == "file_not_found"
