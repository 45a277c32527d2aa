"""A space goes from one store to another while it is read and written.

Rounds copy it, each of one moment of the source: the first compares every row, the later ones follow the change log.
Then the space is held alone for the last difference. Which store serves it is said in both, and at no moment are there
two that would take a write: the target says "the source" until the source says "the target". A move that was killed is
begun again by the same call, and finds what it had done.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING

from recollect.domain.changes import Changes, ResumeSpace
from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Conflict, NotFound, StoreFailure
from recollect.domain.scopes import moved_away
from recollect.stores.application import apply
from recollect.stores.moves.space_rows import PAGE, SpaceRows, SpaceTable, common_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.domain.clock import Clock
    from recollect.domain.origin import Origin
    from recollect.stores.database import Database, Row, Transaction

_MOST_ROUNDS = 5  # after which the rest is copied while the space is held, however much it is

# Tables whose rows change only together with an entry of the change log that names this column of theirs.
LOGGED = {
    "note": "id",
    "note_text": "note_id",
    "note_link": "note_id",
    "note_metadata": "note_id",
    "note_entity": "note_id",
    "observation": "id",
    "observation_text": "observation_id",
    "slot": "id",
    "action": "id",
    "embedding": "record_id",
    "tombstone": "note_id",
}
_GROWING = ("change_log", "audit")  # rows are only ever added, each with the next number
_KEPT = frozenset({"audit"})  # stays when the rows are erased: it quotes nothing, and cannot be changed


@dataclass(frozen=True, slots=True)
class MoveReport:
    """How a move went. Without `switched` the source still serves the space."""

    space: str
    source: str
    target: str
    rows: int  # that the space has
    rounds: int
    held_ms: int  # for how long nobody could write
    switched: bool
    erased: bool


class SpaceMove:
    """One space, the store that has it and the one that shall, each with the address that the other remembers."""

    def __init__(
        self,
        space: str,
        source: tuple[Database, str],
        target: tuple[Database, str],
        *,
        clock: Clock,
        origin: Origin,
        tell: Callable[[str], None],
    ) -> None:
        self._space, self._clock, self._origin, self._tell = space, clock, origin, tell
        self._source, self._here = source
        self._target, self._there = target
        self._tables = common_tables(self._source, self._target)

    def rehearse(self) -> MoveReport:
        """Say what would be moved, and whether it may; nothing is written."""
        self._switched()
        self._require_room()
        with self._source.reading(self._space) as transaction:
            rows = sum(self._rows(transaction, table).count() for table in self._tables)
        return MoveReport(self._space, self._here, self._there, rows, 0, 0, switched=False, erased=False)

    def run(self, *, erase: bool = False) -> MoveReport:
        """Move the space, or go on where a move that was interrupted stood. `erase` takes the rows from the source."""
        rounds, held = 0, 0.0
        if not self._switched():
            self._expect()
            rounds, seq = self._copy()
            try:
                held = self._switch(seq)
            except NotFound:  # it was deleted meanwhile, and then nothing of it stays anywhere
                self._erase(self._target)
                raise
        self._open()
        with self._target.reading(self._space) as transaction:
            rows = sum(self._rows(transaction, table).count() for table in self._tables)
        if erase:
            self._erase(self._source)
        return MoveReport(
            self._space, self._here, self._there, rows, rounds, round(held * 1000), switched=True, erased=erase
        )

    def cancel(self) -> MoveReport:
        """Give up a move that was not finished: what was copied is erased, and the source goes on serving the space."""
        if self._switched():
            raise Conflict(
                f"The space `{self._space}` has been handed over already.",
                code="space_moved",
                hint="Finish the move by the same command without `--cancel`, then move the space back.",
            )
        self._require_room()
        self._erase(self._target)
        return MoveReport(self._space, self._here, self._there, 0, 0, 0, switched=False, erased=True)

    def _switched(self) -> bool:
        """Whether the source has handed the space over already."""
        with self._source.reading(self._space) as transaction:
            return self._handed_over(transaction)

    def _handed_over(self, source: Transaction) -> bool:
        found = source.rows("serving_store", space=self._space)
        if not found or source.rows("described_space", space=self._space)[0][2] is not None:
            raise NotFound(f"There is no space `{self._space}`.", code="space_not_found")
        if found[0][0] not in (None, self._there):
            raise moved_away(self._space)
        return found[0][0] is not None

    def _require_room(self) -> None:
        with self._target.reading(self._space) as transaction:
            found = transaction.rows("serving_store", space=self._space)
        [(server,)] = found or [(self._here,)]
        if server is None:
            raise Conflict(
                f"The store that it should go to has a space `{self._space}` of its own.",
                code="space_exists",
                hint="Two spaces are not merged by a move: `recollect export` and `recollect import` do that.",
            )
        if server != self._here:
            raise Conflict(
                f"The store that it should go to has old rows of `{self._space}`, and says that {server} serves it.",
                code="space_exists",
                hint=f"Move it to {server} first, and from there to where it should go.",
            )

    def _expect(self) -> None:
        """Make the place of the space at the target, where nobody writes until the source has handed it over."""
        self._require_room()
        with self._target.moving(self._space) as transaction:
            at = format_time(self._clock.now())
            transaction.rows("expect_space", space=self._space, at=at, address=self._here)

    def _copy(self) -> tuple[int, int]:
        """Copy until little is left; how many rounds that took, and up to which change everything is there."""
        seq: int | None = None
        for rounds in range(1, _MOST_ROUNDS + 1):
            with self._source.reading(self._space) as source:
                now = self._seq(source)
                changed = self._equalise(source, lambda: self._target.moving(self._space), seq)
            seq = now
            self._tell(f"Round {rounds}: {changed:,} rows copied.")
            if rounds > 1 and changed <= PAGE:
                break
        return rounds, seq or 0

    def _switch(self, seq: int) -> float:
        """Copy the last difference while nobody writes, look whether everything is there, and hand the space over.

        The target is written first. If this is killed in between, the source serves the space as before.
        """
        begun = monotonic()
        with self._source.moving(self._space) as source:
            if self._handed_over(source):
                return 0.0  # by another process, which did the same
            with self._target.moving(self._space) as target:
                self._equalise(source, lambda: nullcontext(target), seq)
                self._require_equal(source, target)
                [row] = source.rows("described_space", space=self._space)
                names = ("description", "created_at", "deleted_at", "seq", "audit_seq", "audit_head")
                target.rows("adopt_space", space=self._space, **dict(zip(names, row, strict=True)))
            self._tell("The last difference is copied and compared.")
            source.rows("hand_over", space=self._space, address=self._there)
        self._tell("The old store has handed it over.")
        return monotonic() - begun

    def _open(self) -> None:
        """Let the target serve the space: it was handed over, and all of it is there."""
        with self._target.moving(self._space) as target:
            if target.rows("serving_store", space=self._space) != [(self._here,)]:
                return  # done before
            seq, at = self._seq(target), self._clock.now()
            apply(target, Changes(self._space, "move_space", at, self._origin, (ResumeSpace(seq),)))
            target.rows("hand_over", space=self._space, address=None)
        self._tell("The new store serves it.")

    def _erase(self, database: Database) -> None:
        """Erase the rows that a store has of a space it does not serve."""
        with database.moving(self._space) as transaction:
            if transaction.rows("serving_store", space=self._space) in ([], [(None,)]):
                return
            for table in self._tables:
                if table.name not in _KEPT:
                    self._rows(transaction, table).erase()
        database.clean_residue()
        self._tell(f"Its rows in {database.location} are erased.")

    def _equalise(
        self, source: Transaction, target: Callable[[], AbstractContextManager[Transaction]], since: int | None
    ) -> int:
        """Make the target as the source is at this moment; how many rows were written. `since` is the change up to
        which it is known to be equal."""
        ids = None if since is None else self._changed_since(source, since)
        written = 0
        for table in self._tables:
            if table.name in _GROWING:
                written += self._grow(table, source, target)
            elif ids is not None and table.name in LOGGED:
                written += self._follow(table, ids, source, target)
            else:
                written += self._compare(table, source, target)
        return written

    def _changed_since(self, source: Transaction, seq: int) -> list[str]:
        ids: dict[str, None] = {}
        while page := source.rows("changes_after", space=self._space, seq=seq, limit=PAGE):
            seq = page[-1][0]
            ids.update((row[2], None) for row in page)
        return list(ids)

    def _grow(
        self, table: SpaceTable, source: Transaction, target: Callable[[], AbstractContextManager[Transaction]]
    ) -> int:
        written = 0
        while True:
            with target() as transaction:
                there = self._rows(transaction, table)
                here = self._rows(source, table)
                rows = here.whole([row[:1] for row in here.page((there.last(),))])
                there.add(rows)
            written += len(rows)
            if len(rows) < table.page:
                return written

    def _follow(
        self,
        table: SpaceTable,
        ids: Sequence[str],
        source: Transaction,
        target: Callable[[], AbstractContextManager[Transaction]],
    ) -> int:
        """Put the rows of changed records into the place of those that are there: all go before the first comes."""
        written, column = 0, LOGGED[table.name]
        pieces = [ids[at : at + PAGE] for at in range(0, len(ids), PAGE)]
        with target() as transaction:
            there, here = self._rows(transaction, table), self._rows(source, table)
            for piece in pieces:
                _in_pages(table, there.of_records(column, piece), there.drop)
            for piece in pieces:
                keys = here.of_records(column, piece)
                _in_pages(table, keys, lambda some: there.add(here.whole(some)))
                written += len(keys)
        return written

    def _compare(
        self, table: SpaceTable, source: Transaction, target: Callable[[], AbstractContextManager[Transaction]]
    ) -> int:
        """Compare every row. What is not there any more, or differs, goes before anything comes."""
        wanted: list[Row] = []
        width, here = len(table.key), self._rows(source, table)
        with target() as transaction:
            is_empty = not self._rows(transaction, table).count()
        after: Row | None = None
        while not is_empty:
            with target() as transaction:
                there = self._rows(transaction, table)
                page = there.page(after)
                known = here.compared([row[:width] for row in page])
                there.drop([row[:width] for row in page if known.get(row[:width]) != row])
            if len(page) < table.page:
                break
            after = page[-1][:width]
        after, written = None, 0
        while True:
            page = here.page(after)
            with target() as transaction:
                there = self._rows(transaction, table)
                held = {} if is_empty else there.compared([row[:width] for row in page])
                wanted = [row[:width] for row in page if row[:width] not in held]
                there.add(here.whole(wanted))
            written += len(wanted)
            if len(page) < table.page:
                break
            after = page[-1][:width]
        if written and is_empty:
            self._tell(f"{table.name}: {written:,} rows.")
        return written

    def _require_equal(self, source: Transaction, target: Transaction) -> None:
        """Count every table on both sides; where that differs, every row of it is compared."""
        for table in self._tables:
            here, there = self._rows(source, table), self._rows(target, table)
            if here.count() != there.count() and table.name not in _GROWING:
                self._compare(table, source, lambda: nullcontext(target))
            if here.count() != there.count():
                raise StoreFailure(
                    f"{there.count():,} rows of `{table.name}` arrived, of {here.count():,}. Nothing was switched.",
                    code="move_differs",
                    hint="The old store serves the space as before. Begin the move again.",
                )

    def _seq(self, transaction: Transaction) -> int:
        [row] = transaction.rows("described_space", space=self._space)
        return int(row[3])

    def _rows(self, transaction: Transaction, table: SpaceTable) -> SpaceRows:
        return SpaceRows(transaction, table, self._space)


def _in_pages(table: SpaceTable, keys: Sequence[Row], do: Callable[[Sequence[Row]], None]) -> None:
    for at in range(0, len(keys), table.page):
        do(keys[at : at + table.page])
