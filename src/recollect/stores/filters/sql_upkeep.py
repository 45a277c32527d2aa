"""The care of a database, and of the derived tables that both databases fill alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import StoreFailure
from recollect.stores.database import Database
from recollect.stores.filters.metadata_rows import check_leaves, rebuild_leaves
from recollect.stores.graph.mention_rows import check_mentions, rebuild_mentions
from recollect.stores.languages.stored_forms import check_forms, make_forms


class SqlUpkeep:
    """Implements `Upkeep` for any SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
