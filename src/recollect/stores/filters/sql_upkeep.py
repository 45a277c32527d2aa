"""The care of a database, and of the one derived table that both databases fill alike: the values of metadata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import StoreFailure
from recollect.stores.database import Database
from recollect.stores.filters.metadata_rows import check_leaves, rebuild_leaves
from recollect.stores.languages.stored_forms import check_forms, make_forms


class SqlUpkeep:
    """Implements `Upkeep` for any SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def check(self) -> Sequence[Check]:
        return [*self._database.check(), *self._check_metadata(), *self._check_forms()]

    def rebuild(self) -> None:
        self._database.rebuild()
        for space in self._spaces():
            rebuild_leaves(self._database, space)
            make_forms(self._database, space)

    def size(self) -> int | None:
        return self._database.size()

    def clean_residue(self) -> str | None:
        return self._database.clean_residue()

    def _check_metadata(self) -> Iterator[Check]:
        try:
            spaces = self._spaces()
        except StoreFailure as problem:
            yield Check.failed("metadata", problem)
            return
        found = [check_leaves(self._database, space) for space in spaces]
        wrong = [check for check in found if not check.ok]
        yield from wrong or [Check("metadata", True, "equal to the notes")]

    def _check_forms(self) -> Iterator[Check]:
        """Spaces with texts of before there were forms; it is no fault, and without one nothing is said."""
        with suppress(StoreFailure):
            found = [check_forms(self._database, space) for space in self._spaces()]
            yield from (check for check in found if check is not None)

    def _spaces(self) -> list[str]:
        with self._database.reading(None) as transaction:
            return sorted(row[0] for row in transaction.rows("spaces"))
