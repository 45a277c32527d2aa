"""Pure: a transcript becomes the notices its hooks would have given, less those that are known already.

The format is internal to that program and changes, so whatever is not known is passed over. What a person typed, what
tools did and what the agent said last are told; what the program itself put in between is not. Dates are kept.

A hook or an import may have kept the same happening under another key, or under none. So it is known by the words that
would be kept of it: as often as they are there, they are not told again.

Git says in its answer what it made, if only by the beginning of its id. Where it was told to be quiet, the log of the
repository knows.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from recollect.domain.clock import format_time, parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.redaction.clean_records import checked_text
from recollect.redaction.redactor import redact
from recollect.remember.activity import Event, activity_of, seen
from recollect.surfaces.hooks.hosts import HOSTS, HookMoment
from recollect.surfaces.hooks.notice import (
    LONGEST_OUTPUT,
    LONGEST_TEXT,
    Notice,
    digest,
    is_ours,
    key_of,
    output_text,
    own_words,
    shortened,
)
from recollect.workspace.repositories import Logged

AGENT = HOSTS["claude-code"].name

# What the program writes in the person's place: commands to itself, what they put out, that it was interrupted.
_NOT_SAID = re.compile(r"<(?:local-command|command-name|command-message|bash-)|\[Request interrupted|Caveat: ")


@dataclass(frozen=True, slots=True)
class TranscriptNotice:
    """The notices of a transcript, in order; `unreadable` counts lines that are no JSON."""

    notices: tuple[Notice, ...]
    unreadable: int = 0


def notices_of(lines: Iterable[bytes], *, space: str | None = None) -> TranscriptNotice:
    """The notices of every session in a transcript: its start, what happened, its end."""
    sessions: dict[str, list[Notice]] = {}
    tools: dict[str, Notice] = {}
    unreadable = 0
    seen: set[str] = set()
    for line in lines:
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            unreadable += 1
            continue
        found = _entry(entry)
        if found is None or found.uuid in seen:
            continue
        seen.add(found.uuid)
        notices = sessions.setdefault(found.session, [])
        notices += (each._replace(space=space) for each in _notices(found, tools))
    told = [each for notices in sessions.values() for each in _whole(notices)]
    return TranscriptNotice(tuple(told), unreadable)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of a transcript that is part of the conversation."""

    kind: str
    uuid: str
    session: str
    at: str
    folder: str | None
    branch: str | None
    prompt_id: str
    blocks: tuple[Mapping[str, Any], ...]
    is_aside: bool  # of a subagent

    def notice(self, moment: HookMoment, key: str) -> Notice:
        return Notice(moment, AGENT, self.session, key, self.at, folder=self.folder, branch=self.branch)


def _entry(entry: Any) -> _Entry | None:
    """A line as far as it is known; `None` for what the program keeps for itself."""
    if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
        return None
    if any(entry.get(mark) for mark in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return None
    message, session = entry.get("message"), entry.get("sessionId")
    if not isinstance(message, dict) or not isinstance(session, str) or not session:
        return None
    try:
        at = format_time(parse_time(entry.get("timestamp") or "", field="timestamp"))
    except (InvalidInput, TypeError, AttributeError):
        return None
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return _Entry(
        kind=entry["type"],
        uuid=str(entry.get("uuid") or digest(json.dumps(entry, default=str))),
        session=session,
        at=at,
        folder=entry["cwd"] if isinstance(entry.get("cwd"), str) else None,
        branch=entry["gitBranch"] if isinstance(entry.get("gitBranch"), str) and entry["gitBranch"] else None,
        prompt_id=str(entry.get("promptId") or ""),
        blocks=tuple(each for each in blocks if isinstance(each, dict)) if isinstance(blocks, list) else (),
        is_aside=entry.get("isSidechain") is True,
    )


def _notices(entry: _Entry, tools: dict[str, Notice]) -> Iterator[Notice]:
    """The notices of a line. A call of a tool is kept in `tools` until its result comes."""
    for number, block in enumerate(entry.blocks):
        sort, text = block.get("type"), block.get("text")
        if sort == "tool_use" and isinstance(block.get("id"), str) and isinstance(block.get("name"), str):
            asked = entry.notice(HookMoment.TOOL_USE, key_of(AGENT, entry.session, HookMoment.TOOL_USE, block["id"]))
            tools[block["id"]] = asked._replace(tool=block["name"], arguments=shortened(block.get("input")))
        elif sort == "tool_result" and block.get("tool_use_id") in tools:
            asked = tools.pop(block["tool_use_id"])
            if asked.tool and not is_ours(asked.tool):
                failed = block.get("is_error") is True
                moment = HookMoment.TOOL_FAILURE if failed else HookMoment.TOOL_USE
                yield asked._replace(moment=moment, at=entry.at, text=output_text(block.get("content")))
        elif sort == "text" and isinstance(text, str) and not entry.is_aside:
            if entry.kind == "assistant":
                key = key_of(AGENT, entry.session, HookMoment.STOP, entry.uuid, str(number))
                yield entry.notice(HookMoment.STOP, key)._replace(text=text[:LONGEST_OUTPUT])
                continue
            own = own_words(text)[:LONGEST_TEXT]
            if own and not _NOT_SAID.match(own):
                marks = (entry.prompt_id, digest(own)) if entry.prompt_id else (entry.uuid, str(number))
                key = key_of(AGENT, entry.session, HookMoment.PROMPT, *marks)
                yield entry.notice(HookMoment.PROMPT, key)._replace(text=own)


def _whole(notices: list[Notice]) -> Iterator[Notice]:
    """A session with its start and its end. Of what the agent said between tools, only the last words count."""
    if not notices:
        return
    yield _mark(notices[0], HookMoment.SESSION_START)
    for each, after in zip(notices, (*notices[1:], None), strict=True):
        if each.moment is not HookMoment.STOP or after is None or after.moment is HookMoment.PROMPT:
            yield each
    yield _mark(notices[-1], HookMoment.SESSION_END)


def _mark(beside: Notice, moment: HookMoment) -> Notice:
    """The start or the end of a session, at the moment of what is told first or last of it."""
    return beside._replace(moment=moment, key=key_of(AGENT, beside.session, moment), text="", tool=None, arguments=None)


_EVENTS = {
    HookMoment.PROMPT: Event.PROMPT,
    HookMoment.TOOL_USE: Event.TOOL_USE,
    HookMoment.TOOL_FAILURE: Event.TOOL_FAILURE,
}


def unheard(notices: Iterable[Notice], kept: Iterable[Observation]) -> Iterator[Notice]:
    """The notices of one session without those of which the words are among what was kept, each counted once."""
    left = Counter((observation.kind, observation.text) for observation in kept)
    for notice in notices:
        words = _words_of(notice)
        if words is not None and left[words] > 0:
            left[words] -= 1
            continue
        yield notice


def _words_of(notice: Notice) -> tuple[ObservationKind, str] | None:
    """The kind and the text that would be kept of a notice; `None` for one that only marks a moment."""
    try:
        if notice.moment is HookMoment.STOP:
            return ObservationKind.MESSAGE, checked_text(redact(notice.text).text)
        if notice.moment not in _EVENTS:
            return None
        told = seen(
            _EVENTS[notice.moment], notice.text, tool=notice.tool, arguments=notice.arguments, folder=notice.folder
        )
        return told.kind, checked_text(redact(checked_text(told.text)).text)
    except RecollectError:
        return None


# Each repeat has a limit: the command is an agent's, of any length, and every `;` in it may begin another one.
_COMMIT = re.compile(
    r"(?:^|[;&|(\n])[^\S\n]*+(?:\w{1,64}+=\S{0,256}+\s++){0,8}+"
    r"git\s++(?:-\S{1,256}+\s++(?:[^-\s]\S{0,256}+\s++)?+){0,16}+commit(?![\w-])"
)
_SAID = re.compile(r"^\[(?P<where>[^\]\n]{1,200}?) (?P<sha>[0-9a-f]{7,64})\] (?P<message>[^\n]*)", re.MULTILINE)
_JUST_NOW = timedelta(minutes=15)  # what a tool does after it has committed may take its time
_A_SECOND = timedelta(seconds=1)  # clocks are not that exact


class Committed(NamedTuple):
    """A commit that was made. The id is the beginning of one where nothing else is known."""

    sha: str
    message: str


def is_commit(notice: Notice) -> bool:
    """Whether a tool was told to commit, and did not fail."""
    if notice.moment is not HookMoment.TOOL_USE or not notice.tool or activity_of(notice.tool) is not Activity.COMMAND:
        return False
    return any(_COMMIT.search(command) for command in _commands(notice))


def committed(notice: Notice, log: Sequence[Logged]) -> Committed | None:
    """The commit that was made, with the help of what the repository's log says, oldest first."""
    said = _SAID.search(notice.text)
    if said is not None:
        whole = next((each for each in reversed(log) if each.sha.startswith(said["sha"])), None)
        return Committed(whole.sha if whole else said["sha"], said["message"].strip())
    if not log:
        return None
    last = log[-1]
    ago = parse_time(notice.at, field="at") - datetime.fromtimestamp(last.at, UTC)
    return Committed(last.sha, last.message) if -_A_SECOND <= ago <= _JUST_NOW else None


def _commands(notice: Notice) -> list[str]:
    """The command lines that a shell was given: as a line, or as words of which the last is the line."""
    given = notice.arguments or {}
    told = [given.get(name) for name in ("command", "cmd", "script")]
    lines = [each[-1] if isinstance(each, list) and each else each for each in told]
    return [line for line in lines if isinstance(line, str)]
