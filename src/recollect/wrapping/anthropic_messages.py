"""The wire of Anthropic's messages, beta or not."""

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
from recollect.wrapping.openai_chat import text_or_none

PATH = "/v1/messages"


class MessagesWire:
    """`messages` of a user and an assistant; results of tools come as messages of the user."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        return [_spoken(message) for message in body["messages"]]

    def before(self, _body: Mapping[str, Any], /) -> str:
        return ""

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        messages = body["messages"]
        return {**body, "messages": replaced(messages, place, with_text_before(messages[place], block, "text"))}

    def user(self, body: Mapping[str, Any]) -> str | None:
        told = body.get("metadata")
        return text_or_none(told.get("user_id")) if isinstance(told, Mapping) else None

    def reply(self, result: Any) -> str:
        return "".join(block.text for block in result.content if block.type == "text")

    def piece(self, event: Any) -> str:
        if event.type != "content_block_delta" or event.delta.type != "text_delta":
            return ""
        return text_or_none(event.delta.text) or ""


def _spoken(message: Any) -> Spoken:
    role, content = field_of(message, "role"), field_of(message, "content")
    parts = () if isinstance(content, str) else content or ()
    text = content if isinstance(content, str) else joined_texts(parts, ("text",))
    if role == "assistant":
        return Spoken(ASSISTANT, text)
    of_a_tool = any(str(field_of(part, "type")).endswith("tool_result") for part in parts)
    return Spoken(USER if role == "user" and not of_a_tool and isinstance(message, Mapping) else OTHER, text)
