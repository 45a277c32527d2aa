"""Edits that are cleaned together come out as each would by itself, wherever a secret is."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import get_args

from recollect.domain.changes import Changes, Edit, WriteNote
from recollect.domain.notes import Note
from recollect.domain.origin import Origin
from recollect.redaction.clean_records import clean_changes, untouched, without_secrets
from tests.secrets.made_up import NOW, Place, places, plain, with_text
from tests.secrets.vendors import MANY, vendors

PLAIN = plain(Note)
BATCH = tuple(WriteNote(replace(PLAIN, id=f"01J9Z8YPM7Q3X2V4WT6B5N{at:04d}", title=f"Note {at}")) for at in range(20))


class Code(IntEnum):
    OF_THE_DOOR = 483920


def _of_edits() -> list[tuple[Place, Edit]]:
    every = [each for kind in get_args(Edit) for each in places(kind)]
    return [(place, edit) for place, edit in every if not any(step in untouched() for step in place)]


def _cleaned(*edits: Edit) -> tuple[Edit, ...]:
    return clean_changes(Changes("plain", "plain", NOW, Origin(), edits)).edits


def test_a_secret_in_any_field_is_taken_out_though_many_edits_come_with_it() -> None:
    missed = []
    for at, (place, edit) in enumerate(_of_edits()):
        for item in (vendors()[at % MANY], vendors()[(at * 7 + 3) % MANY]):
            told = with_text(edit, item.text)
            if _cleaned(*BATCH, told) != (*BATCH, without_secrets(told)):
                missed.append((place, item.text))
    assert missed == []


def test_a_name_that_tells_a_secret_is_seen_among_many_edits() -> None:
    for metadata in ({"password": "hunter22!x"}, {"pin": 483920}, {"deep": [{"api_key": "q8Zt5Lw2Rk9Vb3Nx"}]}):
        telling = WriteNote(replace(PLAIN, metadata=metadata))
        assert _cleaned(*BATCH, telling)[-1] == without_secrets(telling) != telling
    numbered = WriteNote(replace(PLAIN, metadata={"pin": Code.OF_THE_DOOR}))
    assert _cleaned(*BATCH, numbered)[-1] == without_secrets(numbered) != numbered
    valued = WriteNote(replace(PLAIN, subject="db", attribute="password", value="hunter22!x"))
    assert _cleaned(*BATCH, valued)[-1] == without_secrets(valued) != valued


def test_edits_without_a_secret_are_given_back_as_they_are() -> None:
    assert all(one is other for one, other in zip(_cleaned(*BATCH), BATCH, strict=True))
