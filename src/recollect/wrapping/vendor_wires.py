"""The wires of the vendors: OpenAI's chat completions and responses, Anthropic's messages, Gemini's contents.

Many others speak chat completions too. Gemini's answers are read as JSON, before the library makes objects of them.
"""

from __future__ import annotations

import json
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

CHAT_PATH = "/chat/completions"
MESSAGES_PATH = "/v1/messages"
RESPONSES_PATH = "/responses"
CONTENT_METHODS = (":generateContent", ":streamGenerateContent")

_TEXTS = ("input_text", "output_text", "text")
_OF_THE_MODEL = ("function_call", "reasoning", "custom_tool_call", "computer_call", "mcp_call")


class ChatCompletionsWire:
    """`messages` with roles; an answer has choices, of which the first counts."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        return [self.said(message) for message in body["messages"]]

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

    @staticmethod
    def said(message: Any) -> Spoken:
        role, content = field_of(message, "role"), field_of(message, "content")
        text = content if isinstance(content, str) else joined_texts(content or (), ("text",))
        if role == "user":
            # An object of another class cannot be copied with a block in it.
            return Spoken(USER if isinstance(message, Mapping) else OTHER, text)
        return Spoken(ASSISTANT if role == "assistant" else OTHER, text)


class MessagesWire(ChatCompletionsWire):
    """`messages` of a user and an assistant; results of tools come as messages of the user. Beta or not."""

    def user(self, body: Mapping[str, Any]) -> str | None:
        told = body.get("metadata")
        return text_or_none(told.get("user_id")) if isinstance(told, Mapping) else None

    def reply(self, result: Any) -> str:
        return "".join(block.text for block in result.content if block.type == "text")

    def piece(self, event: Any) -> str:
        if event.type != "content_block_delta" or event.delta.type != "text_delta":
            return ""
        return text_or_none(event.delta.text) or ""

    @staticmethod
    def said(message: Any) -> Spoken:
        role, content = field_of(message, "role"), field_of(message, "content")
        parts = () if isinstance(content, str) else content or ()
        text = content if isinstance(content, str) else joined_texts(parts, ("text",))
        if role == "assistant":
            return Spoken(ASSISTANT, text)
        of_a_tool = any(str(field_of(part, "type")).endswith("tool_result") for part in parts)
        return Spoken(USER if role == "user" and not of_a_tool and isinstance(message, Mapping) else OTHER, text)


class ResponsesWire:
    """`input` is a text or a list of items; the provider may keep what was said before."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        given = body.get("input")
        if isinstance(given, str):
            return [Spoken(USER, given)]
        return [_item_spoken(item) for item in given] if isinstance(given, list) else []

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


def _item_spoken(item: Any) -> Spoken:
    role, kind, content = (field_of(item, name) for name in ("role", "type", "content"))
    text = content if isinstance(content, str) else joined_texts(content or (), _TEXTS)
    if role == "user":
        return Spoken(USER if isinstance(item, Mapping) else OTHER, text)
    return Spoken(ASSISTANT if role == "assistant" or kind in _OF_THE_MODEL else OTHER, text)


class GenerateContentWire:
    """Contents of a user and a model. Results of functions come as contents of the user."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        return [_content_spoken(content) for content in body["contents"]]

    def before(self, _body: Mapping[str, Any], /) -> str:
        return ""

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        content = body["contents"][place]
        told = {**content, "parts": [{"text": block}, *content["parts"]]}
        return {**body, "contents": replaced(body["contents"], place, told)}

    def user(self, _body: Mapping[str, Any], /) -> str | None:
        return None

    def reply(self, result: Any) -> str:
        answer = json.loads(result.body) if result.body else {}
        chosen = answer.get("candidates", [])[:1]
        return "".join(_content_texts(each.get("content", {}), "") for each in chosen)

    def piece(self, event: Any) -> str:
        return self.reply(event)


def _content_spoken(content: Mapping[str, Any]) -> Spoken:
    if content.get("role") == "model":
        return Spoken(ASSISTANT, _content_texts(content))
    of_a_tool = any("functionResponse" in part for part in content.get("parts") or ())
    return Spoken(USER if content.get("role", "user") == "user" and not of_a_tool else OTHER, _content_texts(content))


def _content_texts(content: Mapping[str, Any], between: str = "\n") -> str:
    parts = content.get("parts") or ()
    return between.join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))


def text_or_none(value: Any) -> str | None:
    """A text, if it is one: a vendor's library has values of its own for what was not given."""
    return value if isinstance(value, str) and value else None
