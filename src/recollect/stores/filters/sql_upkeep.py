"""The care of a database, and of the derived tables that both databases fill alike.

A text whose forms are not made yet is found by its words as written, so nothing has to wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import StoreFailure
from recollect.stores.database import Database, SqlPart, Value
from recollect.stores.record_edits import (
    check_leaves,
    check_mentions,
    rebuild_leaves,
    rebuild_mentions,
    search_forms,
)


class SqlUpkeep(SqlPart):
    """Implements `Upkeep` for any SQL database."""

    def check(self) -> Sequence[Check]:
        return [
            *self._database.check(),
            *self._check("metadata", check_leaves),
            *self._check("graph", check_mentions),
            *self._check_forms(),
            *self._elsewhere(),
        ]

    def rebuild(self) -> None:
        self._database.rebuild()
        for space in self._spaces():
            rebuild_leaves(self._database, space)
            rebuild_mentions(self._database, space)
            make_forms(self._database, space)

    def size(self) -> int | None:
        return self._database.size()

    def clean_residue(self) -> str | None:
        return self._database.clean_residue()

    def _check(self, derived: str, check: Callable[[Database, str], Check]) -> Iterator[Check]:
        """The spaces in which a derived table is not as it should be, or that it is so in all of them."""
        try:
            spaces = self._spaces()
        except StoreFailure as problem:
            yield Check.failed(derived, problem)
            return
        found = [check(self._database, space) for space in spaces]
        wrong = [each for each in found if not each.ok]
        yield from wrong or [Check(derived, True, "equal to the notes")]

    def _check_forms(self) -> Iterator[Check]:
        """Spaces with texts of before there were forms; it is no fault, and without one nothing is said."""
        with suppress(StoreFailure):
            found = [check_forms(self._database, space) for space in self._spaces()]
            yield from (check for check in found if check is not None)

    def _elsewhere(self) -> Iterator[Check]:
        """Spaces that another store serves; where there are none, nothing is said."""
        with suppress(StoreFailure), self._database.reading(None) as transaction:
            for name, address in transaction.rows("spaces_elsewhere"):
                yield Check(f"space {name}", True, f"served by {address}")

    def _spaces(self) -> list[str]:
        with self._database.reading(None) as transaction:
            return sorted(row[0] for row in transaction.rows("spaces"))


_AT_A_TIME = 500  # texts of one transaction: others write in between
_STATEMENTS = {"unformed_texts": "set_forms", "unformed_observation_texts": "set_observation_forms"}


def make_forms(database: Database, space: str) -> None:
    """Make the forms of all texts of a space that have none, some at a time."""
    for unformed, setting in _STATEMENTS.items():
        place: dict[str, Value] = {"id": "", "version": 0}
        while _make_some(database, space, unformed, setting, place):
            pass


def check_forms(database: Database, space: str) -> Check | None:
    """How many texts of a space are found by their words as written only; `None` if there are none."""
    with database.reading(space) as transaction:
        [(lacking,)] = transaction.rows("count_unformed", space=space)
    told = (
        f"{lacking:,} texts are from before; `recollect reindex` makes words of other languages in them easier to find"
    )
    return Check(f"languages in {space}", True, told) if lacking else None


def _make_some(database: Database, space: str, unformed: str, setting: str, place: dict[str, Value]) -> bool:
    with database.writing(space) as transaction:
        page = transaction.rows(unformed, space=space, limit=_AT_A_TIME, **place)
        made = [
            {"space": space, "id": record_id, "version": version, "forms": search_forms(title, text, more)}
            for record_id, version, title, text, more in page
        ]
        if made:
            transaction.each(setting, made)
            place["id"], place["version"] = page[-1][0], page[-1][1]
    return bool(page)
