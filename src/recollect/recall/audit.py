"""The audit chain of a space, followed link by link."""

from __future__ import annotations

from collections import deque

from recollect.domain.changes import AuditEntry, audit_digest
from recollect.domain.ports import Log
from recollect.domain.recollections import AuditReport

_PAGE = 1000


def audit_report(log: Log, space: str, *, newest: int) -> AuditReport:
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
