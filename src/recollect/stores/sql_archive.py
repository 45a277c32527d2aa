"""Sessions, observations, slots and actions, read from any SQL database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.desk import Action, ActionStatus, Slot
from recollect.domain.observations import Observation, Session
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.stores.conditions import among, found_by, in_pieces, known_by, told_in
from recollect.stores.database import Row, SqlPart, Value
from recollect.stores.records import (
    action_from_row,
    observation_from_row,
    session_from_row,
    slot_from_row,
    time_or_none,
)

# The ids of sessions that hold the passages of a file: `file-`, 24 digits, `-` and 16 digits.
_OF_FILES = f"file-{'_' * 24}-{'_' * 16}%"
_AFTER_ALL = ("~", "~")  # sorts behind every time and every id
_MOST_BEFORE = 500  # observations before a moment that are looked through, whoever they are of


def _held_in(scope: Scope) -> tuple[str, dict[str, Value]]:
    """A condition on observations: of a project and a user. In no project only those of that user."""
    named: dict[str, Value] = {
        name: value for name, value in (("project", scope.project), ("user", scope.user)) if value is not None
    }
    if scope.project is None:
        user = "IS NULL" if scope.user is None else "= :user"
        return f"\nAND observation.scope_project IS NULL AND observation.scope_user {user}", named
    of_user = "\nAND (observation.scope_user IS NULL OR observation.scope_user = :user)"
    return of_user if scope.user is not None else "", named


class SqlArchive(SqlPart):
    """Sessions and observations in an SQL database."""

    def session(self, space: str, session_id: str) -> Session | None:
        found = self._read(space, "session", id=session_id)
        return session_from_row(found[0]) if found else None

    def sessions(
        self,
        space: str,
        *,
        before: tuple[str, str] | None,
        limit: int,
        project: str | None = None,
        commit: str | None = None,
    ) -> Sequence[Session]:
        started_at, session_id = before or _AFTER_ALL
        where, values = "", dict[str, Value]()
        if project is not None:
            where, values["project"] = "\nAND scope_project = :project", project
        if commit is not None:
            # A commit may be named by its first digits; they are hexadecimal, so none of them is a pattern.
            where, values["commit"] = where + "\nAND commits LIKE :commit", f'%["{commit}%'
        sql = f"{self._statements['sessions_before']}{where}\n{self._statements['sessions_order']}\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            rows = transaction.query(
                sql, space=space, started_at=started_at, id=session_id, files=_OF_FILES, limit=limit, **values
            )
        return [session_from_row(row) for row in rows]

    def unreflected(
        self, space: str, *, limit: int, project: str | None = None, user: str | None = None
    ) -> Sequence[Session]:
        where, values = "", dict[str, Value]()
        if project is not None:
            where, values["project"] = "\nAND scope_project = :project", project
        if user is not None:
            where, values["user"] = where + "\nAND scope_user = :user", user
        order = self._statements["unreflected_order"]
        sql = f"{self._statements['unreflected_sessions']}{where}\n{order}\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            rows = transaction.query(sql, space=space, files=_OF_FILES, limit=limit, **values)
        return [session_from_row(row) for row in rows]

    def beside(
        self,
        space: str,
        moment: tuple[str, str],
        *,
        later: bool,
        limit: int,
        session_id: str | None = None,
        project: str | None = None,
    ) -> Sequence[Observation]:
        statement = "observations_later" if later else "observations_earlier"
        where, values = "", dict[str, Value]()
        if session_id is not None:
            where, values["session_id"] = "\nAND observation.session_id = :session_id", session_id
        if project is not None:
            where, values["project"] = f"{where}\n{self._statements['of_project']}", project
        order = "ASC" if later else "DESC"
        sql = f"{self._statements[statement]}{where}\nORDER BY observation.observed_at {order}, observation.id {order}"
        with self._database.reading(space) as transaction:
            rows = transaction.query(
                f"{sql}\nLIMIT :limit", space=space, at=moment[0], id=moment[1], limit=limit, **values
            )
        return [observation_from_row(row) for row in rows]

    def shortly_before(
        self, space: str, moment: tuple[str, str], *, since: str, limit: int, session_id: str | None, scope: Scope
    ) -> Sequence[Observation]:
        sql, values = self.asked_shortly_before(moment, since=since, limit=limit, session_id=session_id, scope=scope)
        with self._database.reading(space) as transaction:
            rows = transaction.query(sql, space=space, **values)
        return [observation_from_row(row) for row in rows]

    def asked_shortly_before(
        self, moment: tuple[str, str], *, since: str, limit: int, session_id: str | None, scope: Scope
    ) -> tuple[str, dict[str, Value]]:
        """The statement of `shortly_before`, and what it binds beside the space."""
        order = "ORDER BY observation.observed_at DESC, observation.id DESC\nLIMIT :limit"
        bounds: dict[str, Value] = {"at": moment[0], "id": moment[1], "since": since, "limit": limit}
        if session_id is not None:
            where = "\nAND observation.observed_at >= :since AND observation.session_id = :session_id"
            return f"{self._statements['observations_earlier']}{where}\n{order}", bounds | {"session_id": session_id}
        where, values = _held_in(scope)
        if "project" in values:
            where += f"\n{self._statements['held_in_project']}"
        values |= bounds | {"reach": _MOST_BEFORE}
        return f"{self._statements['observations_shortly_before']}{where}\n{order}", values

    def session_size(self, space: str, session_id: str) -> int:
        [(count,)] = self._read(space, "session_size", session_id=session_id)
        return int(count)

    def observation(self, space: str, observation_id: str) -> Observation | None:
        found = self._read(space, "observation", id=observation_id)
        return observation_from_row(found[0]) if found else None

    def those(self, space: str, observation_ids: Sequence[str]) -> dict[str, Observation]:
        rows = self._read_among(space, "some_observations", "observation.id", observation_ids)
        return {observation.id: observation for observation in map(observation_from_row, rows)}

    def observations(self, space: str, session_id: str, *, after: int, limit: int) -> Sequence[Observation]:
        rows = self._read(space, "observations", session_id=session_id, position=after, limit=limit)
        return [observation_from_row(row) for row in rows]

    def around(self, space: str, observation_ids: Sequence[str], *, reach: int) -> Sequence[Observation]:
        found: dict[str, Observation] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(observation_ids):
                where, values = among(self._statements, "middle.id", some)
                sql = f"{self._statements['observations_around']}{where}"
                for row in transaction.query(sql, space=space, reach=reach, **values):
                    if row[0] not in found:
                        found[row[0]] = observation_from_row(row)
        return sorted(found.values(), key=lambda observation: (observation.session_id, observation.position))

    def matching(
        self,
        space: str,
        words: Sequence[str],
        *,
        until: datetime | None,
        limit: int,
        since: datetime | None = None,
        beginnings: bool = False,
        scope: Scope = ANYWHERE,
    ) -> Sequence[Observation]:
        if not words:
            return []
        where, told = told_in(scope)
        order = self._statements["observations_matching_order"]
        sql = f"{self._statements['observations_matching']}{where}\n{order}\nLIMIT :limit"
        values = {"space": space, "since": time_or_none(since), "until": time_or_none(until), "limit": limit, **told}
        with self._database.reading(space) as transaction:
            rows = found_by(
                self._database, transaction, "observation_words", words, sql, beginnings=beginnings, **values
            )
        return [observation_from_row(row) for row in rows]

    def ids(self, space: str, scope: Scope) -> Sequence[str]:
        where, values = told_in(scope)
        with self._database.reading(space) as transaction:
            rows = transaction.query(f"{self._statements['told_ids']}{where}", space=space, **values)
        return [row[0] for row in rows]

    def due(self, space: str, at: datetime, *, after: str, limit: int) -> Sequence[str]:
        rows = self._read(space, "due_observations", at=format_time(at), after=after, limit=limit)
        return [row[0] for row in rows]

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        return known_by(self._database, "observation_with", words, space=space)

    def derived_notes(self, space: str, observation_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {observation_id: [] for observation_id in observation_ids}
        for target, note_id in self._read_among(space, "derived_notes", "target_id", observation_ids):
            found[target].append(note_id)
        return {observation_id: tuple(sorted(note_ids)) for observation_id, note_ids in found.items()}

    def retracted_notes(self, space: str, observation_ids: Sequence[str]) -> Sequence[str]:
        found = self._read_among(space, "retracted_notes", "link.target_id", observation_ids)
        return sorted({note_id for (note_id,) in found})

    def export_sessions(self, space: str, *, after: str, limit: int) -> Sequence[Session]:
        return [session_from_row(row) for row in self._read(space, "sessions_after", after=after, limit=limit)]

    def export_observations(self, space: str, *, after: str, limit: int) -> Sequence[Observation]:
        return [observation_from_row(row) for row in self._read(space, "observations_after", after=after, limit=limit)]

    def counts(self, space: str) -> tuple[int, int]:
        with self._database.reading(space) as transaction:
            [(sessions,)] = transaction.rows("count_sessions", space=space)
            [(observations,)] = transaction.rows("count_observations", space=space)
        return sessions, observations

    def verdicts(self, space: str) -> dict[str, int]:
        return {row[0]: row[1] for row in self._read(space, "verdicts")}

    def files(self, space: str, root: str) -> dict[str, tuple[str, str]]:
        return {path: (sha256, session_id) for path, sha256, session_id in self._read(space, "files", root=root)}

    def _read_among(self, space: str, statement: str, column: str, members: Sequence[str]) -> list[Row]:
        found: list[Row] = []
        with self._database.reading(space) as transaction:
            for some in in_pieces(members):
                where, values = among(self._statements, column, some)
                found += transaction.query(f"{self._statements[statement]}{where}", space=space, **values)
        return found


class SqlDesk(SqlPart):
    """Slots and actions in an SQL database."""

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
