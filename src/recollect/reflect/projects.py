"""Pure: what a project comes to: what is talked about, which files are touched, what is agreed, what keeps failing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from recollect.domain.answers.sessions import Counted, ProjectProfile
from recollect.domain.notes import Note
from recollect.domain.observations import Activity, Observation, ObservationKind, Session
from recollect.recall.words import STOP_WORDS, words_of
from recollect.remember.echo import masked

_MOST = 12  # of each sort
_CHATTER = frozenset("please can could make let add fix want need use using run thanks ok yes no now still new".split())
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
        yield from words - STOP_WORDS - _CHATTER


def _most(names: Iterable[str]) -> tuple[Counted, ...]:
    counts = Counter(name for name in names if name)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Counted(name, times) for name, times in ordered[:_MOST])
