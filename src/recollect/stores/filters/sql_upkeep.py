"""The care of a database, and of the derived tables that both databases fill alike.

A text whose forms are not made yet is found by its words as written, so nothing has to wait for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import attrgetter

from recollect.domain.answers.upkeep import Check
from recollect.domain.errors import Damaged, StoreFailure
from recollect.domain.graph.mentions import mentions_of
from recollect.stores.database import Database, Row, SqlPart, Transaction, Value
from recollect.stores.record_edits import insert_mentions, insert_metadata, leaf_rows, search_forms
from recollect.stores.records import note_from_row


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


# -- metadata and names ------------------------------------------------------------------------------------------------

_MOST_VERSIONS = 1000  # that are read at once


def rebuild_leaves(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_leaves", space=space)
        for note_id, version, metadata in _metadata(transaction, space):
            insert_metadata(transaction, [(space, note_id, version, json.loads(metadata))])


def check_leaves(database: Database, space: str) -> Check:
    """Compare the rows of a space with the metadata they were made from."""
    name = f"metadata of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            for note_id, version, metadata in _metadata(transaction, space):
                wanted = [tuple(row.values()) for row in leaf_rows(json.loads(metadata))]
                many += len(wanted)
                different += wanted != transaction.rows("leaves", space=space, id=note_id, version=version)
            [(there,)] = transaction.rows("count_leaves", space=space)
    except (StoreFailure, ValueError) as problem:
        return Check.failed(name, problem if isinstance(problem, StoreFailure) else StoreFailure(str(problem)))
    return _compared(name, "values", there, many, different)


def _metadata(transaction: Transaction, space: str) -> Iterator[tuple[str, int, str]]:
    """The id, the version and the metadata of every version of a space that has any, some at a time."""
    note_id, version = "", 0
    while page := transaction.rows("metadata_after", space=space, id=note_id, version=version, limit=_MOST_VERSIONS):
        yield from page
        note_id, version, _ = page[-1]


def rebuild_mentions(database: Database, space: str) -> None:
    """Make the rows of a space anew from its notes."""
    with database.writing(space) as transaction:
        transaction.rows("erase_space_mentions", space=space)
        for row in _versions(transaction, space):
            insert_mentions(transaction, note_from_row(row))


def check_mentions(database: Database, space: str) -> Check:
    """Compare the rows of a space with the notes they were made from."""
    name = f"graph of {space}"
    try:
        with database.reading(space) as transaction:
            different, many = 0, 0
            notes = map(note_from_row, _versions(transaction, space))
            for note_id, versions in groupby(notes, attrgetter("id")):  # they come one after the other
                wanted = {(key, role.value, about) for note in versions for key, role, about, _ in mentions_of(note)}
                many += len(wanted)
                different += wanted != set(transaction.rows("mentions", space=space, id=note_id))
            [(there,)] = transaction.rows("count_mentions", space=space)
    except StoreFailure as problem:
        return Check.failed(name, problem)
    return _compared(name, "names", there, many, different)


def _versions(transaction: Transaction, space: str) -> Iterator[Row]:
    """Every version of the notes of a space, some at a time."""
    note_id, version = "", 0
    while page := transaction.rows("export_versions", space=space, id=note_id, version=version, limit=_MOST_VERSIONS):
        yield from page
        note_id, _, version = page[-1][:3]


def _compared(name: str, what: str, there: int, wanted: int, different: int) -> Check:
    if different or there != wanted:
        return Check(name, False, f"{there:,} {what} are there, {wanted:,} should be", "Run `recollect reindex`.")
    return Check(name, True, "equal to the notes")


def fill_leaves(transaction: Transaction, dialect: str) -> None:
    """Take the metadata of an older database apart, as the last step of its migration."""
    with _of_all_spaces(transaction, dialect, "note", "note_metadata"):
        for space, note_id, version, metadata in transaction.rows("every_metadata"):
            insert_metadata(transaction, [(space, note_id, version, json.loads(metadata))])


def fill_mentions(transaction: Transaction, dialect: str) -> None:
    """Write down what the notes of an older database name, once all its other tables are as they should be."""
    with _of_all_spaces(transaction, dialect, "note", "note_text", "note_entity"):
        for (space,) in transaction.query("SELECT DISTINCT space FROM note"):
            for row in _versions(transaction, space):
                with suppress(Damaged):  # as it did before, and as `doctor` says, it keeps nobody from all the others
                    insert_mentions(transaction, note_from_row(row))


@contextmanager
def _of_all_spaces(transaction: Transaction, dialect: str, *tables: str) -> Iterator[None]:
    """On PostgreSQL the rule that even the owner of the tables sees one space only is lifted for a migration."""
    bound = tables if dialect == "postgres" else ()
    for table in bound:
        transaction.script(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    yield
    for table in bound:
        transaction.script(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
