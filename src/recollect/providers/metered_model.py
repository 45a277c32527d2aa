"""A language model that is asked within its means: reserve, call, settle; again after a pause; and mended once.

Whatever a provider does ends as a `ChatReply`. Secrets are taken out of every text before it leaves.
"""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

from recollect.domain.answers.recollections import Usage
from recollect.domain.chat.chat_model import ChatMessage, ChatRefusal, ChatReply, RefusalCode
from recollect.domain.chat.spend import CapReached
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import StoreFailure
from recollect.providers.spend_account import bytes_of, for_nothing, in_full, most_tokens
from recollect.providers.structured_reply import parsed, repair, with_schema
from recollect.providers.wire import ChatRequest, ProviderFailure, WireReply
from recollect.redaction.clean_records import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from recollect.providers.spend_account import SpendAccount
    from recollect.providers.wire import ProviderClient

_TRIES = 3
_PAUSE = 0.5  # seconds before the second try, twice as long before the third; half to one and a half times, by chance
_LONGEST_PROMPT = 400_000  # bytes
_AT_THE_CAP = "`recollect spend` shows what was spent; the caps are in the settings, below [spend]."


@dataclass(frozen=True, slots=True)
class MeteredChatModel:
    """Implements `ChatModel`. `open_client` makes the vendor's client, or raises `ProviderFailure`."""

    account: SpendAccount
    breaker: CircuitBreaker
    open_client: Callable[[], ProviderClient]
    sleep: Callable[[float], None] = time.sleep
    patience: float = 0.0  # seconds that a reply may take, where that is more than a task waits

    @property
    def model_id(self) -> str:
        return f"{self.account.provider}:{self.account.model}"

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        seconds: float = 60.0,
    ) -> ChatReply:
        """See `ChatModel.reply`. Raises `InvalidInput` for a schema that we do not check."""
        until = time.monotonic() + max(seconds, self.patience)
        told = tuple(ChatMessage(each.role, clean(each.text)) for each in messages)
        if schema is not None:
            told = with_schema(told, schema)
        spent, fault = Usage(), ""
        for _ in range(1 if schema is None else 2):
            request = ChatRequest(self.account.model, told, schema, max_tokens)
            reply, usage = self._answered(request, until)
            spent += usage
            if isinstance(reply, ChatRefusal):
                return ChatReply(model=self.model_id, usage=spent, refusal=reply)
            if schema is None:
                return ChatReply(reply.text, model=self.model_id, usage=spent)
            data, fault = parsed(reply.text, schema)
            if not fault:
                return ChatReply(reply.text, data, self.model_id, spent)
            told = repair(told, reply.text, fault)
        refusal = ChatRefusal(RefusalCode.MALFORMED, f"The answer of {self.model_id} was of no use twice: {fault}.")
        return ChatReply(model=self.model_id, usage=spent, refusal=refusal)

    def _answered(self, request: ChatRequest, until: float) -> tuple[WireReply | ChatRefusal, Usage]:
        """A whole reply to one request, or the reason why there is none, and what was spent on it."""
        spent = Usage()
        if bytes_of([each.text for each in request.messages]) > _LONGEST_PROMPT:
            return ChatRefusal(RefusalCode.TOO_LONG, f"A prompt has at most {_LONGEST_PROMPT} bytes."), spent
        for tried in range(1, _TRIES + 1):
            found, usage = self._attempt(request, until)
            spent += usage
            if isinstance(found, WireReply):
                return _whole(found, self.model_id), spent
            if isinstance(found, ChatRefusal):
                return found, spent
            pause = max(_PAUSE * 2 ** (tried - 1) * (0.5 + self.account.clock.chance()), found.wait or 0.0)
            if not found.passing or tried == _TRIES or time.monotonic() + pause >= until:
                return ChatRefusal(found.code, str(found), found.hint, found.wait), spent
            self.sleep(pause)
        raise AssertionError("unreachable")

    def _attempt(self, request: ChatRequest, until: float) -> tuple[WireReply | ChatRefusal | ProviderFailure, Usage]:
        """One call: reserved, made and settled. A refusal is for good; a failure may pass."""
        if (rest := self.breaker.rest()) > 0:
            message = f"The provider `{self.account.provider}` failed several times in a row, and is left alone."
            return ChatRefusal(RefusalCode.RESTING, message, wait=rest), Usage()
        try:
            client = self.open_client()
        except ProviderFailure as failure:
            return failure, Usage()
        left = max(1.0, until - time.monotonic())
        try:
            reserved = self.account.reserve(most_tokens(request), request.max_tokens, left)
        except StoreFailure as problem:
            return ChatRefusal(RefusalCode.LEDGER, f"What a call costs cannot be written down: {problem}"), Usage()
        if isinstance(reserved, CapReached):
            wait = None if reserved.of == "session" else _until_tomorrow(self.account.clock.now())
            return ChatRefusal(RefusalCode.SPEND_CAP, reserved.message, _AT_THE_CAP, wait), Usage()
        try:
            reply = client.ask(request, left)
        except ProviderFailure as failure:
            if failure.passing:
                self.breaker.failed()
            cost = in_full(reserved) if failure.charged else for_nothing(reserved)
            return failure, self.account.settle(reserved, cost)
        self.breaker.succeeded()
        size = bytes_of([*(each.text for each in request.messages), reply.text])
        return reply, self.account.settle(reserved, self.account.cost_of(reserved, reply.usage, size))


def _until_tomorrow(now: datetime) -> float:
    """Seconds until the caps of a day begin anew, which is at midnight in UTC."""
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (tomorrow - now).total_seconds()


def _whole(reply: WireReply, model: str) -> WireReply | ChatRefusal:
    if reply.declined:
        return ChatRefusal(RefusalCode.DECLINED, f"{model} would not answer.")
    if reply.truncated:
        return ChatRefusal(RefusalCode.TRUNCATED, f"The answer of {model} was cut off at its limit.")
    if not reply.text.strip():
        return ChatRefusal(RefusalCode.MALFORMED, f"The answer of {model} is empty.")
    return reply


_FAILURES = 5  # in a row
_SHORTEST, _LONGEST = 30.0, 600.0  # seconds; each rest is twice as long as the last one


class CircuitBreaker:
    """Counts the failures of one provider in this process. After a rest, one call finds out whether it is back."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._rest = 0.0
        self._until = 0.0

    def rest(self) -> float:
        """Seconds that the provider is still left alone; 0 if it may be asked, which after a rest one caller may."""
        with self._lock:
            left = self._until - self._now()
            if self._failures >= _FAILURES and left <= 0:
                self._until = self._now() + self._rest  # the others wait for how this call goes
            return max(0.0, left)

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= _FAILURES:
                self._rest = min(_LONGEST, max(_SHORTEST, self._rest * 2))
                self._until = self._now() + self._rest

    def succeeded(self) -> None:
        with self._lock:
            self._failures, self._rest, self._until = 0, 0.0, 0.0
