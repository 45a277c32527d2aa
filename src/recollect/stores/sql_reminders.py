"""Ids of the records that sessions were reminded of, in any SQL database: kept beside memory, and not for long."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.scopes import ANYWHERE, Scope
from recollect.stores.bound.bound_database import part_of
from recollect.stores.database import Database


class SqlReminders:
    """The records that each session was told before an act."""

    def __init__(self, database: Database, within: Scope = ANYWHERE) -> None:
        self._database, self._part = database, part_of(within)

    def told(self, space: str, session: str) -> frozenset[str]:
        with self._database.reading(space) as transaction:
            rows = transaction.rows("reminded", space=space, bound=self._part, session=session)
        return frozenset(str(record_id) for (record_id,) in rows)

    def claim(self, space: str, session: str, record_ids: Collection[str], at: datetime) -> frozenset[str]:
        key = {"space": space, "bound": self._part, "session": session, "at": format_time(at)}
        with self._database.jotting(space) as transaction:
            return frozenset(each for each in record_ids if transaction.rows("insert_reminded", **key, id=each))

    def begin_anew(self, space: str, session: str) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_reminded", space=space, bound=self._part, session=session)

    def expire(self, space: str, *, before: datetime) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_old_reminded", space=space, oldest=format_time(before))
