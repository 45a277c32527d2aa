"""Facts that two machines learned apart, brought onto one line of time.

Of two current values of a one-valued attribute, or two successors of the same note, the one that holds since later
supersedes the other. Every time is taken from the notes themselves, so that each machine writes the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from recollect.domain.catalogue import attribute_named
from recollect.domain.changes import WriteNote
from recollect.domain.clock import just_after
from recollect.domain.notes import Note, State
from recollect.domain.ports import Store
from recollect.domain.recollections import Selection

_MOST = 100  # current values of one attribute that are looked at


def settled(store: Store, space: str, note_ids: Sequence[str]) -> Iterator[list[WriteNote]]:
    """What to write for each line on which one of the notes stands beside another current one."""
    done: set[tuple[object, ...]] = set()
    for note in store.current(space, note_ids).values():
        line = (note.subject, note.attribute, note.scope)
        if note.state is not State.ACTIVE or not note.subject or not note.attribute or line in done:
            continue
        done.add(line)
        holding = Selection(
            states=frozenset({State.ACTIVE}), subject=note.subject, attribute=note.attribute, scope=note.scope
        )
        current = [each for each in store.notes(space, holding, before=None, limit=_MOST) if each.scope == note.scope]
        edits = in_one_line(current)
        if edits:
            yield edits


def in_one_line(current: Sequence[Note]) -> list[WriteNote]:
    """The notes of one subject and attribute that hold, so that each ends where the next begins."""
    told = sorted(current, key=lambda note: (note.valid_from or note.recorded_at, note.recorded_at, note.id))
    edits: dict[str, Note] = {}
    for older, newer in pairwise(told):
        if older.value == newer.value or not _exclude_each_other(older, newer):
            continue
        at = just_after(max(older.updated_at, newer.updated_at))
        begins = newer.valid_from or newer.recorded_at
        if older.valid_from is not None and begins <= older.valid_from:
            begins = just_after(older.valid_from)
        before = edits.get(older.id, older)
        edits[older.id] = replace(
            before,
            version=older.version + 1,
            updated_at=at,
            state=State.SUPERSEDED,
            valid_until=begins,
            retired_at=at,
        )
        edits[newer.id] = replace(
            newer, version=newer.version + 1, updated_at=at, supersedes=tuple(sorted({*newer.supersedes, older.id}))
        )
    return [WriteNote(note) for note in edits.values()]


def _exclude_each_other(one: Note, two: Note) -> bool:
    """Whether only one of two values can hold: the attribute has one value, or both took over from the same note."""
    known = attribute_named(one.attribute or "")
    return (known is not None and not known.many) or bool(set(one.supersedes) & set(two.supersedes))
