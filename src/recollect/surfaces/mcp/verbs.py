"""Every verb as a tool, derived from the catalogue: its words, its parameters, and the answer every door gives."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from recollect.dialects.tool import Told, Tool, Work
from recollect.domain.values import to_plain
from recollect.memory import Memory
from recollect.operations import Operation, operations_of
from recollect.surfaces.catalogue.parameters import parameters_of
from recollect.surfaces.catalogue.schemas import object_schema
from recollect.surfaces.reception.visitor import Visitor

_SHOWN_AT_ONCE = ("search", "save")


@cache
def verb_tools() -> tuple[Tool, ...]:
    """One tool for each verb, in the order of the catalogue."""
    return tuple(_tool(operation) for operation in operations_of(Memory).values())


def tool_name(verb: str) -> str:
    """A verb's name as a tool: many clients allow nothing but letters, digits and underscores."""
    return verb.replace(".", "_").replace("-", "_")


def _tool(operation: Operation) -> Tool:
    function = getattr(Memory, operation.method)
    words = inspect.getdoc(function) or ""
    return Tool(
        name=tool_name(operation.name),
        title=operation.name,
        description=" ".join(words.split()),
        schema=object_schema(parameters_of(function)),
        effect=operation.effect,
        verbs=(operation.name,),
        work=_calling(operation.name),
        always_load=operation.name in _SHOWN_AT_ONCE,
    )


def _calling(verb: str) -> Work:
    def work(visitor: Visitor, arguments: dict[str, Any]) -> Told:
        plain = to_plain(visitor.do(verb, arguments))
        # Only an object may stand there; a verb that found nothing to do answers with nothing.
        return Told(plain if isinstance(plain, dict) else {"result": plain})

    return work
