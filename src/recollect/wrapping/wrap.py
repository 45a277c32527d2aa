"""A client of a language model with a memory beside it: of this process, or at another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from recollect.domain.answers.bounds import DEFAULT_BUDGET
from recollect.domain.errors import InvalidInput
from recollect.wrapping.attribution import Attribution
from recollect.wrapping.client_twin import twin_of
from recollect.wrapping.companion import Companion

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
