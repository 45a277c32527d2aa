"""What a caller says about a note is checked before anything is decided."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Kind
from recollect.domain.origin import Authority
from recollect.remember.fields import EMPTY, checked_fields
from tests.support.writing import at

AN_ID = "01HZZZZZZZZZZZZZZZZZZZZZZZ"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"text": "a\r\nb"}, {"text": "a\nb"}),
        ({"kind": "lesson"}, {"kind": Kind.LESSON}),
        ({"authority": "instruction"}, {"authority": Authority.INSTRUCTION}),
        ({"title": " T "}, {"title": "T"}),
        ({"title": ""}, {"title": None}),
        ({"title": None}, {}),
        ({"tags": ["B", "a"]}, {"tags": ("a", "b")}),
        ({"tags": "one"}, {"tags": ("one",)}),
        ({"confidence": 1}, {"confidence": 1.0}),
        ({"valid_from": "2026-03-01"}, {"valid_from": at("2026-03-01")}),
        ({"derived_from": [AN_ID.lower(), AN_ID]}, {"derived_from": (AN_ID,)}),
        ({"metadata": {"a": 1}}, {"metadata": {"a": 1}}),
        ({"pinned": False}, {"pinned": False}),
        ({"user": "alice", "machine": None}, {"user": "alice"}),
    ],
)
def test_a_field_is_kept_in_its_one_spelling(given: dict[str, Any], kept: dict[str, Any]) -> None:
    assert checked_fields(given) == kept


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"colour": "red"}, "unknown_field"),
        ({"id": AN_ID}, "unknown_field"),
        ({"origin": {}}, "unknown_field"),
        ({"version": 3}, "unknown_field"),
        ({"state": "active"}, "unknown_field"),
        ({"text": ""}, "empty_text"),
        ({"text": 5}, "invalid_text"),
        ({"value": " "}, "empty_text"),
        ({"kind": "poem"}, "unknown_kind"),
        ({"kind": 5}, "unknown_kind"),
        ({"kind": []}, "unknown_kind"),
        ({"authority": "divine"}, "unknown_authority"),
        ({"confidence": "high"}, "invalid_number"),
        ({"confidence": True}, "invalid_number"),
        ({"importance": None, "confidence": []}, "invalid_number"),
        ({"pinned": "yes"}, "invalid_field"),
        ({"pinned": 1}, "invalid_field"),
        ({"derived_from": AN_ID}, "invalid_field"),
        ({"derived_from": 5}, "invalid_field"),
        ({"derived_from": ["x"]}, "invalid_id"),
        ({"metadata": [1]}, "invalid_metadata"),
        ({"metadata": "x"}, "invalid_metadata"),
        ({"valid_from": "soon"}, "invalid_time"),
        ({"expires_at": 5}, "invalid_time"),
        ({"tags": 5}, "invalid_field"),
        ({"tags": [None]}, None),
        ({"tags": [5]}, "invalid_text"),
    ],
)
def test_a_field_that_cannot_be_understood_has_its_code(given: dict[str, Any], code: str | None) -> None:
    if code is None:
        checked_fields(given)
        return
    with pytest.raises(InvalidInput) as refusal:
        checked_fields(given)
    assert refusal.value.code == code


def test_an_unknown_kind_is_answered_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="`kind` is `poem`") as refusal:
        checked_fields({"kind": "poem"})
    assert refusal.value.hint == "It can be: semantic, episodic, procedural, lesson, pattern."


def test_a_field_that_must_be_given_is_named() -> None:
    with pytest.raises(InvalidInput, match="`text` is missing"):
        checked_fields({"text": None}, required=("text",))


@pytest.mark.parametrize("name", sorted(EMPTY))
def test_what_can_be_empty_can_be_emptied(name: str) -> None:
    assert checked_fields({}, clear=[name]) == {name: EMPTY[name]}


@pytest.mark.parametrize("name", ["text", "kind", "confidence", "pinned", "id", "", "colour"])
def test_what_cannot_be_empty_cannot_be_emptied(name: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be emptied") as refusal:
        checked_fields({}, clear=[name])
    assert "title" in refusal.value.hint


def test_a_field_is_either_given_or_emptied() -> None:
    with pytest.raises(InvalidInput, match="both given and to be emptied"):
        checked_fields({"title": "T"}, clear=["title"])


def test_one_field_to_empty_can_be_named_without_a_list() -> None:
    assert checked_fields({}, clear="title") == {"title": None}
