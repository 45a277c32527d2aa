"""Pure: what readers said of a note after they had used it.

Feedback is an opinion, not a correction: no word of the note changes, and nothing ends by it. It is counted on the
note, version by version, so that its history shows each verdict, and a note that was doubted more often than it was of
use counts for less until somebody has looked at it.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.notes import Note, revised
from recollect.domain.trust.disputes import is_unsupported, with_mark

FEEDBACK = "feedback"  # where in the metadata of a note it is kept

_REASSURED = 0.1  # of the remaining doubt is taken away by one note of thanks, as by one more sighting
_PROVEN = 3  # notes of thanks, without an objection, after which a note is essential
_SHAKEN = 0.5  # of the confidence is left after one objection


class Verdict(StrEnum):
    """The verdict of a reader on a note."""

    USEFUL = "useful"
    WRONG = "wrong"
    OUTDATED = "outdated"  # it was true once


def judged(note: Note, verdict: Verdict, remark: str | None, *, at: datetime, by: str, outranked: bool = False) -> Note:
    """The note with one more verdict. Thanks make it surer and fresh again; an objection halves its confidence and
    asks for somebody to look at it. An objection of a reader whom the note outranks only asks for that."""
    counted = _counted(note)
    last = {"verdict": verdict.value, "by": by, "at": format_time(at), **({"remark": remark} if remark else {})}
    objects_from_below = outranked and verdict is not Verdict.USEFUL
    if not objects_from_below:
        counted[verdict.value] = counted.get(verdict.value, 0) + 1
    feedback = {**counted, "last": last}
    heard = revised(note, at, metadata={**note.metadata, FEEDBACK: feedback})
    if verdict is Verdict.USEFUL:
        confidence = round(note.confidence + _REASSURED * (1 - note.confidence), 4)
        settled = is_doubted(note) and not is_doubted(heard) and not is_unsupported(note)
        review = None if settled else note.review
        return replace(heard, confidence=confidence, last_seen_at=at, review=review)
    why = f"It was said to be {verdict.value}" + (f": {remark}" if remark else ".")
    if is_unsupported(note):
        why = with_mark(note.review or "", why)
    confidence = note.confidence if objects_from_below else round(note.confidence * _SHAKEN, 4)
    return replace(heard, confidence=confidence, review=why)


def is_essential(note: Note) -> bool:
    """Whether readers found a note of use again and again, and nobody objected."""
    counted = _counted(note) if FEEDBACK in note.metadata else {}
    return counted.get("useful", 0) >= _PROVEN and not counted.get("wrong") and not counted.get("outdated")


def is_doubted(note: Note) -> bool:
    """Whether more readers objected to a note than found it of use."""
    if FEEDBACK not in note.metadata:
        return False
    counted = _counted(note)
    return counted.get("wrong", 0) + counted.get("outdated", 0) > counted.get("useful", 0)


def _counted(note: Note) -> dict[str, int]:
    """The counts so far. Metadata is anybody's to write, so what is no count is not believed."""
    found = note.metadata.get(FEEDBACK)
    if not isinstance(found, dict):
        return {}
    return {each.value: found[each.value] for each in Verdict if isinstance(found.get(each.value), int)}
