"""Links between notes are found by their index: by the plan of SQLite; PostgreSQL plans by counts."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Memory
from recollect.stores.database import statements
from recollect.stores.sql_entities import SqlEntities
from tests.support.raw import database_of, store_of

BY_TARGET = "note_link_to (space=? AND target_id=?"
PAGE = {"older": "", "newer": "", "limit": 10}


@pytest.mark.parametrize(
    ("name", "values", "uses"),
    [
        ("doubtful_links_after", {**PAGE, "least": 0.3, "most": 0.7, "clear": 0.3}, 3),
        ("unlinked_changes_after", {**PAGE, "clear": 0.3}, 0),
        ("descendants", {"id": "x"}, 2),
        ("resting_on", {"id": "x"}, 2),
        ("links_to", {"id": "x"}, 1),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_links_of_a_space_are_not_read_once_for_each_of_them(
    name: str, values: dict[str, str | int | float], uses: int
) -> None:
    with (
        Memory(store=":memory:", embedding="off", judge="off") as opened,
        database_of(store_of(opened)).reading("any") as transaction,
    ):
        plan = transaction.query(f"EXPLAIN QUERY PLAN {statements('sqlite')[name]}", space="any", **values)
    steps = [str(row[3]) for row in plan]

    assert sum(BY_TARGET in step for step in steps) == uses, steps
    whole = [step for step in steps if "note_link" in step and step.endswith("(space=?)")]
    assert len(whole) == (name == "unlinked_changes_after"), steps  # once, to find those that took a place


def test_links_of_notes_that_name_entities_are_found_by_their_names_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(store=":memory:", embedding="off", judge="off") as opened:
        database, asked = database_of(store_of(opened)), list[tuple[str, dict[str, Any]]]()
        with database.reading("any") as transaction:
            query = type(transaction).query

            def watched(self: Any, sql: str, **values: Any) -> Any:
                asked.append((sql, values))
                return query(self, sql, **values)

            with monkeypatch.context() as patch:
                patch.setattr(type(transaction), "query", watched)
                SqlEntities(database).related_naming("any", ["hub", "leaf"], limit=5)
            [(sql, values)] = asked
            steps = [str(row[3]) for row in transaction.query(f"EXPLAIN QUERY PLAN {sql}", **values)]

    assert sum("SEARCH naming USING PRIMARY KEY (space=? AND key=?)" in step for step in steps) == 2, steps
    for end in ("(space=? AND note_id=?", BY_TARGET):
        assert sum("SEARCH link" in step and end in step for step in steps) == 1, steps
