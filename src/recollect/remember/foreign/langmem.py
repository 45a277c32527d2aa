"""Memories of LangMem, which are items of LangGraph's store: a namespace, a key, a value, and two times.

A value is what LangMem's tools and managers put there: `{"content": text}`, or `{"kind": name, "content": {…}}` for a
schema of the program's own, whose fields become lines of the note.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect.remember.foreign.findings import (
    FoundMemory,
    FoundNote,
    Unread,
    each_note,
    lines_in,
    one_line,
    tags_of,
    text_in,
    text_of,
    time_in,
)

_USUAL = "memories"  # the namespace of LangMem's tools is this and the id of a user, if nobody says otherwise
_LISTS = ("items", "memories")
_SHAPELESS = "Memory"  # the kind of a memory that is one text


def read_langmem(place: Path) -> FoundMemory:
    """A list of items as `Item.dict()` gives them, alone or below `items` as the store's API answers, or one a line."""
    text = text_of(place, place.parent)
    if isinstance(text, Unread):
        return FoundMemory(unread=(text,))
    items = _items_in(text)
    if items is None:
        return FoundMemory(unread=(Unread(str(place), "It is no list of items of a store."),))
    notes, unread = each_note(items, "memory", _note)
    return FoundMemory(notes, unread=unread)


def _items_in(text: str) -> list[Any] | None:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        lines = list(lines_in(text))
        return lines if any(lines) else None
    if isinstance(said, Mapping):
        said = next(
            (said[name] for name in _LISTS if isinstance(said.get(name), list)), [said] if "value" in said else 0
        )
    return said if isinstance(said, list) else None


def _note(item: Mapping[str, Any]) -> FoundNote:
    value = item.get("value")
    value = value if isinstance(value, Mapping) else {}
    kind, path = text_in(value, "kind"), _namespace(item)
    content = value["content"] if "content" in value else {name: each for name, each in value.items() if name != "kind"}
    user = path[1] if len(path) == 2 and path[0] == _USUAL else None
    return FoundNote(
        text=_words(content),
        at=time_in(item, "updated_at", "created_at"),
        key="/".join((*path, text_in(item, "key"))),
        tags=tags_of((kind,) if kind not in ("", _SHAPELESS) else ()),
        user=one_line(user) if user else None,
        metadata={"namespace": list(path), **({"value": dict(content)} if isinstance(content, Mapping) else {})},
    )


def _namespace(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a namespace: a list, or, as the table of the store has it, a text with dots."""
    said = item.get("namespace", item.get("prefix"))
    parts = said.split(".") if isinstance(said, str) else said if isinstance(said, list) else []
    return tuple(str(part) for part in parts)


def _words(content: Any) -> str:
    """The text of a content: itself, the one text in it, or each of its fields on a line."""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, Mapping):
        return ""
    told = {name: each for name, each in content.items() if each not in (None, "", [], {})}
    if set(told) == {"content"} and isinstance(told["content"], str):
        return told["content"].strip()
    return "\n".join(f"{name}: {each if isinstance(each, str) else json.dumps(each)}" for name, each in told.items())
