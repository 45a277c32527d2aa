"""Verbs of a memory in this process, called by their names: for dialects that are imported, not asked over HTTP."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Self, TypeVar

from recollect.domain.origin import Caller, Channel
from recollect.operations import operations_of

T = TypeVar("T")


class InProcess:
    """A memory whose owner may do everything; see `Doer`. `space` is the one that is meant when none is named."""

    def __init__(self, memory: Any, space: str | None = None) -> None:
        self.memory, self._space = memory, space
        self._verbs = operations_of(type(memory))

    @property
    def space(self) -> str:
        """The space that is meant when none is named."""
        return self._space or str(self.memory.settings.space)

    @classmethod
    def opened(cls, space: str | None = None, **settings: Any) -> InProcess:
        """A memory of its own. Which one is chosen by whoever is above dialects, so it is asked for by name."""
        return cls(importlib.import_module("recollect").Memory(**settings), space)

    @classmethod
    def of_agent(cls, memory: Any, principal: str, space: str | None = None) -> InProcess:
        """A memory for an agent: what a model writes is only quoted, and does not outrank what a person said."""
        return cls(memory.acting_as(Caller(Channel.MCP, principal)), space)

    def do(self, verb: str, given: Mapping[str, Any] | None = None) -> Any:
        """See `Doer.do`."""
        said = {name: value for name, value in (given or {}).items() if value is not None}
        if self._space is not None:
            said.setdefault("space", self._space)
        return getattr(self.memory, self._verbs[verb].method)(**said)

    def close(self) -> None:
        self.memory.close()


class Opened:
    """A memory that a class of another system works on: one that was handed in and stays open, or one of its own."""

    def __init__(self, memory: Any, space: str | None, **settings: Any) -> None:
        self._doer = InProcess.opened(space, **settings) if memory is None else InProcess(memory, space)
        self._owns = memory is None

    def close(self) -> None:
        """Let go of a memory that was opened here; one that was handed in stays open."""
        if self._owns:
            self._doer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Awaited:
    """The methods of another object, awaited. Each runs on a thread."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """The method of this name, awaited."""
        if name.startswith("_") or not callable(method := getattr(self._plain, name, None)):
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

        async def awaited(*given: Any, **named: Any) -> Any:
            return await aside(method, *given, **named)

        return awaited

    def close(self) -> None:
        """Close the other object."""
        self._plain.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


async def aside(function: Callable[..., T], *given: Any, **named: Any) -> T:
    """Call on a thread, so that whatever else is awaited goes on."""
    import asyncio

    return await asyncio.to_thread(function, *given, **named)


def exported_by(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are loaded when they are asked for: `module.Name` for each."""

    def found(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, known = places[name].rpartition(".")
        return getattr(importlib.import_module(f"{package}.{module}"), known)

    return found
