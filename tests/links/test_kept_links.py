"""Links are kept with their ends, go with either of them, and a person's word against one holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.domain.changes import (
    AdoptNote,
    DeleteSpace,
    DropSession,
    EraseNote,
    FoldObservations,
    RefuteLink,
)
from recollect.domain.errors import NotFound
from recollect.domain.notes import revised
from recollect.domain.scopes import Scope
from recollect.recall.gather import Sources
from recollect.recall.past import as_it_was
from recollect.stores.sql_store import SqlStore
from tests.links.making import MODEL, judged, linked, said
from tests.support.clock import SteadyClock
from tests.support.raw import rows
from tests.support.writing import changes, edited, saved


def _pairs(store: SqlStore, *ids: str, space: str = "alice") -> list[tuple[str, str]]:
    return [(link.older, link.newer) for link in store.links.links_of(space, ids)]


def test_links_are_read_from_either_end(store: SqlStore, clock: SteadyClock) -> None:
    paris, berlin, tea = (said(store, clock, text) for text in ("I live in Paris", "I moved to Berlin", "I like tea"))
    judgement = judged(store, clock, berlin.id, paris.id)

    assert store.links.links_of("alice", [paris.id]) == list(judgement.links)
    assert store.links.links_of("alice", [berlin.id, paris.id]) == list(judgement.links)
    assert store.links.links_of("alice", [tea.id]) == []
    assert store.links.links_of("bob", [paris.id]) == []
    assert store.links.judgements("alice", [berlin.id, tea.id]) == {berlin.id: replace(judgement, links=())}


def test_a_faint_link_is_told_only_where_it_is_asked_for(store: SqlStore, clock: SteadyClock) -> None:
    paris, berlin = said(store, clock, "I live in Paris"), said(store, clock, "Berlin is great")
    [link] = judged(store, clock, berlin.id, paris.id, score=0.2).links
    assert store.links.links_of("alice", [paris.id]) == []
    assert store.links.links_of("alice", [paris.id], with_faint=True) == [link]

    store.apply(changes(clock, RefuteLink(link.refuted(clock.now(), "alice"))))
    assert [each.is_refuted for each in store.links.links_of("alice", [paris.id])] == [True]


def test_a_new_judgement_takes_the_place_of_the_old(store: SqlStore, clock: SteadyClock) -> None:
    first, second, third = (said(store, clock, text) for text in ("one", "two", "three"))
    judged(store, clock, third.id, first.id, second.id)
    judged(store, clock, third.id, second.id)
    assert _pairs(store, first.id, second.id, third.id) == [(second.id, third.id)]


def test_a_refuted_link_stays_refuted_whatever_is_judged(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "I live in Paris"), said(store, clock, "Berlin is great")
    [link] = judged(store, clock, newer.id, older.id).links
    store.apply(changes(clock, RefuteLink(link.refuted(clock.now(), "alice"))))
    judged(store, clock, newer.id, older.id)
    judged(store, clock, newer.id)
    [kept] = store.links.links_of("alice", [older.id])
    assert (kept.is_refuted, kept.is_change, kept.refuted_by) == (True, False, "alice")
    assert store.links.refuted("alice", after=("", ""), limit=10) == [kept]

    store.apply(changes(clock, RefuteLink(replace(kept, refuted_at=None, refuted_by=None))))
    [again] = store.links.links_of("alice", [older.id])
    assert again.is_change


def test_a_refutation_needs_both_ends(store: SqlStore, clock: SteadyClock) -> None:
    here = said(store, clock, "I live in Paris")
    with pytest.raises(NotFound):
        store.apply(changes(clock, RefuteLink(linked(here.id, clock.new_id(), clock.now()))))


@pytest.mark.parametrize("end", [0, 1])
def test_links_go_with_either_end(store: SqlStore, clock: SteadyClock, end: int) -> None:
    ends = [said(store, clock, "I live in Paris"), said(store, clock, "I moved to Berlin")]
    [link] = judged(store, clock, ends[1].id, ends[0].id).links
    store.apply(changes(clock, RefuteLink(link.refuted(clock.now(), "alice"))))
    store.apply(changes(clock, EraseNote(ends[end].id)))
    assert rows(store, "SELECT * FROM statement_link") == []
    assert [row[0] for row in rows(store, "SELECT record_id FROM judgement")] == ([] if end else [ends[1].id])


def test_links_go_with_folded_and_dropped_messages(store: SqlStore, clock: SteadyClock) -> None:
    first, second, third = (said(store, clock, text) for text in ("one", "two", "three"))
    judged(store, clock, second.id, first.id)
    judged(store, clock, third.id, second.id)
    summary = replace(first, id=clock.new_id(), text="one and more")
    store.apply(changes(clock, FoldObservations(summary, (first.id,))))
    assert _pairs(store, first.id, second.id, third.id) == [(second.id, third.id)]
    store.apply(changes(clock, DropSession("talk")))
    assert rows(store, "SELECT * FROM statement_link") == rows(store, "SELECT * FROM judgement") == []


def test_a_deleted_space_leaves_no_links(store: SqlStore, clock: SteadyClock) -> None:
    for space in ("alice", "bob"):
        older, newer = (said(store, clock, text, space=space) for text in ("one", "two"))
        judged(store, clock, newer.id, older.id, space=space)
    store.apply(changes(clock, DeleteSpace()))
    assert {row[0] for row in rows(store, "SELECT space FROM statement_link")} == {"bob"}
    assert {row[0] for row in rows(store, "SELECT space FROM judgement")} == {"bob"}


def test_links_of_a_note_go_when_its_words_change(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = saved(store, clock, "Alice lives in Paris"), saved(store, clock, "Alice lives in Berlin")
    judged(store, clock, newer.id, older.id, version=1)
    pinned = edited(store, clock, older, pinned=True)
    assert _pairs(store, older.id) == [(older.id, newer.id)]
    edited(store, clock, pinned, text="Alice likes Paris")
    assert _pairs(store, older.id) == []


def test_words_that_were_not_judged_wait(store: SqlStore, clock: SteadyClock) -> None:
    note, message = saved(store, clock, "Alice lives in Paris"), said(store, clock, "I moved to Berlin")
    saved(store, clock, "Alice lives in Berlin", derived_from=(message.id,))
    assert store.links.waiting("alice", MODEL) == 2
    assert store.links.unjudged_notes("alice", MODEL, limit=10) == [(note, 1)]
    assert [each.id for each in store.links.unjudged_messages("alice", MODEL, limit=10)] == [message.id]
    judged(store, clock, note.id, version=1)
    judged(store, clock, message.id, note.id)
    assert (store.links.waiting("alice", MODEL), store.links.waiting("alice", "another")) == (0, 2)
    assert store.links.models("alice") == [MODEL]

    changed = edited(store, clock, note, text="Alice lived in Paris")
    assert store.links.unjudged_notes("alice", MODEL, limit=10) == [(changed, 2)]


def test_what_was_erased_meanwhile_is_not_judged(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "I live in Paris"), said(store, clock, "I moved to Berlin")
    store.apply(changes(clock, EraseNote(older.id)))
    judged(store, clock, newer.id, older.id)
    store.apply(changes(clock, EraseNote(newer.id)))
    judged(store, clock, newer.id)
    assert rows(store, "SELECT * FROM statement_link") == rows(store, "SELECT * FROM judgement") == []


def test_a_bound_reader_sees_links_within_its_part_only(store: SqlStore, clock: SteadyClock) -> None:
    anna, ben = Scope(user="anna"), Scope(user="ben")
    mine, mine_too = (said(store, clock, text, scope=anna) for text in ("one", "two"))
    other = said(store, clock, "three", scope=ben)
    judged(store, clock, mine_too.id, mine.id)
    judged(store, clock, other.id, mine.id)
    bound = store.bound_to(anna)
    assert _pairs(bound, mine.id) == [(mine.id, mine_too.id)]
    assert set(bound.links.judgements("alice", [mine.id, mine_too.id, other.id])) == {mine_too.id}
    with pytest.raises(NotFound):
        bound.apply(changes(clock, RefuteLink(linked(mine.id, other.id, clock.now()))))
    with pytest.raises(NotFound):
        judged(bound, clock, mine_too.id, other.id)


def test_an_adopted_version_of_other_words_waits_again(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "Alice lives in Paris")
    judged(store, clock, note.id, version=1)
    clock.advance(hours=1)
    store.apply(changes(clock, AdoptNote(revised(note, clock.now(), text="Alice lives in Lyon"))))
    assert store.links.waiting("alice", MODEL) == 1


def test_a_search_reads_the_links_of_its_candidates_as_they_were_then(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "I live in Paris"), said(store, clock, "I moved to Berlin")
    before = clock.now()
    clock.advance(hours=1)
    [link] = judged(store, clock, newer.id, older.id).links
    between = clock.now()
    clock.advance(hours=1)
    store.apply(changes(clock, RefuteLink(link.refuted(clock.now(), "alice"))))

    sources = Sources(store, store.lineage, store.archive, None, "alice", links=store.links)
    [now] = sources.links_of([older.id])
    assert now.is_refuted
    assert as_it_was(sources, between).links_of([older.id]) == [link]
    assert as_it_was(sources, before).links_of([older.id]) == []
    assert replace(sources, links=None).links_of([older.id]) == ()
