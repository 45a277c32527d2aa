"""A backup of one space of any store, and the way back into any store, beside spaces that are not touched.

The backup is an SQLite file of the usual form that holds this space alone. It is filled with the rows of one moment, as
a move copies them. From there on it is treated as the copy of a whole store is: its check, its manifest, its targets.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.changes import Changes, EraseNote, ResumeSpace
from recollect.domain.clock import format_time
from recollect.domain.errors import Conflict, InvalidInput, NotFound
from recollect.domain.origin import Channel, Origin
from recollect.domain.scopes import moved_away
from recollect.stores.application import apply
from recollect.stores.moves.space_rows import SpaceRows, SpaceTable, common_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from recollect.domain.answers.upkeep import Backup
    from recollect.domain.changes import Edit
    from recollect.domain.clock import Clock
    from recollect.stores.database import Database, Row, Transaction
    from recollect.stores.sqlite.store import SqliteStore

# As with a copy of the whole store, who is told and who pays is decided by the store that is there, not by a backup.
_STAYING = frozenset({"webhook", "webhook_delivery", "provider_key"})
_AUDIT = "audit"
_OURS = frozenset({"brain", "quota"})  # likewise, where there is a row here: who reads it, and how much it may hold
_PATIENCE = 5.0  # seconds; nobody else has the file that is made or read here
_COUNTERS = ("description", "created_at", "deleted_at", "seq", "audit_seq", "audit_head")


class SpaceCopy:
    """Implements `Backups` for one space. `room` opens an empty folder that nobody else can enter, gone afterwards."""

    def __init__(
        self, database: Database, space: str, clock: Clock, room: Callable[[], AbstractContextManager[Path]]
    ) -> None:
        self._database, self._space, self._clock, self._room = database, space, clock, room

    def backup(self, target: Path, *, compact: bool, at: datetime) -> Backup:  # noqa: ARG002 - it is always written anew
        """See `Backups.backup`."""
        from recollect.stores.sqlite.store import require_free

        require_free(target)
        with self._scratch() as copy:
            tables = [each for each in common_tables(self._database, copy.database) if each.name not in _STAYING]
            with self._database.reading(self._space) as ours, copy.database.moving(self._space) as theirs:
                theirs.rows("expect_space", space=self._space, at=format_time(at), address=None)
                for table in tables:
                    self._add(table, ours, theirs)
                self._adopt(theirs, self._described(ours))
            return copy.backup(target, compact=True, at=at, space=self._space)

    def restore(self, source: Path, *, at: datetime, known_as: str | None = None) -> Backup:
        """See `Backups.restore`. A copy of a whole store will do, if it has the space."""
        source = source.expanduser().absolute()
        here = Path(self._database.location)
        if self._database.dialect == "sqlite" and here.is_file() and source.is_file() and source.samefile(here):
            raise InvalidInput(f"{source} is the database itself, not a backup of it.", code="not_a_backup")
        with self._scratch() as copy:
            backup = copy.verified(source)
            copy.become(source, at=at, known_as=known_as)
            if copy.space(self._space) is None:
                held = ", ".join(f"`{each.name}`" for each in copy.spaces())
                raise NotFound(
                    f"{known_as or source} has no space `{self._space}`.",
                    code="space_not_found",
                    hint=f"It has {held or 'none'}. Nothing was changed.",
                )
            origin = Origin(Channel.LIBRARY, source=known_as or str(source))
            tables = common_tables(copy.database, self._database)
            with copy.database.reading(self._space) as theirs, self._database.moving(self._space) as ours:
                self._replace(tables, theirs, ours, at, origin)
        self._database.clean_residue()
        return backup

    @contextmanager
    def _scratch(self) -> Iterator[SqliteStore]:
        """An empty store that is gone afterwards."""
        from recollect.stores.sqlite.store import SqliteStore

        with self._room() as folder:
            file = str(folder / "space.db")
            with closing(SqliteStore.open(file, clock=self._clock, busy_timeout=_PATIENCE)) as store:
                yield store

    def _replace(
        self, tables: list[SpaceTable], theirs: Transaction, ours: Transaction, at: datetime, origin: Origin
    ) -> None:
        """Put the rows of a copy in the place of our own; what was erased here is erased again, and counters go on."""
        seq, head = self._entered(ours, at)
        erased = sorted(self._erased(ours) - self._erased(theirs))
        kept = {each.name for each in tables if each.name in _OURS and SpaceRows(ours, each, self._space).count()}
        replaced = [each for each in tables if each.name not in {*_STAYING, _AUDIT, *kept}]
        for table in replaced:
            SpaceRows(ours, table, self._space).erase()
        for table in replaced:
            self._add(table, theirs, ours)
        told = self._described(theirs)
        audit = next(each for each in tables if each.name == _AUDIT)
        self._adopt(ours, (*told[:4], *self._chained(audit, theirs, ours, told[4:], head)))
        edits: list[Edit] = [EraseNote(each) for each in erased]
        apply(ours, Changes(self._space, "restore", at, origin, (*edits, ResumeSpace(seq))))

    def _erased(self, transaction: Transaction) -> set[str]:
        found = transaction.query("SELECT note_id FROM tombstone WHERE space = :space", space=self._space)
        return {note_id for (note_id,) in found}

    def _entered(self, ours: Transaction, at: datetime) -> tuple[int, Row]:
        """Take the row of the space, making it if there is none; its number of the last change and end of its audit."""
        found = ours.rows("described_space", space=self._space)
        if found and found[0][2] is not None:
            raise Conflict(
                f"The space `{self._space}` was deleted here, and what was deleted stays so. Nothing was changed.",
                code="space_deleted",
                hint="Another store can take it in: `recollect restore … --space NAME --store ANOTHER`.",
            )
        if ours.rows("serving_store", space=self._space) not in ([], [(None,)]):
            raise moved_away(self._space)
        ours.rows("expect_space", space=self._space, at=format_time(at), address=None)
        [(seq, audit_seq, audit_head, _)] = ours.rows("lock_space", space=self._space)
        return seq, (audit_seq, audit_head)

    def _chained(self, table: SpaceTable, theirs: Transaction, ours: Transaction, end: Row, head: Row) -> Row:
        """Add the audit entries that continue ours, and return where the chain ends then. One that does not is left:
        ours is never rewritten, and its next entry says what was restored."""
        copied, (seq, digest) = SpaceRows(theirs, table, self._space), head
        at_ours = [row[table.columns.index("digest")] for row in copied.whole([(seq,)])] if seq else [digest]
        if at_ours != [digest] or end[0] <= seq:
            return head
        self._add(table, theirs, ours, after=(seq,))
        return end

    def _add(self, table: SpaceTable, source: Transaction, target: Transaction, after: Row | None = None) -> None:
        """Add the rows of one side to the other, page by page."""
        width = len(table.key)
        rows, into = SpaceRows(source, table, self._space), SpaceRows(target, table, self._space)
        while True:
            page = rows.page(after)
            into.add(rows.whole([row[:width] for row in page]))
            if len(page) < table.page:
                return
            after = page[-1][:width]

    def _described(self, transaction: Transaction) -> Row:
        found = transaction.rows("described_space", space=self._space)
        if not found:
            raise NotFound(f"There is no space `{self._space}`.", code="space_not_found")
        return tuple(found[0])

    def _adopt(self, transaction: Transaction, row: Row) -> None:
        transaction.rows("adopt_space", space=self._space, **dict(zip(_COUNTERS, row, strict=True)))
