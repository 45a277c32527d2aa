"""The wire of OpenAI's responses."""

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

PATH = "/responses"

_TEXTS = ("input_text", "output_text", "text")
_OF_THE_MODEL = ("function_call", "reasoning", "custom_tool_call", "computer_call", "mcp_call")


class ResponsesWire:
    """`input` is a text or a list of items; the provider may keep what was said before."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        given = body.get("input")
        if isinstance(given, str):
            return [Spoken(USER, given)]
        return [_spoken(item) for item in given] if isinstance(given, list) else []

    def before(self, body: Mapping[str, Any]) -> str:
        kept = body.get("conversation")
        named = kept if isinstance(kept, str) else field_of(kept, "id") if kept else None
        return text_or_none(body.get("previous_response_id")) or text_or_none(named) or ""

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        given = body["input"]
        if isinstance(given, str):
            return {**body, "input": f"{block}\n\n{given}"}
        return {**body, "input": replaced(given, place, with_text_before(given[place], block, "input_text"))}

    def user(self, body: Mapping[str, Any]) -> str | None:
        return text_or_none(body.get("user"))

    def reply(self, result: Any) -> str:
        return text_or_none(result.output_text) or ""

    def piece(self, event: Any) -> str:
        return (text_or_none(event.delta) or "") if event.type == "response.output_text.delta" else ""


def _spoken(item: Any) -> Spoken:
    role, kind, content = (field_of(item, name) for name in ("role", "type", "content"))
    text = content if isinstance(content, str) else joined_texts(content or (), _TEXTS)
    if role == "user":
        return Spoken(USER if isinstance(item, Mapping) else OTHER, text)
    return Spoken(ASSISTANT if role == "assistant" or kind in _OF_THE_MODEL else OTHER, text)
