"""What comes in: messages of a conversation, each with its own time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.domain.clock import parse_time
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.text import checked_name, without_control_characters

MOST_MESSAGES = 1000
ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `speaker` is the name of whoever said it, if it is known."""

    role: str
    text: str
    at: datetime
    speaker: str | None = None


def messages_from(given: str | Sequence[Mapping[str, Any]], *, at: datetime) -> tuple[Message, ...]:
    """Messages in any of their usual shapes. `at` is the time of those that do not say theirs.

    A message is what somebody said, not what somebody filled in: control characters are dropped, not refused.
    """
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if isinstance(given, Mapping) or not isinstance(given, Sequence):
        raise InvalidInput("`messages` must be text or a list of messages.", code="invalid_messages", hint=_SHAPE)
    if len(given) > MOST_MESSAGES:
        raise TooLarge(f"{len(given)} messages were given; at most {MOST_MESSAGES} are taken at once.")
    found = [_message(each, number, at) for number, each in enumerate(given, start=1)]
    kept = tuple(message for message in found if message.text.strip())
    if not kept:
        raise InvalidInput("The messages are empty.", code="empty_text", hint="Say what should be remembered.")
    return kept


_SHAPE = 'For example [{"role": "user", "content": "I moved to Berlin"}].'


def _message(given: Any, number: int, at: datetime) -> Message:
    if isinstance(given, str):
        given = {"role": "user", "content": given}
    if not isinstance(given, Mapping):
        raise InvalidInput(f"Message {number} is not an object.", code="invalid_messages", hint=_SHAPE)
    role = given.get("role", "user")
    if role not in ROLES:
        raise InvalidInput(
            f"Message {number} has the role {role!r}.", code="unknown_role", hint=f"It can be: {', '.join(ROLES)}."
        )
    said_at = given.get("at", given.get("timestamp"))
    return Message(
        role=role,
        text=without_control_characters(_text(given.get("content", given.get("text")), number)),
        at=at if said_at is None else parse_time(said_at, field=f"at of message {number}"),
        speaker=checked_name(given.get("name", given.get("speaker")), field=f"name of message {number}"),
    )


def _text(content: Any, number: int) -> str:
    """The text of a message; of one in parts, its text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [part.get("text", "") if isinstance(part, Mapping) else part for part in content]
        if all(isinstance(part, str) for part in parts):
            return "\n".join(part for part in parts if part)
    raise InvalidInput(f"Message {number} has no text.", code="invalid_messages", hint=_SHAPE)
