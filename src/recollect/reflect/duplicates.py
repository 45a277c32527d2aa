"""Pure: notes that say the same in the same words become one, and each of the others says why it ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from recollect.domain.dataclass import replace
from recollect.domain.handles.trigger import WHEN
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Caller
from recollect.remember.tidy import merged

SUPERSEDED_BECAUSE = "superseded_because"  # the key of the metadata under which a merged note says why
_MARKS = " \t\r\n.!\u3002\uff01"  # that end a sentence and say nothing; a question is no statement, so its mark counts


def near_duplicates(notes: Iterable[Note], caller: Caller, at: datetime) -> list[Note]:
    """The next versions of notes that say the same but for case and the marks at their end: one stays of each group.

    They must agree in place, kind, title, subject, attribute, value and the times they tell. Notes that are pinned,
    wait for review, go by a key, want to be told before something or are kept for a time only are not looked at.
    """
    groups: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        plain = note.state is State.ACTIVE and not note.pinned and note.key is None and WHEN not in note.metadata
        if plain and note.review is None and note.erase_at is None and note.expires_at is None:
            groups.setdefault(_said(note), []).append(note)
    found: list[Note] = []
    for group in groups.values():
        if len(group) > 1:
            stays, *others = merged(group, caller, at)
            why = {SUPERSEDED_BECAUSE: f"Note {stays.id} says the same."}
            found += [stays, *(replace(each, metadata={**each.metadata, **why}) for each in others)]
    return found


def _said(note: Note) -> tuple[object, ...]:
    """All that two notes must have in common. The subject of a lesson is only the fingerprint of its words.

    Signs count as letters do: `C++` is not `C#`, and `-5` not `5`. A note that was not told since when it holds does so
    from when it was written down, which says nothing.
    """
    since = None if note.valid_from == note.recorded_at else note.valid_from
    times = note.occurred_at, since, note.valid_until
    about = None if note.kind is Kind.LESSON else (note.subject, note.attribute, (note.value or "").casefold())
    return note.scope, note.kind, note.title, about, times, note.text.lower().rstrip(_MARKS)
