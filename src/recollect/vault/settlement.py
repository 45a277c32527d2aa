"""Facts that two machines learned apart, brought onto one line of time.

Of two current values of a one-valued attribute, or two successors of the same note, the one that holds since later
supersedes the other, unless it ranks lower: then it waits as a proposal. Every time is taken from the notes
themselves, so that each machine writes the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from recollect.attributes.catalogue import attribute_named
from recollect.domain.changes import WriteNote
from recollect.domain.clock import just_after
from recollect.domain.dataclass import replace
from recollect.domain.notes import Note, State
from recollect.domain.origin import rank
from recollect.domain.ports import Store
from recollect.domain.selections import Selection
from recollect.domain.trust.disputes import why_disputed, with_dispute

_MOST = 100  # current values of one attribute that are looked at


def settled(store: Store, space: str, note_ids: Sequence[str]) -> Iterator[list[WriteNote]]:
    """The edits for each line of time on which one of the notes stands beside another current one."""
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
    holding: Note | None = None
    for newer in told:
        older, holding = holding, newer
        if older is None or older.value == newer.value or not _exclude_each_other(older, newer):
            continue
        at = just_after(max(older.updated_at, newer.updated_at))
        if rank(newer.authority) < rank(older.authority):
            edits[newer.id] = _contesting(newer, older, at)
            holding = older
            continue
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


def _contesting(note: Note, higher: Note, at: datetime) -> Note:
    """A note that began later and ranks lower: it waits beside the one it contradicts."""
    return replace(
        note,
        version=note.version + 1,
        updated_at=at,
        state=State.DISPUTED,
        related=tuple(sorted({*note.related, higher.id})),
        review=why_disputed(higher),
        metadata=with_dispute(note.metadata, higher.id, "supersede"),
    )


def _exclude_each_other(one: Note, two: Note) -> bool:
    """Whether only one of two values can hold: the attribute has one value, or both took over from the same note."""
    known = attribute_named(one.attribute or "")
    return (known is not None and not known.many) or bool(set(one.supersedes) & set(two.supersedes))
