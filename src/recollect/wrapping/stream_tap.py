"""Streams that are listened to on their way: the same object, the same events, in the same order.

A stream ends for memory when it is read to its end, when it is closed, or when nobody holds it any more.
"""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

from recollect.wrapping.companion import ModelTurn, quietly


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
