"""Records that another system's clients send: events that hooks of coding agents saw, and whole exports.

Events are kept by `observe`. Of an export one request may hold so much; it is taken in by pieces, with what failed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.dialects.shapes import pairs, some
from recollect.dialects.tool import Doer
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.redaction.clean_records import clean

if TYPE_CHECKING:
    from recollect.remember.foreign.findings import FoundMemory


_EVENTS = pairs(
    "prompt_submit=prompt post_tool_use=tool_use post_tool_failure=tool_failure subagent_start=subagent "
    "subagent_stop=subagent task_completed=task"
)
# What an observation of ours is called there: its type, and the hook that saw it.
OBSERVED_AS = pairs(
    "prompt=conversation message=conversation tool_failure=error subagent=subagent task=subagent "
    "notification=notification"
)
HOOK_OF = pairs(
    "prompt=prompt_submit tool_failure=post_tool_failure subagent=subagent_stop task=task_completed "
    "notification=notification"
)
_SAID = ("prompt", "tool_output", "error", "last_message", "message", "task_description", "task_subject", "agent_type")
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)


def public(text: str) -> str:
    """A text without what its writer marked as private."""
    return _PRIVATE.sub("[REDACTED]", text)


def event_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `observe` for the event of a hook. The same event sent twice is kept once."""
    data = given["data"] if isinstance(given.get("data"), Mapping) else {}
    hook = str(given["hookType"])
    said = next((data[name] for name in _SAID if data.get(name)), "")
    tool = data.get("tool_name") or data.get("toolName")
    event = _EVENTS.get(hook, "notification")
    words = public(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))
    handed = data.get("tool_input")
    arguments = handed if isinstance(handed, Mapping) else {"input": handed} if handed else {}
    seen = json.dumps([given["sessionId"], hook, given.get("timestamp"), data], sort_keys=True, default=str)
    fields = {
        "event": event,
        "text": words or (hook if not tool else ""),
        "tool": tool if isinstance(tool, str) and event.startswith("tool") else None,
        "arguments": dict(arguments) if event.startswith("tool") else None,
        "attachments": pictures(data.get("image_data") or given.get("imageData")),
        "at": given.get("timestamp"),
        "session": given["sessionId"],
        "project": given.get("project"),
        "agent": given.get("agentId"),
        "idempotency_key": hashlib.sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(),
    }
    return {name: value for name, value in fields.items() if value}


def agent_event_fields(given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The arguments of `observe` for something that an agent says it saw."""
    fields = {
        "event": "tool_use",
        "tool": str(given.get("title") or f"agent_{given.get('type') or 'other'}"),
        "text": public(text),
        "attachments": pictures(given.get("imageData")),
        **some(given, session="sessionId", project="project", agent="agentId"),
    }
    return {name: value for name, value in fields.items() if value}


def pictures(image: Any) -> list[dict[str, str]]:
    """The attachments of an event that came with a picture in base64."""
    return [{"name": "image", "data": image}] if isinstance(image, str) and image else []


def kept(doer: Doer, told: Mapping[str, Any]) -> str:
    """Keep an observation, and give its id; one whose picture cannot be kept is kept without it, for its hook does not
    ask twice."""
    try:
        seen = doer.do("observe", told)
    except InvalidInput:
        if "attachments" not in told:
            raise
        seen = doer.do("observe", {name: value for name, value in told.items() if name != "attachments"})
    return str(seen.observation_id)


MOST_RECORDS = 20_000  # of one import over HTTP
_AT_ONCE = 500  # lines of a commit


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many records were new, how many were there already or were erased before, and what was wrong with others."""

    imported: int
    skipped: int
    failed: tuple[str, ...]


def taken_in(doer: Doer, lines: list[str], **given: Any) -> TakenIn:
    """Hand lines of an export to `import`, so many at a time."""
    pieces = (lines[start : start + _AT_ONCE] for start in range(0, len(lines), _AT_ONCE))
    reports = [doer.do("import", {"lines": each, **given}) for each in pieces]
    return TakenIn(
        sum(each.imported for each in reports),
        sum(each.unchanged + each.erased for each in reports),
        tuple(failure.message for each in reports for failure in each.failures),
    )


def import_of(doer: Doer, system: str, size: int, found: Callable[[], FoundMemory]) -> TakenIn:
    """Take in an export of so many records; `found` reads it."""
    from recollect.remember.foreign.review import audited, lines_of

    if size > MOST_RECORDS:
        raise TooLarge(f"An import over HTTP has at most {MOST_RECORDS:,} records; this one has {size:,}.")
    kept, audit = audited(system, found(), lambda text: (clean(text), {}), captured=lambda _: False)
    lines = [each.text for each in lines_of(system, kept, space=doer.space, now=SystemClock().now())]
    done = taken_in(doer, lines, space=doer.space)
    return TakenIn(done.imported, done.skipped, (*done.failed, *(each.message for each in audit.unread)))
