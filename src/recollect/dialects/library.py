"""Verbs of a memory in this process, called by their names: for dialects that are imported, not asked over HTTP."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from recollect.domain.origin import Caller, Channel
from recollect.operations import operations_of


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
