"""One turn with a language model: what memory adds before it, within a limit of time, and what it keeps after it.

No failure of memory leaves this module: it becomes a line in the log, and the call goes on as if there were no memory.
After several failures in a row memory is left alone for a while.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from hashlib import sha256
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4

from recollect.domain.dataclass import dataclass, replace
from recollect.wrapping.conversation import AskedTurn, Attribution, Spoken, asked_in, current_attribution
from recollect.wrapping.write_queue import Exchange, WriteQueue

_LONGEST_QUERY = 4000  # characters from each end of a message; the middle of a pasted page sharpens no recall
_REMEMBERED = 4096  # messages that are known to be kept
_AT_CLOSE = 10.0  # seconds

_log = logging.getLogger("recollect.wrap")


class Recalling(Protocol):
    """A memory as this needs it: embedded, or at another machine."""

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str: ...

    def remember(self, exchange: Exchange) -> None: ...


@contextmanager
def quietly(doing: str) -> Iterator[None]:
    """Make a failure of ours a line of the log."""
    try:
        yield
    except Exception as problem:
        _log.warning("%s failed, and the call went on without it: %s", doing, type(problem).__name__)


class Companion:
    """The memory beside a wrapped client. It belongs to the client and everything that is made from it."""

    def __init__(self, memory: Recalling, *, whose: Attribution, budget: int, seconds: float) -> None:
        self._whose = whose
        self._session = f"wrap-{uuid4().hex[:12]}"
        self.recall = BoundedRecall(lambda query, whose: memory.recall_block(query, whose, budget), seconds=seconds)
        self.queue = WriteQueue(memory.remember)
        # A stream may end when garbage is collected, which can happen within the lock, in the very same thread.
        self._lock = threading.RLock()
        self._kept: OrderedDict[tuple[str, Attribution], None] = OrderedDict()

    def turn(self, wire: Wire, body: Any) -> ModelTurn | None:
        """The turn that a request belongs to; `None` for one that memory leaves alone."""
        with quietly("Reading a request"):
            whose = self._whose.under(current_attribution())
            if whose.skip or not isinstance(body, Mapping):
                return None
            # The user that a request names is meant, unless code around it says otherwise.
            named = wire.user(body)
            if named and current_attribution().user is None:
                whose = replace(whose, user=named)
            if whose.session is None:  # one for each user: what they say stands in the order in which they said it
                whose = replace(whose, session=f"{self._session}-{_short(whose.user)}" if whose.user else self._session)
            return ModelTurn(self, wire, body, asked_in(wire.spoken(body), wire.before(body)), whose)
        return None

    def ends(self, turn: ModelTurn) -> bool:
        """Whether a turn ends now, and did not before; of several who say so one is right."""
        with self._lock:
            ends, turn.is_over = not turn.is_over, True
            return ends

    def is_new(self, key: str, whose: Attribution) -> bool:
        """Whether a message was not kept yet; from now on it is."""
        with self._lock:
            new = (key, whose) not in self._kept
            self._kept[key, whose] = None
            while len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
            return new

    def flush(self, seconds: float = _AT_CLOSE) -> bool:
        """Wait until everything that was said is remembered, or for so long; whether it is."""
        return self.queue.flush(seconds)


def _short(name: str) -> str:
    return sha256(name.encode("utf-8", "replace")).hexdigest()[:8]


@dataclass(slots=True, eq=False)
class ModelTurn:
    """A request, the message of the user that it is about, and the words that come back."""

    companion: Companion
    wire: Wire
    body: Mapping[str, Any]
    asked: AskedTurn | None
    whose: Attribution
    words: str = ""
    is_over: bool = False

    # -- before ----------------------------------------------------------------------------------------------------

    def told(self) -> Mapping[str, Any]:
        """The request with what memory knows; waits for it, but not for long."""
        future, problem, block = self._begun(), None, ""
        if future is not None:
            try:
                block = future.result(self.companion.recall.seconds)
            except Exception as raised:
                problem = raised
        return self._settled(future, block, problem)

    async def told_async(self) -> Mapping[str, Any]:
        """The same, without holding up the event loop."""
        import asyncio

        future, problem, block = self._begun(), None, ""
        if future is not None:
            try:
                block = await asyncio.wait_for(asyncio.wrap_future(future), self.companion.recall.seconds)
            except Exception as raised:
                problem = raised
        return self._settled(future, block, problem)

    def _begun(self) -> Future[str] | None:
        if self.asked is None:
            return None
        if self.asked.goes_on and self.companion.recall.known(self.asked.about.key, self.whose) is not None:
            return None  # one recall for a turn; the same words in a turn of their own are asked anew
        text = self.asked.about.text
        if len(text) > 2 * _LONGEST_QUERY:
            text = f"{text[:_LONGEST_QUERY]}\n{text[-_LONGEST_QUERY:]}"
        with quietly("Beginning a recall"):
            return self.companion.recall.begun(text, self.whose)
        return None

    def _settled(self, future: Future[str] | None, block: str, problem: Exception | None) -> Mapping[str, Any]:
        if self.asked is None:
            return self.body
        about, recall = self.asked.about, self.companion.recall
        known = recall.known(about.key, self.whose)
        if future is not None or known is None:
            known = recall.settled(about.key, self.whose, block, problem)
        if known:
            with quietly("Adding to a request"):
                return self.wire.with_block(self.body, about.place, known)
        return self.body

    # -- after -----------------------------------------------------------------------------------------------------

    def see(self, event: Any) -> None:
        """Take in one event of a stream."""
        with quietly("Reading a stream"):
            self.words += self.wire.piece(event)

    def answered(self, result: Any) -> None:
        """Take in a whole answer, and end."""
        with quietly("Reading an answer"):
            self.words = self.wire.reply(result)
        self.end()

    def end(self) -> None:
        """Hand over to memory what was said, once: after an answer, a failure, or a stream that nobody reads on."""
        if not self.companion.ends(self):
            return
        with quietly("Remembering"):
            unanswered = self.asked.unanswered if self.asked else ()
            messages = [
                {"role": "user", "content": each.text}
                for each in unanswered
                if self.companion.is_new(each.key, self.whose)
            ]
            if self.words.strip():
                begun = self.asked.begun if self.asked else ""
                messages.append({"role": "assistant", "content": f"{begun}{self.words}"})
            if messages:
                self.companion.queue.put(Exchange(messages, self.whose))


class Wire(Protocol):
    """One format of requests. Bodies are never changed: `with_block` answers with a copy."""

    def spoken(self, body: Mapping[str, Any]) -> Sequence[Spoken]:
        """The messages of a request, place by place."""
        ...

    def before(self, body: Mapping[str, Any], /) -> str:
        """The conversation at the provider that a request goes on with; empty if it holds all of it."""
        ...

    def with_block(self, body: Mapping[str, Any], place: int, block: str) -> dict[str, Any]:
        """The request with a block before the words of the message at a place."""
        ...

    def user(self, body: Mapping[str, Any], /) -> str | None:
        """The user that a request names."""
        ...

    def reply(self, result: Any) -> str:
        """The words of an answer."""
        ...

    def piece(self, event: Any) -> str:
        """The words that one event of a stream adds."""
        ...


_UNDER_WAY = 8  # recalls at once; with more than that, memory is too slow to be waited for
_TIMES = 3  # failures in a row
_REST = 30.0  # seconds
_KEPT = 512  # turns whose block is known


class BoundedRecall:
    """Blocks for turns, each recalled once. A turn that got none, for whatever reason, gets none when it goes on."""

    def __init__(self, recall: Callable[[str, Attribution], str], *, seconds: float) -> None:
        self._recall, self.seconds = recall, seconds
        self._lock = threading.Lock()
        self._blocks: OrderedDict[tuple[str, Attribution], str] = OrderedDict()
        self._under_way = 0
        self._failures = 0
        self._rests_until = 0.0

    def known(self, key: str, whose: Attribution) -> str | None:
        """The block of a turn that has begun already; `None` for a new one."""
        with self._lock:
            return self._blocks.get((key, whose))

    def begun(self, query: str, whose: Attribution) -> Future[str] | None:
        """A recall on a thread of its own; `None` while memory rests or is overrun."""
        with self._lock:
            if self._under_way >= _UNDER_WAY or monotonic() < self._rests_until:
                return None
            self._under_way += 1
        future: Future[str] = Future()
        thread = threading.Thread(target=self._run, args=(future, query, whose), name="recollect-recall", daemon=True)
        try:
            thread.start()
        except BaseException:
            with self._lock:
                self._under_way -= 1
            raise
        return future

    def settled(self, key: str, whose: Attribution, block: str, problem: BaseException | None) -> str:
        """Keep the block of a turn, and count whether memory answered."""
        with self._lock:
            self._blocks[key, whose] = block
            while len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
            self._failures = 0 if problem is None else self._failures + 1
            if self._failures >= _TIMES:
                self._failures, self._rests_until = 0, monotonic() + _REST
        if problem is not None:
            _log.warning("A call went without memory: %s", type(problem).__name__)
        return block

    def _run(self, future: Future[str], query: str, whose: Attribution) -> None:
        try:
            block = self._recall(query, whose)
        except BaseException as problem:  # whoever waits is told; a thread has nobody else to tell
            with suppress(InvalidStateError):  # nobody waits any more
                # What would end a process ends no caller of it.
                future.set_exception(
                    problem if isinstance(problem, Exception) else RuntimeError(type(problem).__name__)
                )
        else:
            with suppress(InvalidStateError):
                future.set_result(block)
        finally:
            with self._lock:
                self._under_way -= 1
