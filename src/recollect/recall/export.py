"""Everything there is, as records in a stable order, a page at a time; and the audit chain, link by link."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.codecs.plain import EXPORT_FORMAT, EXPORT_HEADER
from recollect.domain.answers.recollections import AuditReport, ExportPage
from recollect.domain.changes import AuditEntry, audit_digest
from recollect.domain.links.statement_link import StatementLink, StatementLinks
from recollect.domain.ports import Archive, Attachments, ChangeLog, Desk, Store
from recollect.domain.values import to_plain

# What comes of a space, in this order: what others point to comes before what points to it.
_PHASES = ("tombstone", "session", "observation", "attachment", "note", "slot", "action", "refutation")
_PAGE_BYTES = 8_000_000  # of files in one page: as many as fit into memory and into an answer

_BEGINNING: list[Any] = ["", -1, "", 0]  # a place: the space, the phase in it, and the last record of that


def export_page(
    store: Store,
    log: ChangeLog,
    archive: Archive,
    desk: Desk,
    attachments: Attachments,
    links: StatementLinks,
    spaces: Sequence[str],
    *,
    only: str | None,
    cursor: str | None,
    limit: int,
) -> ExportPage:
    """The records after a cursor: of each space what it is, then everything in it.

    Spaces come by name, so that one which is made or deleted in the meantime does not disturb the others.
    """
    mark = ("export", only)
    name, phase, last_id, last_version = decode_cursor(cursor, of=mark, like=_BEGINNING) if cursor else _BEGINNING
    left = [space for space in spaces if space >= name]
    if left[:1] != [name]:
        phase, last_id, last_version = -1, "", 0
    records: list[dict[str, Any]] = [] if cursor else [{"type": EXPORT_HEADER, "format": EXPORT_FORMAT}]
    size = 0
    while left and len(records) < limit and size < _PAGE_BYTES:
        space, room = left[0], limit - len(records)
        if phase < 0:
            described = store.space(space)
            if described is not None:
                records.append({"type": "space", "name": space, "description": described.description})
            phase = 0
            continue
        kind = _PHASES[phase % len(_PHASES)]
        if kind == "attachment":
            file = next(iter(attachments.export(space, after=last_id, limit=1)), None)
            if file is None:
                phase, last_id = phase + 1, ""
                continue
            last_id, content = file
            size += len(content)
            records.append({"type": kind, "space": space, "digest": last_id, "data": to_plain(content)})
            continue
        found = _records(log, archive, desk, links, space, kind, (last_id, last_version), room)
        records.extend({"type": kind, "space": space, **to_plain(each)} for each in found)
        if len(found) == room:
            last_id, last_version = _place(found[-1])
            continue
        if kind == _PHASES[-1]:
            left, phase = left[1:], -1
        else:
            phase += 1
        last_id, last_version = "", 0
    return ExportPage(tuple(records), encode_cursor([left[0], phase, last_id, last_version], of=mark) if left else None)


def _records(
    log: ChangeLog,
    archive: Archive,
    desk: Desk,
    links: StatementLinks,
    space: str,
    kind: str,
    after: tuple[str, int],
    limit: int,
) -> Sequence[Any]:
    match kind:
        case "tombstone":
            return log.tombstones(space, after=after[0], limit=limit)
        case "session":
            return archive.export_sessions(space, after=after[0], limit=limit)
        case "observation":
            return archive.export_observations(space, after=after[0], limit=limit)
        case "slot":
            return desk.export_slots(space, after=after[0], limit=limit)
        case "action":
            return desk.export_actions(space, after=after[0], limit=limit)
        case "refutation":
            older, _, newer = after[0].partition(" ")
            return links.refuted(space, after=(older, newer), limit=limit)
        case _:
            return log.export(space, after=after, limit=limit)


def _place(record: Any) -> tuple[str, int]:
    if isinstance(record, StatementLink):
        return f"{record.older} {record.newer}", 0
    return getattr(record, "note_id", None) or record.id, getattr(record, "version", 0)


_PAGE = 1000


def audit_report(log: ChangeLog, space: str, *, newest: int) -> AuditReport:
    """Whether the chain is whole, and its newest entries, oldest of them first."""
    kept: deque[AuditEntry] = deque(maxlen=newest)
    previous, seq = "", 0
    while entries := log.audit(space, after=seq, limit=_PAGE):
        for entry in entries:
            if entry.seq != seq + 1:
                return AuditReport(False, f"entry {seq + 1} is missing", tuple(kept))
            if entry.digest != audit_digest(previous, entry):
                return AuditReport(False, f"entry {entry.seq} was changed", tuple(kept))
            previous, seq = entry.digest, entry.seq
            kept.append(entry)
    head = log.audit_head(space)
    if head != (seq, previous):
        return AuditReport(False, f"the chain ends at entry {seq}, but {head[0]} were written", tuple(kept))
    return AuditReport(True, f"whole, {seq} {'entry' if seq == 1 else 'entries'}", tuple(kept))
