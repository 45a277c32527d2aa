"""Update corrects, supersede changes, retract takes back: as tables, without a store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from recollect.domain.errors import Conflict, InvalidInput, RecollectError, TooLarge
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Caller, Channel
from recollect.domain.scopes import Scope
from recollect.remember import decisions
from recollect.remember.decisions import Occasion
from tests.support.clock import SteadyClock
from tests.support.writing import a_full_note, at

NOW = at("2026-06-01")
PERSON = Caller(Channel.CLI, "alice", "session-1")
AGENT = Caller(Channel.MCP, "bot")


def _occasion(caller: Caller = PERSON) -> Occasion:
    return Occasion("alice", NOW, caller, "01HZZZZZZZZZZZZZZZZZZZZZZZ")


def _note(**fields: Any) -> Note:
    """An active note in which every field says something, true since 2025."""
    since = {"state": State.ACTIVE, "valid_from": at("2025-01-01"), "valid_until": None, "retired_at": None}
    return replace(a_full_note(SteadyClock()), **{**since, "authority": Authority.FACT, **fields})


def _saved(**fields: Any) -> Note:
    [written] = decisions.save(_occasion(), {"text": "Alice prefers tea", **fields})
    return written.note


def _superseded(note: Note, caller: Caller = PERSON, **fields: Any) -> tuple[Note, Note]:
    ended, begun = decisions.supersede(_occasion(caller), note, {"text": "Alice prefers coffee", **fields})
    return ended.note, begun.note


def test_a_new_note_is_an_active_fact_that_is_true_from_now_on() -> None:
    note = _saved()
    assert (note.version, note.kind, note.state, note.authority) == (1, Kind.SEMANTIC, State.ACTIVE, Authority.FACT)
    assert note.recorded_at == note.updated_at == note.valid_from == note.last_seen_at == NOW
    assert (note.valid_until, note.retired_at, note.verified_at) == (None, None, None)
    assert (note.origin.channel, note.origin.principal, note.origin.session) == (Channel.CLI, "alice", "session-1")


@pytest.mark.parametrize(
    ("fields", "valid_from"),
    [
        ({}, NOW),
        ({"valid_from": at("2020-01-01")}, at("2020-01-01")),
        ({"valid_from": at("2030-01-01")}, at("2030-01-01")),
        ({"occurred_at": at("2024-05-05")}, at("2024-05-05")),
        ({"occurred_at": at("2024-05-05"), "valid_from": at("2024-06-01")}, at("2024-06-01")),
        ({"valid_until": at("2030-01-01")}, NOW),
        ({"valid_until": at("2020-01-01")}, datetime.min.replace(tzinfo=UTC)),
        ({"valid_until": NOW}, datetime.min.replace(tzinfo=UTC)),
    ],
)
def test_since_when_a_new_note_is_true(fields: dict[str, Any], valid_from: datetime) -> None:
    assert _saved(**fields).valid_from == valid_from


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"valid_from": at("2025-01-02"), "valid_until": at("2025-01-01")}, InvalidInput),
        ({"confidence": 1.5}, InvalidInput),
        ({"attribute": "mood"}, InvalidInput),
        ({"metadata": {"a": {"b": float("nan")}}}, InvalidInput),
        ({"metadata": {"a": "x" * 70_000}}, TooLarge),
        ({"derived_from": ("01HZZZZZZZZZZZZZZZZZZZZZZZ",)}, InvalidInput),
    ],
)
def test_a_new_note_that_is_not_sound_is_refused(fields: dict[str, Any], error: type[RecollectError]) -> None:
    with pytest.raises(error):
        _saved(**fields)


def test_an_update_is_the_next_version_and_leaves_alone_what_it_does_not_name() -> None:
    note = _note()
    [written] = decisions.update(_occasion(), note, {"text": "New words", "project": "another", "confidence": 0.25})
    newer = written.note

    assert (newer.version, newer.updated_at, newer.text, newer.confidence) == (2, NOW, "New words", 0.25)
    assert newer.scope == replace(note.scope, project="another")
    assert newer == replace(
        note,
        version=2,
        updated_at=NOW,
        text="New words",
        confidence=0.25,
        scope=newer.scope,
        origin=PERSON.origin(note.origin.source),
    )


def test_an_update_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="Nothing to change") as refusal:
        decisions.update(_occasion(), _note(), {})
    assert refusal.value.code == "nothing_to_do"


@pytest.mark.parametrize("state", list(State))
def test_a_record_can_be_corrected_in_every_state_and_stays_in_it(state: State) -> None:
    [written] = decisions.update(_occasion(), _note(state=state), {"text": "New words"})
    assert written.note.state is state


@pytest.mark.parametrize(
    ("had", "caller", "asked", "has"),
    [
        ("fact", PERSON, None, "fact"),
        ("instruction", PERSON, None, "instruction"),
        ("instruction", PERSON, "fact", "fact"),
        ("fact", PERSON, "quoted", "quoted"),
        ("quoted", PERSON, None, "quoted"),
        ("quoted", PERSON, "instruction", "quoted"),
        ("fact", AGENT, None, "quoted"),
        ("instruction", AGENT, None, "quoted"),
        ("quoted", AGENT, None, "quoted"),
        ("fact", AGENT, "quoted", "quoted"),
    ],
)
def test_an_update_never_raises_authority(had: str, caller: Caller, asked: str | None, has: str) -> None:
    fields = {"text": "New words"} | ({"authority": Authority(asked)} if asked else {})
    [written] = decisions.update(_occasion(caller), _note(authority=Authority(had)), fields)
    assert written.note.authority is Authority(has)


def test_an_agent_cannot_claim_to_speak_for_a_person() -> None:
    for asked in (Authority.FACT, Authority.INSTRUCTION):
        with pytest.raises(InvalidInput, match="through mcp cannot have the authority"):
            decisions.update(_occasion(AGENT), _note(), {"authority": asked})


def test_superseding_ends_the_old_note_where_the_new_one_begins() -> None:
    old, new = _superseded(_note(), value="coffee")

    assert (old.version, old.state, old.valid_until, old.retired_at) == (2, State.SUPERSEDED, NOW, NOW)
    assert (new.version, new.state, new.valid_from, new.valid_until) == (1, State.ACTIVE, NOW, None)
    assert new.supersedes == (old.id,)
    assert new.id != old.id


def test_a_new_note_takes_over_what_it_does_not_say_anew() -> None:
    note = _note()
    _, new = _superseded(note, value="coffee", confidence=0.5, source="a letter")

    for name in ("kind", "title", "subject", "attribute", "tags", "scope", "importance", "pinned"):
        assert getattr(new, name) == getattr(note, name)
    assert (new.value, new.confidence, new.origin.source) == ("coffee", 0.5, "a letter")
    assert (new.metadata, new.derived_from, new.expires_at, new.occurred_at) == ({}, (), None, None)
    assert _superseded(note)[1].value is None


@pytest.mark.parametrize(
    ("valid_until", "since", "ended"),
    [
        (None, None, "2026-06-01"),
        (None, "2025-06-01", "2025-06-01"),
        (None, "2030-01-01", "2030-01-01"),
        ("2025-12-01", None, "2025-12-01"),
        ("2025-12-01", "2025-06-01", "2025-06-01"),
        ("2030-01-01", None, "2026-06-01"),
    ],
)
def test_superseding_shortens_the_time_in_which_the_old_was_true_and_never_lengthens_it(
    valid_until: str | None, since: str | None, ended: str
) -> None:
    note = _note(valid_until=at(valid_until) if valid_until else None)
    fields: dict[str, Any] = {"valid_from": at(since)} if since else {}
    old, new = _superseded(note, **fields)
    assert old.valid_until == at(ended)
    assert new.valid_from == (at(since) if since else NOW)


@pytest.mark.parametrize("since", ["2025-01-01", "2024-12-31", "0001-01-01"])
def test_a_new_note_cannot_begin_before_the_old_one(since: str) -> None:
    with pytest.raises(InvalidInput, match="not after the one it takes over from") as refusal:
        _superseded(_note(), valid_from=at(since))
    assert refusal.value.code == "invalid_period"


@pytest.mark.parametrize("state", [State.SUPERSEDED, State.RETRACTED, State.EXPIRED, State.QUARANTINED])
def test_what_no_longer_holds_can_be_neither_superseded_nor_taken_back(state: State) -> None:
    for attempt in (
        lambda: _superseded(_note(state=state)),
        lambda: decisions.retract(_occasion(), _note(state=state), None),
    ):
        with pytest.raises(Conflict, match=f"is {state.value} already"):
            attempt()


@pytest.mark.parametrize(
    ("had", "caller", "has"),
    [
        ("instruction", PERSON, "instruction"),
        ("fact", PERSON, "fact"),
        ("quoted", PERSON, "quoted"),
        ("instruction", AGENT, "quoted"),
        ("fact", AGENT, "quoted"),
    ],
)
def test_superseding_never_raises_authority(had: str, caller: Caller, has: str) -> None:
    _, new = _superseded(_note(authority=Authority(had)), caller)
    assert new.authority is Authority(has)
    assert new.origin.channel is caller.channel


def test_a_note_that_is_taken_back_keeps_its_times_and_says_why() -> None:
    note = _note()
    [written] = decisions.retract(_occasion(), note, "a joke")
    taken_back = written.note

    assert (taken_back.state, taken_back.version, taken_back.retired_at) == (State.RETRACTED, 2, NOW)
    assert (taken_back.valid_from, taken_back.valid_until) == (note.valid_from, note.valid_until)
    assert taken_back.metadata == {**note.metadata, "retracted_because": "a joke"}
    assert decisions.retract(_occasion(), note, None)[0].note.metadata == note.metadata


@pytest.mark.parametrize(
    ("parents", "caller", "has"),
    [
        ([], PERSON, "fact"),
        (["instruction"], PERSON, "fact"),
        (["fact", "quoted"], PERSON, "quoted"),
        (["instruction", "instruction"], PERSON, "fact"),
        (["instruction"], AGENT, "quoted"),
    ],
)
def test_what_is_derived_ranks_with_its_lowest_parent(parents: list[str], caller: Caller, has: str) -> None:
    notes = [_note(authority=Authority(parent)) for parent in parents]
    [written] = decisions.save(_occasion(caller), {"text": "A summary"}, notes)
    assert written.note.authority is Authority(has)


def test_a_scope_is_taken_from_the_fields_of_a_new_note() -> None:
    assert _saved(user="alice", project="storefront").scope == Scope(user="alice", project="storefront")
