"""Notes that take the place of others: a text is kept once, and of a note that is history the successor is known."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note, State

_LOOKED_UP = 50  # notes of a page whose successor is asked for by itself
_KEPT = ("tags", "metadata", "title", "ttl")  # fields that a note does not take over from the one it replaces


@dataclass(frozen=True, slots=True)
class SavedOnce:
    """The note that holds the text now, the likest one that was there before, and the share of words both have."""

    note: Note
    likest: Note | None
    likeness: float


def saved_once(doer: Doer, fields: Mapping[str, Any], *, replaces_above: float) -> SavedOnce:
    """Save a note; if one of its project shares more than so much of its words, in the place of that one.

    The very same text is not written again.
    """
    text, project = fields["text"], fields.get("project")
    hits = doer.do("search", {"query": text[:2000], "limit": 10})
    found = [hit.note for hit in hits if hit.note is not None]
    near = [note for note in found if note.scope.project == project or not project or not note.scope.project]
    likest = max(near, key=lambda note: shared_words(note.text, text), default=None)
    share = 0.0 if likest is None else shared_words(likest.text, text)
    if likest is not None and likest.text == text:
        return SavedOnce(likest, likest, share)
    if likest is None or share <= replaces_above:
        return SavedOnce(doer.do("save", fields), likest, share)
    newer = doer.do("supersede", {"note_id": likest.id, "text": text})
    own = {name: fields[name] for name in _KEPT if name in fields}
    return SavedOnce(doer.do("update", {"note_id": newer.id, **own}), likest, share)


def shared_words(one: str, other: str) -> float:
    """The share of the words of two texts that both have; words of one or two letters do not count."""
    here, there = ({word for word in text.lower().split() if len(word) > 2} for text in (one, other))
    return len(here & there) / len(here | there) if here and there else 0.0


def kept_by_words(doer: Doer, family: str, text: str, **fields: Any) -> Note:
    """Keep a text under a key that is made of its words: the same again is the same note."""
    words = " ".join(text.casefold().split())
    key = f"{family}/{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
    note: Note = doer.do("save", {"text": text, "key": key, **fields})
    return note


def successors_of(doer: Doer, notes: Sequence[Note]) -> dict[str, str]:
    """For each note that another took the place of, the id of that one: from beside it, or else from its history."""
    known = {old: note.id for note in notes for old in note.supersedes}
    missing = [note for note in notes if note.state is State.SUPERSEDED and note.id not in known]
    for note in missing[:_LOOKED_UP]:
        steps = doer.do("history", {"note_id": note.id})
        known |= {old: step.note.id for step in steps for old in step.note.supersedes}
    return known
