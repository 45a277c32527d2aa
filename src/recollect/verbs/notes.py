"""Verbs that remember, correct and forget one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from recollect.domain.changes import ChangeKind, Changes, EraseNote, RefuteLink, WriteNote
from recollect.domain.dataclass import replace
from recollect.domain.errors import InvalidInput, NotFound, StoreFailure
from recollect.domain.notes import Note, State
from recollect.domain.scopes import BOUND_BY, Scope
from recollect.domain.selections import Selection
from recollect.domain.trust.authority_table import authority_of, may_change, outcome, require_rank, too_low
from recollect.domain.trust.disputes import Decision, dispute_of
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.remember import decisions
from recollect.remember.decisions import Occasion
from recollect.remember.fields import checked_fields
from recollect.verbs.actor import MOST_PER_PAGE, Moment, SpaceInQuestion, key_scope, operation
from recollect.verbs.writing import MARKED_BY, Writing, decided_anew

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import Erasure
    from recollect.domain.links.statement_link import StatementLink


class NoteVerbs(Writing):
    """One thing: save, update, supersede, retract, feedback, settle, pin, relate, refute, forget."""

    @operation(Effect.WRITE, for_agents=True)
    def save(
        self,
        text: str,
        *,
        kind: str = "semantic",
        pinned: bool = False,
        derived_from: Sequence[str] = (),
        source: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
        **about: Unpack[SpaceInQuestion],
    ) -> Note:
        """Remember one thing. With a `key`: the next version of the note that has it, unless that says so already."""
        given = {**about, "kind": kind, "pinned": pinned, "derived_from": derived_from, "source": source}
        fields = checked_fields({**given, "text": text}, required=("text",))
        name, ended = self._named(space), list[EraseNote]()

        def decide() -> tuple[WriteNote, ...] | Note:
            known = self._under_key(name, fields)
            # One that was not to be kept so long goes first: none of its words come along.
            ended[:] = [EraseNote(known.id)] if known and known.is_due(self._engine.clock.now()) else []
            parents, support = self._parents(name, fields["derived_from"]), self._support(name, fields)
            if known is None or ended:
                return decisions.save(self._occasion(name), fields, parents, support)
            occasion = self._occasion(name)
            anew = partial(decisions.upsert, occasion, known, fields, parents, support)
            return self._as_ranked("save", occasion, known, anew, fields) or known

        # A source that is taken back meanwhile must not leave this one unmarked.
        rests_on = MARKED_BY if fields["derived_from"] or fields.get("depends_on") else frozenset[ChangeKind]()
        write = partial(
            self._write, "save", name, decide, asked=fields, key=idempotency_key, rests_on=rests_on, before=ended
        )
        note = decided_anew(write, on="key_taken")
        if ended and self._rehearsed is None:
            self._cleaned(name, [each.note_id for each in ended])
        return note

    @operation(Effect.WRITE, for_agents=True)
    def update(
        self,
        note_id: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        clear: Sequence[str] = (),
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
        **about: Unpack[SpaceInQuestion],
    ) -> Note:
        """Correct a note: the record was wrong. Every earlier version is kept."""
        fields = checked_fields({**about, "text": text, "kind": kind}, clear=clear)
        return self._revise(
            "update",
            space,
            note_id,
            lambda occasion, note: decisions.update(occasion, note, fields, self._support(occasion.space, fields)),
            asked=fields,
            expected_version=expected_version,
            key=idempotency_key,
        )

    @operation(Effect.WRITE, for_agents=True)
    def supersede(
        self,
        note_id: str,
        text: str,
        *,
        value: str | None = None,
        valid_from: Moment | None = None,
        confidence: float | None = None,
        source: str | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Note:
        """Replace a note by a newer one: the world changed. The old one stays as history."""
        given = {"value": value, "valid_from": valid_from, "confidence": confidence, "source": source}
        fields = checked_fields({**given, "text": text}, required=("text",))
        return self._revise(
            "supersede",
            space,
            note_id,
            lambda occasion, note: decisions.supersede(occasion, note, fields),
            asked=fields,
            expected_version=expected_version,
            key=idempotency_key,
        )

    @operation(Effect.WRITE)
    def retract(
        self,
        note_id: str,
        *,
        reason: str | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Note:
        """Take a note back, or a message with everything read from it: it was never true. It stays in the history."""
        why = checked_name(reason, field="reason")
        name = self._known(space)
        message_id = self._note_id(name, note_id)
        if self._engine.archive.observation(name, message_id) is not None:
            if expected_version is not None:
                raise InvalidInput(
                    f"Message {message_id} has no versions, and you expected version {expected_version}.",
                    code="invalid_field",
                    hint="Leave `expected_version` out to take a message back.",
                )
            return self._take_back(name, message_id, why, idempotency_key)
        return self._revise(
            "retract",
            space,
            note_id,
            lambda occasion, note: decisions.retract(occasion, note, why),
            asked={"reason": why},
            expected_version=expected_version,
            key=idempotency_key,
        )

    @operation(Effect.WRITE, for_agents=True)
    def feedback(
        self,
        note_id: str,
        verdict: str,
        *,
        remark: str | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Note:
        """Say whether a note was of use. Doubted notes count for less and ask for somebody to look; no word changes."""
        from recollect.domain.trust.feedback import Verdict

        judgement, why = choice(Verdict, verdict, field="verdict"), checked_name(remark, field="remark")
        return self._revise(
            f"feedback: {judgement.value}",
            space,
            note_id,
            lambda occasion, note: decisions.judge(occasion, note, judgement, why),
            asked={"remark": why},
            expected_version=expected_version,
            key=idempotency_key,
        )

    @operation(Effect.WRITE)
    def settle(
        self,
        note_id: str,
        decision: str,
        *,
        text: str | None = None,
        expected_version: int | None = None,
        space: str | None = None,
    ) -> Note:
        """Decide on what waits in review: accept or keep it, edit it, or reject it.

        Accepting a proposal makes the change it stands for; of two notes that contradict each other the accepted one
        holds; anything else that waits is confirmed, with `edit` in the words of `text`. Rejecting retracts it.
        """
        from recollect.remember import proposals

        verdict = choice(Decision, decision, field="decision")
        words = None if text is None else checked_text(text)
        if (verdict is Decision.EDIT) != (words is not None):
            raise InvalidInput(
                "The decision `edit` goes with a `text`, and no other does.",
                code="field_missing" if words is None else "usage",
                hint="Say the new words with `text`, or decide `keep` or `reject`.",
            )

        def decide(occasion: Occasion, note: Note) -> tuple[WriteNote, ...]:
            rivals = self._rivals(occasion.space, note)
            if verdict is Decision.REJECT:
                return proposals.rejected(occasion, note, rivals)
            if note.state is not State.DISPUTED:
                return proposals.confirmed(occasion, note, words)
            if words is not None:
                raise InvalidInput(
                    f"Note {note.id} contradicts another one, and its words are that other's to change.",
                    code="disputed",
                    hint="Accept or reject it; then update or supersede the note that holds.",
                )
            dispute = dispute_of(note)
            other = self._current(occasion.space, dispute.note_id) if dispute else note
            return proposals.accepted(occasion, note, other, rivals)

        return self._revise(
            "settle",
            space,
            note_id,
            decide,
            asked={"decision": verdict.value, "text": words},
            expected_version=expected_version,
        )

    @operation(Effect.WRITE)
    def pin(self, note_id: str, *, expected_version: int | None = None, space: str | None = None) -> Note:
        """Keep a note in view, always."""
        return self._set_pinned("pin", note_id, True, expected_version, space)

    @operation(Effect.WRITE)
    def unpin(self, note_id: str, *, expected_version: int | None = None, space: str | None = None) -> Note:
        """Let a note come and go by itself again."""
        return self._set_pinned("unpin", note_id, False, expected_version, space)

    @operation(Effect.WRITE, for_agents=True)
    def relate(self, note_id: str, other_id: str, *, space: str | None = None) -> Note:
        """Say that two notes have to do with each other."""
        name = self._known(space)
        other = self._note_id(name, other_id)
        note, beside = self._current(name, self._note_id(name, note_id)), self._current(name, other)
        if other in note.related or note.id in beside.related:
            return note
        return self._revise(
            "relate",
            space,
            note.id,
            lambda occasion, known: decisions.relate(occasion, known, other),
            asked={"other_id": other},
            expected_version=None,
        )

    @operation(Effect.WRITE)
    def refute(self, note_id: str, other_id: str, *, undo: bool = False, space: str | None = None) -> StatementLink:
        """Say that of two messages or notes neither replaces, ends or repeats the other; it holds for every model."""
        name = self._known(space)
        one, other = self._note_id(name, note_id), self._note_id(name, other_id)
        links = self._engine.links.links_of(name, [one], with_faint=True)
        found = [link for link in links if other in (link.older, link.newer)]
        if not found or one == other:
            raise NotFound(
                f"No model linked {one} with {other} in `{name}`.",
                code="link_not_found",
                hint="`recollect relations` shows what a note or a message is linked with.",
            )
        for note in self._engine.store.current(name, [one, other]).values():
            require_rank(self._caller, note.authority, "refute", what=f"Note {note.id}")
        for said in self._engine.archive.those(name, [one, other]).values():
            require_rank(self._caller, authority_of(said), "refute", what=f"Message {said.id}")
        now, by = self._engine.clock.now(), self._caller.principal
        meant = [
            replace(link, refuted_at=None, refuted_by=None)
            if undo
            else link
            if link.is_refuted
            else link.refuted(now, by)
            for link in found
        ]
        changed = [link for link, was in zip(meant, found, strict=True) if link != was]
        if changed:
            self._carry_out("refute", name, *map(RefuteLink, changed))
        return meant[0]

    @operation(Effect.DESTROY, for_agents=True)
    def forget(
        self,
        note_id: str,
        *,
        cascade: bool = False,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        space: str | None = None,
    ) -> Erasure:
        """Erase a note, a message, a slot or an action for good, and the messages a note was read from.

        A note goes with all its versions. Forgetting it again cleans what could not be cleaned the first time.
        """
        from recollect.domain.answers.recollections import Erasure

        name = self._known(space)
        record_id = self._note_id(name, note_id, key_scope(user, agent, project))
        store, archive = self._engine.store, self._engine.archive
        if self._forget_from_desk(name, record_id):
            residue = self._engine.upkeep.clean_residue() if self._rehearsed is None else None
            return Erasure((), residue=residue, others=(record_id,))

        def attempt() -> Erasure:
            basis = self._basis(name, MARKED_BY)
            message = archive.observation(name, record_id)
            if message is None and store.note(name, record_id) is None and not self._was_erased(name, record_id):
                raise self._absent(name, record_id)
            derived = tuple(self._engine.lineage.descendants(name, record_id))
            notes = ((record_id,) if message is None else ()) + (derived if cascade else ())
            for note in store.current(name, notes).values():
                require_rank(self._caller, note.authority, "forget", what=f"Note {note.id}")
            said = self._evidence_for(name, notes)
            if message is not None:
                require_rank(self._caller, authority_of(message), "forget", what=f"Message {record_id}")
                if (higher := self._evidence_of_higher(name, record_id, notes)) is not None:
                    raise too_low(self._caller, higher.authority, "forget", what=f"Note {higher.id}, read from it,")
                said = [*(each for each in said if each != record_id), record_id]
            edits = self._with_reviews(name, [EraseNote(each) for each in (*notes, *said)])
            now = self._engine.clock.now()
            self._apply(Changes(name, "forget", now, self._caller.origin(), tuple(edits), basis=basis))
            return Erasure(notes, () if cascade else derived, None, tuple(said))

        erasure = decided_anew(attempt)
        residue = self._cleaned(name, erasure.note_ids) if self._rehearsed is None else None
        return replace(erasure, residue=residue)

    def _take_back(self, space: str, message_id: str, reason: str | None, key: str | None) -> Note:
        """Take a message back; the note that says so."""
        from recollect.domain.trust.disputes import taken_back
        from recollect.verbs.lookup import standing_messages

        store, archive = self._engine.store, self._engine.archive

        def decide() -> tuple[WriteNote, ...] | Note:
            messages = archive.those(space, [message_id])
            if message_id not in messages:
                raise self._absent(space, message_id)
            read = archive.derived_notes(space, [message_id])
            notes = store.current(space, read.get(message_id, ()))
            if (known := taken_back(messages, notes.values()).get(message_id)) is not None:
                return known
            require_rank(self._caller, authority_of(messages[message_id]), "retract", what=f"Message {message_id}")
            held = [note for note in notes.values() if note.state is State.ACTIVE and note.metadata.get("said")]
            for note in held:
                require_rank(self._caller, note.authority, "retract", what=f"Note {note.id}, read from it,")
            others = sorted({each for note in held for each in note.derived_from} - {message_id})
            now = self._engine.clock.now()
            left = [each.id for each in standing_messages(self._engine, space, others).values() if not each.is_due(now)]
            return decisions.take_back(self._occasion(space), messages[message_id], held, left, reason)

        asked = {"note_id": message_id, "reason": reason}
        return self._write("retract", space, decide, asked=asked, key=key, rests_on=MARKED_BY)

    def _under_key(self, space: str, fields: Mapping[str, Any]) -> Note | None:
        """The note that has the key of what is saved, whose time may be over."""
        if fields.get("key") is None:
            return None
        return self._keyed(space, fields["key"], Scope(**{name: fields.get(name) for name in BOUND_BY}))

    def _evidence_for(self, space: str, notes: Sequence[str]) -> list[str]:
        """The messages that notes were read from, as far as the caller may forget them with the notes."""
        archive, versions = self._engine.archive, self._engine.store.versions(space, notes)
        evidence = {each for version in versions for each in version.derived_from}
        told = archive.those(space, sorted(evidence)) if evidence else {}
        said = [each for each in sorted(told) if may_change(self._caller, authority_of(told[each]), "forget")]
        return [each for each in said if self._evidence_of_higher(space, each, notes) is None]

    def _evidence_of_higher(self, space: str, message_id: str, forgotten: Sequence[str]) -> Note | None:
        """A note that ranks above the caller, was read from a message, and is not itself forgotten."""
        links = self._engine.lineage.links_to(space, message_id)
        near = [each for relation, each in links if relation == "derived_from"]
        found = self._engine.store.current(space, [each for each in near if each not in forgotten])
        return next(
            (note for note in found.values() if outcome(self._caller, note.authority, "forget") is not None), None
        )

    def _support(self, space: str, fields: Mapping[str, Any]) -> Sequence[Note]:
        """The notes that a new one rests on, as far as they are here."""
        return list(self._engine.store.current(space, fields.get("depends_on") or ()).values())

    def _rivals(self, space: str, note: Note) -> list[Note]:
        """The other notes of a contradiction between equals: disputed, and on the same thing in the same scope."""
        if note.state is not State.DISPUTED or dispute_of(note) is not None or not note.subject or not note.attribute:
            return []
        selection = Selection(
            states=frozenset({State.DISPUTED}), subject=note.subject, attribute=note.attribute, scope=note.scope
        )
        found = self._engine.store.notes(space, selection, before=None, limit=MOST_PER_PAGE)
        return [each for each in found if each.id != note.id and each.scope == note.scope and dispute_of(each) is None]

    def _forget_from_desk(self, space: str, record_id: str) -> bool:
        """Erase a slot or an action, if it is one."""
        desk = self._engine.desk
        found = desk.action(space, record_id) or next((s for s in desk.slots(space) if s.id == record_id), None)
        if found is None:
            return False
        if found.text:
            require_rank(self._caller, found.authority, "forget", what=f"What {record_id} says")
        self._carry_out("forget", space, EraseNote(record_id))
        return True

    def _cleaned(self, space: str, note_ids: Sequence[str]) -> str | None:
        """Remove what erasing leaves, in the database and in the vault; what could not be removed yet."""
        from recollect.vault.place import place_of

        left = [self._engine.upkeep.clean_residue()]
        try:
            place = place_of(self._engine.settings.home, space)
            from recollect.vault.revisions import erased_from_vault

            left.append(erased_from_vault(place, note_ids, self._engine.attachments.kept(space)))
        except NotFound:
            pass
        except (StoreFailure, OSError) as problem:
            # What is erased is erased: that the folder could not be looked at is told, and no failure.
            left.append(f"files of the vault ({problem}); the next `recollect sync` removes them.")
        return "; ".join(filter(None, left)) or None

    def _set_pinned(
        self, reason: str, note_id: str, pinned: bool, expected_version: int | None, space: str | None
    ) -> Note:
        return self._revise(
            reason,
            space,
            note_id,
            lambda occasion, note: decisions.update(occasion, note, {"pinned": pinned}),
            asked={"pinned": pinned},
            expected_version=expected_version,
        )
