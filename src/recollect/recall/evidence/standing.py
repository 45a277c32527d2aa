"""Messages that stand, and those that somebody took back, as a store has them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.ports import Archive, Store


def taken_back_among(
    store: Store, archive: Archive, space: str, said: Iterable[Observation], *, known_at: datetime | None = None
) -> dict[str, Note]:
    """Of some messages those that were taken back, by a time if one is given, each with the note that says so.

    Of the notes that were made from them only the retracted ones are read: a long message has hundreds.
    """
    messages = {each.id: each for each in said}
    named = archive.retracted_notes(space, list(messages)) if messages else ()
    if not named:
        return {}
    from recollect.domain.trust.disputes import taken_back

    notes = store.current(space, named).values()
    return taken_back(messages, [note for note in notes if known_at is None or note.recorded_at <= known_at])
