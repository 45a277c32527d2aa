"""Notes that stand against each other: proposals that wait for a person, and the loss of what a note rests on.

A proposal has the state `disputed` and names, in its metadata, the note it contradicts and what it would do to it. The
other note is not touched: it holds until somebody who may change it settles the matter.

Retracting or forgetting a record leaves no support for what was derived from it. Such notes are kept and marked for
review, at any remove: a person decides whether they still hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.domain.clock import just_after
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import DISPUTES, ONCE_TRUE, TAKES_BACK, Note, State, revised
from recollect.domain.observations import Observation
from recollect.domain.origin import rank
from recollect.domain.text import MAX_NAME_BYTES
from recollect.domain.trust.authority_table import authority_of

_MARK = "It was made from"  # how the reason begins, so that recall can tell it from others
_STALE = "It rests on"
_MARKS = re.compile(rf"\A(?:(?:{_MARK}|{_STALE}) \w+, which [a-z ]+\.\s*)+")


def why_unsupported(parent: Note) -> str | None:
    """Why a note made from this one is to be looked at; `None` if the parent holds."""
    if parent.state is State.RETRACTED:
        return _why(parent.id, "was retracted")
    return _why(parent.id, "waits for review itself") if is_unsupported(parent) else None


def why_forgotten(source: str) -> str:
    """Why a note made from a record that was forgotten is to be looked at."""
    return _why(source, "was forgotten")


def is_unsupported(note: Note) -> bool:
    """Whether a note waits for review because something it was made from was taken back."""
    return note.review is not None and note.review.startswith(_MARK)


def why_stale(source: str) -> str:
    """Why a note that rests on one which has changed is to be looked at."""
    return f"{_STALE} {source}, which has changed."


def is_stale(note: Note) -> bool:
    """Whether a note waits for review because something it rests on has changed."""
    return note.review is not None and note.review.startswith(_STALE)


def with_mark(why: str, reason: str | None) -> str:
    """Both reasons to look at a note, the one that it lost its support first."""
    both = why if reason is None else f"{why} {reason}"
    return both.encode()[:MAX_NAME_BYTES].decode("utf-8", "ignore").strip()


def without_marks(reason: str | None) -> str | None:
    """The reason to look at a note that is left once what it rests on says it again."""
    return _MARKS.sub("", reason or "") or None


def unsupported(gone: Mapping[str, str], notes: Mapping[str, Note], at: datetime) -> list[Note]:
    """The next versions of all notes that were made from, or rest on, records that are gone, at any remove.

    `gone` says of each such record what became of it, as in `was retracted`; `notes` are the current versions of all
    that were ever linked to one. A link of an earlier version does not count.
    """
    resting: dict[str, list[Note]] = {}
    for note in notes.values():
        if note.id not in gone and note.state in ONCE_TRUE:
            for source in dict.fromkeys((*note.derived_from, *note.depends_on)):
                resting.setdefault(source, []).append(note)
    marked: dict[str, Note] = {}
    reached = set(gone)
    waiting = sorted(gone)
    while waiting:
        source = waiting.pop()
        for note in resting.get(source, ()):
            if note.id in reached:
                continue
            reached.add(note.id)
            waiting.append(note.id)
            if not is_unsupported(note):
                why = _why(source, gone.get(source, "waits for review itself"))
                marked[note.id] = revised(note, at, review=with_mark(why, note.review))
    return [marked[note_id] for note_id in sorted(marked)]


def _why(source: str, fate: str) -> str:
    return f"{_MARK} {source}, which {fate}."


class Decision(StrEnum):
    """The decision on something that waits in review."""

    ACCEPT = "accept"
    KEEP = "keep"  # the same, of what contradicts nothing
    EDIT = "edit"  # keep it in other words
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Dispute:
    """The note a proposal contradicts, the verb it stands for, and the fields that verb would change."""

    note_id: str
    verb: str
    fields: tuple[str, ...] = ()


def dispute_of(note: Note) -> Dispute | None:
    """The dispute of a proposal; `None` for any other note. Metadata is anybody's to write, so it is checked."""
    if note.state is not State.DISPUTED:
        return None
    found = note.metadata.get(DISPUTES)
    if not isinstance(found, Mapping):
        return None
    note_id, verb, fields = found.get("note"), found.get("verb"), found.get("fields", ())
    if not isinstance(note_id, str) or not isinstance(verb, str) or not isinstance(fields, list | tuple):
        return None
    return Dispute(note_id, verb, tuple(each for each in fields if isinstance(each, str)))


def effect_of(dispute: Dispute) -> str:
    """The change that accepting a proposal makes, in words."""
    verb = dispute.verb if dispute.verb in ("update", "retract") else "supersede"
    return f"Accepting it would {verb} note {dispute.note_id}."


def is_unsettled(note: Note) -> bool:
    """Whether a note is part of a contradiction that nobody has settled, and that time has not ended."""
    return note.state is State.DISPUTED and (note.valid_until is None or dispute_of(note) is not None)


def with_dispute(metadata: Mapping[str, Any], note_id: str, verb: str, fields: Sequence[str] = ()) -> dict[str, Any]:
    """The metadata of a proposal."""
    return {**metadata, DISPUTES: {"note": note_id, "verb": verb, **({"fields": list(fields)} if fields else {})}}


def without_dispute(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without what no caller and no file says: that a note contradicts another, or takes a message back."""
    return {name: value for name, value in metadata.items() if name not in (DISPUTES, TAKES_BACK)}


def settled(note: Note, at: datetime) -> Note:
    """A proposal whose word another note has taken over. It held for the smallest time there is."""
    end = None if note.valid_from is None else just_after(note.valid_from)
    review = note.review if is_unsupported(note) else None
    return revised(note, at, state=State.SUPERSEDED, retired_at=at, valid_until=end or at, review=review)


def why_disputed(higher: Note) -> str:
    """The words under which a proposal waits in `review`."""
    return f"It contradicts {higher.id}, which has the authority `{higher.authority.value}`: settle it."


def named_by(note: Note) -> str | None:
    """The id of the message that a note takes back; `None` for any other note."""
    message_id = note.metadata.get(TAKES_BACK) if note.state is State.RETRACTED else None
    return message_id if isinstance(message_id, str) and message_id in note.derived_from else None


def taken_back(messages: Mapping[str, Observation], notes: Iterable[Note]) -> dict[str, Note]:
    """Of some messages those that some of the notes take back, each with the note that does."""
    found = ((messages[named], note) for note in notes if (named := named_by(note)) in messages and named is not None)
    return {said.id: note for said, note in found if rank(note.authority) >= rank(authority_of(said))}
