"""A message that somebody took back. A note that is retracted from birth says so, and repeats none of its words.

The message stays where it is until it is forgotten; nothing is found by it or quoted from it, and notes made from it
have lost their support. Only a note that ranks as high as the message counts: no caller hides the word of a higher one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation
from recollect.domain.origin import rank
from recollect.domain.trust.authority_table import authority_of
from recollect.domain.trust.disputes import TAKES_BACK


def named_by(note: Note) -> str | None:
    """The id of the message that a note takes back; `None` for any other note."""
    message_id = note.metadata.get(TAKES_BACK) if note.state is State.RETRACTED else None
    return message_id if isinstance(message_id, str) and message_id in note.derived_from else None


def taken_back(messages: Mapping[str, Observation], notes: Iterable[Note]) -> dict[str, Note]:
    """Of some messages those that some of the notes take back, each with the note that does."""
    found = ((messages[named], note) for note in notes if (named := named_by(note)) in messages and named is not None)
    return {said.id: note for said, note in found if rank(note.authority) >= rank(authority_of(said))}
