"""Slots and actions, read from any SQL database."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from recollect.domain.actions import Action, ActionStatus
from recollect.domain.slots import Slot
from recollect.stores.database import Database, Row, Value
from recollect.stores.desk_records import action_from_row, slot_from_row
from recollect.stores.selecting import among, in_pieces
from recollect.stores.statements import statements


class SqlDesk:
    """Slots and actions in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = statements(database.dialect)

    def slots(self, space: str) -> Sequence[Slot]:
        found = (slot_from_row(row) for row in self._read(space, "slots"))
        # Ordered here because the two databases sort text differently.
        return sorted(found, key=lambda slot: (slot.project or "", slot.label))

    def slot(self, space: str, label: str, project: str | None) -> Slot | None:
        found = self._read(space, "slot_labelled", label=label, project=project or "")
        return slot_from_row(found[0]) if found else None

    def action(self, space: str, action_id: str) -> Action | None:
        found = self._read(space, "action", id=action_id)
        return action_from_row(found[0]) if found else None

    def those(self, space: str, action_ids: Sequence[str]) -> dict[str, Action]:
        found: dict[str, Action] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(action_ids):
                where, values = among(self._statements, "action.id", some)
                for row in transaction.query(f"{self._statements['actions']}{where}", space=space, **values):
                    found[row[0]] = action_from_row(row)
        return found

    def actions(
        self,
        space: str,
        *,
        statuses: Collection[ActionStatus] = (),
        project: str | None = None,
        before: str | None = None,
        limit: int,
    ) -> Sequence[Action]:
        where, values = among(self._statements, "action.status", sorted(statuses)) if statuses else ("", {})
        if project is not None:
            where += "\nAND (action.project = :project OR action.project IS NULL)"
            values["project"] = project
        if before is not None:
            where += "\nAND action.id < :before"
            values["before"] = before
        sql = f"{self._statements['actions']}{where}\nORDER BY action.id DESC\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            return [action_from_row(row) for row in transaction.query(sql, space=space, limit=limit, **values)]

    def export_slots(self, space: str, *, after: str, limit: int) -> Sequence[Slot]:
        return [slot_from_row(row) for row in self._read(space, "slots_after", after=after, limit=limit)]

    def export_actions(self, space: str, *, after: str, limit: int) -> Sequence[Action]:
        return [action_from_row(row) for row in self._read(space, "actions_after", after=after, limit=limit)]

    def _read(self, space: str, statement: str, **values: Value) -> list[Row]:
        with self._database.reading(space) as transaction:
            return transaction.rows(statement, space=space, **values)
