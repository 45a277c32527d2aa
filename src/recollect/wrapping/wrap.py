"""A client of a language model with a memory beside it: of this process, or at another machine, over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack
from urllib.parse import quote, urlsplit

from recollect.domain.answers.bounds import DEFAULT_BUDGET
from recollect.domain.errors import InvalidInput, Unreachable
from recollect.domain.scopes import DEFAULT_SPACE
from recollect.wrapping.client_twin import twin_of
from recollect.wrapping.companion import Companion
from recollect.wrapping.conversation import Attribution

if TYPE_CHECKING:
    from recollect.wrapping.companion import Recalling
    from recollect.wrapping.write_queue import Exchange


C = TypeVar("C")

_MOST_WAIT = 60.0  # seconds


class WrapOptions(TypedDict, total=False):
    """The arguments of `wrap` besides the client."""

    user: str | None
    session: str | None
    space: str | None
    budget: int
    wait: float


class EmbeddedMemory:
    """A `Memory` of this process, as a companion needs it."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str:
        block: str = self._memory.recall(query, budget=budget, user=whose.user, space=whose.space).block
        return block

    def remember(self, exchange: Exchange) -> None:
        whose = exchange.whose
        self._memory.add(exchange.messages, user=whose.user, session=whose.session, space=whose.space)


def wrapped(
    client: C,
    memory: Recalling,
    *,
    user: str | None = None,
    session: str | None = None,
    space: str | None = None,
    budget: int = DEFAULT_BUDGET,
    wait: float = 2.0,
) -> tuple[C, Companion]:
    """A twin of a client, and the companion that goes with it."""
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 <= wait <= _MOST_WAIT:
        raise InvalidInput(
            f"`wait` is {wait!r}; it must be a number of seconds from 0 to {_MOST_WAIT:.0f}.", code="invalid_number"
        )
    companion = Companion(memory, whose=Attribution(user, session, space), budget=budget, seconds=wait)
    return twin_of(client, companion), companion


_SECONDS = 30.0  # for one request; a recall is given up much sooner
_LARGEST = 4_000_000  # bytes of an answer
_HINT = "Check the address and the token of the server."


class RemoteMemory:
    """A server of Recollect, by its address and a token that may read and write."""

    def __init__(self, url: str, token: str, *, space: str = DEFAULT_SPACE) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise InvalidInput(
                "The address of a server begins with http:// or https:// and holds no password.",
                code="invalid_url",
                hint="For example: https://memory.example.org",
            )
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._token, self._space = token, space

    def __repr__(self) -> str:
        return f"RemoteMemory({self._host!r}, space={self._space!r})"

    def wrap(self, client: C, **options: Unpack[WrapOptions]) -> C:
        """A twin of a client that recalls from this memory and remembers there: see `Memory.wrap`."""

        return wrapped(client, self, **options)[0]

    def recall_block(self, query: str, whose: Attribution, budget: int) -> str:
        told = self._ask("recall", whose, {"query": query, "budget": budget, "user": whose.user})
        return str(told.get("block") or "")

    def remember(self, exchange: Exchange) -> None:
        whose = exchange.whose
        given = {"messages": list(exchange.messages), "user": whose.user, "session": whose.session}
        self._ask("add", whose, given)

    def _ask(self, verb: str, whose: Attribution, given: dict[str, Any]) -> dict[str, Any]:
        from http.client import HTTPConnection, HTTPException, HTTPSConnection

        body = json.dumps({name: value for name, value in given.items() if value is not None})
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        path = f"{self._prefix}/v1/spaces/{quote(whose.space or self._space, safe='')}/{verb}"
        connection = (HTTPSConnection if self._secure else HTTPConnection)(self._host, self._port, timeout=_SECONDS)
        try:
            connection.request("POST", path, body.encode(), headers)
            answer = connection.getresponse()
            told, status = answer.read(_LARGEST), answer.status
        except (OSError, HTTPException) as problem:
            raise Unreachable(f"{self._host} did not answer: {type(problem).__name__}.", hint=_HINT) from None
        finally:
            connection.close()
        if status != 200:
            raise Unreachable(f"{self._host} answered with status {status}.", hint=_HINT)
        found: dict[str, Any] = json.loads(told)
        return found
