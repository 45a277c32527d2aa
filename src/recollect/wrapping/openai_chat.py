"""The wire of OpenAI's chat completions, which many others speak too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.wrapping.conversation import (
    ASSISTANT,
    OTHER,
    USER,
    Spoken,
    field_of,
    joined_texts,
    replaced,
    with_text_before,
)

PATH = "/chat/completions"


class ChatCompletionsWire:
    """`messages` with roles; an answer has choices, of which the first counts."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        return [_spoken(message) for message in body["messages"]]

    def before(self, _body: Mapping[str, Any], /) -> str:
        return ""

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        messages = body["messages"]
        return {**body, "messages": replaced(messages, place, with_text_before(messages[place], block, "text"))}

    def user(self, body: Mapping[str, Any]) -> str | None:
        return text_or_none(body.get("user"))

    def reply(self, result: Any) -> str:
        return "".join(text_or_none(choice.message.content) or "" for choice in result.choices[:1])

    def piece(self, event: Any) -> str:
        return "".join(text_or_none(choice.delta.content) or "" for choice in event.choices if not choice.index)


def text_or_none(value: Any) -> str | None:
    """A text, if it is one: a vendor's library has values of its own for what was not given."""
    return value if isinstance(value, str) and value else None


def _spoken(message: Any) -> Spoken:
    role, content = field_of(message, "role"), field_of(message, "content")
    text = content if isinstance(content, str) else joined_texts(content or (), ("text",))
    if role == "user":
        # An object of another class cannot be copied with a block in it.
        return Spoken(USER if isinstance(message, Mapping) else OTHER, text)
    return Spoken(ASSISTANT if role == "assistant" else OTHER, text)
