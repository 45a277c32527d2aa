"""Arguments of a verb, read from what a program sent, each in the type the verb takes.

Whether a value makes sense is the verb's own question; here it is only whether it has the right shape.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from recollect.domain.errors import InvalidInput
from recollect.domain.suggestions import unknown_field
from recollect.operations import Shape
from recollect.surfaces.catalogue.routes import Route


def arguments_in_body(route: Route, body: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in a body. `null` counts as not given."""
    known = {parameter.name: parameter for parameter in route.parameters}
    given = {name: value for name, value in body.items() if value is not None}
    _require_known(route, body)
    return {name: _READ_JSON[known[name].shape](value, name) for name, value in given.items()}


def arguments_in_query(route: Route, query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The arguments in the part of an address after `?`. A list is given one by one."""
    known = {parameter.name: parameter for parameter in route.parameters}
    given: dict[str, list[str]] = {}
    for name, value in query:
        given.setdefault(name, []).append(value)
    _require_known(route, given)
    arguments: dict[str, Any] = {}
    for name, values in given.items():
        if known[name].shape is Shape.TEXTS:
            arguments[name] = values
        elif len(values) > 1:
            raise InvalidInput(f"`{name}` is given {len(values)} times.", code="invalid_field", hint="Give it once.")
        else:
            arguments[name] = _READ_TEXT[known[name].shape](values[0], name)
    return arguments


def require_all(route: Route, arguments: Mapping[str, Any]) -> None:
    """Every parameter that a verb cannot do without is there."""
    for parameter in route.parameters:
        if parameter.required and parameter.name not in arguments:
            raise InvalidInput(
                f"`{parameter.name}` is missing.", code="field_missing", hint=f"It is {parameter.meaning}."
            )


def _require_known(route: Route, given: Iterable[str]) -> None:
    for name in given:
        if name not in route.takes:
            known = [parameter.name for parameter in route.parameters]
            raise unknown_field(name, of=route.operation.name, known=known)


def _wrong(name: str, must: str, code: str = "invalid_field") -> InvalidInput:
    return InvalidInput(f"`{name}` must be {must}.", code=code)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _wrong(name, "text")
    return value


def _texts(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong(name, "a list of texts")
    return value


def _moment(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(
            f"`{name}` must be a time.", code="invalid_time", hint="Write it as 2026-03-01 or 2026-03-01T10:30:00Z."
        )
    return value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(name, "a whole number", "invalid_number")
    return value


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(name, "a number", "invalid_number")
    try:
        return float(value)
    except OverflowError:
        raise _wrong(name, "a number of a usual size", "invalid_number") from None


def _truth(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(name, "true or false")
    return value


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(name, "an object", "invalid_filter" if name == "where" else "invalid_metadata")
    return value


def _messages(value: Any, name: str) -> Any:
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, dict) for each in value)):
        return value
    raise _wrong(name, "text, or a list of messages")


def _files(value: Any, name: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _wrong(name, "a list of files", "invalid_attachments")
    return value


def _whole_in_text(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _wrong(name, "a whole number", "invalid_number") from None


def _number_in_text(text: str, name: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _wrong(name, "a number", "invalid_number")
    return number


def _truth_in_text(text: str, name: str) -> bool:
    if text not in ("true", "false"):
        raise _wrong(name, "true or false")
    return text == "true"


def _object_in_text(text: str, name: str) -> dict[str, Any]:
    try:
        return _object(json.loads(text), name)
    except (ValueError, RecursionError):
        return _object(None, name)


def _only_in_a_body(_: str, name: str) -> NoReturn:
    raise InvalidInput(f"`{name}` does not fit into an address.", code="invalid_field", hint="Send it by POST.")


_READ_JSON: dict[Shape, Callable[[Any, str], Any]] = {
    Shape.TEXT: _text,
    Shape.TEXTS: _texts,
    Shape.MOMENT: _moment,
    Shape.WHOLE: _whole,
    Shape.NUMBER: _number,
    Shape.TRUTH: _truth,
    Shape.OBJECT: _object,
    Shape.MESSAGES: _messages,
    Shape.FILES: _files,
}

_READ_TEXT: dict[Shape, Callable[[str, str], Any]] = {
    Shape.TEXT: _text,
    Shape.MOMENT: _moment,
    Shape.WHOLE: _whole_in_text,
    Shape.NUMBER: _number_in_text,
    Shape.TRUTH: _truth_in_text,
    Shape.OBJECT: _object_in_text,
    Shape.MESSAGES: _only_in_a_body,
    Shape.FILES: _only_in_a_body,
}
