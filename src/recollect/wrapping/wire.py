"""The wire of a vendor: how requests, replies and events of streams are read, and where a block goes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from recollect.wrapping.conversation import Spoken


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
