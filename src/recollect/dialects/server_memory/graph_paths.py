"""The file of the reference server, to take along: the graph of a space as `memory.jsonl`."""

from __future__ import annotations

from typing import Any

from recollect.dialects.server_memory.graph import lines_of
from recollect.dialects.server_memory.tools import graph_in
from recollect.dialects.table import Asked, Dialect, DialectPath, Reply, SpaceRule
from recollect.dialects.tool import Doer

_LINES = "application/x-ndjson"


def _file(doer: Doer, _: Asked) -> Any:
    return Reply(lines_of(graph_in(doer)), says=_LINES)


DIALECT = Dialect(
    "server-memory", (DialectPath("GET", "/server-memory/memory.jsonl", "list", SpaceRule.TOKEN, _file, says=_LINES),)
)
