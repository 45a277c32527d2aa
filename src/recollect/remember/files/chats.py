"""Exported chats become conversations: ChatGPT's tree, Claude's list, and lists of roles and contents.

Pure: parsed JSON comes in. Whole records that are no message are handed back, so that nothing that was written down
is lost; the bookkeeping around a message is. What a tool or an attached file says is a turn of its own with the role
`tool`, because nobody in the conversation said it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, TypeAlias

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import RecollectError
from recollect.remember.files.chunks import ChatTurn, Conversation, Redact, one_line, pieces
from recollect.remember.files.opened_file import cleaned

_MAX_TURN = 200_000  # characters, under 1,000,000 bytes in any script; a longer turn is several
_MILLISECONDS = 1e11  # seconds since 1970 stay below this until the year 5138

_ROLES = {
    "user": "user", "human": "user", "you": "user", "customer": "user", "me": "user",
    "assistant": "assistant", "ai": "assistant", "bot": "assistant", "model": "assistant", "gpt": "assistant",
    "chatgpt": "assistant", "claude": "assistant", "gemini": "assistant",
    "system": "system", "developer": "system", "tool": "tool", "function": "tool", "ipython": "tool",
}  # fmt: skip
_TOOL = "tool"
_RESULTS = ("tool_result", "function_call_output")
_ROLE_KEYS = ("role", "sender", "from", "author", "speaker")
_TEXT_KEYS = ("content", "text", "value", "parts", "message")
_TIME_KEYS = ("created_at", "create_time", "timestamp", "at", "time", "date", "ts", "created")
_LIST_KEYS = ("chat_messages", "messages", "turns", "conversation", "conversations", "history", "dialogue")
_ID_KEYS = ("uuid", "conversation_id", "id", "session_id", "sessionId", "thread_id")
_TITLE_KEYS = ("title", "name", "subject")
_GROUP_KEYS = ("conversation_id", "session_id", "sessionId", "thread_id", "chat_id")

Record: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chats:
    """The conversations of a file, and the records in it that are none."""

    conversations: tuple[Conversation, ...]
    others: tuple[Any, ...] = ()


def find_chats(content: Any, redact: Redact) -> Chats | None:
    """The conversations in a JSON file; `None` if less than half of it is conversation."""
    if isinstance(content, dict):
        whole = _conversation(content, "0", redact)
        if whole and whole.turns:
            return Chats((whole,))
        content = [content] if _message(content) else content.get("conversations")
    if not isinstance(content, list) or not content:
        return None
    return find_chats_in_lines(content, redact)


def find_chats_in_lines(records: list[Any], redact: Redact) -> Chats | None:
    """The same for a list of records, each a message or a conversation of its own.

    Messages that name a conversation or session belong to it; the others are one conversation.
    """
    conversations: list[Conversation] = []
    messages: dict[str, list[Record]] = {}
    others: list[Any] = []
    for number, record in enumerate(records):
        message = _message(record)
        conversation = None if message else _conversation(record, str(number), redact)
        if message:
            messages.setdefault(_first_text(record, _GROUP_KEYS) or "", []).append(message)
        elif conversation:
            conversations.append(conversation)
        else:
            others.append(record)
    if len(others) * 2 > len(records):
        return None
    for number, (group, said) in enumerate(messages.items()):
        turns = tuple(_turns(said, None, redact))
        if turns:
            conversations.append(Conversation(one_line(cleaned(group)) or str(number), None, turns))
    spoken = tuple(conversation for conversation in conversations if conversation.turns)
    return Chats(spoken, tuple(others)) if spoken else None


def _conversation(record: Any, otherwise: str, redact: Redact) -> Conversation | None:
    """A conversation, perhaps without turns; `otherwise` is its id if it has none. `None` if the record is none."""
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("mapping"), dict):
        messages = list(_branch(record["mapping"], record.get("current_node")))
    else:
        messages = _messages(record)
    turns = tuple(_turns(messages, _time(record), redact))
    if not turns and not isinstance(record.get("mapping"), dict) and not isinstance(record.get("chat_messages"), list):
        return None
    title = redact(one_line(cleaned(_first_text(record, _TITLE_KEYS))))
    return Conversation(one_line(cleaned(_first_text(record, _ID_KEYS))) or otherwise, title or None, turns)


def _messages(record: Record) -> list[Record]:
    """The first list in a record that is mostly messages."""
    for key in _LIST_KEYS:
        items = record.get(key)
        if isinstance(items, list):
            messages = [message for message in map(_message, items) if message]
            if messages and len(messages) * 2 >= len(items):
                return messages
    return []


def _branch(mapping: Mapping[str, Any], current: Any) -> Iterator[Record]:
    """The messages of a ChatGPT tree from its root to the node last shown. Abandoned branches are left out."""
    nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
    if not isinstance(current, str) or current not in nodes:
        parents = {node.get("parent") for node in nodes.values() if isinstance(node.get("parent"), str)}
        leaves = [key for key in nodes if key not in parents]
        current = leaves[-1] if leaves else None
    path: list[Record] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:
        seen.add(current)
        message = nodes[current].get("message")
        if isinstance(message, dict) and not _hidden(message):
            path.append(message)
        current = nodes[current].get("parent")
    return reversed(path)


def _hidden(message: Record) -> bool:
    metadata = message.get("metadata")
    return isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True


def _message(record: Any) -> Record | None:
    """The message in a record; a coding agent's transcript has it one level down, with the time outside."""
    if not isinstance(record, dict):
        return None
    inner = record.get("message")
    if isinstance(inner, dict) and _role(inner):
        times = {key: record[key] for key in _TIME_KEYS if key in record}
        return {**times, **inner}
    return record if _role(record) and any(key in record for key in _TEXT_KEYS) else None


def _role(message: Record) -> str:
    """The role of the speaker: `user`, `assistant`, `system` or `tool`; empty if that is not said.

    A role that is none of them is a person's name, as chats of several people have it.
    """
    for key in _ROLE_KEYS:
        value = message.get(key)
        if isinstance(value, dict):
            value = value.get("role")
        if isinstance(value, str):
            known = _ROLES.get(value.strip().lower())
            if known:
                return known
            if key == "role" and "content" in message and value.strip():
                return "user"
    return ""


def _turns(messages: Iterable[Record], start: datetime | None, redact: Redact) -> Iterator[ChatTurn]:
    """The turns of a conversation. A turn without a time has that of the one before, or the conversation's."""
    at = start
    for message in messages:
        at = _time(message) or at
        speaker = _speaker(message)
        for role, texts in groupby(_said(message), key=lambda said: said[0]):
            text = redact(cleaned("\n\n".join(text for _, text in texts))).strip()
            turn = ChatTurn(role, text, at, speaker)
            for begin, end in pieces(text, (0, len(text)), target=_MAX_TURN, limit=_MAX_TURN):
                yield replace(turn, text=text[begin:end])


def _speaker(message: Record) -> str | None:
    """The name of who speaks, if there is one besides the role."""
    author = message.get("author")
    named = author.get("name") if isinstance(author, dict) else None
    for name in (named, *(message.get(key) for key in ("name", "speaker", "role"))):
        if isinstance(name, str) and name.strip() and name.strip().lower() not in _ROLES:
            return one_line(cleaned(name)) or None
    return None


def _said(message: Record) -> Iterator[tuple[str, str]]:
    """Role and words of each part of a message. Pictures, sounds, thoughts and calls of tools are passed over."""
    role = _role(message)
    if not role:
        return
    # Claude has the same words in `text` and in `content`; the first place that has any is enough.
    said = (list(_words(role, message.get(key))) for key in _TEXT_KEYS)
    yield from next(filter(None, said), [])
    attachments = message.get("attachments")
    for attachment in attachments if isinstance(attachments, list) else []:
        if isinstance(attachment, dict):
            yield from _words(_TOOL, attachment.get("extracted_content"))


def _words(role: str, content: Any) -> Iterator[tuple[str, str]]:
    """Words from a string, a part, or a list of parts; a part has its words in `text`, `parts` or `content`."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            inner: Any = part
        elif isinstance(part, dict) and part.get("type") != "thinking":
            inner = part.get("text") or part.get("parts") or part.get("content")
        else:
            continue
        whose = _TOOL if isinstance(part, dict) and part.get("type") in _RESULTS else role
        for piece in inner if isinstance(inner, list) else [inner]:
            text = piece.get("text") if isinstance(piece, dict) else piece
            if isinstance(text, str) and text.strip():
                yield whose, text


def _time(record: Record) -> datetime | None:
    """The first time in a record that can be understood: seconds or milliseconds since 1970, or ISO 8601."""
    for key in _TIME_KEYS:
        value = record.get(key)
        try:
            if isinstance(value, str) and value:
                return parse_time(value, field=key)
            if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
                return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        except (RecollectError, ValueError, OverflowError, OSError):
            continue
    return None


def _first_text(record: Record, keys: Iterable[str]) -> str:
    return next((value for key in keys if isinstance(value := record.get(key), str) and value.strip()), "")
