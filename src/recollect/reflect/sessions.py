"""Pure: a session in a few lines, without a model: what was asked, where, what was touched and run, how it ended.

A digest that goes into somebody's context by itself is built from trusted parts only: the person's own prompts, the
branch, the names of files, the beginnings of commands. What tools put out, and what models said, is not among them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.domain.answers.sessions import Counted, SessionDigest
from recollect.domain.observations import Activity, Observation, ObservationKind, Session
from recollect.domain.origin import TYPED
from recollect.remember.pipeline import masked

MOST_LISTED = 12  # files and commands of a digest
_LONGEST_ASK = 300  # characters
_LONGEST_OUTCOME = 300
_SHORT = 80  # characters of one thing in a line
_NOT_ENDED = "it has not ended"

_COMMAND_WORD = re.compile(r"[A-Za-z0-9_./:@=+-]{1,40}")
_FILE = re.compile(r"[^\s<>`\"'|;&$(){}\[\]\\][^<>`\"'|;&$(){}\[\]\\]{0,199}")


def digest_of(session: Session, observations: Sequence[Observation]) -> SessionDigest:
    """A session in a few lines. `observations` are all of it, in order."""
    prompts = _prompts(observations)
    return SessionDigest(
        session=session,
        ask=_ask(prompts),
        prompts=len(prompts),
        files=_counted(
            [file for each in observations if each.activity in _TOUCHING for file in each.files]
            or [file for each in observations for file in each.files]
        ),
        commands=_counted(each.title for each in observations if each.activity is Activity.COMMAND and each.title),
        failures=sum(each.kind is ObservationKind.TOOL_FAILURE for each in observations),
        outcome=_outcome(session, observations),
        open_ends=tuple(_open_ends(session, observations)),
        observations=len(observations),
        seconds=_seconds(session, observations),
    )


def slots_of(digest: SessionDigest) -> dict[str, str]:
    """The slots that a session can fill, by label: what it left undone, what it ran, which files it is about."""
    told = {
        "pending_items": [each for each in digest.open_ends if each != _NOT_ENDED],
        "session_patterns": [f"{each.name} ({each.times})" for each in digest.commands],
        "project_context": [f"{each.name} ({each.times})" for each in digest.files],
    }
    headings = {"session_patterns": "Commands of the last session: ", "project_context": "Files of the last session: "}
    found = {label: "\n".join(lines) for label, lines in told.items() if lines and label not in headings}
    return found | {label: heading + ", ".join(told[label]) for label, heading in headings.items() if told[label]}


def asked_first(observations: Sequence[Observation]) -> str | None:
    """The wish a session began with, for a list of sessions; `None` if nobody asked for anything."""
    return _ask(_prompts(observations)) or None


def trusted_line(session: Session, observations: Sequence[Observation]) -> str:
    """A session as it may enter a context by itself; nothing if nothing in it can be trusted."""
    prompts = [each for each in _prompts(observations) if each.origin.channel in TYPED]
    digest = digest_of(session, observations)
    ask = _ask(prompts)
    files = [each.name for each in digest.files if _FILE.fullmatch(each.name)]
    commands = _counted(_beginning(each.title) for each in observations if each.activity is Activity.COMMAND)
    parts = [f"Asked: {ask}"] if ask else []
    if session.branch:
        parts.append(f"Branch: {session.branch[:_SHORT]}")
    if files:
        more = f" and {len(files) - 6} more" if len(files) > 6 else ""
        parts.append(f"Files: {', '.join(file[:_SHORT] for file in files[:6])}{more}")
    if commands:
        parts.append("Ran: " + ", ".join(f"{each.name} ({each.times})" for each in commands[:6] if each.name))
    if session.commits:
        parts.append("Commits: " + ", ".join(commit.sha[:10] for commit in session.commits[-5:]))
    return " · ".join(parts) if ask or files or commands else ""


def _is_said(observation: Observation) -> bool:
    return observation.kind is ObservationKind.MESSAGE and observation.role == "user"


def _prompts(observations: Sequence[Observation]) -> list[Observation]:
    return [each for each in observations if each.kind is ObservationKind.PROMPT or _is_said(each)]


def _ask(prompts: Sequence[Observation]) -> str:
    """The first thing the person asked for, in their own words; what they only pasted is left out."""
    for prompt in prompts:
        own = " ".join(masked(prompt.text).split())
        if own and not re.fullmatch(r"/[\w:-]+(?: \S{0,40})?", own):  # a command to the program is no wish
            return own if len(own) <= _LONGEST_ASK else own[: _LONGEST_ASK - 1] + "…"
    return ""


def _outcome(session: Session, observations: Sequence[Observation]) -> str:
    """How it ended: its commits, or the last thing that was reported."""
    if session.commits:
        last = session.commits[-1]
        told = f"{last.sha[:10]} {last.message}".strip()
        return told if len(session.commits) == 1 else f"{len(session.commits)} commits, the last {told}"
    for each in reversed(observations):
        said = each.kind is ObservationKind.MESSAGE and each.role == "assistant"
        if said or each.kind in (ObservationKind.SUBAGENT, ObservationKind.TASK):
            text = " ".join(each.text.split())
            return text if len(text) <= _LONGEST_OUTCOME else text[: _LONGEST_OUTCOME - 1] + "…"
    return ""


def _open_ends(session: Session, observations: Sequence[Observation]) -> list[str]:
    """The loose ends of a session: tools that failed and did not succeed later, a last request unanswered, no end."""
    failed: dict[str, None] = {}
    for each in observations:
        if each.kind is ObservationKind.TOOL_FAILURE and each.title:
            failed[each.title] = None
        elif each.kind is ObservationKind.TOOL_USE and each.title:
            failed.pop(each.title, None)
    ends = [f"failed: {title}" for title in list(failed)[-MOST_LISTED:]]
    if observations and observations[-1].kind is ObservationKind.PROMPT:
        ends.append(f"unanswered: {_ask(observations[-1:])[:_SHORT]}")
    if session.ended_at is None:
        ends.append(_NOT_ENDED)
    return ends


def _seconds(session: Session, observations: Sequence[Observation]) -> float:
    moments: list[datetime] = [each.observed_at for each in observations]
    end = session.ended_at or max(moments, default=session.started_at)
    return max(0.0, (end - session.started_at).total_seconds())


def _beginning(command: str | None) -> str:
    """The program and what it was told to do, and no more: the rest may hold anything."""
    words = [word for word in (command or "").split()[:2] if _COMMAND_WORD.fullmatch(word)]
    return " ".join(words[:1] if len(words) > 1 and words[1].startswith("-") else words)


def _counted(names: Iterable[str | None]) -> tuple[Counted, ...]:
    """Names with how often they came up, the most frequent first; of equals, the one that came first."""
    counts = Counter(name for name in names if name)
    return tuple(Counted(name, times) for name, times in counts.most_common(MOST_LISTED))


_TOUCHING = frozenset({Activity.EDIT, Activity.WRITE})
