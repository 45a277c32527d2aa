"""Verbs that remember, correct and forget one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from recollect.domain.changes import EraseNote, WriteNote
from recollect.domain.clock import checked_id
from recollect.domain.errors import NotFound, StoreFailure
from recollect.domain.feedback import Verdict
from recollect.domain.notes import Note
from recollect.domain.plain import choice
from recollect.domain.recollections import Erasure
from recollect.domain.text import checked_name
from recollect.operations import Effect, operation
from recollect.remember import decisions
from recollect.remember.fields import checked_fields
from recollect.verbs.acting import Acting
from recollect.verbs.arguments import About, Moment


class NoteVerbs(Acting):
    """One thing: save, update, supersede, retract, feedback, pin, relate, forget."""

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
        **about: Unpack[About],
    ) -> Note:
        """Remember one thing."""
        given = {**about, "kind": kind, "pinned": pinned, "derived_from": derived_from, "source": source}
        fields = checked_fields({**given, "text": text}, required=("text",))
        name = self._named(space)

        def decide() -> tuple[WriteNote, ...]:
            parents = self._parents(name, fields["derived_from"])
            return decisions.save(self._occasion(name), fields, parents)

        return self._write("save", name, decide, asked=fields, key=idempotency_key)

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
        **about: Unpack[About],
    ) -> Note:
        """Correct a note: the record was wrong. Every earlier version is kept."""
        fields = checked_fields({**about, "text": text, "kind": kind}, clear=clear)
        return self._revise(
            "update",
            space,
            note_id,
            lambda occasion, note: decisions.update(occasion, note, fields),
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
        """Take a note back: it was never true. It stays in the history."""
        why = checked_name(reason, field="reason")
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
        name, other = self._known(space), checked_id(other_id)
        note, beside = self._current(name, checked_id(note_id)), self._current(name, other)
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

    @operation(Effect.DESTROY, for_agents=True)
    def forget(self, note_id: str, *, cascade: bool = False, space: str | None = None) -> Erasure:
        """Erase a note, a message, a slot or an action for good, and the messages a note was read from.

        A note goes with all its versions. Forgetting it again cleans what could not be cleaned the first time.
        """
        name, record_id = self._known(space), checked_id(note_id)
        store, archive = self._engine.store, self._engine.archive
        if self._forget_from_desk(name, record_id):
            residue = store.clean_residue() if self._rehearsed is None else None
            return Erasure((), residue=residue, others=(record_id,))
        is_said = archive.observation(name, record_id) is not None
        if not is_said and store.note(name, record_id) is None and not self._was_erased(name, record_id):
            raise self._absent(name, record_id)
        derived = tuple(store.descendants(name, record_id))
        notes = (() if is_said else (record_id,)) + (derived if cascade else ())
        evidence = {each for version in store.versions(name, notes) for each in version.derived_from}
        said = [each for each in sorted(evidence) if archive.observation(name, each) is not None]
        if is_said:
            said.append(record_id)
        self._carry_out("forget", name, *(EraseNote(each) for each in (*notes, *said)))
        residue = self._cleaned(name, notes) if self._rehearsed is None else None
        return Erasure(notes, () if cascade else derived, residue, tuple(said))

    def _forget_from_desk(self, space: str, record_id: str) -> bool:
        """Erase a slot or an action, if it is one."""
        desk = self._engine.desk
        found = desk.action(space, record_id) or any(slot.id == record_id for slot in desk.slots(space))
        if found:
            self._carry_out("forget", space, EraseNote(record_id))
        return bool(found)

    def _cleaned(self, space: str, note_ids: Sequence[str]) -> str | None:
        """Remove what erasing leaves, in the database and in the vault; what could not be removed yet."""
        from recollect.vault.place import place_of

        left = [self._engine.store.clean_residue()]
        try:
            place = place_of(self._engine.settings.home, space)
            from recollect.vault.erasing import erased_from_vault

            left.append(erased_from_vault(place, note_ids))
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
