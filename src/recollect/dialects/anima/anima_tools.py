"""The six tools of Anima's MCP server, by their names and shapes, on verbs of ours. They stand in `tools.json`."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.arguments import sentence, whole
from recollect.dialects.text_tables import tools_in
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.domain.clock import SystemClock
from recollect.domain.errors import NotFound

_MOST = 1000


@cache
def anima_tools() -> tuple[Tool, ...]:
    """All six, in the order of that server. `memory_delete` also takes a user, and then looks whose it is."""
    return tools_in(__package__ or "", sys.modules[__name__], answered=lambda told, _: ToolAnswer(told))


def add(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    content, user = sentence(given, "content"), sentence(given, "user_id")
    return actions.add(doer, content, user, session=given.get("session_id"))


def search(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    query, user = sentence(given, "query"), sentence(given, "user_id")
    return actions.search(doer, query, user, whole(given, "top_k", 10, 1, _MOST))


def profile(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return {"profile": actions.profile(doer, sentence(given, "user_id"), SystemClock())}


def ingest(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return actions.ingest_file(doer, *(sentence(given, name) for name in ("file_path", "namespace", "user_id")))


def listed(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    offset, limit = whole(given, "offset", 0, 0, _MOST), whole(given, "limit", 50, 1, _MOST)
    return actions.listed(doer, sentence(given, "user_id"), offset, limit)


def delete(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    """With a user it is refused for what is another's, which that server never looked at."""
    memory_id = sentence(given, "memory_id")
    if not actions.deleted(doer, memory_id, given.get("user_id")):
        raise NotFound(f"There is no memory {memory_id[:60]}.", code="note_not_found", hint="")
    return {"deleted": True, "memory_id": memory_id}
