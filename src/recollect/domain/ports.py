"""What we need from the world.

Ports take and return domain values. A `Store` keeps what it is given and decides nothing: no ranking, no
merging, no clock of its own. Abilities that not every store has are ports of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from recollect.domain.changes import AuditEntry, Change, Changes, Idempotency, Receipt, Tombstone
from recollect.domain.notes import Note
from recollect.domain.recollections import Backup, Check, Match, Selection, SpaceSummary
from recollect.domain.scopes import Space


class Store(Protocol):
    """Where memory is kept."""

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        ...

    @property
    def location(self) -> str:
        """Where it is, without any password."""
        ...

    @property
    def schema(self) -> int:
        """The number of the newest migration."""
        ...

    def apply(self, changes: Changes, *, rehearse: bool = False) -> Receipt:
        """Write all of it or nothing. A rehearsal makes every check and then takes it all back.

        Raises `Conflict`, `Erased`, `NotFound` for what stands in the way, `Busy` when it should be retried.
        """
        ...

    def replay(self, space: str, request: Idempotency) -> Receipt | None:
        """What was done under an idempotency key before; raises as `apply` does when the key is taken."""
        ...

    def spaces(self) -> Sequence[Space]:
        """All spaces that are not deleted, by name."""
        ...

    def space(self, name: str) -> Space | None:
        """One space; `None` if there is none or it was deleted."""
        ...

    def summary(self, space: Space) -> SpaceSummary:
        """What is in a space."""
        ...

    def note(self, space: str, note_id: str, *, known_at: datetime | None = None) -> Note | None:
        """The version of a note that is current, or was at `known_at`."""
        ...

    def version(self, space: str, note_id: str, version: int) -> Note | None:
        """One version of a note."""
        ...

    def versions(self, space: str, note_ids: Sequence[str]) -> Sequence[Note]:
        """All versions of some notes, by id and then version."""
        ...

    def notes(self, space: str, selection: Selection, *, before: str | None, limit: int) -> Sequence[Note]:
        """Selected notes, newest id first, from the id before `before` on."""
        ...

    def matching(self, space: str, words: Sequence[str], selection: Selection, *, limit: int) -> Sequence[Match]:
        """Selected notes that have, or once had, any of the words; those with the rarer words first."""
        ...

    def chain(self, space: str, note_id: str) -> Sequence[str]:
        """The ids of all notes that a note superseded or was superseded by, itself among them."""
        ...

    def descendants(self, space: str, note_id: str) -> Sequence[str]:
        """The ids of all notes derived from a note, at any remove."""
        ...

    def export(self, space: str, *, after: tuple[str, int], limit: int) -> Sequence[Note]:
        """Versions in the order of (id, version), from the one after `after` on."""
        ...

    def tombstones(self, space: str, *, after: str, limit: int) -> Sequence[Tombstone]:
        """Tombstones by note id."""
        ...

    def tombstone(self, space: str, note_id: str) -> Tombstone | None:
        """What stays of one note, if it was erased."""
        ...

    def changes_after(self, space: str, seq: int, *, limit: int) -> Sequence[Change]:
        """The change log after a number; how a cache follows what other processes do."""
        ...

    def audit(self, space: str, *, after: int, limit: int) -> Sequence[AuditEntry]:
        """The audit chain after a number."""
        ...

    def audit_head(self, space: str) -> tuple[int, str]:
        """The number and digest of the newest audit entry, as the space's own row has them."""
        ...

    def clean_residue(self) -> str | None:
        """Remove what erasing leaves in files; says what could not be removed yet, or `None`."""
        ...

    def check(self) -> Sequence[Check]:
        """Look whether the store is sound and its derived parts equal their source."""
        ...

    def rebuild(self) -> None:
        """Make everything derived anew from its source."""
        ...

    def size(self) -> int | None:
        """Bytes on disk, if known."""
        ...

    def close(self) -> None:
        """Let go of every connection."""
        ...


@runtime_checkable
class Backups(Protocol):
    """A store that can copy itself while others use it, and take itself back from a copy."""

    def backup(self, target: Path, *, compact: bool, at: datetime) -> Backup:
        """Make a copy with a manifest. It holds every write acknowledged before the call."""
        ...

    def restore(self, source: Path, *, at: datetime) -> Backup:
        """Become the copy, after checking it against its manifest. What was erased since stays erased."""
        ...
