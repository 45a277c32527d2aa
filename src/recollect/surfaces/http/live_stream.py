"""The live stream of a space: server-sent events, or messages of a WebSocket.

Each reader pulls from the change log at its own pace, so a slow one holds up nobody and nothing piles up for it. One
that falls too far behind is told from where to go on and let go; one that takes nothing at all is cut off. The number
of the last change it saw is all it needs to come back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import WebSocket
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from recollect.dialects.table import DialectLine
from recollect.domain.answers.sessions import Happening
from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.origin import Caller, Channel
from recollect.domain.values import to_plain
from recollect.memory import Memory
from recollect.surfaces.reception.guard import Visit
from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.reception.visitor import memory_of
from recollect.verbs.upkeep import Following

T = TypeVar("T")

_PAGE = 100  # changes read at once
_LOOK_EVERY = 0.2  # seconds between looks at a space in which nothing happens, however many watch it
_LOOK_UNTOLD = 2.0  # seconds likewise, where others say when something happens; not everybody need
_STILL_THERE = 15.0  # seconds after which a quiet stream says that it is still there
_GOODBYE = 2.0  # seconds that a server which stops waits for its readers to have heard so
_COME_BACK = 1000  # milliseconds after which a client that lost us should try again
_QUIET = (ChangeKind.EMBEDDED,)  # our own bookkeeping; nobody asked to hear of it

_GOING_AWAY, _NOT_ALLOWED, _TRY_AGAIN = 1001, 1008, 1013  # how a WebSocket says why it closes


@dataclass(frozen=True, slots=True)
class StreamMessage:
    """One thing that a stream says. `seq` is `None` for what is not a change; `close` is why nothing follows."""

    event: str
    seq: int | None
    said: dict[str, Any]
    close: int | None = None
    happening: Happening | None = None


class Streams:
    """Everybody who watches."""

    def __init__(self, memory: Memory, limits: Limits) -> None:
        self._memory = memory
        self._following = memory.following
        self._access = memory.access
        self._limits = limits
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="recollect-stream")
        self._newest: dict[str, tuple[float, int]] = {}
        self._readers: Counter[str] = Counter()
        self.dropped = 0  # readers that were let go because they were too slow
        self._over = False
        self.bus = self._following.bus
        self._watched: Counter[str] = Counter()  # readers of each space, by the word of the bus for it
        self._changed: set[str] = set()  # those of them that others said have changed
        if self.bus is not None:
            self.bus.listen(self._hear)

    def _hear(self, word: str, _times: int) -> None:
        if word in self._watched:
            self._changed.add(word)

    @property
    def readers(self) -> int:
        return self._readers.total()

    async def end(self) -> None:
        """Say goodbye to everybody, and wait until they have heard it, but not for those who take nothing."""
        self._over = True
        until = time.monotonic() + _GOODBYE
        while self.readers and time.monotonic() < until:
            await asyncio.sleep(_LOOK_EVERY / 10)

    def close(self) -> None:
        self._threads.shutdown()

    async def start(self, visit: Visit, after: str | None) -> int:
        """The number that a reader goes on from, if there is room for another and the number is one."""
        said = visit.head.one("last-event-id") if after is None else after
        if said is not None and not (said.isascii() and said.isdigit() and len(said) < 19):
            raise InvalidInput("`after` is not the number of a change.", code="invalid_number")
        key = visit.token.id if visit.token else ""
        if self.readers >= self._limits.streams or self._readers[key] >= self._limits.streams_per_token:
            raise HttpProblem(
                429, "too_many_streams", "There are too many streams open.", hint="Close one, or come back later."
            )
        return await self._ask(self._followed(visit).start, visit.space or "", None if said is None else int(said))

    @contextlib.contextmanager
    def reading(self, visit: Visit) -> Iterator[None]:
        key = visit.token.id if visit.token else ""
        word = self.bus.word_for("space", visit.space or "") if self.bus else ""
        self._readers[key] += 1
        self._watched[word] += 1
        self._changed.add(word)  # nobody listened for it until now
        try:
            yield
        finally:
            self._readers[key] -= 1
            self._readers += Counter()  # forget who has none left
            self._watched[word] -= 1
            if not self._watched[word]:
                del self._watched[word]
                self._changed.discard(word)

    async def told(self, visit: Visit, seq: int, gone: asyncio.Future[None]) -> AsyncIterator[StreamMessage]:
        """The events after a sequence number, until the reader is gone or has to go."""
        space, heard, live = visit.space or "", time.monotonic(), False
        following = self._followed(visit)
        while not gone.done():
            if self._over:
                yield StreamMessage("closing", None, {"code": "closing", "resume_after": seq}, _GOING_AWAY)
                return
            try:
                newest = await self._look(space)
                page = await self._ask(following.after, space, seq, limit=_PAGE)
            except RecollectError as problem:
                yield StreamMessage("closing", None, {"code": problem.code, "resume_after": seq}, _TRY_AGAIN)
                return
            for each in page:
                seq, heard = each.seq, time.monotonic()
                if each.kind not in _QUIET:
                    yield StreamMessage(each.kind.value, each.seq, to_plain(each), happening=each)
            if live and newest - seq > self._limits.stream_behind:
                self.dropped += 1
                yield StreamMessage("behind", None, {"code": "behind", "resume_after": seq}, _TRY_AGAIN)
                return
            if len(page) == _PAGE:
                continue
            seq, live = max(seq, newest), True  # changes that this reader may not see lie behind them as well
            if time.monotonic() - heard >= _STILL_THERE:
                heard = time.monotonic()
                yield StreamMessage("", None, {})
            while not gone.done() and not self._over and await self._look(space) == seq:
                if not await self._may_stay(visit):
                    yield StreamMessage("closing", None, {"code": "token_invalid", "resume_after": seq}, _NOT_ALLOWED)
                    return
                await asyncio.wait({gone}, timeout=_LOOK_EVERY)
                if time.monotonic() - heard >= _STILL_THERE:
                    break

    async def sent(self, sending: Awaitable[None]) -> bool:
        """Send something; whether it was taken in time."""
        try:
            async with asyncio.timeout(self._limits.stalled_seconds):
                await sending
        except TimeoutError:
            self.dropped += 1
            return False
        except (OSError, RuntimeError):  # how servers say that nobody is there
            return False
        return True

    async def _look(self, space: str) -> int:
        """The newest change of a space, looked up for all its readers together."""
        at, newest = self._newest.get(space, (-1.0, 0))
        pause = _LOOK_EVERY
        if self.bus is not None and self.bus.is_up:
            word = self.bus.word_for("space", space)
            pause = 0.0 if word in self._changed else _LOOK_UNTOLD
            self._changed.discard(word)
        if time.monotonic() - at >= pause:
            newest = await self._ask(self._following.last, space)
            self._newest[space] = (time.monotonic(), newest)
            if len(self._newest) > 2 * self._limits.streams:
                self._newest.clear()
        return newest

    async def _may_stay(self, visit: Visit) -> bool:
        sign_in = visit.sign_in.id if visit.sign_in else None
        if visit.token is None or not visit.token.id:  # one that the server was started with ends with it
            return True
        return await self._ask(self._access.is_live, visit.token.id, sign_in)

    def _followed(self, visit: Visit) -> Following:
        """The changes that a reader may see."""
        if visit.token is None or not visit.token.is_bound:
            return self._following
        return memory_of(self._memory, visit.token, Caller(Channel.HTTP)).following

    async def _ask(self, function: Callable[..., T], *given: Any, **named: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*given, **named))


class EventStream(Response):
    """A stream as server-sent events."""

    media_type = "text/event-stream"

    def __init__(self, streams: Streams, visit: Visit, seq: int) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})  # a proxy that gathers would hold it back
        del self.headers["content-length"]
        self._streams, self._visit, self._seq = streams, visit, seq

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        async def piece(text: str, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text.encode("utf-8", "replace"), "more_body": more})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        gone = asyncio.ensure_future(_until(receive, "http.disconnect"))
        with self._streams.reading(self._visit):
            try:
                if not await self._streams.sent(piece(f"retry: {_COME_BACK}\n\n")):
                    return
                async for each in self._streams.told(self._visit, self._seq, gone):
                    if not await self._streams.sent(piece(_as_event(each))):
                        return
                await self._streams.sent(piece("", more=False))
            finally:
                gone.cancel()


async def over_websocket(streams: Streams, visit: Visit, socket: WebSocket, seq: int) -> None:
    """A stream as messages, each a JSON object. What the other side says is not listened to."""
    await socket.accept()
    gone = asyncio.ensure_future(_until(socket.receive, "websocket.disconnect"))
    with streams.reading(visit):
        try:
            async for each in streams.told(visit, seq, gone):
                for text in _as_messages(each, visit.line):
                    if not await streams.sent(socket.send_text(text)):
                        return
                if each.close is not None:
                    await streams.sent(socket.close(each.close))
        finally:
            gone.cancel()


async def _until(receive: Callable[[], Any], last: str) -> None:
    with contextlib.suppress(RuntimeError):  # it was over already
        while (await receive())["type"] != last:
            pass


def _as_event(told: StreamMessage) -> str:
    if not told.event:
        return ": still here\n\n"
    number = "" if told.seq is None else f"id: {told.seq}\n"
    return f"{number}event: {told.event}\ndata: {_spelled(told.said)}\n\n"


def _as_messages(told: StreamMessage, line: DialectLine | None) -> list[str]:
    """The messages of a WebSocket: in our form, or in that of the dialect whose path it is."""
    if line is not None and line.path.frames is not None:
        return [_spelled(each) for each in line.path.frames(told.happening)] if told.happening else []
    return [_spelled({"event": told.event, **told.said})] if told.event else []


def _spelled(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))  # JSON has no bare line feeds
