"""Verbs about slots: small named texts that are always in context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from recollect.domain.changes import EraseNote, WriteSlot
from recollect.domain.dataclass import replace
from recollect.domain.desk import Slot, checked_label, empty_slot, with_defaults
from recollect.domain.origin import Caller, Channel
from recollect.domain.selections import Page
from recollect.operations import Effect, operation
from recollect.redaction.clean_text import checked_name, checked_text
from recollect.verbs.actor import no_session
from recollect.verbs.writing import Writing, decided_anew

if TYPE_CHECKING:
    from recollect.domain.answers.sessions import ReflectedSlots

_ALL = 100_000  # observations of one session: more than are ever kept


class SlotVerbs(Writing):
    """Slots: list, get, set, append, delete, reflect."""

    @operation(Effect.READ, name="slots.list", for_agents=True)
    def slots(self, *, project: str | None = None, space: str | None = None) -> Page[Slot]:
        """List slots: those for all projects and the project's own; without a project, those of every project."""
        name, place = self._readable(space), checked_name(project, field="project")
        found = [slot for slot in self._engine.desk.slots(name) if place is None or slot.project in (None, place)]
        return Page(tuple(with_defaults(found, name, place)))

    @operation(Effect.READ, name="slots.get", for_agents=True)
    def slot(self, label: str, *, project: str | None = None, space: str | None = None) -> Slot:
        """Read one slot: the project's own, or else the one for all projects."""
        from recollect.remember import slots as decisions

        name, place = self._readable(space), checked_name(project, field="project")
        found = self._engine.desk.slot(name, checked_label(label), place)
        found = found or self._engine.desk.slot(name, label, None)
        if found is None:
            known = {slot.label: slot for slot in with_defaults((), name, place)}
            if label not in known:
                raise decisions.missing(label, place)
            found = known[label]
        return found

    @operation(Effect.WRITE, name="slots.set", for_agents=True)
    def set_slot(
        self,
        label: str,
        text: str,
        *,
        project: str | None = None,
        size: int | None = None,
        pinned: bool | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Slot:
        """Write a slot, in place of what it held."""
        from recollect.remember import slots as decisions

        said, about = checked_text(text), checked_name(description, field="description")
        asked = {"text": said, "size": size, "pinned": pinned, "description": about}

        def decide(slot: Slot) -> Slot:
            return decisions.replaced(
                self._occasion(slot.space), slot, said, size=size, pinned=pinned, description=about
            )

        return self._rewrite("slots.set", label, project, space, decide, asked, idempotency_key)

    @operation(Effect.WRITE, name="slots.append", for_agents=True)
    def append_slot(
        self,
        label: str,
        text: str,
        *,
        project: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Slot:
        """Add a line to a slot."""
        from recollect.remember import slots as decisions

        said = checked_text(text)
        return self._rewrite(
            "slots.append",
            label,
            project,
            space,
            lambda slot: decisions.appended(self._occasion(slot.space), slot, said),
            {"text": said},
            idempotency_key,
        )

    @operation(Effect.DESTROY, name="slots.delete", for_agents=True)
    def delete_slot(self, label: str, *, project: str | None = None, space: str | None = None) -> Slot:
        """Erase what a slot holds, for good. One that is there from the start is empty again."""
        from recollect.remember import slots as decisions

        name, place = self._known(space), checked_name(project, field="project")
        slot = self._engine.desk.slot(name, checked_label(label), place)
        if slot is None:
            raise decisions.missing(label, place)
        decisions.refuse_overreach(self._occasion(name), slot, "slots.delete")
        self._carry_out("slots.delete", name, EraseNote(slot.id))
        if self._rehearsed is None:
            self._engine.upkeep.clean_residue()
        return slot

    @operation(Effect.WRITE, name="slots.reflect")
    def reflect_slots(self, session_id: str, *, apply: bool = False, space: str | None = None) -> ReflectedSlots:
        """Fill the slots of a project from a session: what was left undone, what was run, which files it was about.

        Only slots that are empty, or were filled so before, are written.
        """
        from recollect.domain.answers.sessions import REFLECTION, ReflectedSlots
        from recollect.reflect.sessions import digest_of, slots_of
        from recollect.remember import slots as decisions

        name = self._known(space)
        wanted = checked_name(session_id, field="session_id") or ""
        session = self._engine.archive.session(name, wanted)
        if session is None:
            raise no_session(wanted, name)
        seen = self._engine.archive.observations(name, session.id, after=0, limit=_ALL)
        digest = digest_of(session, [each for each in seen if each.erase_at is None])
        caller = Caller(Channel.DERIVED, self._caller.principal, within=self._caller.within)
        place = session.scope.project

        def attempt() -> ReflectedSlots:
            slots: list[Slot] = []
            passed_over: list[str] = []
            for label, text in slots_of(digest).items() if place else ():
                slot = self._engine.desk.slot(name, label, place) or empty_slot(name, label, place)
                if slot.text and slot.origin.source != REFLECTION:
                    passed_over.append(label)
                elif slot.text != text[: slot.limit]:
                    occasion = replace(self._occasion(name), caller=caller)
                    written = decisions.replaced(occasion, slot, text[: slot.limit])
                    slots.append(replace(written, origin=caller.origin(REFLECTION)))
            if apply and slots:
                self._carry_out("slots.reflect", name, *map(WriteSlot, slots))
            return ReflectedSlots(apply, session.id, tuple(slots), tuple(passed_over))

        return decided_anew(attempt)

    def _rewrite(
        self,
        reason: str,
        label: str,
        project: str | None,
        space: str | None,
        decide: Callable[[Slot], Slot],
        asked: Mapping[str, object],
        key: str | None,
    ) -> Slot:
        from recollect.remember import slots as decisions

        name = self._named(space)
        place = decisions.place_of(checked_label(label), checked_name(project, field="project"))
        desk = self._engine.desk

        def decided() -> WriteSlot:
            slot = decide(desk.slot(name, label, place) or empty_slot(name, label, place))
            if slot.version == 1 or slot.pinned:
                decisions.refuse_crowd(slot, desk.slots(name))
            return WriteSlot(slot)

        written, _ = self._settle(reason, name, decided, asked={"label": label, "project": place, **asked}, key=key)
        found = written.slot if written else desk.slot(name, label, place)
        if found is None:
            raise decisions.missing(label, place)
        return found
