"""Carry out `Changes` inside one transaction.

The order is always the same: take the space's row, so that a space has one writer at a time; look whether the
request was done before; write the edits; queue the deliveries of webhooks; then the change log, the audit chain, the
receipt and, last, the space's counters. If anything stands in the way an error is raised and the transaction takes all
of it back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

from recollect.domain import changes as edits
from recollect.domain.answers.daily_activity import Figure
from recollect.domain.changes import (
    AuditEntry,
    Basis,
    Change,
    ChangeKind,
    Changes,
    Edit,
    EraseNote,
    Idempotency,
    Receipt,
    WriteNote,
    audit_digest,
)
from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Conflict, Erased, NotFound, QuotaReached
from recollect.domain.notes import Note, State
from recollect.domain.origin import Channel
from recollect.domain.scopes import ANYWHERE, BOUND_BY, Scope
from recollect.redaction.clean_records import without_secrets
from recollect.stores.bound.bound_database import part_of
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Transaction, Value
from recollect.stores.jobs.sql_jobs import edit_job, edit_timer
from recollect.stores.record_edits import (
    add_observation,
    adopt_action,
    adopt_slot,
    count_verdicts,
    drop_session,
    fold_observations,
    insert_new,
    insert_version,
    open_session,
    record_file,
    revise_session,
    write_action,
    write_slot,
)
from recollect.stores.records import note_from_row
from recollect.stores.space_edits import delete_space, erase_note, limit_space, open_space
from recollect.stores.sql_attachments import keep_attachment
from recollect.stores.sql_links import refute_link, settle_link, write_judgement

_OF_A_NOTE = (ChangeKind.WRITTEN, ChangeKind.ADOPTED)
_MANY_NEW = 8  # notes from which on they are written together
_MOST_SINCE = 1000  # changes that are looked through; after more, a decision is made anew anyway


@dataclass(slots=True)
class _Ledger:
    """The space's counters while a transaction runs, and what it has changed so far."""

    seq: int
    audit_seq: int
    audit_head: str
    is_new: bool  # the space was not there before this
    changes: list[Change] = field(default_factory=list)

    def add(self, kind: ChangeKind, record_id: str, version: int = 0) -> None:
        self.seq += 1
        self.changes.append(Change(self.seq, kind, record_id, version))


def apply(transaction: Transaction, changes: Changes, within: Scope = ANYWHERE) -> Receipt:
    """Write everything in `changes`, for a writer who is bound to a part of the space or to none; see `Store.apply`
    for what it raises."""
    space, at = changes.space, format_time(changes.at)
    ledger = _enter(transaction, changes)

    if changes.idempotency is not None:
        earlier = replay(transaction, space, changes.idempotency, within)
        if earlier is not None:
            return earlier

    if changes.basis is not None:
        _refuse_outdated(transaction, changes.space, changes.basis, ledger)
    together = _written_together(transaction, changes, ledger) if within == ANYWHERE else 0
    for asked in changes.edits[together:]:
        edit = asked
        if within != ANYWHERE:
            from recollect.stores.bound.edits import filled, require_within

            edit = filled(asked, within)
            require_within(transaction, space, edit, within)
        _carry_out(transaction, changes, edit, ledger, within)

    _require_within_quota(transaction, changes, ledger.changes)
    _count_commit(transaction, changes, ledger.changes)

    if ledger.changes and (webhooks := transaction.rows("webhooks_awake", space=space)):
        from recollect.stores.jobs.sql_webhooks import queue_deliveries

        queue_deliveries(transaction, changes, webhooks, ledger)
    if ledger.changes:
        transaction.each("insert_change", [_row(space, change) for change in ledger.changes])
        _audit(transaction, changes, ledger)
    receipt = Receipt(tuple(ledger.changes))
    if changes.idempotency is not None:
        transaction.rows(
            "insert_request",
            space=space,
            digest=changes.idempotency.kept_key(part_of(within)),
            fingerprint=changes.idempotency.fingerprint,
            receipt=_spelled(receipt),
            at=at,
        )
    transaction.rows(
        "advance_space",
        space=space,
        seq=ledger.seq,
        audit_seq=ledger.audit_seq,
        audit_head=ledger.audit_head,
    )
    return receipt


def _row(space: str, change: Change) -> dict[str, Value]:
    return {
        "space": space,
        "seq": change.seq,
        "kind": change.kind.value,
        "record_id": change.record_id,
        "version": change.version,
    }


def replay(transaction: Transaction, space: str, request: Idempotency, within: Scope = ANYWHERE) -> Receipt | None:
    """The receipt of what was done under a key before, or `None`; the same key for another request is a `Conflict`."""
    part = part_of(within)
    # Earlier versions kept the key itself, when there were no parts.
    found = transaction.rows("request", space=space, key="" if part else request.key, digest=request.kept_key(part))
    if not found:
        return None
    [(fingerprint, receipt)] = found
    if not fingerprint:
        raise Erased(f"What was saved under the idempotency key `{request.key}` has been forgotten.")
    if fingerprint != request.fingerprint:
        raise Conflict(
            f"The idempotency key `{request.key}` was used for another request.",
            code="idempotency_key_reused",
            hint="Use a new key for a new request.",
        )
    return _receipt_from((receipt,))


def _enter(transaction: Transaction, changes: Changes) -> _Ledger:
    """Take the space's row. The first write into a space makes it; deleting one that is not there fails."""
    space, at = changes.space, format_time(changes.at)
    transaction.rows("open_space", space=space, at=at)
    [(seq, audit_seq, audit_head, deleted_at)] = transaction.rows("lock_space", space=space)
    ledger = _Ledger(seq, audit_seq, audit_head, is_new=deleted_at is not None)
    if deleted_at is not None:
        if any(isinstance(edit, edits.DeleteSpace) for edit in changes.edits):
            raise NotFound(f"There is no space `{space}`.", code="space_not_found")
        if any(isinstance(edit, edits.HoldJob | edits.FinishJob | edits.FailJob) for edit in changes.edits):
            return ledger  # of a worker that tells of the end of the space, which does not bring it back
        transaction.rows("erase_late_webhooks", space=space, seq=seq)
        transaction.rows("revive_space", space=space, at=at)
        ledger.add(ChangeKind.SPACE_OPENED, space)
    return ledger


def _carry_out(transaction: Transaction, changes: Changes, edit: Edit, ledger: _Ledger, within: Scope) -> None:
    match edit:
        case edits.WriteNote(note):
            _write(transaction, note, changes.origin.channel)
            ledger.add(ChangeKind.WRITTEN, note.id, note.version)
        case edits.AdoptNote(note):
            if _adopt(transaction, note):
                ledger.add(ChangeKind.ADOPTED, note.id, note.version)
        case edits.EraseNote(note_id):
            if erase_note(transaction, changes, note_id):
                ledger.add(ChangeKind.ERASED, note_id)
        case edits.OpenSpace():
            # A space that was not there has been brought to life, and counted, on entering it.
            if open_space(transaction, changes, edit, is_new=ledger.is_new) and not ledger.is_new:
                ledger.add(ChangeKind.SPACE_OPENED, changes.space)
        case edits.DeleteSpace():
            delete_space(transaction, changes)
            ledger.add(ChangeKind.SPACE_DELETED, changes.space)
        case edits.LimitSpace():
            limit_space(transaction, changes, edit)
            ledger.add(ChangeKind.SPACE_LIMITED, changes.space)
        case edits.ResumeSpace(seq):
            ledger.seq = max(ledger.seq, seq)
            ledger.add(ChangeKind.SPACE_RESTORED, changes.space)
        case edits.OpenSession(session):
            if open_session(transaction, edit):
                ledger.add(ChangeKind.SESSION_OPENED, session.id)
        case edits.ReviseSession(session):
            revise_session(transaction, edit)
            ledger.add(ChangeKind.SESSION_REVISED, session.id)
        case edits.AddObservation(observation):
            if add_observation(transaction, edit):
                ledger.add(ChangeKind.OBSERVED, observation.id)
        case edits.KeepAttachment():
            keep_attachment(transaction, changes, edit, within)
        case edits.FoldObservations(summary):
            for observation_id in fold_observations(transaction, changes, edit):
                ledger.add(ChangeKind.ERASED, observation_id)
            ledger.add(ChangeKind.OBSERVED, summary.id)
        case edits.WriteSlot(slot):
            write_slot(transaction, edit)
            ledger.add(ChangeKind.SLOT_WRITTEN, slot.id, slot.version)
        case edits.AdoptSlot(slot):
            if adopt_slot(transaction, edit):
                ledger.add(ChangeKind.SLOT_WRITTEN, slot.id, slot.version)
        case edits.WriteAction(action):
            write_action(transaction, edit)
            ledger.add(ChangeKind.ACTION_WRITTEN, action.id, action.version)
        case edits.AdoptAction(action):
            if adopt_action(transaction, edit):
                ledger.add(ChangeKind.ACTION_WRITTEN, action.id, action.version)
        case edits.DropSession():
            for observation_id in drop_session(transaction, changes, edit):
                ledger.add(ChangeKind.ERASED, observation_id)
        case edits.CountVerdicts():
            count_verdicts(transaction, changes, edit)
        case edits.RecordFile():
            record_file(transaction, changes, edit)
        case edits.WriteVector(record_id, version, model_id, vector):
            text = {"space": changes.space, "record_id": record_id, "model_id": model_id}
            if transaction.rows("insert_vector", **text, version=version, vector=vector):
                ledger.add(ChangeKind.EMBEDDED, record_id, version)
        case edits.MarkRead(session_id, position):
            transaction.rows("mark_session_read", space=changes.space, id=session_id, position=position)
        case edits.WriteJudgement():
            write_judgement(transaction, changes, edit)
        case edits.RejudgeSpace():
            transaction.rows("doubt_judgements", space=changes.space)
        case edits.SettleLink():
            settle_link(transaction, changes, edit)
        case edits.RefuteLink(link):
            refute_link(transaction, changes, edit)
            ledger.add(ChangeKind.LINK_REFUTED, link.newer)
        case (
            edits.QueueJob()
            | edits.HoldJob()
            | edits.FinishJob()
            | edits.FailJob()
            | edits.CancelJob()
            | edits.RetryJob()
        ):
            edit_job(transaction, changes, edit, ledger)
        case edits.SetTimer() | edits.TurnTimer() | edits.DropTimer():
            edit_timer(transaction, changes, edit, ledger)
        case _:
            assert_never(edit)


def _written_together(transaction: Transaction, changes: Changes, ledger: _Ledger) -> int:
    """Write the new notes that changes begin with, if they are many and none is there; how many were written."""
    new: dict[str, Note] = {}
    for edit in changes.edits:
        if not isinstance(edit, edits.WriteNote) or edit.note.version > 1 or edit.note.id in new:
            break
        if edit.note.key is not None and changes.origin.channel is not Channel.SYNC:
            break
        new[edit.note.id] = edit.note
    if len(new) < _MANY_NEW or transaction.rows("taken_ids", space=changes.space, ids=json.dumps(list(new))):
        return 0  # one by one, which finds out why not
    insert_new(transaction, list(new.values()))
    for note in new.values():
        ledger.add(ChangeKind.WRITTEN, note.id, note.version)
    return len(new)


def _write(transaction: Transaction, note: Note, channel: Channel) -> None:
    key = {"space": note.space, "id": note.id}
    if note.key is not None and channel is not Channel.SYNC:  # two machines may have chosen one key: both notes stay
        _refuse_taken_key(transaction, note)
    if note.version > 1:
        previous = transaction.rows(
            "replace_note", **key, version=note.version - 1, updated_at=format_time(note.updated_at)
        )
        if not previous:
            _refuse_stale(transaction, note)
    else:
        _refuse_erased(transaction, note)
        if transaction.rows("version_times", **key):
            raise Conflict(f"There is a note {note.id} already.", code="note_exists", hint="Update that one.")
    insert_version(transaction, note, replaced_at=None)


def _refuse_taken_key(transaction: Transaction, note: Note) -> None:
    """A key goes to one note of its scope. The space has one writer at a time, so nobody takes it meanwhile."""
    scope = {f"scope_{name}": getattr(note.scope, name) for name in BOUND_BY}
    holders = [row[0] for row in transaction.rows("key_holders", space=note.space, key=note.key, **scope)]
    if holders and note.id not in holders:
        raise Conflict(
            f"The key `{note.key}` is that of note {holders[0]}.",
            code="key_taken",
            hint="Save with that key to give the note a new version, or choose another key.",
        )


def _adopt(transaction: Transaction, note: Note) -> bool:
    key = {"space": note.space, "id": note.id}
    _refuse_erased(transaction, note)
    here = transaction.rows("note_version", **key, version=note.version)
    if here:
        # Authority may differ: each store caps what it takes in, and taking it in again never raises it.
        # An earlier version of the program may have stored what is a secret here.
        if replace(without_secrets(note_from_row(here[0])), authority=note.authority) == note:
            return False
        raise Conflict(
            f"Version {note.version} of note {note.id} is here already and says something else.",
            code="version_differs",
            hint="The two were changed apart from each other; update the note to what it should say.",
        )
    times: dict[int, str] = {row[0]: row[1] for row in transaction.rows("version_times", **key)}
    earlier = max((version for version in times if version < note.version), default=None)
    later = min((version for version in times if version > note.version), default=None)
    moment = format_time(note.updated_at)
    if (earlier is not None and times[earlier] >= moment) or (later is not None and times[later] <= moment):
        raise Conflict(
            f"Version {note.version} of note {note.id} is dated out of order with the versions here.",
            code="version_differs",
        )
    # The row before it is ended first: only one version may be the current one at any moment.
    if earlier is not None:
        transaction.rows("end_version", **key, version=earlier, replaced_at=moment)
    insert_version(transaction, note, replaced_at=None if later is None else times[later])
    return True


def _refuse_erased(transaction: Transaction, note: Note) -> None:
    if transaction.rows("tombstone", space=note.space, id=note.id):
        raise Erased(f"Note {note.id} was forgotten.")


def _refuse_stale(transaction: Transaction, note: Note) -> None:
    _refuse_erased(transaction, note)
    current = [version for version, _ in transaction.rows("version_times", space=note.space, id=note.id)]
    if not current:
        raise NotFound(f"There is no note {note.id} in `{note.space}`.", code="note_not_found")
    raise Conflict(
        f"Note {note.id} is at version {current[-1]} now; the change was made on version {note.version - 1}.",
        code="stale_version",
    )


def _refuse_outdated(transaction: Transaction, space: str, basis: Basis, ledger: _Ledger) -> None:
    """Refuse changes whose basis has changed since they were decided.

    We hold the space's row and are its only writer: what has not changed by now does not change before the end.
    """
    if ledger.is_new:
        return  # whatever was there when it was decided is gone, and so is what could stand in the way
    since = transaction.rows("changes_after", space=space, seq=basis.seq, limit=_MOST_SINCE)
    if len(since) == _MOST_SINCE or any(ChangeKind(kind) in basis.kinds for _, kind, _, _ in since):
        raise Conflict("Something that this rests on has changed in the meantime.", code="stale_version")


def _require_within_quota(transaction: Transaction, changes: Changes, done: Sequence[Change]) -> None:
    """Raise `QuotaReached` if what was just written is more than the space may have; count it otherwise.

    The space's row is held while it is counted, whichever door something comes through, so the last free place is
    given away once.
    """
    came = sum(change.kind is ChangeKind.OBSERVED for change in done)
    grew = any(
        change.kind is ChangeKind.ADOPTED or (change.kind is ChangeKind.WRITTEN and change.version == 1)
        for change in done
    )
    if not came and not grew:
        return
    found = transaction.rows("quota", space=changes.space)
    if not found:
        return
    [(notes, messages, day, used)] = found
    if grew and notes is not None:
        [(held,)] = transaction.rows("count_current", space=changes.space)
        if held > notes:
            raise QuotaReached(
                f"The space `{changes.space}` may hold {notes:,} notes, and holds as many; nothing was written.",
                code="note_quota",
                hint="Forget what is no longer needed, or ask for more: `recollect spaces limit`.",
            )
    if came and messages is not None:
        today = changes.at.date().isoformat()
        used = (used if day == today else 0) + came
        if used > messages:
            raise QuotaReached(
                f"The space `{changes.space}` may take in {messages:,} messages a day; nothing was written.",
                code="message_quota",
                hint="Come back after midnight UTC, or ask for more: `recollect spaces limit`.",
                wait=_until_tomorrow(changes.at),
            )
        transaction.rows("count_taken_in", space=changes.space, day=today, used=used)


def _until_tomorrow(at: datetime) -> float:
    """Seconds until the next day begins."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (midnight - at).total_seconds()


def _count_commit(transaction: Transaction, changes: Changes, done: Sequence[Change]) -> None:
    """Count what a commit learned, superseded and erased, in its own transaction."""
    asked = {edit.note_id for edit in changes.edits if isinstance(edit, EraseNote)}  # a file read anew is not forgotten
    counts: Counter[Figure] = Counter(
        {
            Figure.LEARNED: sum(change.kind in _OF_A_NOTE and change.version == 1 for change in done),
            Figure.SUPERSEDED: sum(isinstance(edit, WriteNote) and _was_superseded(edit) for edit in changes.edits),
            Figure.FORGOTTEN: sum(change.kind is ChangeKind.ERASED and change.record_id in asked for change in done),
        }
    )
    day = changes.at.date().isoformat()
    for figure, many in counts.items():
        if many:
            of_day = {"day": day, "figure": figure.value, "many": many, "total": 0, "longest": 0}
            transaction.rows("count_activity", space=changes.space, **of_day)


def _was_superseded(edit: WriteNote) -> bool:
    """Whether this version is the one by which a note was superseded; later ones have its end from it."""
    return edit.note.state is State.SUPERSEDED and edit.note.retired_at == edit.note.updated_at


def _audit(transaction: Transaction, changes: Changes, ledger: _Ledger) -> None:
    summary = json.dumps(
        [[change.kind.value, change.record_id, change.version] for change in ledger.changes],
        separators=(",", ":"),
    )
    origin = changes.origin
    entry = AuditEntry(
        ledger.audit_seq + 1,
        changes.at,
        changes.reason,
        origin.channel.value,
        origin.principal,
        summary,
        digest="",
    )
    ledger.audit_seq, ledger.audit_head = entry.seq, audit_digest(ledger.audit_head, entry)
    transaction.rows(
        "insert_audit",
        space=changes.space,
        seq=entry.seq,
        at=format_time(entry.at),
        reason=entry.reason,
        channel=entry.channel,
        principal=entry.principal,
        summary=summary,
        digest=ledger.audit_head,
    )


def _spelled(receipt: Receipt) -> str:
    changes = [[change.seq, change.kind.value, change.record_id, change.version] for change in receipt.changes]
    return json.dumps(changes, separators=(",", ":"))


@reads("idempotency", named_by=1)
def _receipt_from(row: Row) -> Receipt:
    changes = tuple(Change(seq, ChangeKind(kind), record, version) for seq, kind, record, version in json.loads(row[0]))
    return Receipt(changes, replayed=True)
