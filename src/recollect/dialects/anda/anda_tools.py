"""The nine MCP tools of Anda Brain. Each answers with an object, and with the same or something better as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from recollect.dialects.anda import anda_records as formats
from recollect.dialects.anda.anda_bodies import without_nulls
from recollect.dialects.anda.anda_operations import ROUNDS, TRIGGERS, executed, formed, maintained, person, recalled
from recollect.dialects.tool import Doer, Tool, ToolAnswer, Work
from recollect.domain.errors import InvalidInput
from recollect.operations import Effect

_TEXT, _WHOLE, _OBJECT = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "object"}
_CONTEXT = {
    "anyOf": [_OBJECT, _TEXT],
    "description": "an object with counterparty, agent, source and topic; or JSON of one",
}
_COLLECTION = {"type": "string", "enum": ["formation", "recall", "maintenance"], "default": "formation"}
_MESSAGE = {
    "type": "object",
    "properties": {
        "role": {"type": "string", "enum": ["system", "user", "assistant", "tool"]},
        "content": {"anyOf": [_TEXT, {"type": "array"}]},
        "name": _TEXT,
        "timestamp": {"type": "integer", "description": "milliseconds since 1970"},
    },
    "required": ["role", "content"],
}


@cache
def brain_tools() -> tuple[Tool, ...]:
    """All nine, in the order in which they are listed."""
    return (
        _tool(
            "remember_conversation",
            "Send a whole conversation to be remembered. It is kept at once, and what it says is learned soon after.",
            {"messages": {"type": "array", "items": _MESSAGE}, "context": _CONTEXT, "timestamp": _TEXT},
            ("messages",),
            ("brain.form",),
            lambda doer, given: formats.queued(formed(doer, given)),
        ),
        _tool(
            "recall_memory",
            "Ask memory a question in plain words. The answer names its sources, and what is not known.",
            {"query": _TEXT, "context": _CONTEXT},
            ("query",),
            ("brain.recall",),
            recalled,
            text="content",
        ),
        _tool(
            "run_maintenance",
            "Put memory in order: merge what says the same, let what is over end. Refused while memory is formed.",
            {
                "trigger": {"type": "string", "enum": list(TRIGGERS)},
                "scope": {"type": "string", "enum": list(ROUNDS)},
                "timestamp": _TEXT,
                "parameters": _OBJECT,
            },
            (),
            ("brain.maintain",),
            lambda doer, given: formats.queued(maintained(doer, given)),
            effect=Effect.DESTROY,
        ),
        _tool(
            "get_space_info",
            "Show the space: its owner, its tier, and what is in it.",
            {},
            (),
            ("brain.show",),
            lambda doer, _: formats.space_info(doer.do("brain.show")),
        ),
        _tool(
            "get_formation_status",
            "Show how far the formation of memory has come.",
            {},
            (),
            ("brain.show",),
            lambda doer, _: formats.formation_status(doer.do("brain.show")),
        ),
        _tool(
            "execute_kip_readonly",
            "Ask the knowledge graph with KIP commands that only read.",
            {
                "command": _TEXT,
                "commands": {"type": "array", "items": {"anyOf": [_TEXT, _OBJECT]}},
                "parameters": _OBJECT,
                "dry_run": {"type": "boolean"},
            },
            (),
            ("search",),
            executed,
        ),
        _tool(
            "get_or_init_user",
            "Make sure that a person is known, and get the person as a concept.",
            {"user": _TEXT, "name": _TEXT},
            ("user",),
            ("brain.show", "save"),
            _known_person,
            effect=Effect.WRITE,
        ),
        _tool(
            "list_conversations",
            "List conversations, the newest first.",
            {"collection": _COLLECTION, "cursor": _TEXT, "limit": {**_WHOLE, "default": 10}},
            (),
            ("brain.conversations",),
            _listed,
        ),
        _tool(
            "get_conversation",
            "Show one conversation; with `delta` only what came after so many messages and artifacts.",
            {
                "conversation_id": _WHOLE,
                "collection": _COLLECTION,
                "delta": {"type": "boolean", "default": False},
                "messages_offset": {**_WHOLE, "default": 0},
                "artifacts_offset": {**_WHOLE, "default": 0},
            },
            ("conversation_id",),
            ("brain.conversations",),
            _shown,
        ),
    )


def _tool(
    name: str,
    words: str,
    fields: dict[str, Any],
    required: tuple[str, ...],
    verbs: tuple[str, ...],
    work: Callable[[Doer, dict[str, Any]], dict[str, Any]],
    *,
    effect: Effect | None = None,
    text: str = "",
) -> Tool:
    schema = {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}
    usual = Effect.WRITE if verbs[0] == "brain.form" else Effect.READ
    title = name.replace("_", " ").capitalize()
    return Tool(f"anda_brain_{name}", title, words, schema, effect or usual, verbs, _answering(work, text))


def _answering(work: Callable[[Doer, dict[str, Any]], dict[str, Any]], text: str) -> Work:
    def answer(doer: Doer, given: dict[str, Any]) -> ToolAnswer:
        told = without_nulls(work(doer, given))
        return ToolAnswer(told, told[text] if text else json.dumps(told, ensure_ascii=False))

    return answer


def _known_person(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    doer.do("brain.show")  # a space that is not there is not made for a person
    return person(doer, given)


def _listed(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    limit, cursor = given.get("limit", 10), given.get("cursor")
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise InvalidInput("`limit` must be a whole number.", code="invalid_number")
    limit = max(1, min(100, limit))
    before = {"cursor": str(formats.number_in(cursor))} if isinstance(cursor, str) and cursor else {}
    page = doer.do(
        "brain.conversations", {"collection": given.get("collection", "formation"), "limit": limit, **before}
    )
    more = formats.cursor_of(page.items[-1].id) if len(page.items) == limit else None
    return {"conversations": [formats.conversation_of(each) for each in page.items], "next_cursor": more}


def _shown(doer: Doer, given: dict[str, Any]) -> dict[str, Any]:
    number, collection = given.get("conversation_id"), given.get("collection", "formation")
    found = doer.do("brain.conversations", {"conversation": number, "collection": collection}).items[0]
    offsets = [given.get(name, 0) for name in ("messages_offset", "artifacts_offset")]
    if not all(isinstance(each, int) and each >= 0 for each in offsets):
        raise InvalidInput("An offset must be a whole number.", code="invalid_number")
    return formats.delta_of(found, *offsets) if given.get("delta") else formats.conversation_of(found)
