"""Pure: a transcript as Claude Code writes it becomes the notices that its hooks would have given.

The format is internal to that program and changes, so whatever is not known is passed over. What a person typed, what
tools did and what the agent said last are told; what the program itself put in between is not. Dates are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from recollect.domain.clock import format_time, parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.surfaces.hooks.hosts import HOSTS, Moment
from recollect.surfaces.hooks.noticing import (
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

AGENT = HOSTS["claude-code"].name

# What the program writes in the person's place: commands to itself, what they put out, that it was interrupted.
_NOT_SAID = re.compile(r"<(?:local-command|command-name|command-message|bash-)|\[Request interrupted|Caveat: ")


@dataclass(frozen=True, slots=True)
class Told:
    """The notices of a transcript, in order; `unreadable` counts lines that are no JSON."""

    notices: tuple[Notice, ...]
    unreadable: int = 0


def notices_of(lines: Iterable[bytes], *, space: str | None = None) -> Told:
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
    return Told(tuple(told), unreadable)


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

    def notice(self, moment: Moment, key: str) -> Notice:
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
            asked = entry.notice(Moment.TOOL_USE, key_of(AGENT, entry.session, Moment.TOOL_USE, block["id"]))
            tools[block["id"]] = asked._replace(tool=block["name"], arguments=shortened(block.get("input")))
        elif sort == "tool_result" and block.get("tool_use_id") in tools:
            asked = tools.pop(block["tool_use_id"])
            if asked.tool and not is_ours(asked.tool):
                failed = block.get("is_error") is True
                moment = Moment.TOOL_FAILURE if failed else Moment.TOOL_USE
                yield asked._replace(moment=moment, at=entry.at, text=output_text(block.get("content")))
        elif sort == "text" and isinstance(text, str) and not entry.is_aside:
            if entry.kind == "assistant":
                key = key_of(AGENT, entry.session, Moment.STOP, entry.uuid, str(number))
                yield entry.notice(Moment.STOP, key)._replace(text=text[:LONGEST_OUTPUT])
                continue
            own = own_words(text)[:LONGEST_TEXT]
            if own and not _NOT_SAID.match(own):
                marks = (entry.prompt_id, digest(own)) if entry.prompt_id else (entry.uuid, str(number))
                key = key_of(AGENT, entry.session, Moment.PROMPT, *marks)
                yield entry.notice(Moment.PROMPT, key)._replace(text=own)


def _whole(notices: list[Notice]) -> Iterator[Notice]:
    """A session with its start and its end. Of what the agent said between tools, only the last words count."""
    if not notices:
        return
    yield _mark(notices[0], Moment.SESSION_START)
    for each, after in zip(notices, (*notices[1:], None), strict=True):
        if each.moment is not Moment.STOP or after is None or after.moment is Moment.PROMPT:
            yield each
    yield _mark(notices[-1], Moment.SESSION_END)


def _mark(beside: Notice, moment: Moment) -> Notice:
    """The start or the end of a session, at the moment of what is told first or last of it."""
    return beside._replace(moment=moment, key=key_of(AGENT, beside.session, moment), text="", tool=None, arguments=None)
