"""Pure: what a note loses when something it was made from, or rests on, is taken back.

Retracting or forgetting a record leaves no support for what was derived from it. Such notes are kept and marked for
review, at any remove: a person decides whether they still hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from recollect.domain.notes import ONCE_TRUE, Note, State, revised
from recollect.domain.text import MAX_NAME_BYTES

_MARK = "It was made from"  # how the reason begins, so that recall can tell it from others


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


def with_mark(why: str, reason: str | None) -> str:
    """Both reasons to look at a note, the one that it lost its support first."""
    both = why if reason is None else f"{why} {reason}"
    return both.encode()[:MAX_NAME_BYTES].decode("utf-8", "ignore").strip()


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
