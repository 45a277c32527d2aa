"""Whether an edit lies within the part of a space that a writer is bound to, asked in the transaction that writes.

A record that does not say whose it is belongs to the part. One of another part is not there, as for a reader.
"""

from __future__ import annotations

from recollect.domain import changes as edits
from recollect.domain.changes import Edit
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, NotAllowed, NotFound
from recollect.domain.jobs.job import EMBED, JUDGE, READ, REDERIVE, SETTLE
from recollect.domain.observations import Observation
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.stores.database import Transaction

_ANY_RECORD = ("note_scopes", "observation_scopes", "slot_scopes", "action_scopes")


def filled(edit: Edit, within: Scope) -> Edit:
    """The edit with the parts of its scope that it does not say."""
    match edit:
        case edits.WriteNote(note) | edits.AdoptNote(note):
            return replace(edit, note=replace(note, scope=note.scope.placed_in(within)))
        case edits.OpenSession(session):
            return replace(edit, session=replace(session, scope=session.scope.placed_in(within)))
        case edits.ReviseSession(session, _):
            return replace(edit, session=replace(session, scope=session.scope.placed_in(within)))
        case edits.AddObservation(observation):
            return replace(edit, observation=replace(observation, scope=observation.scope.placed_in(within)))
        case edits.FoldObservations(summary, _):
            return replace(edit, summary=replace(summary, scope=summary.scope.placed_in(within)))
        case edits.WriteSlot(slot) | edits.AdoptSlot(slot):
            return replace(edit, slot=replace(slot, project=slot.project or within.project))
        case edits.WriteAction(action) | edits.AdoptAction(action):
            return replace(edit, action=replace(action, project=action.project or within.project))
        case _:
            return edit


def require_within(transaction: Transaction, space: str, edit: Edit, within: Scope) -> None:
    """Refuse an edit that would write, change or take away something outside; and every edit that is not known here."""
    look = _Look(transaction, space, within)
    match edit:
        case edits.WriteNote(note) | edits.AdoptNote(note):
            look.require_new(note.scope)
            look.require_old("note_scopes", note.id, "note")
        case edits.EraseNote(record_id):
            look.require_here(record_id)
        case edits.OpenSession(session) | edits.ReviseSession(session, _):
            look.require_new(session.scope)
            look.require_free("session_scopes", session.id, "session")
        case edits.AddObservation(observation):
            look.require_said(observation)
        case edits.FoldObservations(summary, observation_ids):
            look.require_said(summary)
            for each in observation_ids:
                look.require_old("observation_scopes", each, "observation")
        case edits.DropSession(session_id):
            look.require_old("session_scopes", session_id, "session")
            look.require_old("session_observation_scopes", session_id, "session")
        case edits.WriteSlot(slot) | edits.AdoptSlot(slot):
            look.require_new(Scope(project=slot.project))
            look.require_old("slot_scopes", slot.id, "slot")
        case edits.WriteAction(action) | edits.AdoptAction(action):
            look.require_new(Scope(project=action.project))
            look.require_old("action_scopes", action.id, "action")
        case edits.WriteVector(record_id):
            look.require_here(record_id)
        case edits.WriteJudgement(judgement):
            for each in (judgement.record_id, *(link.older for link in judgement.links)):
                look.require_here(each)
        case edits.RefuteLink(link):
            look.require_here(link.older)
            look.require_here(link.newer)
        case edits.CountVerdicts() | edits.KeepAttachment():  # bytes are kept for observations of this part only
            pass
        case edits.QueueJob(job) if job.kind in (
            EMBED,
            REDERIVE,
            JUDGE,
            READ,
            SETTLE,
        ):  # about the texts beside it; it says nothing of others
            pass
        case _:
            raise _outside("This is about the space as a whole, and you are bound to a part of it.")


class _Look:
    def __init__(self, transaction: Transaction, space: str, within: Scope) -> None:
        self._transaction, self._space, self._within = transaction, space, within

    def require_new(self, scope: Scope) -> None:
        """A new record says that it is of this part."""
        if not self._within.includes(scope):
            part = ", ".join(f"{name} `{value}`" for name in BOUND_BY if (value := getattr(self._within, name)))
            raise _outside(f"This would be written outside of what you are bound to: {part}.")

    def require_old(self, statement: str, record_id: str, what: str) -> None:
        """An old record is of this part, or not there at all."""
        if not self._all_within(statement, record_id):
            raise NotFound(f"There is no {what} {record_id} in `{self._space}`.", code=f"{what}_not_found")

    def require_free(self, statement: str, record_id: str, what: str) -> None:
        """A name that people choose is not taken by another part."""
        if not self._all_within(statement, record_id):
            raise Conflict(
                f"The {what} `{record_id}` cannot be had here.", code=f"{what}_taken", hint="Choose another."
            )

    def require_here(self, record_id: str) -> None:
        """A record of any sort is there, and of this part."""
        found = [scope for statement in _ANY_RECORD for scope in self._scopes(statement, record_id)]
        if not found or not all(self._within.includes(scope) for scope in found):
            raise NotFound(f"There is no note {record_id} in `{self._space}`.", code="note_not_found")

    def require_said(self, observation: Observation) -> None:
        """A message is of this part, and so is its session, from which it has what it does not say."""
        self.require_new(observation.scope)
        self.require_free("session_scopes", observation.session_id, "session")
        self.require_free("observation_scopes", observation.id, "observation")

    def _all_within(self, statement: str, record_id: str) -> bool:
        return all(self._within.includes(scope) for scope in self._scopes(statement, record_id))

    def _scopes(self, statement: str, record_id: str) -> list[Scope]:
        rows = self._transaction.rows(statement, space=self._space, id=record_id)
        return [Scope(**dict(zip(BOUND_BY, row, strict=True))) for row in rows]


def _outside(said: str) -> NotAllowed:
    return NotAllowed(said, code="scope_bound", hint="Leave out what names another part, or use another token.")
