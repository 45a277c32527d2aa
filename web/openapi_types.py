"""TypeScript types of every verb, from the schemas of the server's OpenAPI description.

The dashboard calls verbs by their names. This says what each takes and answers, and which of them stand outside a
space. `make dashboard` runs it with the path of the file to write, which is not committed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.surfaces.catalogue.parameters import object_schema
from recollect.surfaces.catalogue.routes import all_routes
from recollect.surfaces.http.openapi import answer_schemas

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def lines() -> Iterator[str]:
    """The whole module."""
    answers, definitions = answer_schemas()
    yield "// Made by `make dashboard` from the verbs of the server. Not to be edited."
    for name, schema in sorted(definitions.items()):
        yield f"export type {_name(name)} = {_type(schema, whole=True)};"
    yield "export interface Verbs {"
    inside = {route.operation.name for route in all_routes().values() if route.in_space}
    for path, route in all_routes().items():
        if route.in_space or route.operation.name not in inside:
            takes = _type(object_schema(route.parameters)) if route.parameters else "Record<string, never>"
            answer = _type(answers[path], whole=True)
            yield f"  {json.dumps(route.operation.name)}: {{ takes: {takes}; answers: {answer} }};"
    yield "}"
    outside = sorted({route.operation.name for route in all_routes().values() if not route.in_space})
    yield f"export const OUTSIDE: ReadonlySet<string> = new Set({json.dumps([n for n in outside if n not in inside])});"


def _type(schema: Mapping[str, Any], *, whole: bool = False) -> str:
    """A schema as a type. Answers are `whole`: what has a default is in them too."""
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type(each, whole=whole) for each in schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_PLAIN.get(each, "unknown") for each in kind)
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}), whole=whole)}>"
    if kind == "object":
        return _object(schema, whole=whole)
    return _PLAIN.get(kind or "", "unknown")


def _object(schema: Mapping[str, Any], *, whole: bool) -> str:
    fields, required = schema.get("properties", {}), schema.get("required", ())
    if not fields:
        rest = schema.get("additionalProperties")
        return f"Record<string, {_type(rest, whole=whole) if isinstance(rest, dict) else 'unknown'}>"
    said = (
        f"{json.dumps(name)}{'' if whole or name in required else '?'}: {_type(each, whole=whole)}"
        for name, each in fields.items()
    )
    return f"{{ {'; '.join(said)} }}"


def _name(schema: str) -> str:
    return "".join(each if each.isalnum() else "_" for each in schema).strip("_")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(lines()) + "\n", encoding="utf-8")
