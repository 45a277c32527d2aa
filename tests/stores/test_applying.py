"""Apply writes all of a decision or nothing of it, and never over something its author has not seen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from recollect.domain.changes import Change, ChangeKind, Changes, EraseNote, OpenSpace, WriteNote
from recollect.domain.errors import Conflict, NotFound, RecollectError
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.selections import Selection
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows
from tests.support.together import at_once
from tests.support.writing import a_full_note, a_note, changes, edited, saved, write

EVERYTHING = Selection()


def test_what_was_written_comes_back_field_by_field(store: SqlStore, clock: SteadyClock) -> None:
    note = a_full_note(clock)
    write(store, clock, note)

    assert store.note("alice", note.id) == note
    assert store.version("alice", note.id, 1) == note
    assert store.notes("alice", EVERYTHING, before=None, limit=10) == [note]


@pytest.mark.parametrize("authority", list(Authority))
def test_origin_and_authority_survive_every_write(store: SqlStore, clock: SteadyClock, authority: Authority) -> None:
    for channel in Channel:
        origin = Origin(channel, f"who-{channel}", f"session-{channel}", f"source-{channel}")
        note = saved(store, clock, origin=origin, authority=authority)
        pinned = edited(store, clock, note, pinned=True)

        assert store.version("alice", note.id, 1) == note
        assert store.note("alice", note.id) == pinned
        assert (pinned.origin, pinned.authority) == (origin, authority)


def test_a_decision_that_fails_halfway_leaves_no_trace(store: SqlStore, clock: SteadyClock) -> None:
    known = saved(store, clock, "Alice prefers tea")
    counted = [len(store.log.changes_after("alice", 0, limit=100)), len(store.log.audit("alice", after=0, limit=100))]
    fresh = a_note(clock, "Alice has a parrot")
    stale = replace(known, version=5)

    with pytest.raises(Conflict):
        store.apply(changes(clock, WriteNote(fresh), OpenSpace("new words"), WriteNote(stale)))

    assert store.note("alice", fresh.id) is None
    assert store.matching("alice", ["parrot"], EVERYTHING, limit=10) == []
    space = store.space("alice")
    assert space is not None and space.description == ""
    assert [
        len(store.log.changes_after("alice", 0, limit=100)),
        len(store.log.audit("alice", after=0, limit=100)),
    ] == counted


def test_many_new_notes_are_written_as_each_would_be(store: SqlStore, clock: SteadyClock) -> None:
    many = [replace(a_full_note(clock), title=f"Deploying {number}") for number in range(20)]
    [apart] = [replace(a_full_note(clock, space="apart"), title="Deploying 3")]
    write(store, clock, *many)
    write(store, clock, apart)

    assert store.current("alice", [note.id for note in many]) == {note.id: note for note in many}
    assert [each.record_id for each in store.log.changes_after("alice", 0, limit=100)][1:] == [note.id for note in many]
    assert len(store.matching("alice", ["release"], EVERYTHING, limit=50)) == 20
    for table in ("note_metadata", "note_entity", "note_link", "note_text"):
        columns = (
            "note_id, "
            + {
                "note_metadata": "place, path, kind, text, number",
                "note_entity": "key, role, attribute",
                "note_link": "relation",
                "note_text": "version, title, text, tags, forms",
            }[table]
        )
        of_one = sorted(
            map(str, (row[1:] for row in rows(store, f"SELECT {columns} FROM {table}") if row[0] == apart.id))
        )
        third = sorted(
            map(str, (row[1:] for row in rows(store, f"SELECT {columns} FROM {table}") if row[0] == many[3].id))
        )
        assert of_one == third != []


@pytest.mark.parametrize("standing_in_the_way", ["erased", "there", "twice"])
def test_of_many_new_notes_none_is_written_if_one_cannot_be(
    store: SqlStore, clock: SteadyClock, standing_in_the_way: str
) -> None:
    many = [a_note(clock, f"Alice has parrot {number}") for number in range(20)]
    if standing_in_the_way == "twice":
        many.append(many[4])
    else:
        write(store, clock, many[4])
    if standing_in_the_way == "erased":
        store.apply(changes(clock, EraseNote(many[4].id)))

    with pytest.raises(RecollectError) as refusal:
        write(store, clock, *many)

    assert refusal.value.code == ("erased" if standing_in_the_way == "erased" else "note_exists")
    assert store.note("alice", many[0].id) is None


def test_a_stale_write_is_a_conflict_and_nothing_is_overwritten(store: SqlStore, clock: SteadyClock) -> None:
    first = saved(store, clock, "Alice prefers tea")
    second = edited(store, clock, first, text="Alice prefers coffee")

    with pytest.raises(Conflict, match="is at version 2 now; the change was made on version 1") as refusal:
        write(store, clock, revised(first, clock.now(), text="Alice prefers water"))

    assert refusal.value.code == "stale_version"
    assert store.note("alice", first.id) == second
    assert store.versions("alice", [first.id]) == [first, second]


def test_a_version_that_skips_one_is_a_conflict(store: SqlStore, clock: SteadyClock) -> None:
    first = saved(store, clock)

    with pytest.raises(Conflict):
        write(store, clock, replace(first, version=3, updated_at=clock.now()))

    assert store.versions("alice", [first.id]) == [first]


def test_an_id_that_is_taken_is_a_conflict(store: SqlStore, clock: SteadyClock) -> None:
    first = saved(store, clock, "Alice prefers tea")

    with pytest.raises(Conflict) as refusal:
        write(store, clock, replace(first, text="Bob prefers beer"))

    assert refusal.value.code == "note_exists"
    assert store.note("alice", first.id) == first


def test_a_new_version_of_a_note_that_never_was_is_not_found(store: SqlStore, clock: SteadyClock) -> None:
    saved(store, clock)

    with pytest.raises(NotFound) as refusal:
        write(store, clock, replace(a_note(clock), version=2))

    assert refusal.value.code == "note_not_found"


def test_of_many_edits_of_the_same_version_exactly_one_wins(store: SqlStore, clock: SteadyClock) -> None:
    first = saved(store, clock)
    rivals = [changes(clock, WriteNote(revised(first, clock.now(), text=f"Edit {n}"))) for n in range(8)]

    outcomes = at_once([partial(store.apply, rival) for rival in rivals])

    winners = [rival for rival, outcome in zip(rivals, outcomes, strict=True) if outcome.error is None]
    assert len(winners) == 1
    assert {type(outcome.error) for outcome in outcomes} == {type(None), Conflict}
    assert [WriteNote(note) for note in store.versions("alice", [first.id])] == [
        WriteNote(first),
        *winners[0].edits,
    ]


def test_a_receipt_names_every_change_in_order(store: SqlStore, clock: SteadyClock) -> None:
    tea, parrot = a_note(clock), a_note(clock, "Alice has a parrot")
    receipt = store.apply(changes(clock, WriteNote(tea), WriteNote(parrot), EraseNote(tea.id)))

    assert receipt.changes == (
        Change(1, ChangeKind.SPACE_OPENED, "alice", 0),
        Change(2, ChangeKind.WRITTEN, tea.id, 1),
        Change(3, ChangeKind.WRITTEN, parrot.id, 1),
        Change(4, ChangeKind.ERASED, tea.id, 0),
    )
    assert store.log.changes_after("alice", 0, limit=10) == list(receipt.changes)


def test_describing_a_space_again_with_the_same_words_changes_nothing(store: SqlStore, clock: SteadyClock) -> None:
    store.apply(changes(clock, OpenSpace("Alice's own")))
    before = store.log.changes_after("alice", 0, limit=10)

    again = store.apply(changes(clock, OpenSpace("Alice's own")))

    assert again.changes == ()
    assert store.log.changes_after("alice", 0, limit=10) == before


def test_a_rehearsal_reports_what_would_be_done_and_does_nothing(store: SqlStore, clock: SteadyClock) -> None:
    known = saved(store, clock)
    planned = changes(clock, WriteNote(a_note(clock, "Alice has a parrot")), EraseNote(known.id), key="k")

    rehearsed = store.apply(planned, rehearse=True)

    assert store.notes("alice", EVERYTHING, before=None, limit=10) == [known]
    assert store.apply(planned).changes == rehearsed.changes


@pytest.mark.parametrize("rehearse", [True, False], ids=["rehearsed", "done"])
def test_a_rehearsal_fails_as_the_real_thing_does(store: SqlStore, clock: SteadyClock, rehearse: bool) -> None:
    known = saved(store, clock)
    with pytest.raises(Conflict) as refusal:
        store.apply(changes(clock, WriteNote(replace(known, version=4))), rehearse=rehearse)
    assert refusal.value.code == "stale_version"


def test_a_rehearsed_first_write_makes_no_space(store: SqlStore, clock: SteadyClock) -> None:
    store.apply(changes(clock, WriteNote(a_note(clock))), rehearse=True)
    assert store.space("alice") is None


def test_a_first_write_that_fails_makes_no_space(store: SqlStore, clock: SteadyClock) -> None:
    with pytest.raises(RecollectError):
        write(store, clock, replace(a_note(clock), version=2))

    assert store.space("alice") is None
    assert rows(store, "SELECT name FROM space WHERE name = 'alice'") == []


def test_two_first_writers_at_once_make_one_space(store: SqlStore, clock: SteadyClock) -> None:
    notes = [a_note(clock, f"Note {n}", space="new") for n in range(4)]
    firsts: list[Changes] = [changes(clock, WriteNote(note), space="new") for note in notes]

    outcomes = at_once([partial(store.apply, first) for first in firsts])

    assert [outcome.error for outcome in outcomes] == [None] * 4
    assert [space.name for space in store.spaces()] == ["new"]
    opened = [c for c in store.log.changes_after("new", 0, limit=10) if c.kind is ChangeKind.SPACE_OPENED]
    assert len(opened) == 1


def test_only_the_newest_version_is_current(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    for number in range(5):
        note = edited(store, clock, note, text=f"Wording {number}", state=State.DISPUTED)

    found: list[Note] = list(store.notes("alice", EVERYTHING, before=None, limit=10))
    assert found == [note]
    assert [version.version for version in store.versions("alice", [note.id])] == [1, 2, 3, 4, 5, 6]


def test_links_can_be_walked_both_ways(store: SqlStore, clock: SteadyClock) -> None:
    austin = saved(store, clock, "Alice lives in Austin")
    boston = saved(store, clock, "Alice lives in Boston", supersedes=(austin.id,))
    paris = saved(store, clock, "Alice lives in Paris", supersedes=(boston.id,))
    summary = saved(store, clock, "Alice moves a lot", derived_from=(austin.id, boston.id))
    digest = saved(store, clock, "A person on the move", derived_from=(summary.id,))

    for step in (austin, boston, paris):
        assert store.lineage.chains("alice", [step.id])[step.id] == sorted([austin.id, boston.id, paris.id])
    assert store.lineage.descendants("alice", austin.id) == sorted([summary.id, digest.id])
    assert store.lineage.descendants("alice", digest.id) == []
    assert store.lineage.chains("alice", [digest.id])[digest.id] == [digest.id]
    assert store.lineage.chains("alice", [boston.id, digest.id]) == {
        boston.id: sorted([austin.id, boston.id, paris.id]),
        digest.id: [digest.id],
    }


def test_links_in_a_circle_are_walked_once(store: SqlStore, clock: SteadyClock) -> None:
    one, two = clock.new_id(), clock.new_id()
    write(
        store,
        clock,
        replace(a_note(clock), id=one, supersedes=(two,), derived_from=(two,)),
        replace(a_note(clock), id=two, supersedes=(one,), derived_from=(one,)),
    )
    assert store.lineage.chains("alice", [one])[one] == sorted([one, two])
    assert store.lineage.descendants("alice", one) == sorted([one, two])
