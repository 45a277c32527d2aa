"""Twins of clients: of the same class, with the same connections, whose requests pass by a memory.

The client that was handed in stays as it is. What a vendor's library does with a request, from retries to parsing,
happens as before, because only the door to the wire is another: `post` of OpenAI's and Anthropic's clients, the API
client of Google's.
"""

from __future__ import annotations

import copy
import inspect
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

from recollect.domain.errors import InvalidInput
from recollect.wrapping.companion import Companion, ModelTurn, quietly
from recollect.wrapping.vendor_wires import (
    CHAT_PATH,
    CONTENT_METHODS,
    MESSAGES_PATH,
    RESPONSES_PATH,
    ChatCompletionsWire,
    GenerateContentWire,
    MessagesWire,
    ResponsesWire,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.wrapping.companion import Wire


C = TypeVar("C")

_BY_PATH: dict[str, Wire] = {
    CHAT_PATH: ChatCompletionsWire(),
    RESPONSES_PATH: ResponsesWire(),
    MESSAGES_PATH: MessagesWire(),
}
_GEMINI: Wire = GenerateContentWire()
_VENDORS = ("openai", "anthropic")


def twin_of(client: C, companion: Companion) -> C:
    """A twin of a client of OpenAI, Anthropic or Google, beside a memory."""
    modules = {base.__module__ for base in type(client).__mro__}
    if any(each.startswith("google.genai") for each in modules) and hasattr(client, "_api_client"):
        return cast("C", _google(client, companion))
    if any(each.split(".")[0] in _VENDORS for each in modules) and hasattr(client, "copy") and hasattr(client, "post"):
        return cast("C", _with_post(client.copy(), companion))
    raise InvalidInput(
        f"A `{type(client).__module__.split('.')[0]}.{type(client).__name__}` cannot be wrapped.",
        code="unsupported_client",
        hint="OpenAI, AsyncOpenAI, Anthropic, AsyncAnthropic and google.genai.Client can be.",
    )


def _with_post(twin: Any, companion: Companion) -> Any:
    """The twin itself, before any of its resources were made: they take `post` from it."""
    post, clone = twin.post, twin.copy
    twin.post = _posting_async(post, companion) if inspect.iscoroutinefunction(post) else _posting(post, companion)
    twin.copy = twin.with_options = lambda **options: _with_post(clone(**options), companion)
    twin.recollect = companion
    return twin


def _posting(post: Any, companion: Companion) -> Any:
    def posted(path: str, **rest: Any) -> Any:
        turn = _turn_at(path, rest, companion)
        if turn is None:
            return post(path, **rest)
        try:
            result = post(path, **{**rest, "body": turn.told()})
        except BaseException:
            turn.end()
            raise
        _take_in(_held_by(result), turn, tapped)
        return result

    return posted


def _posting_async(post: Any, companion: Companion) -> Any:
    async def posted(path: str, **rest: Any) -> Any:
        turn = _turn_at(path, rest, companion)
        if turn is None:
            return await post(path, **rest)
        try:
            result = await post(path, **{**rest, "body": await turn.told_async()})
        except BaseException:
            turn.end()
            raise
        held = _held_by(result)
        _take_in(await held if inspect.isawaitable(held) else held, turn, tapped_async)
        return result

    return posted


def _take_in(answer: Any, turn: ModelTurn, tap: Callable[[Any, ModelTurn], Any]) -> None:
    """Listen to an answer, or take it in whole."""
    if is_stream(answer):
        tap(answer, turn)
    else:
        turn.answered(answer)


def _held_by(result: Any) -> Any:
    """The answer itself, where it was asked for raw and its body is read already, or will be read as this very stream.

    What a library has parsed once it keeps, so the caller gets the same. A body that is still the caller's to read is
    left alone.
    """
    kind = type(result).__name__
    with quietly("Reading a raw answer"):
        if kind == "LegacyAPIResponse" or (kind.endswith("APIResponse") and result.http_response.is_closed):
            return result.parse()
    return result


def _turn_at(path: str, rest: dict[str, Any], companion: Companion) -> ModelTurn | None:
    wire = _BY_PATH.get(path.partition("?")[0])
    body = rest.get("body")
    if wire is None or not isinstance(body, dict):
        return None
    for name in ("messages", "input"):
        given: Any = body.get(name)
        if hasattr(given, "__next__"):  # it can be gone through once, and the library has to do so too
            body = rest["body"] = {**body, name: list(given)}
    return companion.turn(wire, body)


# -- Google ------------------------------------------------------------------------------------------------------------


def _google(client: Any, companion: Companion) -> Any:
    api = copy.copy(client._api_client)
    for name, around in (
        ("request", _requesting),
        ("request_streamed", _streaming),
        ("async_request", _requesting_async),
        ("async_request_streamed", _streaming_async),
    ):
        setattr(api, name, around(getattr(api, name), companion))
    twin = _moved(client, api)
    twin._aio = _moved(client._aio, api)
    # Connections are shared. Whoever is dropped closes them, so the twin holds the client and closes nothing itself.
    twin._recollect_origin = client
    api.close = twin.close = _nothing
    api.aclose = twin._aio.aclose = _nothing_async
    twin.recollect = companion
    return twin


def _moved(holder: Any, api: Any) -> Any:
    """A copy of a client whose parts all ask another API client. Parts that are made later are made anew."""
    twin = copy.copy(holder)
    for name, part in vars(holder).items():
        if part is holder._api_client:
            setattr(twin, name, api)
        elif getattr(part, "_api_client", None) is holder._api_client and name != "_aio":
            moved = copy.copy(part)
            moved._api_client = api
            setattr(twin, name, moved)
    return twin


def _nothing() -> None:
    """Nothing to close."""


async def _nothing_async() -> None:
    """Nothing to close."""


def _content_turn(path: str, body: Any, companion: Companion) -> ModelTurn | None:
    is_asked = path.partition("?")[0].endswith(CONTENT_METHODS)
    return companion.turn(_GEMINI, body) if is_asked else None


def _requesting(request: Any, companion: Companion) -> Any:
    def requested(method: str, path: str, body: Any, options: Any = None) -> Any:
        turn = _content_turn(path, body, companion)
        if turn is None:
            return request(method, path, body, options)
        try:
            result = request(method, path, turn.told(), options)
        except BaseException:
            turn.end()
            raise
        turn.answered(result)
        return result

    return requested


def _streaming(request: Any, companion: Companion) -> Any:
    def requested(method: str, path: str, body: Any, options: Any = None) -> Any:
        turn = _content_turn(path, body, companion)
        if turn is None:
            return request(method, path, body, options)
        return heard(request(method, path, turn.told(), options), turn)

    return requested


def _requesting_async(request: Any, companion: Companion) -> Any:
    return _asking_async(request, companion, _answered)


def _streaming_async(request: Any, companion: Companion) -> Any:
    return _asking_async(request, companion, heard_async)


def _asking_async(request: Any, companion: Companion, told: Callable[[Any, ModelTurn], Any]) -> Any:
    async def requested(method: str, path: str, body: Any, options: Any = None) -> Any:
        turn = _content_turn(path, body, companion)
        if turn is None:
            return await request(method, path, body, options)
        try:
            result = await request(method, path, await turn.told_async(), options)
        except BaseException:
            turn.end()
            raise
        return told(result, turn)

    return requested


def _answered(result: Any, turn: ModelTurn) -> Any:
    turn.answered(result)
    return result


def is_stream(result: Any) -> bool:
    """Whether an answer is a stream of a vendor's library."""
    return hasattr(result, "_iterator") and hasattr(result, "response")


def tapped(stream: Any, turn: ModelTurn) -> Any:
    """A stream of events, listened to."""
    stream._iterator = heard(stream._iterator, turn)
    _end_with(stream, turn, "close")
    return stream


def tapped_async(stream: Any, turn: ModelTurn) -> Any:
    """A stream of events that are awaited, listened to."""
    stream._iterator = heard_async(stream._iterator, turn)
    _end_with(stream, turn, "aclose")
    return stream


def heard(events: Iterator[Any], turn: ModelTurn) -> Iterator[Any]:
    """The same events."""
    try:
        for event in events:
            turn.see(event)
            yield event
    finally:
        _close(events)
        turn.end()


async def heard_async(events: AsyncIterator[Any], turn: ModelTurn) -> AsyncIterator[Any]:
    """The same events, awaited."""
    try:
        async for event in events:
            turn.see(event)
            yield event
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()
        turn.end()


def _close(events: Iterator[Any]) -> None:
    close = getattr(events, "close", None)
    if close is not None:
        close()


def _end_with(stream: Any, turn: ModelTurn, closing: str) -> None:
    weakref.finalize(stream, turn.end)
    with quietly("Following a stream"):
        response = stream.response
        close = getattr(response, closing)

        def closed() -> Any:
            turn.end()
            return close()

        setattr(response, closing, closed)
