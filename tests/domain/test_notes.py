"""A note is sound or refused, its versions follow one another in time, and its metadata has limits."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import Conflict, InvalidInput, TooLarge
from recollect.domain.notes import (
    MAX_LINKS,
    MAX_METADATA_BYTES,
    MAX_METADATA_DEPTH,
    Note,
    State,
    checked_note,
    closed,
    revised,
)
from tests.support.clock import SteadyClock
from tests.support.writing import a_full_note, a_note, at

NOTE = a_note(SteadyClock())


def _nested(depth: int, *, lists: bool = False) -> dict[str, Any]:
    """An object so many levels deep, itself among them."""
    value: Any = "deep"
    for _ in range(depth - 1):
        value = [value] if lists else {"a": value}
    return {"a": value}


def test_a_note_with_every_field_is_sound() -> None:
    note = a_full_note(SteadyClock())
    assert checked_note(note) is note


def test_a_note_cannot_be_changed_in_place() -> None:
    for field in fields(Note):
        with pytest.raises(AttributeError):
            setattr(NOTE, field.name, None)


@pytest.mark.parametrize("name", ["confidence", "importance"])
@pytest.mark.parametrize("number", [-0.1, 1.1, 1e300, float("inf"), float("-inf"), float("nan"), "1", None])
def test_a_number_outside_its_range_is_refused(name: str, number: object) -> None:
    changed: dict[str, Any] = {name: number}
    with pytest.raises(InvalidInput, match=f"`{name}` is .*; it must be between 0 and 1") as refusal:
        checked_note(replace(NOTE, **changed))
    assert refusal.value.code == "invalid_number"


@pytest.mark.parametrize("number", [0, 0.0, 1, 1.0, 0.5, 5e-324])
def test_the_ends_of_a_range_belong_to_it(number: float) -> None:
    checked_note(replace(NOTE, confidence=number, importance=number))


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "sound"),
    [
        (None, None, True),
        ("2025-01-01", None, True),
        (None, "2025-01-01", True),
        ("2025-01-01", "2025-01-01T00:00:00.000001", True),
        ("2025-01-01", "2025-01-01", False),
        ("2025-01-02", "2025-01-01", False),
        ("0001-01-01", "9999-12-31T23:59:59.999999", True),
    ],
)
def test_a_period_ends_after_it_begins(valid_from: str | None, valid_until: str | None, sound: bool) -> None:
    note = replace(
        NOTE, valid_from=at(valid_from) if valid_from else None, valid_until=at(valid_until) if valid_until else None
    )
    if sound:
        assert checked_note(note) is note
        return
    with pytest.raises(InvalidInput, match="`valid_until` is not after `valid_from`") as refusal:
        checked_note(note)
    assert refusal.value.code == "invalid_period"


def test_an_attribute_needs_a_subject() -> None:
    checked_note(replace(NOTE, subject="user", attribute="mood"))
    with pytest.raises(InvalidInput, match="The attribute `mood` has no subject") as refusal:
        checked_note(replace(NOTE, attribute="mood"))
    assert refusal.value.code == "subject_missing"


@pytest.mark.parametrize("name", ["supersedes", "derived_from"])
def test_links_are_limited_and_never_to_oneself(name: str) -> None:
    full: dict[str, Any] = {name: tuple(str(number) for number in range(MAX_LINKS))}
    checked_note(replace(NOTE, **full))
    over: dict[str, Any] = {name: tuple(str(number) for number in range(MAX_LINKS + 1))}
    with pytest.raises(TooLarge, match=f"`{name}` has 257 ids"):
        checked_note(replace(NOTE, **over))
    itself: dict[str, Any] = {name: (NOTE.id,)}
    with pytest.raises(InvalidInput, match=f"`{name}` names the note itself"):
        checked_note(replace(NOTE, **itself))


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"": ""},
        {"a": [1, 2.5, None, True, "x", {"b": []}]},
        {"nul": "\x00", "half": "\ud83d", "bidi": "\u202e"},
        {"big": 10**30, "small": -(10**30)},
        {"a": "x" * (MAX_METADATA_BYTES - 10)},
        _nested(MAX_METADATA_DEPTH),
        _nested(MAX_METADATA_DEPTH, lists=True),
    ],
    ids=range(8),
)
def test_metadata_is_any_small_json_object(metadata: dict[str, Any]) -> None:
    checked_note(replace(NOTE, metadata=metadata))


def _around_in_a_circle() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["circle"] = circle
    return circle


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        [],
        "text",
        {1: "number as key"},
        {"deep": {1: "number as key", "b": "text as key"}},
        {"deep": [{None: "nothing as key"}]},
        {"set": {1, 2}},
        {"bytes": b"x"},
        {"time": at("2026-01-01")},
        {"nan": float("nan")},
        {"infinity": [float("inf")]},
        {"object": object()},
        _nested(MAX_METADATA_DEPTH + 1),
        _nested(MAX_METADATA_DEPTH + 1, lists=True),
        _nested(5000),
        _nested(5000, lists=True),
        _around_in_a_circle(),
    ],
    ids=range(17),
)
def test_metadata_that_is_not_json_or_too_deep_is_refused(metadata: Any) -> None:
    with pytest.raises(InvalidInput, match="`metadata`") as refusal:
        checked_note(replace(NOTE, metadata=metadata))
    assert refusal.value.code == "invalid_metadata"


def test_metadata_has_a_size() -> None:
    with pytest.raises(TooLarge, match="`metadata` is 70,009 bytes; at most 64,000 are kept"):
        checked_note(replace(NOTE, metadata={"a": "x" * 70_000}))


@given(st.timedeltas(timedelta(days=-400), timedelta(days=400)))
def test_the_next_version_is_always_later_whatever_the_clock_says(passed: timedelta) -> None:
    newer = revised(NOTE, NOTE.updated_at + passed, text="New words")

    assert newer.updated_at > NOTE.updated_at
    assert newer.updated_at >= NOTE.updated_at + passed
    assert (newer.version, newer.recorded_at, newer.id) == (2, NOTE.recorded_at, NOTE.id)


@pytest.mark.parametrize("state", list(State))
def test_only_what_is_held_to_be_true_can_be_closed(state: State) -> None:
    note = replace(NOTE, state=state)
    if state in (State.ACTIVE, State.DISPUTED):
        ended = closed(note, at("2026-06-01"), state=State.SUPERSEDED, valid_until=at("2026-05-01"))
        assert (ended.state, ended.valid_until, ended.retired_at) == (
            State.SUPERSEDED,
            at("2026-05-01"),
            at("2026-06-01"),
        )
        return
    with pytest.raises(Conflict, match=f"is {state.value} already") as refusal:
        closed(note, at("2026-06-01"), state=State.SUPERSEDED)
    assert refusal.value.code == "not_active"


def test_closing_without_an_end_keeps_the_end_there_was() -> None:
    note = replace(NOTE, valid_until=at("2030-01-01"))
    assert closed(note, at("2026-06-01"), state=State.RETRACTED).valid_until == at("2030-01-01")


@pytest.mark.parametrize(
    ("state", "held"),
    [
        (State.ACTIVE, True),
        (State.SUPERSEDED, True),
        (State.DISPUTED, True),
        (State.EXPIRED, True),
        (State.RETRACTED, False),
        (State.QUARANTINED, False),
    ],
)
def test_what_was_taken_back_or_held_back_was_never_true(state: State, held: bool) -> None:
    assert replace(NOTE, state=state).holds_at(at("2026-06-01")) is held
