"""The seam to a vendor's client: a request, a reply as the provider gave it, and the ways in which a call can fail.

Messages of failures are our own words. A provider's may quote a key, or be written to be believed.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from recollect.domain.chat.chat_model import RefusalCode
from recollect.domain.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recollect.domain.chat.chat_model import ChatMessage


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call. The schema stands in the system's words as well, for models that are not held to it."""

    model: str
    messages: tuple[ChatMessage, ...]
    schema: Mapping[str, Any] | None
    max_tokens: int


@dataclass(frozen=True, slots=True)
class ClaimedUsage:
    """Tokens as the provider counts them, which need not be true: whatever stood in those fields of its reply."""

    input: Any = None
    cached: Any = 0
    output: Any = 0


@dataclass(frozen=True, slots=True)
class WireReply:
    """A reply as the provider gave it. `declined` if the model or a filter would not answer."""

    text: str
    usage: ClaimedUsage
    truncated: bool = False
    declined: bool = False


class ProviderFailure(Exception):
    """A call that gave no reply. `passing` may go well later; `charged` may have been paid for."""

    def __init__(
        self,
        code: RefusalCode,
        message: str,
        *,
        hint: str = "",
        passing: bool = False,
        charged: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.hint, self.passing, self.charged, self.wait = code, hint, passing, charged, wait


class ProviderClient(Protocol):
    """A vendor's client for one provider."""

    def ask(self, request: ChatRequest, seconds: float) -> WireReply:
        """Make one call, once. Raises `ProviderFailure`."""
        ...

    def embed(
        self, model: str, texts: Sequence[str], dimension: int, seconds: float, *, question: bool
    ) -> tuple[Sequence[Sequence[float]], ClaimedUsage]:
        """The vectors of some texts, in their order. Raises `ProviderFailure`."""
        ...


_AFTER_WORK = (408, 500, 502, 504)  # statuses that may come after the work was done


def by_status(name: str, status: int, wait: float | None = None) -> ProviderFailure:
    """The failure that a status of HTTP stands for."""
    if status in (401, 403):
        return ProviderFailure(
            RefusalCode.REJECTED,
            f"The provider `{name}` does not take the key (status {status}).",
            hint="`recollect providers` shows where the key comes from.",
        )
    if status in (408, 409, 425, 429) or status >= 500:
        said = "asks to wait" if status == 429 else "cannot answer now"
        return ProviderFailure(
            RefusalCode.UNREACHABLE,
            f"The provider `{name}` {said} (status {status}).",
            passing=True,
            wait=wait,
            charged=status in _AFTER_WORK,
        )
    return ProviderFailure(
        RefusalCode.REJECTED,
        f"The provider `{name}` does not take the request (status {status}).",
        hint="Is the name of the model right? `recollect providers` shows it.",
    )


def no_connection(name: str) -> ProviderFailure:
    return ProviderFailure(RefusalCode.UNREACHABLE, f"The provider `{name}` cannot be reached.", passing=True)


def no_answer(name: str) -> ProviderFailure:
    """It was reached, and gave no whole answer in time: it may have done the work, and may ask to be paid."""
    return ProviderFailure(
        RefusalCode.UNREACHABLE, f"The provider `{name}` gave no whole answer in time.", passing=True, charged=True
    )


def not_understood(name: str) -> ProviderFailure:
    return ProviderFailure(
        RefusalCode.MALFORMED, f"The answer of the provider `{name}` cannot be understood.", charged=True
    )


@contextmanager
def failures_of(sdk: Any, any_error: type[Exception], name: str) -> Iterator[None]:
    """Raise failures of a vendor's SDK, which OpenAI and Anthropic name alike, as those of a provider."""
    import httpx2

    try:
        yield
    except sdk.APITimeoutError:
        raise no_answer(name) from None
    except sdk.APIStatusError as problem:
        raise by_status(name, problem.status_code, retry_after(problem.response.headers)) from None
    except sdk.APIConnectionError as problem:
        unmet = isinstance(problem.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)
        raise (no_connection if unmet else no_answer)(name) from None
    except (any_error, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise not_understood(name) from None


def retry_after(headers: Mapping[str, str] | None) -> float | None:
    """Seconds that a provider asks to wait; `None` if it does not say, or makes no sense."""
    said = (headers or {}).get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        return None
    return seconds if 0 <= seconds < 10**6 else None
