"""A copy of the database that answers questions for callers who are content with an answer some seconds old.

How far it is behind is measured on the copy itself, and never too small: the age of the last commit it has seen, or,
where it may look and has replayed all it received, the age of the last word from the primary. A copy that is too far
behind, or away, is passed over, and nobody waits for it.
"""

from __future__ import annotations

import logging
import threading
from time import monotonic
from typing import TYPE_CHECKING

from recollect.domain.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.stores.postgres.database import PostgresDatabase

PATIENCE = 1.0  # seconds to reach it
_ASKED_AGAIN = 0.25  # seconds for which a measurement holds; they are added to it
_AWAY = 10.0  # seconds after which one that was away is tried again

# The database that takes the writes is behind by nothing.
_BEHIND = """SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0 ELSE least(
    extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()),
    CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN (
        SELECT extract(epoch FROM clock_timestamp() - last_msg_receipt_time) FROM pg_stat_wal_receiver
        WHERE status = 'streaming'
    ) END
) END"""

_log = logging.getLogger("recollect.replica")


class Replica:
    """A database that follows another one, reached when it is first asked for."""

    def __init__(self, reach: Callable[[], PostgresDatabase]) -> None:
        self._reach = reach
        self._lock = threading.Lock()
        self._database: PostgresDatabase | None = None
        self._behind, self._measured_at, self._away_until = float("inf"), float("-inf"), float("-inf")

    def within(self, seconds: float) -> PostgresDatabase | None:
        """The database, if what it has is at most so many seconds old; `None` if it is older or away."""
        with self._lock:
            now = monotonic()
            if now < self._away_until:
                return None
            if now - self._measured_at > _ASKED_AGAIN:
                try:
                    self._measure()
                except RecollectError as problem:
                    _log.warning("the replica is passed over: %s", problem)
                    self._away_until = monotonic() + _AWAY
                    return None
            return self._database if self._behind + monotonic() - self._measured_at <= seconds else None

    def _measure(self) -> None:
        if self._database is None:
            self._database = self._reach()
        began = monotonic()
        with self._database.reading(None) as transaction:
            [(behind,)] = transaction.query(_BEHIND)
        self._behind, self._measured_at = float("inf") if behind is None else max(0.0, float(behind)), began

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
