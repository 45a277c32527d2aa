"""A message that somebody took back. A note that is retracted from birth says so, and repeats none of its words.

The message stays where it is until it is forgotten; nothing is found by it or quoted from it, and notes made from it
have lost their support. Only a note that ranks as high as the message counts: no caller hides the word of a higher one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.domain.notes import Note, State
from recollect.domain.observations import Observation
from recollect.domain.origin import rank
from recollect.domain.trust.authority_table import authority_of

TAKES_BACK = "takes_back"  # the key of the metadata under which such a note names the message


def named_by(note: Note) -> str | None:
    """The id of the message that a note takes back; `None` for any other note."""
    message_id = note.metadata.get(TAKES_BACK) if note.state is State.RETRACTED else None
    return message_id if isinstance(message_id, str) and message_id in note.derived_from else None


def taken_back(
    messages: Mapping[str, Observation], read: Mapping[str, Sequence[str]], notes: Mapping[str, Note]
) -> dict[str, Note]:
    """Of some messages those that were taken back, each with the note that says so.

    `read` has the ids of the notes made from each message, `notes` their current versions.
    """
    found: dict[str, Note] = {}
    for message_id, said in messages.items():
        for note in (notes[each] for each in read.get(message_id, ()) if each in notes):
            if named_by(note) == message_id and rank(note.authority) >= rank(authority_of(said)):
                found[message_id] = note
    return found
