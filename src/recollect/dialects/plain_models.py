"""Records of another system's Python library as dataclasses, with the few methods of pydantic's models that its callers
know: `model_dump`, `model_dump_json`, `model_validate` and `model_copy`.
"""

from __future__ import annotations

import copy
import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Self

from recollect.domain.clock import format_time, parse_time
from recollect.domain.dataclass import names_of, replace
from recollect.settings import foreign_variables


class PlainModel:
    """A record that can be written as plain values and read again."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Read times that are given as texts, and take those without a zone as UTC."""
        for name in names_of(type(self)):
            said = getattr(self, name)
            if isinstance(said, str | datetime) and "datetime" in str(type(self).__annotations__.get(name, "")):
                object.__setattr__(self, name, parse_time(said, field=name))

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


class PlainSeries:
    """An answer that is gone through as the list of its `items`."""

    __slots__ = ()

    @property
    @abstractmethod
    def items(self) -> list[Any]:
        """The records, in their order."""

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self.items

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Any:
        return self.items[index]


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


class TableSettings:
    """Settings of another system, by a table of what each is by default. Each has the kind of its default: a text, a
    number, a path (its name ends in `_path`), or a list of words."""

    DEFAULTS: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, **given: Any) -> None:
        unknown = given.keys() - self.DEFAULTS.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no setting {', '.join(sorted(unknown))}.")
        self._values = {**copy.deepcopy(dict(self.DEFAULTS)), **given}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return self._values[name]

    @classmethod
    def from_env(cls) -> Self:
        """The settings from variables of the environment, by their names in capital letters."""
        said = foreign_variables(name.upper() for name in cls.DEFAULTS)
        given = {
            name: _of_kind(said[name.upper()], usual) for name, usual in cls.DEFAULTS.items() if name.upper() in said
        }
        return cls(**{name: value for name, value in given.items() if value != []})


def settings_table(package: str, name: str) -> dict[str, Any]:
    """A table of settings beside the code; those whose names end in `_path` are paths."""
    told = json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
    return {key: Path(value) if key.endswith("_path") else value for key, value in told.items()}


def _of_kind(said: str, usual: Any) -> Any:
    if isinstance(usual, list):
        return [word.strip().lower() for word in said.split(",") if word.strip()]
    return type(usual)(said)
