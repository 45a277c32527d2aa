"""Records of another system's Python library as dataclasses, with the few methods of pydantic's models that its callers
know: `model_dump`, `model_dump_json`, `model_validate` and `model_copy`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from recollect.domain.clock import format_time, parse_time
from recollect.domain.dataclass import names_of, replace


class PlainModel:
    """A record that can be written as plain values and read again."""

    __slots__ = ()

    def model_dump(self, *, mode: str = "python") -> dict[str, Any]:
        """The fields as plain values; with `mode="json"` times are texts."""
        return {name: _plain(getattr(self, name), mode) for name in names_of(type(self))}

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """The fields as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=indent)

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """The same with other values."""
        return replace(self, **(update or {}))  # type: ignore[type-var]

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """The record that plain values describe; fields that it does not have are left out."""
        if isinstance(data, cls):
            return data
        if not isinstance(data, Mapping):
            raise ValueError(f"A {cls.__name__} is an object.")
        try:
            return cls(**{name: data[name] for name in names_of(cls) if name in data})
        except TypeError as problem:
            raise ValueError(str(problem)) from None


def read_times(record: Any, *names: str) -> None:
    """Put times in the place of texts, in these fields of a record."""
    for name in names:
        said = getattr(record, name)
        if said is not None:
            setattr(record, name, parse_time(said, field=name))


def _plain(value: Any, mode: str) -> Any:
    match value:
        case PlainModel():
            return value.model_dump(mode=mode)
        case datetime() if mode == "json":
            return format_time(value)
        case list():
            return [_plain(each, mode) for each in value]
        case dict():
            return {name: _plain(each, mode) for name, each in value.items()}
        case _:
            return value
