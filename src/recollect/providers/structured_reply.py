"""Replies as JSON: a schema in words, the text of a reply read strictly, and the question to mend it, once.

The check knows the part of JSON Schema that our schemas use: types, properties, required, additionalProperties, items,
enum, anyOf and bounds. A schema with another word is refused, so that nothing passes because it was not looked at.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recollect.domain.chat.chat_model import ChatMessage, ChatRole
from recollect.domain.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST = 1_000_000  # characters of a reply that is read
_DEEPEST = 32
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_BOUNDS = {
    str: ("minLength", "maxLength"),
    list: ("minItems", "maxItems"),
    int: ("minimum", "maximum"),
    float: ("minimum", "maximum"),
}
_WORDS = frozenset(
    "type properties required additionalProperties items enum anyOf minItems maxItems minLength maxLength minimum"
    " maximum description title default".split()
)


def with_schema(messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> tuple[ChatMessage, ...]:
    """The messages, told in the system's words to be answered by JSON of a schema."""
    _refuse_unknown(schema, 0)
    told = f"Answer with one JSON value and nothing else. It must fit this JSON Schema:\n{json.dumps(schema)}"
    return (ChatMessage(ChatRole.SYSTEM, told), *messages)


def parsed(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """A reply as JSON, and what is wrong with it; nothing is, if that is empty. Nothing is guessed or mended."""
    if len(text) > _LONGEST:
        return None, "it is too long"
    try:
        data = json.loads(_unfenced(text), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None, "it is no JSON"
    fault = _fault(data, schema, "the value", 0)
    return (None, fault) if fault else (data, "")


def repair(messages: Sequence[ChatMessage], text: str, fault: str) -> tuple[ChatMessage, ...]:
    """The messages with the reply that was of no use, and what is to be done about it."""
    told = f"That was no answer: {fault}. Answer again, with one JSON value that fits the schema and nothing else."
    return (*messages, ChatMessage(ChatRole.ASSISTANT, text or "…"), ChatMessage(ChatRole.USER, told))


def _unfenced(text: str) -> str:
    """The text without the marks of a code block, which models put around JSON."""
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```") and "\n" in bare:
        return bare[bare.index("\n") : -3]
    return bare


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _refuse_unknown(schema: Any, depth: int) -> None:
    if not isinstance(schema, dict) or depth > _DEEPEST or (unknown := set(schema) - _WORDS):
        word = sorted(unknown)[0] if isinstance(schema, dict) and depth <= _DEEPEST else "…"
        raise InvalidInput(f"The schema of a reply cannot have `{word}`.", code="invalid_schema")
    for each in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        _refuse_unknown(each, depth + 1)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            _refuse_unknown(schema[name], depth + 1)


def _fault(value: Any, schema: Mapping[str, Any], where: str, depth: int) -> str:
    """The first thing in which a value does not fit a schema; empty if it does."""
    if depth > _DEEPEST:
        return f"{where} is nested too deeply"
    if "anyOf" in schema and all(_fault(value, each, where, depth + 1) for each in schema["anyOf"]):
        return f"{where} fits none of what it can be"
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(value, kind) for kind in kinds):
        return f"{where} must be of type {' or '.join(kinds)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} must be one of {json.dumps(schema['enum'])}"
    return _beyond_bounds(value, schema, where) or _fault_within(value, schema, where, depth)


def _fault_within(value: Any, schema: Mapping[str, Any], where: str, depth: int) -> str:
    if isinstance(value, list) and "items" in schema:
        parts = [(f"item {place} of {where}", each, schema["items"]) for place, each in enumerate(value)]
    elif isinstance(value, dict):
        missing = [name for name in schema.get("required", ()) if name not in value]
        if missing:
            return f"{where} has no `{missing[0]}`"
        own, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        if other is False and (strange := sorted(set(value) - set(own))):
            return f"{where} has a field `{strange[0][:60]}` that there is not"
        rest = other if isinstance(other, dict) else {}
        parts = [(f"`{name[:60]}`", each, own.get(name, rest)) for name, each in value.items()]
    else:
        return ""
    faults = (_fault(each, part, name, depth + 1) for name, each, part in parts)
    return next(filter(None, faults), "")


def _beyond_bounds(value: Any, schema: Mapping[str, Any], where: str) -> str:
    if type(value) not in _BOUNDS:
        return ""
    lower, upper = _BOUNDS[type(value)]
    size = len(value) if isinstance(value, str | list) else value
    beyond = size < schema.get(lower, size) or size > schema.get(upper, size)
    return f"{where} is beyond its bounds" if beyond else ""


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, ()))
