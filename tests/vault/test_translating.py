"""A note becomes a file and a file becomes a note, and going there and back changes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given

from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import Scope
from recollect.vault.documents import Document, Malformed, document_of, parsed, translated, with_fields, written
from recollect.vault.layout import path_of
from tests.vault.making import ANAMNESIS, BY_HAND, edits

NOW = datetime(2026, 1, 1, 12, 30, 0, 123456, tzinfo=UTC)
SYNC = Origin(Channel.SYNC)
STAMPED = with_fields(parsed(BY_HAND), {"created_at": NOW.isoformat(), "updated_at": NOW.isoformat()})

FULL = Note(
    id="01J9ZB0C4F8H2K6M3P9R7S5T1W", space="default", version=1, kind=Kind.LESSON, text="one\n\ntwo: 'three'\n",
    recorded_at=NOW, updated_at=NOW, title='"quoted" #title', subject="user", attribute="location", value="a\nb",
    tags=("a", "b"), scope=Scope("alice", "bot", "storefront", "s1", None), state=State.DISPUTED, confidence=0.25,
    importance=0.75, pinned=True, origin=Origin(Channel.SYNC, "alice", "s2", "http://x"),
    authority=Authority.INSTRUCTION, valid_from=NOW, valid_until=NOW.replace(year=2027), occurred_at=NOW,
    expires_at=NOW.replace(year=2028),
    retired_at=NOW, last_seen_at=NOW, verified_at=NOW, supersedes=("01J9Z8YPM7Q3X2V4WT6B5N0KGD",),
    derived_from=("01J9Z8YPM7Q3X2V4WT6B5N0KGE",), depends_on=("01J9Z8YPM7Q3X2V4WT6B5N0KGF",), review="look at it",
    metadata={"said": {"quote": "I ☕"}, "n": 1},
)  # fmt: skip


def there_and_back(note: Note) -> Note:
    content = written(document_of(note, "here"))
    return translated(parsed(content), space="default", machine="here", before=None, origin=SYNC)[0]


@pytest.mark.parametrize("note", [FULL, replace(FULL, title=None, kind=Kind.PATTERN, scope=Scope(machine="thinkpad"))])
def test_every_field_of_a_note_is_in_its_file(note: Note) -> None:
    assert there_and_back(note) == note


@given(edits(STAMPED))
def test_the_file_of_a_note_made_from_a_file_is_that_file(document: Document) -> None:
    document = with_fields(document, {"attribute": None, "valid_until": None})
    if document.text.strip() or document.fields["title"]:
        note = translated(document, space="default", machine="here", before=None, origin=SYNC)[0]
        assert written(document_of(note, "here")) == written(document)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_file_of_anamnesis_comes_back_byte_for_byte(newline: bytes) -> None:
    content = ANAMNESIS.replace(b"\n", newline)
    note = translated(parsed(content), space="default", machine="here", before=None, origin=SYNC)[0]
    assert written(document_of(note, "here")) == content
    assert path_of(parsed(content)) == f"memory/procedural/{note.id}.md"


def test_kinds_that_others_do_not_know_have_a_type_they_do() -> None:
    document = document_of(FULL, "here")
    assert (document.fields["type"], document.fields["kind"]) == ("procedural", "lesson")
    assert path_of(document) == f"memory/lesson/{FULL.id}.md"


def test_authority_never_rises_by_an_edit_of_the_file() -> None:
    quoted = replace(FULL, authority=Authority.QUOTED)
    raised = with_fields(document_of(quoted, "here"), {"authority": "instruction"})
    again = translated(raised, space="default", machine="here", before=quoted, origin=SYNC, at=NOW)[0]
    assert again.authority is Authority.QUOTED


@pytest.mark.parametrize(
    "wrong",
    [{"id": "x"}, {"type": "odd"}, {"state": "odd"}, {"supersedes": ("x",)}, {"attribute": "a", "subject": None}],
)
def test_what_cannot_be_a_note_says_why(wrong: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        translated(with_fields(STAMPED, wrong), space="default", machine="here", before=None, origin=SYNC)
