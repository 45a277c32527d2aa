"""Sessions of coding agents: they begin, things happen, they end, and can be told and shown again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from recollect import Conflict, InvalidInput, Memory, NotFound
from recollect.domain.changes import Changes, ReviseSession
from recollect.domain.observations import ObservationKind
from recollect.remember.activity import FOLDED_AT_ONCE, MOST_OBSERVATIONS
from tests.support.clock import SteadyClock

SHA = "0123456789abcdef0123456789abcdef01234567"
SECRET = "AKIA" + "IOSFODNN7EXAMPLE"


def code_of(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises((InvalidInput, NotFound, Conflict)) as caught:
        call(*arguments, **named)
    return str(caught.value.code)


def worked(memory: Memory, session: str = "one", **start: Any) -> None:
    """A short session: a wish, a look, a change, a test that fails and then passes."""
    memory.start_session(session, project="shop", agent="claude", branch="fix", folder="/w/shop", **start)
    memory.observe("prompt", "Please make the checkout faster", session=session)
    memory.observe("tool_use", "...", tool="Read", arguments={"file_path": "/w/shop/src/cart.py"}, session=session)
    memory.observe("tool_use", "ok", tool="Edit", arguments={"file_path": "/w/shop/src/cart.py"}, session=session)
    memory.observe("tool_failure", "1 failed", tool="Bash", arguments={"command": "pytest -q"}, session=session)
    memory.observe("tool_failure", "denied", tool="Bash", arguments={"command": "git push"}, session=session)
    memory.observe("tool_use", "1 passed", tool="Bash", arguments={"command": "pytest -q"}, session=session)


def test_a_session_is_told_in_short_without_a_model(memory: Memory) -> None:
    worked(memory)
    memory.link_commit("one", SHA, message="Make the checkout faster")

    digest = memory.end_session("one")

    assert digest == memory.session("one")
    assert (digest.ask, digest.prompts, digest.observations) == ("Please make the checkout faster", 1, 6)
    assert digest.session.branch == "fix"
    assert [(each.name, each.times) for each in digest.files] == [("src/cart.py", 1)]
    assert [(each.name, each.times) for each in digest.commands] == [("pytest -q", 2), ("git push", 1)]
    assert digest.failures == 2
    assert digest.open_ends == ("failed: git push",)
    assert digest.outcome == f"{SHA[:10]} Make the checkout faster"
    assert digest.seconds > 0


def test_sessions_are_listed_by_what_was_asked_in_them(memory: Memory) -> None:
    worked(memory, "one")
    worked(memory, "two", title="The checkout")
    memory.start_session("three", project="shop")

    listed = {each.id: each.title for each in memory.sessions().items}

    assert listed == {"one": "Please make the checkout faster", "two": "The checkout", "three": None}


def test_ending_one_session_ends_only_that_one(memory: Memory) -> None:
    memory.start_session("one", project="shop")
    memory.start_session("two", project="ledger")

    memory.end_session("one")

    assert memory.session("one").session.ended_at is not None
    assert memory.session("two").session.ended_at is None
    assert [each.id for each in memory.sessions().items] == ["two", "one"]
    assert [each.id for each in memory.sessions(project="shop").items] == ["one"]


def test_a_session_that_goes_on_keeps_its_beginning(memory: Memory) -> None:
    first = memory.start_session("one", project="shop", branch="main")
    memory.end_session("one")

    again = memory.start_session("one", branch="fix")

    assert (again.started_at, again.ended_at, again.branch, again.scope.project) == (
        first.started_at, None, "fix", "shop",
    )  # fmt: skip


def test_a_session_is_found_by_its_commit(memory: Memory) -> None:
    memory.start_session("one")
    memory.start_session("two")
    memory.link_commit("one", SHA, message='100% "done"', branch="fix")
    memory.link_commit("one", SHA.upper())

    assert [each.id for each in memory.sessions(commit=SHA[:8]).items] == ["one"]
    assert memory.sessions(commit="fedcba9").items == ()
    [commit] = memory.session("one").session.commits
    assert (commit.sha, commit.message, commit.branch) == (SHA, '100% "done"', "fix")
    assert code_of(memory.link_commit, "one", "not-a-sha") == "invalid_commit"


@pytest.mark.parametrize(
    ("tool", "arguments", "activity", "files"),
    [
        ("Read", {"file_path": "/w/shop/a.py"}, "file_read", ["a.py"]),
        ("MultiEdit", {"file_path": "/w/other/a.py"}, "file_edit", ["/w/other/a.py"]),
        ("Write", {"filePath": "b.md", "content": "x"}, "file_write", ["b.md"]),
        ("NotebookEdit", {"notebook_path": "/w/shop/n.ipynb"}, "file_edit", ["n.ipynb"]),
        ("Grep", {"pattern": "x", "path": "src"}, "search", []),
        ("WebFetch", {"url": "https://example.org"}, "web", []),
        ("run_shell_command", {"command": "ls"}, "command", []),
        ("Task", {"prompt": "look"}, "subagent", []),
        ("mcp__github__create_issue", {"title": "x"}, "file_write", []),
        ("TodoWrite", {"todos": []}, "file_write", []),
        ("thinking", {}, "other", []),
    ],
)
def test_what_a_tool_did_is_told_by_its_name_and_arguments(
    clock: SteadyClock, tool: str, arguments: dict[str, Any], activity: str, files: list[str]
) -> None:
    with Memory(store=":memory:", clock=clock) as memory:
        memory.start_session("one", folder="/w/shop")
        seen = memory.observe("tool_use", "done", tool=tool, arguments=arguments, session="one")
    assert (seen.activity, list(seen.files)) == (activity, files)


def test_secrets_are_taken_out_of_everything_that_is_kept(memory: Memory) -> None:
    command = {"command": f"deploy --key {SECRET}", "file_path": f"/tmp/{SECRET}"}
    for event in ("tool_use", "tool_failure"):
        seen = memory.observe(event, f"used {SECRET}", tool="Bash", arguments=command, session="one")
        assert seen.redacted
    memory.observe("prompt", f"my key is {SECRET}", session="one")

    assert SECRET not in json.dumps(memory.export().records)


def test_every_event_is_kept_and_found_again(memory: Memory) -> None:
    for event, thing in (("prompt", "zeppelin"), ("subagent", "balloon"), ("notification", "glider"), ("task", "kite")):
        seen = memory.observe(event, f"The {thing} has landed", session="one")

        assert seen.kind.value == event
        assert seen.observation_id in [hit.id for hit in memory.search(thing).hits]


def test_what_is_not_enough_to_go_by_is_refused(memory: Memory) -> None:
    assert code_of(memory.observe, "prompt", "hello") == "field_missing"
    assert code_of(memory.observe, "prompt", " ", session="one") == "empty_text"
    assert code_of(memory.observe, "tool_use", "x", session="one") == "field_missing"
    assert code_of(memory.observe, "odd", "x", session="one") == "unknown_event"
    assert code_of(memory.session, "nowhere") == "session_not_found"
    assert code_of(memory.end_session, "nowhere") == "session_not_found"
    assert code_of(memory.replay, "nowhere") == "session_not_found"


def test_the_same_event_under_a_key_is_kept_once(memory: Memory) -> None:
    one = memory.observe("prompt", "hello", session="one", idempotency_key="k")
    assert memory.observe("prompt", "hello", session="one", idempotency_key="k").observation_id == one.observation_id
    assert memory.session("one").observations == 1


def test_a_replay_keeps_the_time_of_what_happened(memory: Memory, clock: SteadyClock) -> None:
    memory.start_session("one", at="2026-03-01T10:00:00Z")
    for second, text in ((1, "first"), (61, "second"), (60, "late to arrive")):
        at = clock.moment.fromisoformat("2026-03-01T10:00:00+00:00").timestamp() + second
        memory.observe("prompt", text, session="one", at=clock.moment.fromtimestamp(at, tz=clock.moment.tzinfo))
    memory.end_session("one", at="2026-03-01T10:02:00Z")

    whole = memory.replay("one")
    first = memory.replay("one", limit=2)
    rest = memory.replay("one", limit=2, cursor=first.next_cursor)

    assert [(beat.offset, beat.pause) for beat in whole.beats] == [(1000, 1000), (61_000, 60_000), (61_000, 0)]
    assert whole.duration == 120_000
    assert (*first.beats, *rest.beats) == whole.beats
    assert rest.next_cursor is None


def test_a_long_session_is_folded_and_says_so(clock: SteadyClock) -> None:
    with Memory(store=":memory:", clock=clock) as memory:
        memory.observe("prompt", "Find the leak", session="one")
        said = memory.add("I live in Oslo.", session="one")
        for number in range(MOST_OBSERVATIONS + 20):
            look = {"file_path": f"src/{number % 7}.py"}
            memory.observe("tool_use", f"line {number}", tool="Read", arguments=look, session="one")
        memory.observe("tool_use", "ok", tool="Bash", arguments={"command": "make"}, session="one")

        beats = memory.replay("one", limit=1000).beats
        kinds = [beat.observation.kind for beat in beats]
        [summary] = [beat.observation for beat in beats if beat.observation.kind is ObservationKind.SUMMARY]

        assert len(beats) <= MOST_OBSERVATIONS
        assert kinds[0] is ObservationKind.PROMPT, "what a person said is the last to go"
        assert memory.get(said.learned[0].note.id).derived_from == said.observation_ids  # type: ignore[union-attr]
        assert {beat.observation.id for beat in beats} >= set(said.observation_ids), "evidence stays"
        assert summary.text.startswith(f"{FOLDED_AT_ONCE} observations were folded")
        assert f"{FOLDED_AT_ONCE} file read" in summary.text
        assert set(summary.files) == {f"src/{number}.py" for number in range(7)}
        lines = [json.dumps(record) for record in memory.export(limit=1000).records]
        assert memory.import_(lines).failures == ()


def test_sessions_and_what_happened_in_them_are_carried_over(memory: Memory, clock: SteadyClock) -> None:
    worked(memory)
    memory.link_commit("one", SHA, message="Make the checkout faster")
    memory.end_session("one")
    lines = [json.dumps(record) for record in memory.export().records]

    with Memory(store=":memory:", clock=clock) as other:
        assert other.import_(lines, trust=True).failures == ()
        assert other.session("one") == memory.session("one")
        assert other.replay("one") == memory.replay("one")
        assert other.import_(lines).imported == 0


def test_a_file_that_was_taken_in_is_no_session(memory: Memory, tmp_path: Any) -> None:
    (tmp_path / "page.md").write_text("# A page\n\nThe cellar is damp.\n")
    memory.ingest(str(tmp_path / "page.md"))
    memory.start_session("file-1")

    assert [each.id for each in memory.sessions().items] == ["file-1"]


def test_of_two_that_change_a_session_neither_is_lost(memory: Memory, clock: SteadyClock) -> None:
    memory.start_session("one")
    known = memory.session("one").session
    memory.link_commit("one", SHA)

    stale = ReviseSession(memory.session("one").session, known)
    with pytest.raises(Conflict):
        memory._engine.store.apply(Changes("default", "test", clock.now(), memory._caller.origin(), (stale,)))
    memory.end_session("one")
    assert len(memory.session("one").session.commits) == 1
