"""A note survives the way to JSON and back, and a record that is not sound is refused by the name of its field."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from recollect.codecs.plain import note_from_plain
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note
from recollect.domain.values import to_plain
from tests.support.clock import SteadyClock
from tests.support.writing import a_full_note, a_note

NOTE = a_full_note(SteadyClock())


def _plain(**changed: Any) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(to_plain(NOTE)))
    return {**record, **changed}


def test_every_field_survives_the_way_to_json_and_back() -> None:
    assert note_from_plain(_plain()) == NOTE
    assert set(_plain()) == {field.name for field in fields(Note)}


def test_a_bare_note_needs_only_what_makes_it_one() -> None:
    required = ("id", "space", "version", "kind", "text", "recorded_at", "updated_at")
    bare = note_from_plain({name: _plain()[name] for name in required})
    clock = SteadyClock()
    expected = replace(a_note(clock), authority=bare.authority, origin=bare.origin, valid_from=None)
    assert (bare.state, bare.confidence, bare.importance) == (expected.state, 1.0, 0.5)
    assert (bare.tags, bare.supersedes, bare.metadata, bare.pinned) == ((), (), {}, False)


def test_without_an_authority_a_record_is_only_quoted_and_without_a_channel_it_was_imported() -> None:
    record = _plain()
    del record["authority"], record["origin"]
    note = note_from_plain(record)
    assert (note.authority.value, note.origin.channel.value) == ("quoted", "import")


@pytest.mark.parametrize("name", ["id", "space", "version", "kind", "text", "recorded_at", "updated_at"])
@pytest.mark.parametrize("how", ["left out", "null"])
def test_a_field_that_must_be_there_is_named(name: str, how: str) -> None:
    record = _plain(**{name: None})
    if how == "left out":
        del record[name]
    with pytest.raises(InvalidInput, match=f"has no `{name}`") as refusal:
        note_from_plain(record)
    assert refusal.value.code == "field_missing"


def test_a_field_from_the_future_is_named() -> None:
    with pytest.raises(InvalidInput, match="a field `mood` that this version does not know") as refusal:
        note_from_plain(_plain(mood="happy"))
    assert refusal.value.code == "unknown_field"
    assert "newer version" in refusal.value.hint


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"id": "short"}, "invalid_id"),
        ({"id": 5}, "invalid_id"),
        ({"space": "two words"}, "invalid_space"),
        ({"version": 0}, "invalid_number"),
        ({"version": -1}, "invalid_number"),
        ({"version": True}, "invalid_number"),
        ({"version": 1.5}, "invalid_number"),
        ({"version": "1"}, "invalid_number"),
        ({"version": 2**31}, "invalid_number"),
        ({"kind": "poem"}, "unknown_kind"),
        ({"kind": ["semantic"]}, "unknown_kind"),
        ({"text": ""}, "empty_text"),
        ({"text": 5}, "invalid_text"),
        ({"text": "nul \x00"}, "invalid_text"),
        ({"text": "x" * 1_000_001}, "too_large"),
        ({"title": "two\nlines"}, "invalid_text"),
        ({"recorded_at": "yesterday"}, "invalid_time"),
        ({"updated_at": 5}, "invalid_time"),
        ({"valid_from": {}}, "invalid_time"),
        ({"valid_from": "2026-01-02", "valid_until": "2026-01-01"}, "invalid_period"),
        ({"tags": "a"}, "invalid_field"),
        ({"tags": [5]}, "invalid_text"),
        ({"tags": None}, "invalid_field"),
        ({"scope": []}, "invalid_field"),
        ({"scope": {"user": 5}}, "invalid_text"),
        ({"state": "gone"}, "unknown_state"),
        ({"confidence": 2}, "invalid_number"),
        ({"confidence": "high"}, "invalid_number"),
        ({"confidence": True}, "invalid_number"),
        ({"pinned": "yes"}, "invalid_field"),
        ({"pinned": 1}, "invalid_field"),
        ({"origin": "me"}, "invalid_field"),
        ({"origin": {"channel": "telepathy"}}, "unknown_channel"),
        ({"authority": "divine"}, "unknown_authority"),
        ({"supersedes": "x"}, "invalid_field"),
        ({"supersedes": ["x"]}, "invalid_id"),
        ({"derived_from": [None]}, "invalid_id"),
        ({"metadata": []}, "invalid_field"),
        ({"attribute": "mood", "subject": None}, "subject_missing"),
    ],
)
def test_a_field_that_is_not_sound_has_its_code(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        note_from_plain(_plain(**changed))
    assert refusal.value.code == code


def test_a_link_to_itself_is_refused() -> None:
    with pytest.raises(InvalidInput, match="names the note itself"):
        note_from_plain(_plain(supersedes=[NOTE.id]))
