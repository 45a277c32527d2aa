"""No field of anything that is written can hold a secret. The fields are found, not listed: a new one is tried, too."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import get_args

import pytest

from recollect.domain.access import AccessScope, AccessToken, up_to
from recollect.domain.answers.receipts import RecallReceipt
from recollect.domain.changes import (
    AddObservation,
    AdoptNote,
    Changes,
    CountVerdicts,
    Edit,
    Idempotency,
    OpenSession,
    OpenSpace,
    RecordFile,
    WriteAction,
    WriteNote,
    WriteSlot,
    WriteVector,
)
from recollect.domain.desk import Action, Slot
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Note
from recollect.domain.observations import Observation, Session
from recollect.domain.origin import Origin
from recollect.redaction import clean_records
from recollect.redaction.clean_records import clean, clean_changes, untouched, without_secrets
from recollect.stores.sql_store import SqlStore
from tests.secrets.made_up import NOW, Place, full, places, with_text
from tests.secrets.vendors import MANY, left_in, vendors
from tests.support.clock import SteadyClock
from tests.support.raw import rows, tables

ALLOWED = MANY // 100  # of a hundred, in any one field
EDITS = get_args(Edit)


def _is_written(place: Place) -> bool:
    return not any(step in untouched() for step in place)


def _of_changes() -> list[tuple[Place, Changes]]:
    """Every place of a text: in the changes themselves, and in each kind of edit."""
    empty = Changes("plain", "plain", NOW, Origin(), ())
    own = [(place, value) for place, value in places(Changes) if place[0][1] != "edits"]
    inner = [
        (place, replace(empty, edits=(value,))) for kind in EDITS for place, value in places(kind) if _is_written(place)
    ]
    return [*((place, value) for place, value in own if _is_written(place)), *inner]


def test_every_kind_of_edit_is_tried_and_few_fields_are_left_out() -> None:
    tried = {place[0][0] for place, _ in _of_changes()}
    without_text = {kind for kind in EDITS if not any(_is_written(place) for place, _ in places(kind))}
    assert tried - {Changes} == set(EDITS) - without_text
    assert {kind.__name__ for kind in without_text} == {
        "DeleteSpace",
        "LimitSpace",
        "ResumeSpace",
        "DropSession",
        "RejudgeSpace",
    }
    assert len(untouched()) == 11, "each field that is left as it is needs a reason, and a test of its own"


def test_a_secret_in_any_field_of_any_edit_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # The same hundred texts are in every field: each is cleaned once.
    monkeypatch.setattr(clean_records, "clean", cache(clean))
    items = vendors()
    missed: dict[str, list[str]] = {}
    for place, value in _of_changes():
        kept = [item for item in items if item.secret in repr(clean_changes(with_text(value, item.text)))]
        if len(kept) > ALLOWED:
            missed[".".join(f"{kind.__name__}.{name}" for kind, name in place)] = [item.text for item in kept][:3]
    assert missed == {}


def test_what_was_cleaned_once_stays_as_it_is() -> None:
    for at, (_, value) in enumerate(_of_changes()):
        once = clean_changes(with_text(value, vendors()[at % MANY].text))
        assert clean_changes(once) == once


def test_receipts_hold_no_secret_in_any_field() -> None:
    for at, (_, value) in enumerate(places(RecallReceipt)):
        item = vendors()[at % MANY]
        assert item.secret not in repr(without_secrets(with_text(value, item.text)))


def test_a_value_that_is_told_by_its_name_is_taken_out() -> None:
    told = without_secrets({"password": "hunter2!x", "pwd": 918273645, "port": 8080, "note": "likes tea"})
    assert told == {"password": "[redacted:password]", "pwd": "[redacted:password]", "port": 8080, "note": "likes tea"}


def test_two_keys_that_are_the_same_without_their_secrets_are_both_kept() -> None:
    first, second = (next(iter(vendors(seed))).text for seed in (1, 2))
    assert sorted(without_secrets({first: 1, second: 2}).values()) == [1, 2]


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(TypeError):
        without_secrets((object(),))


def test_no_store_writes_a_secret_whatever_edit_it_is_in(store: SqlStore, clock: SteadyClock) -> None:
    items = vendors()
    for item in items:
        store.apply(_everything(item.text, clock))
        token = AccessToken(clock.new_id(), item.text, up_to(AccessScope.READ), None, clock.now(), digest="0" * 64)
        store.tokens.keep(token)
        receipt = replace(full(RecallReceipt, item.text), id=clock.new_id(), at=clock.now())
        store.receipts.keep("plain", receipt)
    kept = json.dumps([rows(store, f"SELECT * FROM {table}") for table in tables(store)], default=str)
    assert len(kept) > 100_000
    assert left_in(kept.encode(), items) == []


def test_a_new_space_whose_name_is_a_secret_is_refused(store: SqlStore, clock: SteadyClock) -> None:
    name = f"ghp_{'a1B2c3D4e5' * 4}"[:40]
    with pytest.raises(InvalidInput) as refused:
        store.apply(Changes(name, "test", clock.now(), Origin(), (OpenSpace("about tea"),)))
    assert (refused.value.code, name in refused.value.message, store.space(name)) == ("secret_in_name", False, None)


def test_a_record_of_another_space_than_its_change_is_refused(store: SqlStore, clock: SteadyClock) -> None:
    with pytest.raises(InvalidInput):
        store.apply(replace(_everything("plain", clock), space="another"))


def _everything(text: str, clock: SteadyClock) -> Changes:
    """One change with every edit that can be made at once, and the text in every place it has."""
    space, links = "plain", {"supersedes": (), "derived_from": (), "depends_on": (), "related": ()}
    note = replace(full(Note, text), id=clock.new_id(), space=space, version=1, key=_a_key(text, clock), **links)
    session = replace(full(Session, text), id=clock.new_id(), space=space)
    said = replace(full(Observation, text), id=clock.new_id(), space=space, session_id=session.id, position=0)
    slot = replace(full(Slot, text), id=clock.new_id(), space=space, version=1)
    action = replace(full(Action, text), id=clock.new_id(), space=space, version=1, depends_on=())
    edits = (
        OpenSession(session),
        AddObservation(said),
        WriteNote(note),
        AdoptNote(replace(note, id=clock.new_id(), key=_a_key(text, clock))),
        WriteSlot(replace(slot, label=f"l{slot.id.lower()}")),
        WriteAction(action),
        OpenSpace(text),
        CountVerdicts(((text, 1),)),
        RecordFile(text, text, text, text),
        WriteVector(note.id, 1, text, b"1234"),
    )
    return Changes(space, text, clock.now(), full(Origin, text), edits, Idempotency(f"{text} {note.id}", text))


def _a_key(text: str, clock: SteadyClock) -> str:
    """A key with the text in it, that no other note has."""
    return f"{clock.new_id()} {text}"
