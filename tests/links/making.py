"""Messages, links and judgements for tests, made in one line each."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from recollect.domain.changes import AddObservation, Changes, OpenSession, WriteJudgement
from recollect.domain.links.statement_link import Judgement, Stance, StatementLink, StatementRelation
from recollect.domain.observations import Observation, ObservationKind, Session
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.writing import TESTER

MODEL = "tiny-judge"


def said(store: SqlStore, clock: SteadyClock, text: str, *, space: str = "alice", **fields: Any) -> Observation:
    """A message that is kept, without being judged."""
    now = clock.now()
    own: dict[str, Any] = {"observed_at": now, "role": "user", **fields}
    message = Observation(
        clock.new_id(), space, "talk", 0, ObservationKind.MESSAGE, text, recorded_at=now, origin=TESTER, **own
    )
    edits = (OpenSession(Session("talk", space, now, origin=TESTER)), AddObservation(message))
    store.apply(Changes(space, "test", now, TESTER, edits))
    return message


def linked(older: str, newer: str, at: datetime, **fields: Any) -> StatementLink:
    own: dict[str, Any] = {"relation": StatementRelation.REPLACES, "score": 0.9, "model": MODEL, **fields}
    return StatementLink(older, newer, judged_at=at, **own)


def judged(
    store: SqlStore,
    clock: SteadyClock,
    newer: str,
    *older: str,
    space: str = "alice",
    version: int = 0,
    score: float = 0.9,
) -> Judgement:
    """A judgement that is kept: the newer record replaces each of the older ones."""
    now = clock.now()
    links = tuple(linked(each, newer, now, score=score) for each in older)
    judgement = Judgement(newer, version, MODEL, Stance.ASSERTED, 0.95, now, links)
    store.apply(Changes(space, "test", now, TESTER, (WriteJudgement(judgement),)))
    return judgement
