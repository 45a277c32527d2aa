"""Pure: what is known and what was asked become edits.

`update` corrects: the record was wrong, so the same note gets another version. `supersede` changes: the world
moved on, so a new note takes over and the old one ends. `retract` takes back: it was never true. `judge` keeps what
a reader thought of it. The edit whose note is the answer stands last.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.changes import WriteNote
from recollect.domain.clock import end_of_life, later_end
from recollect.domain.dataclass import dataclass, names_of, replace
from recollect.domain.desk import FIRST_CONFIDENCE, confidence_at, reinforcements_of, strengthened, subject_of
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import DISPUTES, ENGINE_KEYS, TAKES_BACK, Kind, Note, State, checked_note, closed, revised
from recollect.domain.observations import Observation
from recollect.domain.origin import Caller, lowest, rank
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.triggers import WHEN, triggers_of, with_triggers
from recollect.domain.trust.authority_table import authority_of, outcome
from recollect.domain.trust.disputes import dispute_of, is_unsupported, why_unsupported, with_mark, without_dispute
from recollect.domain.trust.feedback import Verdict, judged


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and by whom something is decided, and the id a new note gets."""

    space: str
    at: datetime
    caller: Caller
    new_id: str


def save(
    occasion: Occasion, fields: Mapping[str, Any], parents: Sequence[Note] = (), rests_on: Sequence[Note] = ()
) -> tuple[WriteNote, ...]:
    """A new note. It is true from now on, unless it says since when; derived ones rank with their lowest parent."""
    from recollect.remember.suspicion import why_suspected

    own = dict(fields)
    scope = Scope(**{name: own.pop(name) for name in SCOPE_FIELDS if name in own}).placed_in(occasion.caller.within)
    source = own.pop("source", None)
    if "when" in own:
        own["metadata"] = with_triggers(own.get("metadata", {}), own.pop("when"))
    if "metadata" in own:
        own["metadata"] = without_dispute(own["metadata"])  # no caller makes a proposal
    authority = occasion.caller.authority(own.pop("authority", None))
    ttl = own.pop("ttl", None)
    note = Note(
        id=occasion.new_id,
        space=occasion.space,
        version=1,
        kind=own.pop("kind", Kind.SEMANTIC),
        recorded_at=occasion.at,
        updated_at=occasion.at,
        last_seen_at=occasion.at,
        scope=scope,
        origin=occasion.caller.origin(source),
        authority=lowest([authority, *(parent.authority for parent in parents)]),
        **{"erase_at": end_of_life(occasion.at, ttl), **own},
    )
    if note.valid_from is None:
        note = replace(note, valid_from=_first_true(note))
    for why in (
        why_suspected(occasion.caller, note),
        next(filter(None, map(why_unsupported, (*parents, *rests_on))), None),
    ):
        if why is not None:
            note = replace(note, review=with_mark(why, note.review))
    return (WriteNote(checked_note(note)),)


def update(
    occasion: Occasion, note: Note, fields: Mapping[str, Any], rests_on: Sequence[Note] = ()
) -> tuple[WriteNote, ...]:
    """The next version of a note. Whoever writes it cannot make it more than it was."""
    from recollect.remember.suspicion import is_suspected, why_suspected

    own = dict(fields)
    if not own:
        raise InvalidInput("Nothing to change was given.", code="nothing_to_do", hint="Give a text or another field.")
    scope = replace(note.scope, **{name: own.pop(name) for name in SCOPE_FIELDS if name in own})
    if "when" in own:
        own["metadata"] = with_triggers(own.get("metadata", note.metadata), own.pop("when"))
    elif "metadata" in own and WHEN not in own["metadata"]:  # other metadata is no reason not to tell it any more
        own["metadata"] = with_triggers(own["metadata"], [each.spelled for each in triggers_of(note)])
    if "metadata" in own:
        ours = {name: note.metadata[name] for name in ENGINE_KEYS if name in note.metadata}  # no update drops them
        own["metadata"] = {**without_dispute(own["metadata"]), **ours}
    if "ttl" in own:
        own["erase_at"] = end_of_life(occasion.at, own.pop("ttl"))
    asked = own.pop("authority", None)
    given = occasion.caller.ceiling if asked is None else occasion.caller.authority(asked)
    revision = revised(
        note,
        occasion.at,
        scope=scope,
        authority=lowest([note.authority, given]),
        origin=occasion.caller.origin(note.origin.source),
        **own,
    )
    why = why_suspected(occasion.caller, revision)
    if why is not None and not is_suspected(revision):
        revision = replace(revision, review=with_mark(why, revision.review))
    why = next(filter(None, map(why_unsupported, rests_on)), None)
    if why is not None and not is_unsupported(revision):
        revision = replace(revision, review=with_mark(why, revision.review))
    return (WriteNote(checked_note(revision)),)


def upsert(
    occasion: Occasion,
    note: Note,
    fields: Mapping[str, Any],
    parents: Sequence[Note] = (),
    rests_on: Sequence[Note] = (),
) -> tuple[WriteNote, ...]:
    """The next version of the note that has the key of what is saved; none if it says all of that already.

    A field that is not said stays as it is. A note that no longer held does so again, from now on.
    """
    said = {name: value for name, value in fields.items() if value != _UNSAID.get(name)}
    source = said.pop("source", None)
    [revision] = update(occasion, note, said, (*parents, *rests_on))
    authority = lowest([revision.note.authority, *(parent.authority for parent in parents)])
    anew = replace(revision.note, authority=authority)
    if source is not None:
        anew = replace(anew, origin=occasion.caller.origin(source))
    if note.state in _OVER:
        anew = replace(anew, state=State.ACTIVE, retired_at=None, valid_until=said.get("valid_until"))
        anew = replace(anew, valid_from=said.get("valid_from", occasion.at), expires_at=said.get("expires_at"))
    elif all(getattr(anew, name) == getattr(note, name) for name in _COMPARED) and source in (None, note.origin.source):
        return ()
    return (WriteNote(checked_note(anew)),)


# Fields by which a version differs from the one before it, but for who wrote it and when.
_COMPARED = tuple(
    name for name in names_of(Note) if name not in ("version", "updated_at", "last_seen_at", "origin", "authority")
)
_OVER = frozenset({State.SUPERSEDED, State.RETRACTED, State.EXPIRED})
_UNSAID: dict[str, Any] = {"kind": Kind.SEMANTIC, "pinned": False, "derived_from": ()}  # the defaults of `save`


def supersede(
    occasion: Occasion, note: Note, fields: Mapping[str, Any], rests_on: Sequence[Note] = ()
) -> tuple[WriteNote, ...]:
    """A new note that takes over from another; what is not said anew, and a lost source, stay as they were."""
    since = fields.get("valid_from") or occasion.at
    if note.valid_from is not None and since <= note.valid_from:
        raise InvalidInput(
            f"The new note would begin at {since:%Y-%m-%d %H:%M}, not after the one it takes over from.",
            code="invalid_period",
            hint="Say since when it is true with `valid_from`, or update the note if it was wrong from the start.",
        )
    until = since if note.valid_until is None else min(since, note.valid_until)
    ended = closed(note, occasion.at, state=State.SUPERSEDED, valid_until=until)
    ended = replace(ended, origin=occasion.caller.origin(note.origin.source), key=None)  # the new one goes by it
    inherited: dict[str, Any] = {
        "kind": note.kind,
        "title": note.title,
        "subject": note.subject,
        "attribute": note.attribute,
        "tags": note.tags,
        "importance": note.importance,
        "pinned": note.pinned,
        "key": note.key,
        "erase_at": note.erase_at,
        "when": tuple(each.spelled for each in triggers_of(note)),
        # Title, tags and subject are taken over, so it is worth no more than they were.
        "authority": lowest([note.authority, occasion.caller.ceiling]),
        **{name: getattr(note.scope, name) for name in SCOPE_FIELDS},
    }
    [written] = save(occasion, {**inherited, **fields, "valid_from": since}, rests_on=rests_on)
    taking_over = replace(written.note, supersedes=(note.id,))
    if note.review is not None and is_unsupported(note):
        taking_over = replace(taking_over, review=note.review)
    if dispute_of(note) is not None:  # other words for a proposal are still one
        metadata = {**taking_over.metadata, DISPUTES: note.metadata[DISPUTES]}
        taking_over = replace(taking_over, state=note.state, review=note.review, metadata=metadata)
    return (WriteNote(ended), WriteNote(taking_over))


def relate(occasion: Occasion, note: Note, other_id: str) -> tuple[WriteNote, ...]:
    """The note with one more that it has to do with. Its words, and what they are worth, stay as they are."""
    return (WriteNote(checked_note(revised(note, occasion.at, related=(*note.related, other_id)))),)


def retract(occasion: Occasion, note: Note, reason: str | None) -> tuple[WriteNote, ...]:
    """The note, no longer believed to have been true at any time."""
    taken_back = closed(note, occasion.at, state=State.RETRACTED)
    metadata = {**note.metadata, "retracted_because": reason} if reason else note.metadata
    origin = occasion.caller.origin(note.origin.source)
    return (WriteNote(checked_note(replace(taken_back, metadata=metadata, origin=origin))),)


def take_back(
    occasion: Occasion, said: Observation, read: Sequence[Note], others: Collection[str], reason: str | None
) -> tuple[WriteNote, ...]:
    """A message, no longer believed: the notes that were read from it and still hold, and a note that says so.

    A note that was also read from one of the `others`, which stand, rests on these alone.
    """
    metadata = {TAKES_BACK: said.id, **({"retracted_because": reason} if reason else {})}
    note = Note(
        id=occasion.new_id,
        space=occasion.space,
        version=1,
        kind=Kind.EPISODIC,
        text=f"Message {said.id} was taken back.",
        recorded_at=occasion.at,
        updated_at=occasion.at,
        last_seen_at=occasion.at,
        valid_from=occasion.at,
        scope=replace(said.scope, session=None),
        origin=occasion.caller.origin(),
        authority=authority_of(said),
        derived_from=(said.id,),
        state=State.RETRACTED,
        metadata=metadata,
    )
    kept = [each for each in read if not set(others).isdisjoint(each.derived_from)]
    rests = ((each, tuple(source for source in each.derived_from if source != said.id)) for each in kept)
    edits = [WriteNote(revised(each, occasion.at, derived_from=sources)) for each, sources in rests]
    edits += (edit for each in read if each not in kept for edit in retract(occasion, each, reason))
    return (*edits, WriteNote(checked_note(note)))


def judge(occasion: Occasion, note: Note, verdict: Verdict, remark: str | None) -> tuple[WriteNote, ...]:
    """The note with what a reader said of it. Its words, and so their origin and authority, stay as they were."""
    outranked = outcome(occasion.caller, note.authority, "feedback") is not None
    by = occasion.caller.principal
    return (WriteNote(checked_note(judged(note, verdict, remark, at=occasion.at, by=by, outranked=outranked))),)


def expire(occasion: Occasion, note: Note) -> WriteNote:
    """The note at its end: it held until then, and is kept."""
    end = occasion.at if note.expires_at is None else min(note.expires_at, occasion.at)
    ended = closed(note, occasion.at, state=State.EXPIRED)
    return WriteNote(replace(ended, expires_at=end, origin=occasion.caller.origin(note.origin.source)))


def _first_true(note: Note) -> datetime:
    """Since when a note is true that does not say so: from the event it tells of, or from when it was told."""
    told = note.occurred_at or note.recorded_at
    if note.valid_until is not None and note.valid_until <= told:
        # Only the end was given and it has passed: it was true before, since when is not known.
        return datetime.min.replace(tzinfo=told.tzinfo)
    return told


# -- lessons -----------------------------------------------------------------------------------------------------------


def lesson_added(occasion: Occasion, fields: Mapping[str, Any], parents: Sequence[Note]) -> tuple[WriteNote, ...]:
    """A new lesson."""
    own = {"confidence": FIRST_CONFIDENCE, **fields, "kind": Kind.LESSON, "subject": subject_of(fields["text"])}
    return save(occasion, {**own, "metadata": {**fields.get("metadata", {}), "reinforcements": 0}}, parents)


def lesson_reinforced(
    occasion: Occasion,
    note: Note,
    *,
    said: bool,
    ttl: timedelta | None = None,
    when: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> tuple[WriteNote, ...]:
    """The lesson, once more confirmed, with other triggers and metadata if some are given, kept as long as either
    telling asks for.

    A caller who `said` its very words vouches for them as for words of their own.
    """
    own = occasion.caller.authority(None)
    longer = said and rank(own) >= rank(note.authority)
    added_to = {name: value for name, value in (metadata or {}).items() if name not in ENGINE_KEYS} if longer else {}
    meant = {**note.metadata, **added_to}
    if when is not None and longer:
        meant = with_triggers(meant, when)
    vouched = own if said and lowest([note.authority, own]) == note.authority else note.authority
    stronger = revised(
        note,
        occasion.at,
        confidence=strengthened(confidence_at(note, occasion.at)),
        last_seen_at=occasion.at,
        origin=occasion.caller.origin(note.origin.source) if vouched is not note.authority else note.origin,
        authority=vouched,
        erase_at=later_end(note.erase_at, end_of_life(occasion.at, ttl)) if longer else note.erase_at,
        metadata={**meant, "reinforcements": reinforcements_of(note) + 1},
    )
    return (WriteNote(checked_note(stronger)),)
