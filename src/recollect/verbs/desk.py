"""Verbs about the desk: small named texts that are always in context, and what is to be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.changes import ChangeKind, EraseNote, WriteAction, WriteSlot
from recollect.domain.clock import checked_id
from recollect.domain.dataclass import replace
from recollect.domain.desk import (
    UNSETTLED,
    Action,
    ActionStatus,
    Slot,
    checked_label,
    empty_slot,
    frontier,
    with_defaults,
)
from recollect.domain.origin import Caller, Channel
from recollect.domain.selections import Page
from recollect.domain.values import choice
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.verbs.actor import MOST_PER_PAGE, checked_limit, no_session, operation
from recollect.verbs.selection import condition_in, mark_of, passing
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
        from recollect.remember import desk as decisions

        name, place = self._readable(space), checked_name(project, field="project")
        found = self._engine.desk.slot(name, checked_label(label), place)
        found = found or self._engine.desk.slot(name, label, None)
        if found is None:
            known = {slot.label: slot for slot in with_defaults((), name, place)}
            if label not in known:
                raise decisions.no_slot(label, place)
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
        from recollect.remember import desk as decisions

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
        from recollect.remember import desk as decisions

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
        from recollect.remember import desk as decisions

        name, place = self._known(space), checked_name(project, field="project")
        slot = self._engine.desk.slot(name, checked_label(label), place)
        if slot is None:
            raise decisions.no_slot(label, place)
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
        from recollect.remember import desk as decisions

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
        from recollect.remember import desk as decisions

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
            raise decisions.no_slot(label, place)
        return found


class ActionVerbs(Writing):
    """Work to do: actions, and the frontier of those that can be started."""

    @operation(Effect.WRITE, name="actions.add", for_agents=True)
    def add_action(
        self,
        text: str,
        *,
        priority: int = 0,
        depends_on: Sequence[str] = (),
        project: str | None = None,
        idempotency_key: str | None = None,
        space: str | None = None,
    ) -> Action:
        """Put something on the list of what is to be done."""
        from recollect.remember import desk as decisions

        name, said, first = self._named(space), checked_text(text), _checked_ids(depends_on)
        place = checked_name(project, field="project")

        def decide() -> WriteAction:
            decisions.refuse_unknown(first, self._engine.desk.those(name, first))
            return WriteAction(
                decisions.added(self._occasion(name), said, priority=priority, depends_on=first, project=place)
            )

        asked = {"text": said, "priority": priority, "depends_on": first, "project": place}
        written, receipt = self._settle("actions.add", name, decide, asked=asked, key=idempotency_key)
        return written.action if written else self._action(name, receipt.changes[-1].record_id)

    @operation(Effect.WRITE, name="actions.update", for_agents=True)
    def update_action(
        self,
        action_id: str,
        *,
        status: str | None = None,
        text: str | None = None,
        priority: int | None = None,
        depends_on: Sequence[str] | None = None,
        project: str | None = None,
        space: str | None = None,
    ) -> Action:
        """Say how far something has come, or what it waits for."""
        from recollect.remember import desk as decisions

        name, wanted = self._known(space), checked_id(action_id, what="action")
        given: dict[str, Any] = {
            "status": choice(ActionStatus, status, field="status") if status is not None else None,
            "text": checked_text(text) if text is not None else None,
            "priority": priority,
            "depends_on": _checked_ids(depends_on) if depends_on is not None else None,
            "project": checked_name(project, field="project"),
        }
        fields = {field: value for field, value in given.items() if value is not None}

        def decide() -> WriteAction:
            action = self._action(name, wanted)
            others = self._reachable(name, fields.get("depends_on", ()))
            decisions.refuse_unknown(fields.get("depends_on", ()), others)
            return WriteAction(decisions.updated(self._occasion(name), action, others, fields))

        # Whether it would wait for itself is decided by all of them: two must not close a circle together.
        rests_on = frozenset({ChangeKind.ACTION_WRITTEN}) if "depends_on" in fields else frozenset[ChangeKind]()
        written, _ = self._settle("actions.update", name, decide, asked={}, key=None, rests_on=rests_on)
        return written.action if written else self._action(name, wanted)

    @operation(Effect.READ, name="actions.list", for_agents=True)
    def actions(
        self,
        *,
        status: str | None = None,
        project: str | None = None,
        where: Mapping[str, Any] | None = None,
        limit: int = 50,
        cursor: str | None = None,
        space: str | None = None,
    ) -> Page[Action]:
        """List what is to be done, newest first; with a status, also what is done or dropped."""
        name, size, place = self._readable(space), checked_limit(limit), checked_name(project, field="project")
        statuses = UNSETTLED if status is None else {choice(ActionStatus, status, field="status")}
        mark = ("actions", name, status, place, *mark_of(where))
        found, last = passing(
            lambda before, many: self._engine.desk.actions(
                name, statuses=statuses, project=place, before=before, limit=many
            ),
            lambda action: action.id,
            condition_in(where, self._engine.clock.now()),
            before=decode_cursor(cursor, of=mark, like="") if cursor else None,
            size=size,
        )
        return Page(tuple(found), encode_cursor(last, of=mark) if last else None)

    @operation(Effect.READ, for_agents=True)
    def frontier(self, *, project: str | None = None, limit: int = 50, space: str | None = None) -> Page[Action]:
        """List what can be started now: open, and waiting for nothing. By priority, then the oldest first."""
        from recollect.remember import desk as decisions

        name, size, place = self._readable(space), checked_limit(limit), checked_name(project, field="project")
        desk = self._engine.desk
        left = desk.actions(name, statuses=UNSETTLED, project=place, limit=MOST_PER_PAGE)
        first = desk.those(name, [each for action in left for each in action.depends_on])
        return Page(tuple(frontier(left, decisions.statuses_of(first))[:size]))

    def _action(self, space: str, action_id: str) -> Action:
        from recollect.remember import desk as decisions

        found = self._engine.desk.action(space, action_id)
        if found is None:
            raise (
                self._absent(space, action_id) if self._was_erased(space, action_id) else decisions.no_action(action_id)
            )
        return found

    def _reachable(self, space: str, action_ids: Sequence[str]) -> dict[str, Action]:
        """Some actions and everything they wait for, at any remove."""
        found: dict[str, Action] = {}
        wanted = list(action_ids)
        while wanted:
            some = self._engine.desk.those(space, wanted)
            found.update(some)
            wanted = [each for action in some.values() for each in action.depends_on if each not in found]
        return found


def _checked_ids(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(checked_id(each, what="action") for each in ids))
