"""Everything there is, as records in a stable order, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.domain.cursors import decode_cursor, encode_cursor
from recollect.domain.plain import EXPORT_FORMAT, EXPORT_HEADER, to_plain
from recollect.domain.ports import Store
from recollect.domain.recollections import ExportPage


def export_page(store: Store, spaces: Sequence[str], *, cursor: str | None, limit: int) -> ExportPage:
    """The records after a cursor: of each space what it is, what was erased in it, then every version."""
    mark = ("export", tuple(spaces))
    number, phase, last_id, last_version = decode_cursor(cursor, of=mark) if cursor else (0, "space", "", 0)
    records: list[dict[str, Any]] = [] if cursor else [{"type": EXPORT_HEADER, "format": EXPORT_FORMAT}]
    while number < len(spaces) and len(records) < limit:
        space, room = spaces[number], limit - len(records)
        if phase == "space":
            described = store.space(space)
            if described is not None:
                records.append({"type": "space", "name": space, "description": described.description})
            phase = "tombstone"
        elif phase == "tombstone":
            stones = store.tombstones(space, after=last_id, limit=room)
            records.extend({"type": "tombstone", "space": space, **to_plain(stone)} for stone in stones)
            phase, last_id = ("note", "") if len(stones) < room else (phase, stones[-1].note_id)
        else:
            notes = store.export(space, after=(last_id, last_version), limit=room)
            records.extend({"type": "note", **to_plain(note)} for note in notes)
            if len(notes) < room:
                number, phase, last_id, last_version = number + 1, "space", "", 0
            else:
                last_id, last_version = notes[-1].id, notes[-1].version
    finished = number >= len(spaces)
    return ExportPage(
        tuple(records), None if finished else encode_cursor([number, phase, last_id, last_version], of=mark)
    )
