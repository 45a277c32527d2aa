"""Pure: what a model reads of a session at a time: from where it left off up to a pause or a size.

A segment ends where people paused, so that what belongs together is read together, and at the latest when it is as long
as a model reads well. Some words before it are shown again, and not read: they say what "it" is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from recollect.domain.dataclass import dataclass
from recollect.domain.observations import Message, Observation, ObservationKind, may_be_read
from recollect.domain.text import both_ends
from recollect.remember.pipeline import masked

MOST_CHARACTERS = 6_000  # of a segment; one message that is longer is read at both ends
MOST_MESSAGES = 40
MOST_BEFORE = 4  # messages before a segment that are shown with it
PAUSE = timedelta(minutes=30)  # between two messages: another topic, or another day
QUIET = timedelta(seconds=60)  # without a message, after which a segment is whole
LONGEST_WAIT = timedelta(minutes=10)  # for that, while people go on talking

_SHOWN_BEFORE = 600  # characters of each message that is only shown
_SPOKEN = frozenset({ObservationKind.MESSAGE, ObservationKind.PROMPT})


@dataclass(frozen=True, slots=True)
class Segment:
    """Messages to be read together, and the position up to which the session is read then."""

    messages: tuple[Observation, ...]
    end: int


def next_segment(unread: Sequence[Observation]) -> Segment:
    """The first segment of what is not read yet, of which there is some, in the order of the session."""
    taken: list[Observation] = []
    size, end = 0, 0
    for each in unread:
        if is_spoken(each):
            length = min(len(each.text), MOST_CHARACTERS)
            paused = bool(taken) and each.observed_at - taken[-1].observed_at > PAUSE
            if paused or (taken and (size + length > MOST_CHARACTERS or len(taken) == MOST_MESSAGES)):
                break
            taken.append(each)
            size += length
        end = each.position
    return Segment(tuple(taken), end)


def is_whole(unread: Sequence[Observation], segment: Segment, now: datetime) -> bool:
    """Whether a segment is read now: more was said after it, or nothing more for a while."""
    if segment.end < unread[-1].position or not segment.messages:
        return True
    first, last = segment.messages[0].recorded_at, segment.messages[-1].recorded_at
    return now - last >= QUIET or now - first >= LONGEST_WAIT


def is_spoken(said: Observation) -> bool:
    """Whether an observation is a message that may be read: not one that was only to be kept."""
    return said.kind in _SPOKEN and may_be_read(said)


def as_shown(said: Observation, *, before: bool = False) -> Message:
    """A message as a model is shown it: what is not the speaker's own word is masked, and a long one is cut."""
    most = _SHOWN_BEFORE if before else MOST_CHARACTERS
    return Message(said.role or "system", both_ends(masked(said.text), most // 2), said.observed_at, said.speaker)
