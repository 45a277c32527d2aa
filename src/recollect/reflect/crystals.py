"""Pure: many sessions become one note that stands for them. It is made of trusted parts and is still only quoted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.answers.sessions import crystal_subject
from recollect.domain.notes import MAX_LINKS, Kind
from recollect.domain.observations import Observation, ObservationKind, Session
from recollect.reflect.sessions import trusted_line

FEWEST = 3  # sessions that are worth a crystal
MOST = 50  # sessions in one
NEWEST_LEFT = 2  # sessions that stay by themselves: an agent is told of them when it begins
_LONGEST = 8000  # characters


def ripe(sessions: Sequence[Session], reflected: set[str], *, now: datetime, days: int) -> list[Session]:
    """The sessions that can become one note, oldest first; none if there are too few."""
    newest = sorted(sessions, key=lambda session: (session.started_at, session.id), reverse=True)[NEWEST_LEFT:]
    edge = now - timedelta(days=days)
    found = [each for each in newest if each.ended_at and each.ended_at <= edge and each.id not in reflected]
    return found[::-1][:MOST] if len(found) >= FEWEST else []


def crystal_of(project: str | None, sessions: Sequence[tuple[Session, Sequence[Observation]]]) -> dict[str, Any]:
    """The fields of the note that stands for some sessions, oldest first."""
    first, last = sessions[0][0], sessions[-1][0]
    span = f"{first.started_at:%Y-%m-%d} to {last.ended_at or last.started_at:%Y-%m-%d}"
    lines = [f"{len(sessions)} sessions, {span}."]
    for session, observations in sessions:
        told = trusted_line(session, observations)
        if told:
            lines.append(f"{session.started_at:%Y-%m-%d}: {told}")
    prompts = (
        next((each.id for each in observations if each.kind is ObservationKind.PROMPT), None)
        for _, observations in sessions
    )
    return {
        "text": "\n".join(lines)[:_LONGEST],
        "kind": Kind.EPISODIC,
        "title": f"Work on {project or 'no project'}, {span}"[:160],
        "subject": crystal_subject(project),
        "tags": ("crystal",),
        "project": project,
        "occurred_at": last.ended_at or last.started_at,
        "derived_from": tuple(each for each in prompts if each)[:MAX_LINKS],
        "metadata": {"sessions": [session.id for session, _ in sessions]},
    }
