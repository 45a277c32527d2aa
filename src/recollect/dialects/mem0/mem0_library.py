"""mem0's own classes, in this process: the same methods and answers, without a model, a key or a vector store."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

from recollect.dialects.library import Awaited, Opened
from recollect.dialects.mem0 import mem0_memories as memories
from recollect.domain.errors import Erased, InvalidInput, NotFound, Unsupported

_UNSET: Any = object()
_DONE = "successfully!"


class Mem0Memory(Opened):
    """`mem0.Memory`. `config` chose models and a vector store there: it is taken, and has no effect here.

    `memory` is a `recollect.Memory` that is open already; otherwise one is opened with `settings` (`home`, `store` …).
    """

    def __init__(self, config: Any = None, *, memory: Any = None, space: str | None = None, **settings: Any) -> None:
        if config:
            warnings.warn("The configuration of mem0 has no effect: Recollect has its own.", stacklevel=2)
        super().__init__(memory, space, **settings)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any], **settings: Any) -> Self:
        """See `__init__`."""
        return cls(config_dict, **settings)

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Remember messages; `infer=False` keeps them word for word. Answers with each memory that came of it."""
        whose = _whose(user_id=user_id, agent_id=agent_id, run_id=run_id)
        return {"results": memories.add(self._doer, {"messages": messages, **whose, **options})["results"]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory; `None` if it is not there."""
        try:
            return memories.get(self._doer, memory_id)
        except (NotFound, Erased):
            return None

    def get_all(
        self, *, filters: Mapping[str, Any] | None = None, top_k: int = 20, show_expired: bool = False, **wrong: Any
    ) -> dict[str, Any]:
        """The newest memories that filters find."""
        asked = _read("get_all", filters, wrong)
        return {"results": memories.get_all(self._doer, {**asked, "show_expired": show_expired}, size=top_k)["results"]}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float = 0.1,
        rerank: bool = False,  # noqa: ARG002 - the best hits are always read beside the question
        explain: bool = False,
        show_expired: bool = False,
        **wrong: Any,
    ) -> dict[str, Any]:
        """The memories that answer a query, best first."""
        asked = _read("search", filters, wrong)
        options = {"top_k": top_k, "threshold": threshold, "explain": explain, "show_expired": show_expired}
        return memories.search(self._doer, {"query": query, **asked, **options})

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> dict[str, Any]:
        """Correct a memory; an `expiration_date` of `None` takes the end away."""
        end = {} if expiration_date is _UNSET else {"expiration_date": expiration_date}
        said = {"text": data if text is None else text, "metadata": metadata}
        memories.update(self._doer, memory_id, {**{k: v for k, v in said.items() if v is not None}, **end})
        return {"message": f"Memory updated {_DONE}"}

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Erase one memory."""
        memories.delete(self._doer, memory_id)
        return {"message": f"Memory deleted {_DONE}"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, Any]:
        """Erase every memory of these ids."""
        memories.delete_all(self._doer, _whose(user_id=user_id, agent_id=agent_id, run_id=run_id, required=False))
        return {"message": f"Memories deleted {_DONE}"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """The changes of a memory, oldest first."""
        return memories.history(self._doer, memory_id)

    def reset(self) -> None:
        """Erase everything."""
        memories.reset(self._doer)

    def chat(self, query: str) -> Any:
        """Not taken: in mem0 itself the method only raises an error."""
        raise Unsupported(f"There is no chat with a memory here (asked: {query[:60]!r}).", hint="Use `search`.")


class AsyncMem0Memory(Awaited):
    """`mem0.AsyncMemory`: the same methods, awaited."""

    def __init__(self, config: Any = None, **settings: Any) -> None:
        super().__init__(Mem0Memory(config, **settings))

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any], **settings: Any) -> Self:
        """See `Mem0Memory`."""
        return cls(config_dict, **settings)


def _whose(*, required: bool = True, **ids: str | None) -> dict[str, str]:
    said = {name: value for name, value in ids.items() if value is not None}
    if required and not said:
        raise _no_identity()
    return said


def _read(method: str, filters: Mapping[str, Any] | None, wrong: Mapping[str, Any]) -> dict[str, Any]:
    """The filters of a read, which must name whose memories are meant; ids beside them are refused, as mem0 does."""
    if wrong:
        raise InvalidInput(
            f"{method}() does not take {', '.join(sorted(wrong))}.",
            code="unknown_field",
            hint="Ids go into filters, as in filters={'user_id': 'alice'}.",
        )
    if not memories.identity({"filters": filters or {}}) and not {"AND", "OR", "NOT"} & set(filters or ()):
        raise _no_identity()
    return {"filters": filters}


def _no_identity() -> InvalidInput:
    return InvalidInput(
        "At least one of user_id, agent_id and run_id is required.",
        code="field_missing",
        hint="As in filters={'user_id': 'alice'}.",
    )
