"""Happenings in a space, for those who watch it: rows of the change log with the records they are about."""

from __future__ import annotations

from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.observations import Observation


@dataclass(frozen=True, slots=True)
class Happening:
    """One change. Its record is there as that change left it, unless it was erased since or the change has none."""

    seq: int
    kind: ChangeKind
    record_id: str
    version: int
    note: Note | None = None
    observation: Observation | None = None
