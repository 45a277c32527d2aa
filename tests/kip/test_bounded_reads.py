"""A question for a type, a name or a predicate reads as much as it finds, however many other notes there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.kip.work_budget import WorkBudget
from recollect.domain.changes import WriteNote
from recollect.domain.notes import State
from recollect.stores.database import Transaction, statements
from tests.support.clock import SteadyClock
from tests.support.raw import database_of, store_of
from tests.support.writing import a_note, changes

QUESTIONS = {
    'FIND(?a.name) WHERE { ?a {type: "Animal"} }': ["Rex"],
    'FIND(?a.name) WHERE { ?a {type: "Drug"} }': ["Aspirin"],
    'FIND(?a.type) WHERE { ?a {name: "Rex"} }': ["Animal"],
    'FIND(?a.name, ?b.name) WHERE { (?a, "pets", ?b) }': [["Ann"], ["Rex"]],
    'FIND(?o.name) WHERE { ?a {type: "Animal"} (?o, "pets", ?a) }': ["Ann"],
}
LARGE = 600  # notes of others that are written between the two times of asking


@contextmanager
def counted(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many rows each statement of the block gives."""
    database, taken = database_of(store_of(memory)), list[int]()
    reading = database.reading

    @contextmanager
    def watched(space: str | None) -> Iterator[Transaction]:
        with reading(space) as transaction:
            yield _Counting(transaction, taken)

    with monkeypatch.context() as patch:
        patch.setattr(database, "reading", watched)
        yield taken


class _Counting:
    """A transaction that counts the rows it gives."""

    def __init__(self, transaction: Transaction, taken: list[int]) -> None:
        self._transaction, self._taken = transaction, taken

    def rows(self, statement: str, **values: Any) -> Any:
        return self._counted(self._transaction.rows(statement, **values))

    def query(self, sql: str, **values: Any) -> Any:
        return self._counted(self._transaction.query(sql, **values))

    def _counted(self, found: Any) -> Any:
        self._taken.append(len(found))
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transaction, name)


def test_a_question_reads_no_more_among_many_other_notes(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.save("Ann's pet is Rex", subject="Ann", attribute="pets", value="Rex")
    memory.save("Aspirin is a drug", subject="Aspirin", attribute="type", value="Drug")
    space = memory.spaces()[0].name
    read: dict[str, set[int]] = {question: set() for question in QUESTIONS}
    for written in (5, LARGE):
        others = [
            a_note(clock, f"Bolt {number} is {written}", space=space, subject=f"bolt {number}", attribute="width")
            for number in range(written)
        ]
        store_of(memory).apply(changes(clock, *map(WriteNote, others), space=space))
        for question, answer in QUESTIONS.items():
            with counted(memory, monkeypatch) as taken:
                assert memory.kip(question).result == answer
            read[question].add(sum(taken))

    assert all(max(each) < LARGE / 30 for each in read.values()), read


def test_a_page_of_a_type_reads_no_more_however_many_there_are(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{place} {number}" for number in range(150) for place in ("Oslo", "åre")]
    memory.save("Ann lives in the north", subject="Ann")
    space = memory.spaces()[0].name
    notes = [a_note(clock, each, space=space, subject="Ann", attribute="location", value=each) for each in names]
    store_of(memory).apply(changes(clock, *map(WriteNote, notes), space=space))
    query, told, cursor = 'FIND(?p.name) WHERE { ?p {type: "Place"} } LIMIT 40', list[str](), None
    read = list[int]()
    while True:
        page = query if cursor is None else f"{query} CURSOR :after"
        with counted(memory, monkeypatch) as taken:
            answer = memory.kip(page, parameters={"after": cursor} if cursor else {})
        told, cursor = [*told, *answer.result], answer.next_cursor
        read.append(sum(taken))
        if cursor is None:
            break

    assert sorted(told) == sorted(names) and len(read) == 8
    assert max(read) < len(names) * 2
    filtered = 'FIND(?p.name) WHERE { ?p {type: "Place"} FILTER(STARTS_WITH(?p.name, "Oslo 14")) } LIMIT 3'
    assert memory.kip(filtered).result == ["Oslo 14", "Oslo 140", "Oslo 141"]


def test_a_small_page_behind_a_filter_takes_few_reads(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.save("Ann lives in the north", subject="Ann")
    space = memory.spaces()[0].name
    lives: Any = {"space": space, "subject": "Ann", "attribute": "location"}
    notes = [a_note(clock, f"Oslo {number}", value=f"Oslo {number}", **lives) for number in range(150)]
    store_of(memory).apply(changes(clock, *map(WriteNote, notes), space=space))
    filtered = 'FIND(?p.name) WHERE { ?p {type: "Place"} FILTER(STARTS_WITH(?p.name, "Oslo 99")) } LIMIT 1'

    with counted(memory, monkeypatch) as taken:
        assert memory.kip(filtered).result == ["Oslo 99"]

    assert len(taken) < 40


def test_places_without_a_concept_are_passed_in_few_reads_and_each_is_a_step(
    memory: Memory, clock: SteadyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.save("Ann lives in Rome", subject="Ann", attribute="location", value="Rome")
    space = memory.spaces()[0].name
    lives: Any = {"space": space, "subject": "Ann", "attribute": "location", "state": State.RETRACTED}
    notes = [a_note(clock, f"Oslo {number}", value=f"Oslo {number}", **lives) for number in range(150)]
    store_of(memory).apply(changes(clock, *map(WriteNote, notes), space=space))
    steps, step = list[WorkBudget](), WorkBudget.step

    def watched(budget: WorkBudget) -> None:
        steps.append(budget)
        step(budget)

    monkeypatch.setattr(WorkBudget, "step", watched)
    with counted(memory, monkeypatch) as taken:
        assert memory.kip('FIND(?p.name) WHERE { ?p {type: "Place"} } LIMIT 1').result == ["Rome"]

    assert len(steps) >= 151
    assert len(taken) < 80


def test_keys_of_a_type_are_found_by_their_index() -> None:
    """By the plan of SQLite; PostgreSQL plans by counts, and takes a small table whole."""
    statement = (
        f"{statements('sqlite')['mentioned_keys']} AND role = 'object' AND attribute = 'pets' ORDER BY key LIMIT :limit"
    )
    with (
        Memory(store=":memory:", embedding="off", judge="off") as opened,
        database_of(store_of(opened)).reading("any") as transaction,
    ):
        plan = transaction.query(
            f"EXPLAIN QUERY PLAN {statement}", space="any", after="", least="", beyond="z", limit=10
        )

    assert any("note_entity_attribute (space=? AND role=? AND attribute=?" in str(row[3]) for row in plan), plan


def test_keys_of_a_beginning_have_one_lower_bound() -> None:
    """Of two bounds a planner takes either for its index, and may read every key that only the other leaves out."""
    statement = statements("sqlite")["mentioned_keys"]
    assert statement.count("key >") == 1 and "key >= :least" in statement
    assert "WHERE" in statement and "key <> :after" in statement
