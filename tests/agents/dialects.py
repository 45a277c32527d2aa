"""Pure: how each agent speaks with its model. What it asks is read, and what the model replies is put into its words.

There are four: messages (Claude Code), responses (Codex), contents (Gemini CLI) and completions (OpenCode, OpenClaw).
Of each only as much is here as the agents need to go through a turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class Call:
    """The model wants a tool called."""

    tool: str
    arguments: Mapping[str, Any]


Reply: TypeAlias = Call | str


@dataclass(frozen=True, slots=True)
class Heard:
    """What a request says: the tools that can be called, how many have answered, and the whole of it as text."""

    tools: tuple[str, ...]
    results: int
    text: str


class Dialect(Protocol):
    """The words of one model API."""

    def is_stream(self, path: str, body: Mapping[str, Any]) -> bool:
        """Whether the answer is wanted piece by piece."""

    def heard(self, body: Mapping[str, Any]) -> Heard:
        """What a request says."""

    def whole(self, reply: Reply) -> dict[str, Any]:
        """The answer in one piece."""

    def events(self, reply: Reply) -> Iterator[dict[str, Any] | str]:
        """The answer piece by piece."""


def dialect_at(path: str) -> Dialect | None:
    """The dialect that is spoken at an address; `None` where nothing is generated."""
    place = path.partition("?")[0]
    if "count" in place.lower():
        return None
    if place.endswith("/messages"):
        return Messages()
    if place.endswith("/responses"):
        return Responses()
    if place.endswith("/chat/completions"):
        return Completions()
    return Contents() if "enerateContent" in place else None


class Messages:
    """As Claude Code speaks."""

    def is_stream(self, path: str, body: Mapping[str, Any]) -> bool:
        return bool(body.get("stream"))

    def heard(self, body: Mapping[str, Any]) -> Heard:
        tools = tuple(tool["name"] for tool in body.get("tools") or ())
        blocks = [block for message in body["messages"] for block in _blocks(message.get("content"))]
        return Heard(tools, sum(block.get("type") == "tool_result" for block in blocks), _text(body))

    def whole(self, reply: Reply) -> dict[str, Any]:
        calls = isinstance(reply, Call)
        return {
            "id": "msg_mock",
            "type": "message",
            "role": "assistant",
            "model": "mock",
            "content": [self._block(reply)],
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }

    def events(self, reply: Reply) -> Iterator[dict[str, Any] | str]:
        whole, block = self.whole(reply), self._block(reply)
        yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
        if isinstance(reply, Call):
            delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
            yield {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}}
        else:
            delta = {"type": "text_delta", "text": reply}
            yield {"type": "content_block_start", "index": 0, "content_block": {**block, "text": ""}}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 10}}
        yield {"type": "message_stop"}

    def _block(self, reply: Reply) -> dict[str, Any]:
        if isinstance(reply, str):
            return {"type": "text", "text": reply}
        return {"type": "tool_use", "id": _id_of(reply), "name": reply.tool, "input": dict(reply.arguments)}


class Responses:
    """As Codex speaks. The tools of a server stand below a name of their own there: `server/tool` here."""

    def is_stream(self, path: str, body: Mapping[str, Any]) -> bool:
        return True

    def heard(self, body: Mapping[str, Any]) -> Heard:
        results = sum(item.get("type") == "function_call_output" for item in body.get("input") or ())
        return Heard(tuple(_named(body.get("tools") or ())), results, _text(body))

    def whole(self, reply: Reply) -> dict[str, Any]:
        usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
        return {
            "id": "resp_mock",
            "object": "response",
            "status": "completed",
            "output": [self._item(reply)],
            "usage": usage,
        }

    def events(self, reply: Reply) -> Iterator[dict[str, Any] | str]:
        whole = self.whole(reply)
        yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
        yield {"type": "response.output_item.done", "output_index": 0, "item": self._item(reply)}
        yield {"type": "response.completed", "response": whole}

    def _item(self, reply: Reply) -> dict[str, Any]:
        if isinstance(reply, str):
            content = [{"type": "output_text", "text": reply, "annotations": []}]
            return {"type": "message", "id": "msg_mock", "role": "assistant", "content": content}
        within, _, name = reply.tool.rpartition("/")
        return {
            "type": "function_call",
            "id": f"fc_{_id_of(reply)}",
            "call_id": _id_of(reply),
            "name": name,
            "arguments": json.dumps(reply.arguments),
            **({"namespace": within} if within else {}),
        }


class Contents:
    """As Gemini CLI speaks."""

    def is_stream(self, path: str, body: Mapping[str, Any]) -> bool:
        return "streamGenerateContent" in path

    def heard(self, body: Mapping[str, Any]) -> Heard:
        declared = [each for tool in body.get("tools") or () for each in tool.get("functionDeclarations") or ()]
        parts = [part for turn in body.get("contents") or () for part in turn.get("parts") or ()]
        results = sum("functionResponse" in part for part in parts)
        return Heard(tuple(each["name"] for each in declared), results, _text(body))

    def whole(self, reply: Reply) -> dict[str, Any]:
        part: dict[str, Any] = {"text": reply} if isinstance(reply, str) else {}
        if isinstance(reply, Call):
            part = {"functionCall": {"name": reply.tool, "args": dict(reply.arguments)}}
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
        return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}

    def events(self, reply: Reply) -> Iterator[dict[str, Any] | str]:
        yield self.whole(reply)


class Completions:
    """As OpenCode and OpenClaw speak."""

    def is_stream(self, path: str, body: Mapping[str, Any]) -> bool:
        return bool(body.get("stream"))

    def heard(self, body: Mapping[str, Any]) -> Heard:
        tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
        return Heard(tools, sum(each.get("role") == "tool" for each in body["messages"]), _text(body))

    def whole(self, reply: Reply) -> dict[str, Any]:
        message = {"role": "assistant", **self._said(reply)}
        choice = {"index": 0, "message": message, "finish_reason": self._ending(reply)}
        return {**self._opening("chat.completion"), "choices": [choice], "usage": self._usage()}

    def events(self, reply: Reply) -> Iterator[dict[str, Any] | str]:
        opening = self._opening("chat.completion.chunk")
        delta = {"role": "assistant", **self._said(reply)}
        yield {**opening, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield {**opening, "choices": [{"index": 0, "delta": {}, "finish_reason": self._ending(reply)}]}
        yield {**opening, "choices": [], "usage": self._usage()}
        yield "[DONE]"

    def _opening(self, kind: str) -> dict[str, Any]:
        return {"id": "chat_mock", "object": kind, "created": 1, "model": "mock"}

    def _usage(self) -> dict[str, int]:
        return {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}

    def _ending(self, reply: Reply) -> str:
        return "tool_calls" if isinstance(reply, Call) else "stop"

    def _said(self, reply: Reply) -> dict[str, Any]:
        if isinstance(reply, str):
            return {"content": reply}
        function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
        return {
            "content": None,
            "tool_calls": [{"index": 0, "id": _id_of(reply), "type": "function", "function": function}],
        }


def _blocks(content: object) -> list[Mapping[str, Any]]:
    return [each for each in content if isinstance(each, Mapping)] if isinstance(content, list) else []


def _named(tools: Any) -> Iterator[str]:
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from (f"{tool['name']}/{inner['name']}" for inner in tool.get("tools") or ())
        elif "name" in tool:
            yield tool["name"]


def _id_of(call: Call) -> str:
    """An id for a call: each tool is called once in a turn."""
    return "call_" + "".join(sign for sign in call.tool if sign.isalnum())


def _text(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)
