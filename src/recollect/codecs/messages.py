"""Messages in the shapes that callers and vendors send them in, decoded to `Message`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from recollect.codecs.attachments import GivenFile, files_from, files_in_parts, listed
from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.observations import Message
from recollect.domain.suggestions import meant_by, unknown_field
from recollect.domain.text import without_control_characters
from recollect.redaction.clean_records import checked_name

MOST_MESSAGES = 10_000
ROLES = ("user", "assistant", "system", "tool")

# The fields of a message that are read; those of one line mean the same.
_FIELDS = (("role",), ("content", "text"), ("at", "timestamp"), ("name", "speaker"))
_READ = tuple(name for alike in _FIELDS for name in alike)
_LOOKED_AT = 20  # other fields of a message that are compared with ours; vendors have fewer, and comparing costs
_LONGEST_ALIKE = 16  # letters: a longer name cannot be a misspelling of ours


@dataclass(frozen=True, slots=True)
class IncomingMessages:
    """Messages, and apart from them the bytes of their files: whatever reads messages sees none of these."""

    messages: Sequence[Message]
    contents: Mapping[str, bytes] = field(default_factory=dict)  # by their digests
    redacted: Counter[str] = field(default_factory=Counter)  # secrets that were in files, and in the words about them


def incoming_from(
    given: str | Sequence[Mapping[str, Any]], *, at: datetime, attachments: Sequence[GivenFile] = ()
) -> IncomingMessages:
    """Messages in any of their usual shapes. `at` is the time of those that do not say theirs.

    A message is what somebody said, not what somebody filled in: control characters are dropped, not refused. Files
    that are parts of a message belong to it; `attachments` are of the last one.
    """
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if isinstance(given, Mapping) or not isinstance(given, Sequence):
        raise InvalidInput("`messages` must be text or a list of messages.", code="invalid_messages", hint=_SHAPE)
    if len(given) > MOST_MESSAGES:
        raise TooLarge(f"{len(given)} messages were given; at most {MOST_MESSAGES} are taken at once.")
    messages: list[Message] = []
    contents: dict[str, bytes] = {}
    redacted: Counter[str] = Counter()
    for number, each in enumerate(given, start=1):
        message, own = _message(each, number, at)
        files: list[GivenFile] = [] if isinstance(own, str) else [*files_in_parts(own)]
        if number == len(given) and attachments != ():
            files += listed(attachments)
        if files:
            attached = files_from(files)
            message = replace(message, attachments=attached.records)
            contents.update(attached.contents)
            redacted.update(attached.redacted)
        if message.text.strip() or message.attachments:
            messages.append(message)
    if not messages:
        raise InvalidInput("The messages are empty.", code="empty_text", hint="Say what should be remembered.")
    return IncomingMessages(tuple(messages), contents, redacted)


_SHAPE = 'For example [{"role": "user", "content": "I moved to Berlin"}].'


def _message(given: Any, number: int, at: datetime) -> tuple[Message, Any]:
    """A message without its files, and the content they may be in."""
    if isinstance(given, str):
        given = {"role": "user", "content": given}
    if not isinstance(given, Mapping):
        raise InvalidInput(f"Message {number} is not an object.", code="invalid_messages", hint=_SHAPE)
    _refuse_misspelled(given, number)
    role = given.get("role", "user")
    if role not in ROLES:
        raise InvalidInput(
            f"Message {number} has the role {role!r}.", code="unknown_role", hint=f"It can be: {', '.join(ROLES)}."
        )
    said_at = given.get("at", given.get("timestamp"))
    content = given.get("content", given.get("text"))
    message = Message(
        role=role,
        text=without_control_characters(_text(content, number)),
        at=at if said_at is None else parse_time(said_at, field=f"at of message {number}"),
        speaker=checked_name(given.get("name", given.get("speaker")), field=f"name of message {number}"),
    )
    return message, content


def _refuse_misspelled(given: Mapping[str, Any], number: int) -> None:
    """Refuse a field that stands for one of ours, if ours is not there: the message would lose its time or speaker.

    Every vendor's messages have fields of their own (`tool_calls`, `refusal`, `id`, `annotations`). They are passed
    over, as they are not part of what was said.
    """
    others = [name for name in given if isinstance(name, str) and name not in _READ and len(name) <= _LONGEST_ALIKE]
    for name in others[:_LOOKED_AT]:
        meant = None if given[name] is None else _meant(name)
        if meant and not any(alike in given for each in _FIELDS if meant in each for alike in each):
            raise unknown_field(name, of=f"message {number}", known=_READ, what="field")


@lru_cache(maxsize=256)
def _meant(name: str) -> str | None:
    return next(iter(meant_by(name, _READ)), None)


def _text(content: Any, number: int) -> str:
    """The text of a message; of one in parts, its text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [part.get("text", "") if isinstance(part, Mapping) else part for part in content]
        if all(isinstance(part, str) for part in parts):
            return "\n".join(part for part in parts if part)
    raise InvalidInput(f"Message {number} has no text.", code="invalid_messages", hint=_SHAPE)
