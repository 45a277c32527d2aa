"""Verbs about memory itself: how much there is, whether it is sound, who did what."""

from __future__ import annotations

from recollect.domain.recollections import AuditReport, Check, Diagnosis, Status
from recollect.operations import Effect, operation
from recollect.recall.auditing import audit_report
from recollect.verbs.acting import Acting, checked_limit
from recollect.version import __version__


class UpkeepVerbs(Acting):
    """How it is: status, doctor, audit, reindex."""

    @operation(Effect.READ)
    def status(self) -> Status:
        """Say where memory is kept and how much there is of it."""
        store = self._engine.store
        spaces = tuple(store.summary(space) for space in store.spaces())
        return Status(
            version=__version__,
            store=store.kind,
            location=store.location,
            schema=store.schema,
            size_bytes=store.size(),
            spaces=spaces,
            notes=sum(space.notes for space in spaces),
        )

    @operation(Effect.READ)
    def doctor(self) -> Diagnosis:
        """Look whether everything is sound: the database, the text index, the audit chain of every space."""
        store = self._engine.store
        checks = list(store.check())
        for space in store.spaces():
            report = audit_report(store, space.name, newest=1)
            checks.append(Check(f"audit of {space.name}", report.whole, report.detail))
        return Diagnosis(all(check.ok for check in checks), tuple(checks))

    @operation(Effect.READ)
    def audit(self, *, limit: int = 50, space: str | None = None) -> AuditReport:
        """Show who changed what, newest last, and whether the record of it is whole."""
        return audit_report(self._engine.store, self._known(space), newest=checked_limit(limit))

    @operation(Effect.WRITE)
    def reindex(self, *, check: bool = False) -> Diagnosis:
        """Make everything derived anew from what it is derived from."""
        store = self._engine.store
        if not check and self._rehearsed is None:
            store.rebuild()
        checks = tuple(store.check())
        return Diagnosis(all(each.ok for each in checks), checks)
