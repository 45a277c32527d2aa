"""Facts read from two messages may say otherwise than the judge; then the pair is in doubt."""

from __future__ import annotations

from recollect.domain.changes import RefuteLink, SettleLink
from recollect.domain.links.statement_link import Settlement
from recollect.remember.link_decision import UNSURE
from recollect.stores.sql_store import SqlStore
from tests.links.making import judged, linked, said
from tests.support.clock import SteadyClock
from tests.support.writing import changes, saved

ALLERGY = {"subject": "user", "attribute": "allergy"}


def test_one_fact_of_both_messages_does_not_hold_beside_itself(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "My allergy is cats"), said(store, clock, "Cats, that is my allergy")
    judgement = judged(store, clock, newer.id, older.id)
    saved(store, clock, "Allergic to cats", derived_from=(older.id, newer.id), **ALLERGY)
    assert store.links.doubtful("alice", between=UNSURE, after=("", ""), limit=5) == []

    saved(store, clock, "Allergic to nuts", derived_from=(newer.id,), **ALLERGY)
    assert store.links.doubtful("alice", between=UNSURE, after=("", ""), limit=5) == list(judgement.links)


def test_a_faint_link_is_as_good_as_none_where_facts_say_otherwise(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "I live in Lisbon"), said(store, clock, "I live in Porto")
    judgement = judged(store, clock, newer.id, older.id, score=0.2)
    place = {"subject": "user", "attribute": "location"}
    before = saved(store, clock, "Lives in Lisbon", derived_from=(older.id,), **place)
    after = saved(store, clock, "Lives in Porto", derived_from=(newer.id,), **place)
    assert store.links.doubtful("alice", between=UNSURE, after=("", ""), limit=5) == []

    saved(store, clock, "Has lived in Porto", derived_from=(newer.id,), supersedes=(before.id, after.id), **place)
    [pair] = store.links.unlinked_changes("alice", after=("", ""), limit=5)
    assert (pair.older, pair.newer) == (older.id, newer.id)

    word = SettleLink(older.id, newer.id, judgement.judged_at, Settlement.REPLACES, "small", "Another town.")
    store.apply(changes(clock, word))
    [settled] = store.links.links_of("alice", [older.id])
    assert settled.is_change
    assert store.links.unlinked_changes("alice", after=("", ""), limit=5) == []


def test_a_pair_that_was_refuted_the_other_way_round_is_not_asked_about(store: SqlStore, clock: SteadyClock) -> None:
    older, newer = said(store, clock, "I live in Lisbon"), said(store, clock, "I live in Porto")
    judgement = judged(store, clock, newer.id)
    before = saved(store, clock, "Lives in Lisbon", derived_from=(older.id,))
    saved(store, clock, "Lives in Porto", derived_from=(newer.id,), supersedes=(before.id,))
    [pair] = store.links.unlinked_changes("alice", after=("", ""), limit=5)
    assert (pair.older, pair.newer) == (older.id, newer.id)

    refuted = linked(newer.id, older.id, clock.now()).refuted(clock.now(), "alice")
    store.apply(changes(clock, RefuteLink(refuted)))
    assert store.links.unlinked_changes("alice", after=("", ""), limit=5) == []
    word = SettleLink(older.id, newer.id, judgement.judged_at, Settlement.REPLACES, "small", "Asked before.")
    store.apply(changes(clock, word))
    assert store.links.links_of("alice", [older.id]) == [refuted]
