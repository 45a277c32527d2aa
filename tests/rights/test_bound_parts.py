"""A memory that is bound to a part of a space: on every store it reads and writes that part, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Conflict, InvalidInput, Memory, NotAllowed, NotFound, RecollectError
from recollect.domain.changes import Changes, QueueJob
from recollect.domain.jobs.job import EMBED, Job
from recollect.domain.origin import Origin
from tests.support.clock import SteadyClock
from tests.support.raw import database_of, rows, store_of

PARTS: list[dict[str, Any]] = [
    {"user": "ana"},
    {"agent": "scout"},
    {"project": "shop"},
    {"user": "ana", "project": "shop"},
]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_it_reads_what_is_of_its_part_and_finds_nothing_else(memory: Memory, part: dict[str, Any]) -> None:
    own = memory.save("The red barn is ours", **part)
    others = {
        name: memory.save(f"The red barn of {name}", **{**part, name: "another"})
        for name in ("user", "agent", "project")
        if name in part
    }
    nobodys = memory.save("The red barn of nobody")
    bound = memory.bound_to(**part)
    assert [note.id for note in bound.list().items] == [own.id]
    assert [hit.note.id for hit in bound.search("red barn").hits if hit.note] == [own.id]
    assert bound.get(own.id).text == "The red barn is ours"
    for other in (*others.values(), nobodys):
        with pytest.raises(NotFound) as refused:
            bound.get(other.id)
        assert refused.value.code == "note_not_found"


def test_what_does_not_say_whose_it_is_belongs_to_the_part(memory: Memory) -> None:
    bound = memory.bound_to(user="ana")
    note = bound.save("The kettle is blue")
    assert memory.get(note.id).scope.user == note.scope.user == "ana"
    bound.add("I moved to Berlin last week.")
    assert {each.scope.user for each in memory.list().items} == {"ana"}
    assert bound.search("where do I live").hits


def test_it_writes_nowhere_else(memory: Memory) -> None:
    bound = memory.bound_to(user="ana")
    before = memory.export()
    with pytest.raises(NotAllowed) as refused:
        bound.save("Mine is yours", user="bob")
    assert refused.value.code == "scope_bound"
    with pytest.raises(NotAllowed):
        bound.create_space("default", description="mine")
    assert memory.export() == before


def test_what_is_of_others_can_neither_be_changed_nor_taken_away(memory: Memory) -> None:
    theirs = memory.save("Bob's door code is under the mat", user="bob")
    memory.start_session("s1", user="bob")
    memory.add("I like tea.", session="s1", user="bob")
    bound = memory.bound_to(user="ana")
    before = memory.export()
    attempts: list[Callable[[], Any]] = [
        lambda: bound.update(theirs.id, text="Ana's"),
        lambda: bound.supersede(theirs.id, "Ana's"),
        lambda: bound.retract(theirs.id),
        lambda: bound.pin(theirs.id),
        lambda: bound.forget(theirs.id),
        lambda: bound.history(theirs.id),
        lambda: bound.end_session("s1"),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    with pytest.raises(Conflict) as taken:
        bound.add("I like coffee.", session="s1")
    assert taken.value.code == "session_taken"
    assert memory.export() == before


def test_it_corrects_and_forgets_its_own(memory: Memory) -> None:
    bound = memory.bound_to(user="ana")
    note = bound.save("The kettle is blue")
    assert bound.update(note.id, text="The kettle is green").version == 2
    assert _versions(bound, note.id) == ["The kettle is blue", "The kettle is green"]
    bound.forget(note.id)
    assert not bound.list().items


def _versions(bound: Memory, note_id: str) -> list[str]:
    return [note.text for note in bound._engine.store.versions("default", [note_id])]


def test_a_note_that_moved_away_is_gone_and_one_that_came_shows_no_earlier_version(memory: Memory) -> None:
    note = memory.save("The kettle is blue", user="ana")
    memory.update(note.id, user="bob", text="The kettle is green")
    was, now = memory.bound_to(user="ana"), memory.bound_to(user="bob")
    with pytest.raises(NotFound):
        was.get(note.id)
    assert not was.search("kettle").hits
    assert _versions(now, note.id) == ["The kettle is green"]
    assert not now.search("blue").hits
    assert now.update(note.id, text="The kettle is red").version == 3


def test_a_filter_compares_the_metadata_of_its_part_and_of_nothing_else(memory: Memory) -> None:
    own = memory.save("The kettle is blue", user="ana", metadata={"room": "kitchen", "cups": 4})
    memory.save("The kettle is red", user="bob", metadata={"room": "kitchen", "cups": 9})
    bound = memory.bound_to(user="ana")
    for where in ({"metadata.room": "kitchen"}, {"metadata.cups": {"gte": 1}}, {"not": {"metadata.room": "attic"}}):
        assert [note.id for note in bound.list(where=where).items] == [own.id]
        assert [hit.note.id for hit in bound.search("kettle", where=where).hits if hit.note] == [own.id]
        assert bound.count(where=where).total == 1
    assert not bound.list(where={"metadata.cups": 9}).items
    moment = memory.get(own.id).updated_at
    assert [note.id for note in bound.list(where={"metadata.room": "kitchen"}, known_at=moment).items] == [own.id]


def test_what_a_filter_erases_is_of_the_part(memory: Memory) -> None:
    memory.save("The kettle is blue", user="ana", tags=["tea"])
    theirs = memory.save("The kettle is red", user="bob", tags=["tea"])
    bound = memory.bound_to(user="ana")
    found = bound.forget_all(where={"tag": "tea"})
    assert found.notes == 1
    bound.forget_all(where={"tag": "tea"}, confirm=found.confirm)
    assert [note.id for note in memory.list().items] == [theirs.id]


def test_it_may_queue_the_making_of_vectors_and_no_other_job(memory: Memory, clock: SteadyClock) -> None:
    bound = memory.bound_to(user="ana")

    def queued(kind: str) -> None:
        job = Job(clock.new_id(), "default", kind, clock.now(), clock.now())
        bound._engine.store.apply(Changes("default", "save", clock.now(), Origin(), (QueueJob(job),)))

    memory.save("The kettle is blue")
    queued(EMBED)
    with pytest.raises(NotAllowed) as refused:
        queued("reindex")
    assert refused.value.code == "scope_bound"
    assert [job.kind for job in memory.jobs().items] == [EMBED]
    assert not bound.jobs().items


def test_words_that_only_others_said_are_unknown(memory: Memory) -> None:
    memory.save("The xylophone is in the attic", user="bob")
    memory.add("My zither is broken.", user="bob")
    store = store_of(memory).bound_to(memory.bound_to(user="ana")._engine.store._within)  # type: ignore[attr-defined]
    words = ["xylophone", "zither"]
    assert store.known_words("default", words) == store.archive.known_words("default", words) == frozenset()


def test_receipts_and_keys_are_of_the_part_they_were_made_in(memory: Memory) -> None:
    ana, bob = memory.bound_to(user="ana"), memory.bound_to(user="bob")
    ana.save("The kettle is blue", idempotency_key="k1")
    asked = ana.recall("which colour is the kettle")
    assert asked.receipt is not None
    assert ana.why(asked.receipt).receipt.query == "which colour is the kettle"
    with pytest.raises(NotFound):
        bob.why(asked.receipt)
    mine = bob.save("The kettle is red", idempotency_key="k1")
    assert bob.get(mine.id).text == "The kettle is red"
    assert bob.save("The kettle is red", idempotency_key="k1").id == mine.id


def test_slots_and_actions_are_of_a_project_and_of_no_user(memory: Memory) -> None:
    memory.set_slot("focus", "Ship the shop", project="shop")
    memory.set_slot("focus", "Ship the bank", project="bank")
    memory.add_action("Write the docs", project="bank")
    shop, ana = memory.bound_to(project="shop"), memory.bound_to(user="ana")
    assert [slot.text for slot in shop.slots() if slot.text] == ["Ship the shop"]
    assert not shop.actions().items
    assert not [slot for slot in ana.slots() if slot.text]
    with pytest.raises(NotAllowed):
        ana.set_slot("focus", "Mine")


def test_its_changes_are_those_of_its_part(memory: Memory) -> None:
    memory.save("Bob's", user="bob")
    own = memory.save("Ana's", user="ana")
    memory.add("I like tea.", user="bob")
    followed = memory.bound_to(user="ana").following.after("default", 0, limit=100)
    assert {each.record_id for each in followed} == {own.id}


def test_it_is_bound_to_something(memory: Memory) -> None:
    for words in ({}, {"user": ""}, {"user": None}):
        with pytest.raises(InvalidInput):
            memory.bound_to(**words)


def test_a_table_that_has_no_rule_is_empty_to_whoever_is_bound(memory: Memory) -> None:
    memory.save("Ana's", user="ana")
    memory.forget(memory.save("Bob's", user="bob").id)
    store = store_of(memory)
    within = memory.bound_to(user="ana")._engine.store._within  # type: ignore[attr-defined]
    assert rows(store, "SELECT count(*) FROM audit") != [(0,)]
    with database_of(store).reading_within("default", within) as transaction:
        for table in ("audit", "tombstone", "ingested_file", "access_token", "sign_in"):
            assert transaction.query(f"SELECT count(*) FROM {table}") == [(0,)], table
        assert transaction.query("SELECT count(*) FROM note") == [(1,)]


def test_whoever_is_bound_cannot_ask_about_all_spaces(memory: Memory, clock: SteadyClock) -> None:
    bound = memory.bound_to(user="ana")
    for attempt in (bound.spaces, bound.status, lambda: bound.access.tokens()):
        with pytest.raises(RecollectError) as refused:
            attempt()
        assert refused.value.code == "scope_bound"
    assert memory.status().spaces is not None


def test_the_nearest_in_meaning_are_the_nearest_of_the_part(
    store_address: str, clock: SteadyClock, tmp_path: Path
) -> None:
    with Memory(store=store_address, home=tmp_path / "home", embedding="hashed", clock=clock) as memory:
        for number in range(60):
            memory.save(f"Bob parks the tractor in barn {number}", user="bob")
        own = memory.save("Ana parks the tractor behind the house", user="ana")
        bound = memory.bound_to(user="ana")
        bound.save("The barn has a new roof")
        found = bound.search("where is the tractor parked", limit=5).hits
        assert next(hit.note.id for hit in found if hit.note) == own.id
        assert {hit.note.scope.user for hit in found if hit.note} == {"ana"}
        assert memory.search("where is the tractor parked", limit=50).hits
