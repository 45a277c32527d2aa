"""The clients of the vendors, each sync and async, and every way to ask through them.

A face asks in one way and answers with everything that its caller got, as texts. Conversations are written once, as
pairs of a role and a text, and spelled for each vendor here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypedDict, Unpack

import anthropic
import openai
from google import genai
from google.genai import types
from pydantic import BaseModel

Talk = list[tuple[str, str]]  # roles: user, assistant, call (of a tool), result (of it)


class How(TypedDict, total=False):
    """The circumstances of a call: with tools or not, which model, and how many events of a stream are read."""

    tools: bool
    model: str
    most: int


class Place(BaseModel):
    city: str


@dataclass(frozen=True)
class Face:
    """One client and one way to ask."""

    vendor: str
    how: str
    make: Callable[[str], Any]
    ask: Callable[..., list[str]]

    @property
    def name(self) -> str:
        return f"{self.vendor}-{self.how}"


def faces() -> list[Face]:
    found = []
    for vendor, (make, ways) in _VENDORS.items():
        found += [Face(vendor, how, make, ask) for how, ask in ways.items()]
    return found


def dump(item: Any) -> str:
    return str(item.model_dump_json(warnings="none")) if hasattr(item, "model_dump_json") else repr(item)


def taken(events: Any, most: int | None) -> list[str]:
    """The events of a stream, or the first of them."""
    found = []
    for event in events:
        found.append(dump(event))
        if most is not None and len(found) >= most:
            break
    return found


async def taken_async(events: Any, most: int | None) -> list[str]:
    found = []
    async for event in events:
        found.append(dump(event))
        if most is not None and len(found) >= most:
            break
    return found


# -- OpenAI, chat ------------------------------------------------------------------------------------------------------

_FUNCTION = {"name": "weather", "parameters": {"type": "object", "properties": {}}}


def _chat(talk: Talk, how: How) -> dict[str, Any]:
    spelled: dict[str, Callable[[str], dict[str, Any]]] = {
        "user": lambda text: {"role": "user", "content": text},
        "assistant": lambda text: {"role": "assistant", "content": text},
        "call": lambda text: {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}],
        },
        "result": lambda text: {"role": "tool", "tool_call_id": "call_1", "content": text},
    }
    asked: dict[str, Any] = {"model": how.get("model", "m"), "messages": [spelled[role](text) for role, text in talk]}
    if how.get("tools"):
        asked["tools"] = [{"type": "function", "function": _FUNCTION}]
    return asked


def _chat_plain(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.chat.completions.create(**_chat(talk, how)))]


def _chat_stream(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return taken(client.chat.completions.create(**_chat(talk, how), stream=True), how.get("most"))


def _chat_manager(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    with client.chat.completions.stream(**_chat(talk, how)) as stream:
        return taken(stream, how.get("most"))


def _chat_parse(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    asked = _chat(talk, how)
    return [dump(client.chat.completions.parse(**asked, response_format=Place))]


def _async(ask: Callable[..., Any]) -> Callable[..., list[str]]:
    def run(client: Any, talk: Talk, **how: Any) -> list[str]:
        async def once() -> list[str]:
            found: list[str] = await ask(client, talk, **how)
            return found

        return asyncio.run(once())

    return run


async def _chat_plain_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(await client.chat.completions.create(**_chat(talk, how)))]


async def _chat_stream_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with await client.chat.completions.create(**_chat(talk, how), stream=True) as stream:
        return await taken_async(stream, how.get("most"))


async def _chat_manager_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with client.chat.completions.stream(**_chat(talk, how)) as stream:
        return await taken_async(stream, how.get("most"))


def _chat_raw(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    raw = client.chat.completions.with_raw_response.create(**_chat(talk, how))
    return [raw.text, dump(raw.parse())]


def _chat_raw_stream(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    raw = client.chat.completions.with_raw_response.create(**_chat(talk, how), stream=True)
    return taken(raw.parse(), how.get("most"))


async def _chat_raw_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    raw = await client.chat.completions.with_raw_response.create(**_chat(talk, how))
    return [raw.text, dump(raw.parse())]


# -- OpenAI, responses -------------------------------------------------------------------------------------------------


def _responses(talk: Talk, how: How) -> dict[str, Any]:
    spelled: dict[str, Callable[[str], dict[str, Any]]] = {
        "user": lambda text: {"role": "user", "content": [{"type": "input_text", "text": text}]},
        "assistant": lambda text: {"role": "assistant", "content": text},
        "call": lambda text: {"type": "function_call", "call_id": "call_1", "name": "weather", "arguments": "{}"},
        "result": lambda text: {"type": "function_call_output", "call_id": "call_1", "output": text},
    }
    asked: dict[str, Any] = {"model": how.get("model", "m"), "input": [spelled[role](text) for role, text in talk]}
    if len(talk) == 1:
        asked["input"] = talk[0][1]
    if how.get("tools"):
        asked["tools"] = [{"type": "function", **_FUNCTION}]
    return asked


def _responses_plain(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.responses.create(**_responses(talk, how)))]


def _responses_stream(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    with client.responses.create(**_responses(talk, how), stream=True) as stream:
        return taken(stream, how.get("most"))


def _responses_manager(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    with client.responses.stream(**_responses(talk, how)) as stream:
        return taken(stream, how.get("most"))


def _responses_parse(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.responses.parse(**_responses(talk, how), text_format=Place))]


async def _responses_plain_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(await client.responses.create(**_responses(talk, how)))]


async def _responses_stream_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with await client.responses.create(**_responses(talk, how), stream=True) as stream:
        return await taken_async(stream, how.get("most"))


async def _responses_manager_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with client.responses.stream(**_responses(talk, how)) as stream:
        return await taken_async(stream, how.get("most"))


# -- Anthropic ---------------------------------------------------------------------------------------------------------


def _messages(talk: Talk, how: How) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": "toolu_1"}
    spelled: dict[str, Callable[[str], dict[str, Any]]] = {
        "user": lambda text: {"role": "user", "content": [{"type": "text", "text": text}]},
        "assistant": lambda text: {"role": "assistant", "content": text},
        "call": lambda text: {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}],
        },
        "result": lambda text: {"role": "user", "content": [{**result, "content": text}]},
    }
    asked: dict[str, Any] = {"model": how.get("model", "m"), "max_tokens": 100}
    asked["messages"] = [spelled[role](text) for role, text in talk]
    if how.get("tools"):
        asked["tools"] = [{"name": "weather", "input_schema": {"type": "object", "properties": {}}}]
    return asked


def _messages_plain(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.messages.create(**_messages(talk, how)))]


def _messages_beta(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.beta.messages.create(**_messages(talk, how)))]


def _messages_stream(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return taken(client.messages.create(**_messages(talk, how), stream=True), how.get("most"))


def _messages_manager(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    with client.messages.stream(**_messages(talk, how)) as stream:
        return taken(stream, how.get("most"))


def _messages_parse(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(client.messages.parse(**_messages(talk, how), output_format=Place))]


async def _messages_plain_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [dump(await client.messages.create(**_messages(talk, how)))]


def _messages_raw(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    raw = client.messages.with_raw_response.create(**_messages(talk, how))
    return [raw.text(), dump(raw.parse())]


async def _messages_raw_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    raw = await client.messages.with_raw_response.create(**_messages(talk, how))
    return [await raw.text(), dump(await raw.parse())]


async def _messages_stream_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with await client.messages.create(**_messages(talk, how), stream=True) as stream:
        return await taken_async(stream, how.get("most"))


async def _messages_manager_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    async with client.messages.stream(**_messages(talk, how)) as stream:
        return await taken_async(stream, how.get("most"))


# -- Google ------------------------------------------------------------------------------------------------------------


def _contents(talk: Talk, how: How) -> dict[str, Any]:
    spelled: dict[str, Callable[[str], types.Content]] = {
        "user": lambda text: types.Content(role="user", parts=[types.Part(text=text)]),
        "assistant": lambda text: types.Content(role="model", parts=[types.Part(text=text)]),
        "call": lambda text: types.Content(
            role="model", parts=[types.Part(function_call=types.FunctionCall(name="weather", args={}))]
        ),
        "result": lambda text: types.Content(
            role="user",
            parts=[types.Part(function_response=types.FunctionResponse(name="weather", response={"it": text}))],
        ),
    }
    asked: dict[str, Any] = {"model": how.get("model", "m"), "contents": [spelled[role](text) for role, text in talk]}
    if how.get("tools"):
        declared = types.FunctionDeclaration(name="weather")
        asked["config"] = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[declared])])
    return asked


def _gemini_plain(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [_answer(client.models.generate_content(**_contents(talk, how)))]


def _gemini_stream(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    found = []
    for event in client.models.generate_content_stream(**_contents(talk, how)):
        found.append(_answer(event))
        if len(found) == how.get("most"):
            break
    return found


async def _gemini_plain_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    return [_answer(await client.aio.models.generate_content(**_contents(talk, how)))]


async def _gemini_stream_async(client: Any, talk: Talk, **how: Unpack[How]) -> list[str]:
    stream = await client.aio.models.generate_content_stream(**_contents(talk, how))
    found = []
    async for event in stream:
        found.append(_answer(event))
        if len(found) == how.get("most"):
            await stream.aclose()
            break
    return found


def _answer(event: Any) -> str:
    """Without the headers: they hold the time."""
    return str(event.model_dump_json(exclude={"sdk_http_response"}))


# -- all of them: each made once, since a client takes a tenth of a second to make -------------------------------------


@cache
def _openai(url: str) -> Any:
    return openai.OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)


@cache
def _openai_async(url: str) -> Any:
    return openai.AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)


@cache
def _anthropic(url: str) -> Any:
    return anthropic.Anthropic(api_key="none", base_url=url, max_retries=0)


@cache
def _anthropic_async(url: str) -> Any:
    return anthropic.AsyncAnthropic(api_key="none", base_url=url, max_retries=0)


@cache
def _google(url: str) -> Any:
    return genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))


_VENDORS: dict[str, tuple[Callable[[str], Any], dict[str, Callable[..., list[str]]]]] = {
    "chat": (
        _openai,
        {
            "plain": _chat_plain,
            "stream": _chat_stream,
            "manager": _chat_manager,
            "parse": _chat_parse,
            "raw": _chat_raw,
            "raw-stream": _chat_raw_stream,
        },
    ),
    "chat-async": (
        _openai_async,
        {
            "plain": _async(_chat_plain_async),
            "raw": _async(_chat_raw_async),
            "stream": _async(_chat_stream_async),
            "manager": _async(_chat_manager_async),
        },
    ),
    "responses": (
        _openai,
        {
            "plain": _responses_plain,
            "stream": _responses_stream,
            "manager": _responses_manager,
            "parse": _responses_parse,
        },
    ),
    "responses-async": (
        _openai_async,
        {
            "plain": _async(_responses_plain_async),
            "stream": _async(_responses_stream_async),
            "manager": _async(_responses_manager_async),
        },
    ),
    "messages": (
        _anthropic,
        {
            "plain": _messages_plain,
            "beta": _messages_beta,
            "raw": _messages_raw,
            "stream": _messages_stream,
            "manager": _messages_manager,
            "parse": _messages_parse,
        },
    ),
    "messages-async": (
        _anthropic_async,
        {
            "plain": _async(_messages_plain_async),
            "raw": _async(_messages_raw_async),
            "stream": _async(_messages_stream_async),
            "manager": _async(_messages_manager_async),
        },
    ),
    "gemini": (_google, {"plain": _gemini_plain, "stream": _gemini_stream}),
    "gemini-async": (_google, {"plain": _async(_gemini_plain_async), "stream": _async(_gemini_stream_async)}),
}
