"""The six tools of Anima's MCP server, by their names and shapes, on verbs of ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.tool import Doer, Tool, ToolAnswer
from recollect.domain.clock import SystemClock
from recollect.domain.errors import InvalidInput, NotFound
from recollect.operations import Effect

_TEXT: dict[str, Any] = {"type": "string"}
_OPTIONAL: dict[str, Any] = {"anyOf": [_TEXT, {"type": "null"}], "default": None}
_NAMED_FILE = {"file_path": _TEXT, "namespace": _TEXT, "user_id": _TEXT}
_TURN = "Extract and store facts from a conversation turn for a user."
_HYBRID = "Hybrid semantic + keyword search over a user's memories."
_KNOWN = "Return the stored user profile, or null if none exists yet."
_FILE = "Chunk and index a document file into the user's memory store."
_PAGE = "Paginated list of all memories for a user (including superseded facts)."
_GONE = "Permanently delete a memory and its vector embedding."


@cache
def anima_tools() -> tuple[Tool, ...]:
    """All six, in the order of that server. `memory_delete` also takes a user, and then looks whose it is."""
    read, write = Effect.READ, Effect.WRITE
    kept = ("add", "save", "timeline", "history")
    listed = ("list", "count", "history")
    return (
        _tool("memory_add", _TURN, write, kept, _add, content=_TEXT, user_id=_TEXT, session_id=_OPTIONAL),
        _tool(
            "memory_search", _HYBRID, read, ("search", "history"), _search, query=_TEXT, user_id=_TEXT, top_k=_whole(10)
        ),
        _tool("memory_profile", _KNOWN, read, ("profile", "count"), _profile, user_id=_TEXT),
        _tool("memory_ingest_file", _FILE, write, ("ingest", "replay"), _ingest, **_NAMED_FILE),
        _tool("memory_list", _PAGE, read, listed, _list, user_id=_TEXT, offset=_whole(0), limit=_whole(50)),
        _tool("memory_delete", _GONE, Effect.DESTROY, ("get", "forget"), _delete, memory_id=_TEXT, user_id=_OPTIONAL),
    )


def _add(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return actions.add(doer, _text(given, "content"), _text(given, "user_id"), session=given.get("session_id"))


def _search(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return actions.search(doer, _text(given, "query"), _text(given, "user_id"), _number(given, "top_k", 10, 1))


def _profile(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return {"profile": actions.profile(doer, _text(given, "user_id"), SystemClock())}


def _ingest(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return actions.ingest_file(doer, _text(given, "file_path"), _text(given, "namespace"), _text(given, "user_id"))


def _list(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    return actions.listed(doer, _text(given, "user_id"), _number(given, "offset", 0, 0), _number(given, "limit", 50, 1))


def _delete(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    """With a user it is refused for what is another's, which that server never looked at."""
    memory_id = _text(given, "memory_id")
    if not actions.deleted(doer, memory_id, given.get("user_id")):
        raise NotFound(f"There is no memory {memory_id[:60]}.", code="note_not_found", hint="")
    return {"deleted": True, "memory_id": memory_id}


def _tool(
    name: str,
    description: str,
    effect: Effect,
    verbs: tuple[str, ...],
    work: Callable[[Doer, dict[str, Any]], Any],
    **fields: dict[str, Any],
) -> Tool:
    def answer(doer: Any, given: dict[str, Any]) -> ToolAnswer:
        return ToolAnswer(work(doer, given))

    required = [each for each, schema in fields.items() if "default" not in schema]
    schema = {"type": "object", "properties": fields, "required": required}
    title = name.replace("_", " ").title()
    return Tool(name, title, description, schema, effect, verbs, answer, idempotent=effect is Effect.DESTROY)


def _whole(default: int) -> dict[str, Any]:
    return {"type": "integer", "default": default}


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"`{name}` must be text that is not empty.", code="invalid_field")
    return value


def _number(given: dict[str, Any], name: str, default: int, least: int) -> int:
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 1000:
        raise InvalidInput(f"`{name}` must be a whole number from {least} to 1,000.", code="invalid_number")
    return value
