"""JSON schemas of the parameters of verbs, as OpenAPI and the tools of MCP both show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.operations import Shape
from recollect.surfaces.catalogue.parameters import Parameter

_SCHEMAS: dict[Shape, dict[str, Any]] = {
    Shape.TEXT: {"type": "string"},
    Shape.TEXTS: {"type": "array", "items": {"type": "string"}},
    Shape.MOMENT: {
        "type": "string",
        "anyOf": [{"format": "date"}, {"format": "date-time"}],
        "description": "ISO 8601; a date is its midnight, a time without a zone is UTC",
    },
    Shape.WHOLE: {"type": "integer"},
    Shape.NUMBER: {"type": "number"},
    Shape.TRUTH: {"type": "boolean"},
    Shape.OBJECT: {"type": "object"},
    Shape.MESSAGES: {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]},
}

_ID = {"pattern": "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$"}
SPACE_NAME = {"pattern": "^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,126}$"}
_PATTERNS = {"note_id": _ID, "receipt_id": _ID, "name": SPACE_NAME}


def object_schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The schema of an object with these fields and no others."""
    required = [parameter.name for parameter in parameters if parameter.required]
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            parameter.name: {**schema_of(parameter), "description": parameter.meaning} for parameter in parameters
        },
    }
    if required:
        schema["required"] = required
    return schema


def schema_of(parameter: Parameter) -> dict[str, Any]:
    """The schema of one parameter."""
    schema = {**_SCHEMAS[parameter.shape], **_PATTERNS.get(parameter.name, {})}
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if not parameter.required and isinstance(parameter.default, str | int | float | bool):
        schema["default"] = parameter.default
    return schema
