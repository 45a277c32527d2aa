"""Pure: whether the records that are left of a note's sources still say it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.dataclass import replace
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.recall.cited.draft import note_evidence, said_evidence
from recollect.recall.cited.support import is_said_by
from recollect.recall.weights import WEIGHTS

_EVERY_WORD = replace(WEIGHTS.answer, said=1.0)  # nobody looks at it again, so no word may be missing


def supported_by(note: Note, sources: Sequence[Note | Observation], now: datetime) -> bool:
    """Whether one source says every word of a note."""
    evidence = [
        note_evidence(each, now) if isinstance(each, Note) else said_evidence(each, each.text) for each in sources
    ]
    return any(is_said_by(note.text, [each], _EVERY_WORD) for each in evidence)
