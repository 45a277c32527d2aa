"""The parameters of a verb, derived from its signature, and their JSON schemas.

A verb is declared without loading the values it answers with; `types_of` finds their classes by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib import import_module
from inspect import isclass, unwrap
from pathlib import Path
from pkgutil import walk_packages
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from recollect import domain
from recollect.domain.attachments.attachment import Attachment
from recollect.domain.dataclass import dataclass
from recollect.domain.desk import ActionStatus
from recollect.domain.jobs.job import JobStage
from recollect.domain.notes import Kind, State
from recollect.domain.origin import Authority
from recollect.domain.readings import Polarity
from recollect.domain.trust.disputes import Decision
from recollect.domain.trust.feedback import Verdict
from recollect.operations import Shape
from recollect.surfaces.catalogue.wording import PARAMETERS


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a verb. `default` means nothing where it is required; `choices` is empty where all goes."""

    name: str
    shape: Shape
    annotation: Any
    required: bool
    default: Any
    meaning: str
    choices: tuple[str, ...]


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a verb in the order they are written, those it takes as a bundle spread out."""
    return tuple(
        Parameter(
            name=name,
            shape=_shape(annotation),
            annotation=annotation,
            required=default is inspect.Parameter.empty,
            default=None if default is inspect.Parameter.empty else default,
            meaning=PARAMETERS[name],
            choices=CHOICES.get(name, ()),
        )
        for name, annotation, default in _spread_out(function)
    )


def _spread_out(function: Callable[..., Any]) -> Iterator[tuple[str, Any, Any]]:
    """Name, type and default of each parameter; the fields of a `**bundle: Unpack[...]` default to `None`."""
    types = types_of(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "self":
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            [bundle] = get_args(types[name])
            yield from ((field, annotation, None) for field, annotation in get_type_hints(bundle).items())
        else:
            yield name, types[name], parameter.default


def _shape(annotation: Any) -> Shape:
    several = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    kinds = {Mapping if get_origin(each) is Mapping else each for each in several if each is not NoneType}
    for shape, held in _HELD:
        if kinds == held:
            return shape
    raise TypeError(f"{annotation} is a type that not every door can spell.")


_HELD: tuple[tuple[Shape, set[Any]], ...] = (
    (Shape.TEXT, {str}),
    (Shape.TEXT, {str, Path}),  # a program of ours may hand on a path as it has it
    (Shape.TEXTS, {Sequence[str]}),
    (Shape.MOMENT, {str, datetime}),
    (Shape.WHOLE, {int}),
    (Shape.NUMBER, {float}),
    (Shape.TRUTH, {bool}),
    (Shape.OBJECT, {Mapping}),
    (Shape.MESSAGES, {str, Sequence[Mapping[str, Any]]}),
    (Shape.FILES, {Sequence[Attachment | Mapping[str, Any]]}),
)

# Parameters that take one of a few words.
CHOICES: dict[str, tuple[str, ...]] = {
    "event": ("prompt", "tool_use", "tool_failure", "subagent", "notification", "task"),
    "authority": tuple(each.value for each in Authority),
    "decision": tuple(each.value for each in Decision),
    "kind": tuple(each.value for each in Kind),
    "polarity": tuple(each.value for each in Polarity),
    "status": tuple(each.value for each in ActionStatus),
    "stage": tuple(each.value for each in JobStage),
    "state": (*(each.value for each in State), "any"),
    "verdict": tuple(each.value for each in Verdict),
}


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
    Shape.FILES: {
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["data"],
            "properties": {name: {"type": "string"} for name in ("name", "data", "media_type", "alt", "caption")},
        },
    },
}

_UUID = "[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}"
_ID = {"pattern": f"^(?:[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{{25}}|{_UUID})$"}
SPACE_NAME = {"pattern": "^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,126}$"}
_ID_OR_KEY = {"pattern": f"{_ID['pattern']}|^key:."}
_PATTERNS = {"note_id": _ID_OR_KEY, "receipt_id": _ID, "name": SPACE_NAME, "digest": {"pattern": "^[0-9a-f]{64}$"}}


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


def types_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The type of each parameter by its name, and of the answer as `return`."""
    plain: Any = unwrap(function)
    return get_type_hints(function, _classes() | plain.__globals__)


@cache
def _classes() -> dict[str, Any]:
    """Every class of the domain by its name. One that two modules use is left out: it would be a guess."""
    found: dict[str, Any] = {"Path": Path}
    shared: set[str] = set()
    for module in walk_packages(domain.__path__, f"{domain.__name__}."):
        for name, value in vars(import_module(module.name)).items():
            if isclass(value) and value.__module__ == module.name:
                shared |= {name} & found.keys()
                found[name] = value
    return {name: value for name, value in found.items() if name not in shared}
