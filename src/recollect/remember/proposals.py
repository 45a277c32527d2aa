"""Pure: a change that ranks too low becomes a proposal, and a person accepts or rejects it.

A proposal is a disputed note beside the one it would change (`domain/trust/disputes`). To accept it is to make the
change oneself: the words then are those of whoever accepts, and the proposal ends. To reject it is to retract it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.domain.answers.sessions import REFLECTION
from recollect.domain.changes import WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import ENGINE_KEYS, Note, State, checked_note, revised
from recollect.domain.origin import Authority, lowest, rank
from recollect.domain.scopes import SCOPE_FIELDS
from recollect.domain.triggers import triggers_of
from recollect.domain.trust.authority_table import may_change, require_rank
from recollect.domain.trust.disputes import (
    Dispute,
    dispute_of,
    is_unsupported,
    settled,
    why_disputed,
    with_dispute,
    with_mark,
    without_dispute,
)
from recollect.remember.decisions import Occasion, retract, supersede, update

# Fields an update can change, but for its metadata; metadata is anybody's to write, so others are not looked at.
_UPDATED = frozenset(
    {"text", "kind", "title", "subject", "attribute", "value", "tags", "confidence", "importance", "valid_from"}
    | {"valid_until", "occurred_at", "expires_at", "erase_at", "depends_on", "related", "review"}
)


def proposed(
    occasion: Occasion, note: Note, meant: Note, verb: str, fields: Sequence[str], waiting: Sequence[Note]
) -> tuple[WriteNote, ...]:
    """The note that a change would have led to, as a proposal. One that waits already is only seen once more."""
    same = next((each for each in waiting if _same(each, meant, note.id, verb)), None)
    if same is not None:
        return (WriteNote(revised(same, occasion.at, last_seen_at=occasion.at)),)
    told = sorted("erase_at" if name == "ttl" else name for name in fields)
    # What the engine keeps of the other note says nothing of the proposal.
    metadata = {name: value for name, value in meant.metadata.items() if name not in ENGINE_KEYS}
    why = why_disputed(note)
    proposal = replace(
        meant,
        id=occasion.new_id,
        version=1,
        recorded_at=occasion.at,
        updated_at=occasion.at,
        retired_at=None,
        last_seen_at=occasion.at,
        verified_at=None,
        state=State.DISPUTED,
        pinned=False,
        origin=occasion.caller.origin(meant.origin.source),
        authority=lowest([note.authority, occasion.caller.ceiling]),
        supersedes=(),
        derived_from=(),
        depends_on=meant.depends_on if "depends_on" in fields else (),
        related=(note.id,),
        review=with_mark(meant.review or "", why) if is_unsupported(meant) else why,
        metadata=with_dispute(metadata, note.id, verb, told),
        key=None,  # the other goes by it
    )
    return (WriteNote(checked_note(proposal)),)


def accepted(occasion: Occasion, proposal: Note, other: Note, rivals: Sequence[Note]) -> tuple[WriteNote, ...]:
    """The change that a proposal stands for, made by whoever accepts it; `other` is the note it contradicts."""
    dispute = dispute_of(proposal)
    if dispute is None:
        return _upheld(occasion, proposal, rivals)
    require_rank(occasion.caller, other.authority, "settle", what=f"Note {other.id}")
    return (WriteNote(settled(proposal, occasion.at)), *_made(occasion, proposal, other, dispute))


def rejected(occasion: Occasion, note: Note, rivals: Sequence[Note]) -> tuple[WriteNote, ...]:
    """The note, retracted. Of two that contradicted each other, the one that is left holds."""
    require_rank(occasion.caller, note.authority, "settle", what=f"Note {note.id}")
    edits = retract(occasion, replace(note, review=None), "rejected in review")
    left = [each for each in rivals if may_change(occasion.caller, each.authority, "settle")]
    if note.state is State.DISPUTED and dispute_of(note) is None and len(rivals) == len(left) == 1:
        edits = (WriteNote(revised(rivals[0], occasion.at, state=State.ACTIVE)), *edits)
    return edits


def confirmed(occasion: Occasion, note: Note, words: str | None = None) -> tuple[WriteNote, ...]:
    """A note that waited for somebody to look at it, and was found to hold, as it is or in other words.

    Somebody who keeps a note that was made by reflecting vouches for it: it is a fact from then on, where they may
    state facts, and never an instruction.
    """
    require_rank(occasion.caller, note.authority, "settle", what=f"Note {note.id}")
    if note.review is None:
        raise InvalidInput(
            f"Note {note.id} does not wait for anything.",
            code="nothing_to_do",
            hint="`recollect review` lists what does.",
        )
    if words is not None:
        [edit] = update(occasion, note, {"text": words})
        return (
            WriteNote(replace(edit.note, review=None, verified_at=occasion.at, authority=_vouched(occasion, note))),
        )
    kept = revised(note, occasion.at, review=None, verified_at=occasion.at, authority=_vouched(occasion, note))
    return (WriteNote(kept),)


def _vouched(occasion: Occasion, note: Note) -> Authority:
    if REFLECTION not in note.metadata:
        return note.authority
    return max(note.authority, occasion.caller.authority(None), key=rank)


def _upheld(occasion: Occasion, note: Note, rivals: Sequence[Note]) -> tuple[WriteNote, ...]:
    """One of several notes that contradict each other holds; the others were never true."""
    for each in (note, *rivals):
        require_rank(occasion.caller, each.authority, "settle", what=f"Note {each.id}")
    wrong = [edit for rival in rivals for edit in retract(occasion, rival, f"{note.id} was accepted")]
    return (*wrong, WriteNote(revised(note, occasion.at, state=State.ACTIVE, review=None)))


def _made(occasion: Occasion, proposal: Note, other: Note, dispute: Dispute) -> tuple[WriteNote, ...]:
    metadata = without_dispute(proposal.metadata)
    rests_on = (proposal,)  # one without support hands its mark on
    if dispute.verb == "update":
        fields: dict[str, Any] = {
            name: getattr(proposal.scope if name in SCOPE_FIELDS else proposal, name)
            for name in dispute.fields
            if name in _UPDATED or name in SCOPE_FIELDS
        }
        if "metadata" in dispute.fields:
            fields["metadata"] = metadata
        if "when" in dispute.fields:
            fields["when"] = [each.spelled for each in triggers_of(proposal)]
        return update(occasion, other, fields, rests_on)
    since = proposal.valid_from
    if since is None or (other.valid_from is not None and since <= other.valid_from):
        since = occasion.at
    fields = {
        "text": proposal.text,
        "value": proposal.value,
        "confidence": proposal.confidence,
        "metadata": {**metadata, "accepted": proposal.id},
        "valid_from": since,
        "source": proposal.origin.source,
    }
    if dispute.verb != "retract":
        return supersede(occasion, other, fields, rests_on)
    # The other was never true: what is accepted holds since then.
    ended, taking_over = supersede(occasion, other, fields, rests_on)
    wrong = replace(ended.note, state=State.RETRACTED, valid_until=other.valid_until)
    return (WriteNote(wrong), WriteNote(replace(taking_over.note, valid_from=other.valid_from)))


def _same(waiting: Note, meant: Note, note_id: str, verb: str) -> bool:
    dispute = dispute_of(waiting)
    if dispute is None or (dispute.note_id, dispute.verb) != (note_id, verb):
        return False
    return (waiting.words, waiting.value, waiting.scope) == (meant.words, meant.value, meant.scope)
