"""Pure: the JSON a host puts on standard input becomes a notice, and what memory says becomes the JSON it expects.

A notice is what goes to the server or into the spool. It has a key by which the same happening is known again, however
often and by whichever way it is told.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.domain.errors import NotFound
from recollect.domain.late import Late
from recollect.domain.text import beginning
from recollect.surfaces.hooks.hosts import HOSTS, HookForm, HookHost, HookMoment, event_of, moment_named

LONGEST_TEXT = 100_000  # characters of a prompt; what tools put out is cut much shorter when it is kept
LONGEST_OUTPUT = 16_000  # characters of what a tool said or was given that are handed on

# What hosts and we ourselves put around a prompt is not part of it.
_AROUND = Late(r"<(hook_context|system-reminder|recollect)\b[^>]*>.*?(?:</\1\b[^>]*>|\Z)", re.DOTALL)
_OURS = Late(r"(?:^|_)recollect(?:_|$)")
_LONGEST_NAME = 200  # characters of an id of the host's


class Notice(NamedTuple):
    """Something happened in a session. `at` is ISO 8601 in UTC; what is empty or `None` was not said."""

    moment: HookMoment
    agent: str
    session: str
    key: str
    at: str
    folder: str | None = None
    text: str = ""
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    source: str = ""  # of a session's start: why it began
    project: str | None = None  # the server looks it up where it is missing
    branch: str | None = None
    space: str | None = None
    untold: bool = False  # a start that got no answer: the session is told with its next prompt

    def as_line(self) -> bytes:
        """On one line, without what was not said."""
        said = {name: value for name, value in self._asdict().items() if value not in (None, "", False)}
        return json.dumps(said, separators=(",", ":")).encode("ascii")


class HeardNotice(NamedTuple):
    """A host's message, understood: `notice` is `None` if it is not worth keeping."""

    host: HookHost
    moment: HookMoment
    notice: Notice | None


def heard(agent: str, event: str, said: bytes, *, at: str, new_id: str, space: str | None = None) -> HeardNotice:
    """Read what a host said in its own JSON; `NotFound` if there is no such host or it has no such event."""
    host = HOSTS.get(agent)
    moment = moment_named(host, event) if host else None
    if host is None or moment is None:
        raise NotFound(f"There is no `{event[:60]}` of `{agent[:60]}`.", code="unknown_hook")
    try:
        payload = json.loads(said.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        payload = None
    notice = noticed(host, moment, payload, at=at, new_id=new_id) if isinstance(payload, dict) else None
    return HeardNotice(host, moment, notice._replace(space=space) if notice else None)


def notice_in(line: bytes | str) -> Notice | None:
    """The notice on a line; `None` if there is none to be read."""
    try:
        return notice_from(json.loads(line))
    except (ValueError, RecursionError):
        return None


def notice_from(said: object) -> Notice | None:
    """A notice from plain values; `None` if they are not one."""
    try:
        if not isinstance(said, dict):
            return None
        found = Notice(**{**said, "moment": HookMoment(said["moment"])})
    except (KeyError, TypeError, ValueError):
        return None
    texts = (found.agent, found.session, found.key, found.at, found.text, found.source)
    maybe = (found.folder, found.tool, found.project, found.branch, found.space)
    is_sound = (
        all(isinstance(each, str) for each in texts)
        and all(each is None or isinstance(each, str) for each in maybe)
        and (found.arguments is None or isinstance(found.arguments, dict))
        and found.session
        and found.key
    )
    return found if is_sound else None


def noticed(host: HookHost, moment: HookMoment, payload: Mapping[str, Any], *, at: str, new_id: str) -> Notice | None:
    """The notice in a host's JSON; `None` if not worth keeping. `new_id` is its key where the host gives no id."""

    def text(name: str) -> str:
        found = _at(payload, host.fields.get(name, ()))
        return found if isinstance(found, str) else ""

    session = beginning(text("session"), _LONGEST_NAME)
    if not session:
        return None
    plain = Notice(moment, host.name, session, new_id, at, folder=text("folder") or None)
    match moment:
        case HookMoment.PROMPT:
            own = beginning(own_words(text("prompt")), LONGEST_TEXT)
            if not own:
                return None
            # What a program or another agent asked for is not the person's word.
            typed = not text("within") and text("source") not in host.not_typed
            kept = HookMoment.PROMPT if typed else HookMoment.TASK
            key = (
                key_of(host.name, session, HookMoment.PROMPT, text("prompt_id"), digest(own))
                if text("prompt_id")
                else ""
            )
            return plain._replace(moment=kept, text=own, key=key or new_id)
        case HookMoment.TOOL_USE | HookMoment.TOOL_FAILURE | HookMoment.BEFORE_TOOL:
            return _tool_notice(host, plain, payload)
        case HookMoment.STOP | HookMoment.SUBAGENT_STOP:
            return plain._replace(text=beginning(text("said"), LONGEST_OUTPUT))
        case HookMoment.TASK:
            return plain._replace(text=beginning(text("task"), LONGEST_OUTPUT)) if text("task") else None
        case HookMoment.NOTIFICATION:
            said = beginning(text("message"), LONGEST_OUTPUT)
            return plain._replace(text=said) if said and text("sort") not in host.passed_over else None
        case HookMoment.SESSION_START | HookMoment.SESSION_END:
            return plain._replace(source=beginning(text("source"), _LONGEST_NAME))
        case HookMoment.PRE_COMPACT:
            return plain


def answer(host: HookHost, moment: HookMoment, context: str) -> str:
    """The text for standard output; empty where there is nothing to say or nobody to listen."""
    if not context or moment not in host.told:
        return ""
    match host.form:
        case HookForm.SPECIFIC:
            told = {"hookEventName": event_of(host, moment), "additionalContext": context}
            return json.dumps({"hookSpecificOutput": told})
        case HookForm.CURSOR:
            return json.dumps({"additional_context": context})
        case HookForm.PLAIN:
            return json.dumps({"context": context})


def own_words(prompt: str) -> str:
    """A prompt without what hosts and we put around it."""
    return (_AROUND.sub("", prompt) if "<" in prompt else prompt).strip()


def is_ours(tool: str) -> bool:
    """Whether a tool is one of Recollect's: what it answers is memory already."""
    return bool(_OURS.search(tool.lower()))


def key_of(agent: str, session: str, moment: HookMoment, *marks: str) -> str:
    """The key of a happening that its host has an id for: the same for a hook and for a transcript."""
    return f"hook-{digest(json.dumps([agent, session, moment.value, *marks]))}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def output_text(found: object) -> str:
    """The output of a tool as text: its streams, its texts, or the whole as JSON."""
    if isinstance(found, str):
        return beginning(found, LONGEST_OUTPUT)
    if isinstance(found, Mapping):
        streams = [found[name] for name in ("stdout", "stderr") if isinstance(found.get(name), str)]
        if streams:
            return beginning("\n".join(stream for stream in streams if stream), LONGEST_OUTPUT)
    if isinstance(found, list):
        texts = [each["text"] for each in found if isinstance(each, Mapping) and isinstance(each.get("text"), str)]
        if texts:
            return beginning("\n".join(texts), LONGEST_OUTPUT)
    return "" if found is None else beginning(json.dumps(found, ensure_ascii=False, default=str), LONGEST_OUTPUT)


def shortened(arguments: object) -> dict[str, Any] | None:
    """The arguments of a tool with long texts cut: the whole of a file that was written is in the file."""
    if not isinstance(arguments, Mapping):
        return None
    return {
        beginning(str(name), _LONGEST_NAME): beginning(value, LONGEST_OUTPUT)
        if isinstance(value, str)
        else _small(value)
        for name, value in list(arguments.items())[:50]
    }


def _tool_notice(host: HookHost, plain: Notice, payload: Mapping[str, Any]) -> Notice | None:
    tool = _at(payload, host.fields["tool"])
    if not isinstance(tool, str) or not tool or is_ours(tool) or _at(payload, host.fields["interrupted"]) is True:
        return None
    error = _at(payload, host.fields["error"])
    moment = HookMoment.TOOL_FAILURE if error and plain.moment is HookMoment.TOOL_USE else plain.moment
    found = error if moment is HookMoment.TOOL_FAILURE else _at(payload, host.fields["output"])
    if moment is HookMoment.BEFORE_TOOL:
        found = None
    named = _at(payload, host.fields["tool_id"])
    return plain._replace(
        moment=moment,
        tool=beginning(tool, _LONGEST_NAME),
        text=output_text(found),
        arguments=shortened(_at(payload, host.fields["arguments"])),
        key=key_of(host.name, plain.session, HookMoment.TOOL_USE, named) if isinstance(named, str) else plain.key,
    )


def _small(value: object) -> Any:
    spelled = json.dumps(value, default=str)
    return value if len(spelled) <= LONGEST_OUTPUT else beginning(spelled, LONGEST_OUTPUT)


def _at(payload: Mapping[str, Any], paths: tuple[str, ...]) -> Any:
    """The value at the first path that leads somewhere; `None` if none does."""
    for path in paths:
        found: Any = payload
        for step in path.split("."):
            if isinstance(found, Mapping):
                found = found.get(step)
            elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
                found = found[int(step)]
            else:
                found = None
        if found is not None:
            return found
    return None
