"""Verbs about what is to be done: work items, and which of them can be started now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.changes import ChangeKind, WriteAction
from recollect.domain.clock import checked_id
from recollect.domain.desk import UNSETTLED, Action, ActionStatus, frontier
from recollect.domain.selections import Page
from recollect.domain.values import choice
from recollect.operations import Effect, operation
from recollect.redaction.clean_text import checked_name, checked_text
from recollect.verbs.actor import MOST_PER_PAGE, checked_limit
from recollect.verbs.selection import condition_in, mark_of, passing
from recollect.verbs.writing import Writing


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
        from recollect.remember import actions as decisions

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
        from recollect.remember import actions as decisions

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
        from recollect.remember import actions as decisions

        name, size, place = self._readable(space), checked_limit(limit), checked_name(project, field="project")
        desk = self._engine.desk
        left = desk.actions(name, statuses=UNSETTLED, project=place, limit=MOST_PER_PAGE)
        first = desk.those(name, [each for action in left for each in action.depends_on])
        return Page(tuple(frontier(left, decisions.statuses_of(first))[:size]))

    def _action(self, space: str, action_id: str) -> Action:
        from recollect.remember import actions as decisions

        found = self._engine.desk.action(space, action_id)
        if found is None:
            raise self._absent(space, action_id) if self._was_erased(space, action_id) else decisions.missing(action_id)
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
