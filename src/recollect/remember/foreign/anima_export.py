"""Pure: an export of Anima as lines that `import` takes: ids, times and replacements as they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.clock import checked_id
from recollect.domain.errors import InvalidInput

_ANCHOR, _PINNED, _SESSION = "confidence_anchor", "pinned", "session_id"


def anima_lines(export: Mapping[str, Any], space: str) -> list[dict[str, Any]]:
    """The records of an export in the form that `import` takes: ids, times and replacements as they were."""
    memories = export.get("memories")
    if not isinstance(memories, list) or not all(isinstance(each, Mapping) for each in memories):
        raise InvalidInput("This is no export of Anima: it has no list of `memories`.", code="invalid_export")
    replaced: dict[str, list[str]] = {}
    for each in memories:
        if each.get("superseded_by"):
            replaced.setdefault(checked_id(str(each["superseded_by"])), []).append(checked_id(str(each.get("id"))))
    user = export.get("user_id")
    return [_line(each, space, user if isinstance(user, str) else None, replaced) for each in memories]


def _line(item: Mapping[str, Any], space: str, user: str | None, replaced: Mapping[str, list[str]]) -> dict[str, Any]:
    given = item.get("metadata")
    metadata: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {}
    pinned = metadata.pop(_PINNED, False) is True
    if item.get("session_id"):
        metadata[_SESSION] = item["session_id"]
    record_id = checked_id(str(item.get("id")))
    over = item.get("superseded_by") or item.get("valid_until")
    return {
        "type": "note",
        "id": record_id,
        "space": space,
        "version": 1,
        "kind": "semantic",
        "text": item.get("content"),
        "recorded_at": item.get("created_at"),
        "updated_at": metadata.pop(_ANCHOR, None) or item.get("created_at"),
        "scope": {"user": item.get("user_id") or user, "agent": item.get("agent_id")},
        "state": "superseded" if over else "active",
        "confidence": item.get("confidence", 1.0),
        "pinned": pinned,
        "valid_from": item.get("valid_from"),
        "valid_until": item.get("valid_until") if item.get("valid_until") != item.get("valid_from") else None,
        "retired_at": item.get("valid_until"),
        "expires_at": item.get("expires_at"),
        "supersedes": replaced.get(record_id, []),
        "metadata": metadata,
    }
