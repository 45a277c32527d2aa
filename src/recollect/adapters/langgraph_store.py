"""A `BaseStore` of LangGraph on a memory: `graph.compile(store=langgraph_store(memory))`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from recollect.adapters.keyed_values import KeyedValue, KeyedValues
from recollect.dialects.library import InProcess

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore


def langgraph_store(memory: Any, *, space: str | None = None, ttl: Any = None) -> BaseStore:
    """A store whose values are notes of a space: searched without an index of their own, versioned, synced.

    `ttl` is a `TTLConfig`. Within one batch reads see what was there before it, and the last put of a key counts.
    """
    from langgraph.store import base

    values = KeyedValues(InProcess.of_agent(memory, "langgraph", space))

    class LanggraphStore(base.BaseStore):  # type: ignore[misc]
        """See `langgraph_store`."""

        supports_ttl = True
        ttl_config = ttl

        def batch(self, ops: Iterable[Any]) -> list[Any]:
            """Carry out operations; the results are in their order."""
            asked = list(ops)
            for op in asked:
                base.validate_op_namespace(op)
            results = [None if isinstance(op, base.PutOp) else self._read(op) for op in asked]
            for op in {(op.namespace, op.key): op for op in asked if isinstance(op, base.PutOp)}.values():
                if op.value is None:
                    values.delete(op.namespace, op.key)
                else:
                    values.put(op.namespace, op.key, op.value, index=op.index, minutes=op.ttl)
            return results

        async def abatch(self, ops: Iterable[Any]) -> list[Any]:
            """The same, on a thread."""
            from asyncio import to_thread

            return await to_thread(self.batch, list(ops))

        def _read(self, op: Any) -> Any:
            if isinstance(op, base.GetOp):
                found = values.get(tuple(op.namespace), str(op.key), refresh=op.refresh_ttl)
                return None if found is None else base.Item(**_fields(found))
            if isinstance(op, base.SearchOp):
                some = values.search(
                    tuple(op.namespace_prefix),
                    query=op.query,
                    matching=op.filter,
                    limit=op.limit,
                    offset=op.offset,
                )
                return [base.SearchItem(**_fields(each), score=each.score) for each in some]
            if isinstance(op, base.ListNamespacesOp):
                conditions = op.match_conditions or ()
                found_in = [each for each in values.namespaces() if all(_fits(each, one) for one in conditions)]
                cut = sorted({each[: op.max_depth] for each in found_in}) if op.max_depth is not None else found_in
                return cut[op.offset : op.offset + op.limit]
            raise ValueError(f"Unknown operation type: {type(op)}")

    return LanggraphStore()


def _fields(found: KeyedValue) -> dict[str, Any]:
    return {
        "namespace": found.namespace,
        "key": found.key,
        "value": found.value,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
    }


def _fits(namespace: tuple[str, ...], condition: Any) -> bool:
    """Whether a namespace begins or ends as a condition says; `*` is any label."""
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
