"""Pure: what a project comes to, and many sessions as one note that stands for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.answers.sessions import Counted, ProjectProfile, crystal_subject
from recollect.domain.notes import MAX_LINKS, Kind, Note
from recollect.domain.observations import Activity, Observation, ObservationKind, Session
from recollect.language.english.small_words import CHATTER, STOP_WORDS
from recollect.recall.words import words_of
from recollect.reflect.sessions import trusted_line
from recollect.remember.pipeline import masked

_MOST = 12  # of each sort
_TELLING = re.compile(r"[^\W\d_][\w-]{2,30}")


def project_profile(
    project: str,
    sessions: Sequence[tuple[Session, Sequence[Observation]]],
    notes: Sequence[Note],
    conventions: Sequence[Note],
) -> ProjectProfile:
    """A project as its sessions and notes show it, the most frequent first in each list."""
    observations = [each for _, some in sessions for each in some]
    prompts = [masked(each.text) for each in observations if each.kind is ObservationKind.PROMPT]
    worked = [each for each in observations if each.activity in (Activity.EDIT, Activity.WRITE)]
    return ProjectProfile(
        project=project,
        sessions=len(sessions),
        notes=len(notes),
        concepts=_most(_concepts([*prompts, *(note.text for note in notes)])),
        files=_most(file for each in worked for file in each.files),
        commands=_most(each.title for each in observations if each.activity is Activity.COMMAND and each.title),
        conventions=tuple(note.text for note in conventions[:_MOST]),
        errors=_most(each.title or "" for each in observations if each.kind is ObservationKind.TOOL_FAILURE),
        since=min((session.started_at for session, _ in sessions), default=None),
    )


def _concepts(texts: Iterable[str]) -> Iterable[str]:
    """The telling words, once for each text, so that one long text does not outweigh the rest."""
    for text in texts:
        words = {word for word in words_of(text) if _TELLING.fullmatch(word)}
        yield from words - STOP_WORDS - CHATTER


def _most(names: Iterable[str]) -> tuple[Counted, ...]:
    counts = Counter(name for name in names if name)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Counted(name, times) for name, times in ordered[:_MOST])


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
