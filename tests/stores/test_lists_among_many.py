"""Lists among a hundred thousand notes: every filter has an index, and reads little more than the page it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import apsw
import pytest

from recollect import Memory
from recollect.domain.filters.conditions import Comparison
from recollect.domain.notes import ONCE_TRUE, Kind, State
from recollect.domain.scopes import Scope
from recollect.domain.selections import Selection
from recollect.stores.opening import open_store
from recollect.stores.sql_store import SqlStore
from recollect.stores.sqlite import searching
from recollect.stores.sqlite.database import SqliteDatabase
from tests.support.clock import SteadyClock
from tests.support.many_notes import SPACE, put_many
from tests.support.postgres import Server
from tests.support.writing import at

MANY, PAGE = 100_000, 50
NOW, MIDDLE = at("2031-01-01"), at("2020-06-01")

# The selections that `list` makes of what it is given.
FILTERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "kind": {"kinds": frozenset({Kind.LESSON})},
    "subject": {"subject": "person:ana"},
    "subject of most": {"subject": "user"},
    "attribute": {"attribute": "job"},
    "subject and attribute": {"subject": "user", "attribute": "job"},
    "state": {"states": frozenset({State.RETRACTED})},
    "pinned": {"pinned": True},
    "not pinned": {"pinned": False},
    "user": {"scope": Scope(user="u")},
    "agent": {"scope": Scope(agent="a")},
    "project": {"scope": Scope(project="p")},
    "session": {"scope": Scope(session="s")},
    "machine": {"scope": Scope(machine="m")},
}
# Those that are newest first and have to pass over what is newer than a moment.
PASSED_OVER: dict[str, dict[str, Any]] = {"known_at": {"known_at": MIDDLE}, "as_of": {"valid_at": MIDDLE}}


def selected(name: str) -> Selection:
    return Selection(**{"states": ONCE_TRUE, "valid_at": NOW, **(FILTERS | PASSED_OVER)[name]})


@pytest.fixture(scope="module")
def many() -> Iterator[SqlStore]:
    store = open_store(":memory:", clock=SteadyClock(), busy_timeout=5)
    yield put_many(store, MANY)
    store.close()


@pytest.fixture(scope="module")
def many_on_a_server(postgres_server: Server) -> Iterator[SqlStore]:
    with postgres_server.database() as address:
        store = open_store(address, clock=SteadyClock(), busy_timeout=5)
        yield put_many(store, MANY)
        store.close()


def steps(store: SqlStore, name: str, *, before: str | None = None) -> int:
    return _steps(store, lambda: store.notes(SPACE, selected(name), before=before, limit=PAGE))


def _steps(store: SqlStore, listed: Callable[[], object]) -> int:
    """How many hundred steps SQLite takes for a page, which is the same on every machine."""
    database = store._database
    assert isinstance(database, SqliteDatabase)
    counted = 0

    def count() -> bool:
        nonlocal counted
        counted += 1
        return False

    connection: apsw.Connection = database.connection()
    connection.set_progress_handler(count, 100)
    try:
        listed()
    finally:
        connection.set_progress_handler(None)
    return counted


def plan(store: SqlStore, name: str, words: str) -> list[str]:
    sql, values = store.listing(selected(name), before=None)
    with store._database.reading(SPACE) as transaction:
        rows = transaction.query(f"{words} {sql}", space=SPACE, limit=PAGE, **values)
    return [str(row[-1]) for row in rows]


@pytest.mark.parametrize("name", FILTERS)
def test_a_page_costs_no_more_than_the_notes_on_it(many: SqlStore, name: str) -> None:
    found = many.notes(SPACE, selected(name), before=None, limit=PAGE)
    first, last = found[0], found[-1]
    assert len(found) == PAGE
    assert last.id < first.id

    plain = steps(many, "nothing")
    assert steps(many, name) <= 2 * plain
    assert steps(many, name, before=last.id) <= 2 * plain, "the next page costs as much"


@pytest.mark.parametrize("name", [*FILTERS, *PASSED_OVER])
def test_no_filter_reads_the_whole_table_or_sorts_it(many: SqlStore, name: str) -> None:
    told = plan(many, name, "EXPLAIN QUERY PLAN")
    assert not [line for line in told if line.startswith("SCAN") or "TEMP B-TREE" in line], told


def test_what_was_not_known_yet_is_passed_over_without_reading_it(many: SqlStore) -> None:
    assert any("note_known" in line for line in plan(many, "known_at", "EXPLAIN QUERY PLAN"))
    found = many.notes(SPACE, selected("known_at"), before=None, limit=PAGE)
    assert len(found) == PAGE
    assert all(note.updated_at <= MIDDLE for note in found)


def test_the_few_notes_with_a_tag_are_found_without_reading_the_others(many: SqlStore) -> None:
    rare = Selection(states=ONCE_TRUE, valid_at=NOW, tag="rare")
    found = many.notes(SPACE, rare, before=None, limit=PAGE)
    assert [note.tags for note in found] == [("rare",)] * PAGE
    assert [note.id for note in found] == sorted((note.id for note in found), reverse=True)
    assert _steps(many, lambda: many.notes(SPACE, rare, before=None, limit=PAGE)) <= 5 * steps(many, "nothing")


@pytest.mark.parametrize("field", ["subject", "attribute", "user"])
def test_the_few_notes_with_any_of_some_values_are_found_without_reading_the_others(many: SqlStore, field: str) -> None:
    values = {"subject": ("person:ana", "person:bo"), "attribute": ("city", "height"), "user": ("u", "v")}[field]
    few = Selection(states=ONCE_TRUE, valid_at=NOW, where=Comparison(field, "in", values))
    assert len(many.notes(SPACE, few, before=None, limit=PAGE)) == PAGE
    assert _steps(many, lambda: many.notes(SPACE, few, before=None, limit=PAGE)) <= 5 * steps(many, "nothing")


TAGS = ["front-end", "front", "end", "v1.2", "C++", "c", "++", "über", "ключ", "日本", "a_b", "50%", "it's", "x" * 40]


def test_a_tag_finds_the_notes_that_have_it_and_no_others(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, tag in enumerate(TAGS):
        memory.save(f"note {number}", tags=[tag, "all"])
        memory.save(f"the words {tag} in a text")
        memory.save(f"elsewhere {number}", tags=[tag], space="other")
    changed = memory.save("with another tag before", tags=["front-end"])
    memory.update(changed.id, tags=["other"])
    for few in (1, 10, 2_000):  # as if so many were too many to look at one by one
        monkeypatch.setattr(searching, "_FEW", few)
        for tag in {each for note in memory.list(limit=100).items for each in note.tags}:
            expected = [note.id for note in memory.list(limit=100).items if tag in note.tags]
            assert [note.id for note in memory.list(tag=tag, limit=100).items] == expected, tag


@pytest.mark.postgres
@pytest.mark.parametrize("name", FILTERS)
def test_no_filter_reads_the_whole_table_of_a_server(many_on_a_server: SqlStore, name: str) -> None:
    told = plan(many_on_a_server, name, "EXPLAIN")
    assert not [line for line in told if "Seq Scan on note" in line or "Sort" in line], told
