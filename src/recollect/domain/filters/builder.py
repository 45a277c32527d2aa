"""`Filter`: the same grammar, built and joined in Python. It is a mapping, so it goes wherever a plain filter goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from recollect.domain.filters.conditions import METADATA, AllOf, comparisons_in
from recollect.domain.filters.grammar import parsed
from recollect.domain.values import to_plain

Plain: TypeAlias = str | int | float | bool


class Filter(Mapping[str, Any]):
    """Which notes are meant. Join filters by `&` and `|`, turn one around by `~`.

    Reading a plain object checks it: `InvalidInput` says at which place it is wrong.
    """

    __slots__ = ("_plain", "condition")

    condition: AllOf

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.condition = parsed(plain)
        self._plain: dict[str, Any] = _copied(plain)

    @classmethod
    def kind(cls, *any_of: str) -> Filter:
        return cls({"kind": list(any_of)})

    @classmethod
    def state(cls, *any_of: str) -> Filter:
        return cls({"state": list(any_of)})

    @classmethod
    def tag(cls, *any_of: str) -> Filter:
        return cls({"tag": list(any_of)})

    @classmethod
    def subject(cls, *any_of: str) -> Filter:
        return cls({"subject": list(any_of)})

    @classmethod
    def attribute(cls, *any_of: str) -> Filter:
        return cls({"attribute": list(any_of)})

    @classmethod
    def user(cls, *any_of: str) -> Filter:
        return cls({"user": list(any_of)})

    @classmethod
    def agent(cls, *any_of: str) -> Filter:
        return cls({"agent": list(any_of)})

    @classmethod
    def project(cls, *any_of: str) -> Filter:
        return cls({"project": list(any_of)})

    @classmethod
    def created(
        cls,
        *,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        max_age: str | timedelta | None = None,
    ) -> Filter:
        """Written down in a range of time: since included, until not."""
        return cls({"created": _given(since=since, until=until, max_age=max_age)})

    @classmethod
    def updated(
        cls,
        *,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        max_age: str | timedelta | None = None,
    ) -> Filter:
        """Changed last in a range of time."""
        return cls({"updated": _given(since=since, until=until, max_age=max_age)})

    @classmethod
    def occurred(
        cls,
        *,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        max_age: str | timedelta | None = None,
    ) -> Filter:
        """About something that happened in a range of time."""
        return cls({"occurred": _given(since=since, until=until, max_age=max_age)})

    @classmethod
    def valid(
        cls,
        *,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        max_age: str | timedelta | None = None,
    ) -> Filter:
        """True at some time within a range."""
        return cls({"valid": _given(since=since, until=until, max_age=max_age)})

    @classmethod
    def metadata(
        cls,
        path: str,
        *,
        eq: Plain | None = None,
        ne: Plain | None = None,
        one_of: Sequence[Plain] | None = None,
        gt: float | str | None = None,
        gte: float | str | None = None,
        lt: float | str | None = None,
        lte: float | str | None = None,
        contains: str | None = None,
        exists: bool | None = None,
    ) -> Filter:
        """A value of the metadata, by the keys that lead to it, joined by dots."""
        tests = _given(eq=eq, ne=ne, gt=gt, gte=gte, lt=lt, lte=lte, contains=contains, exists=exists)
        return cls({f"{METADATA}{path}": tests if one_of is None else {**tests, "in": list(one_of)}})

    def __and__(self, other: Filter) -> Filter:
        return Filter({"and": [*self._joined("and"), *other._joined("and")]})

    def __or__(self, other: Filter) -> Filter:
        return Filter({"or": [*self._joined("or"), *other._joined("or")]})

    def __invert__(self) -> Filter:
        return Filter({"not": self._plain})

    def names(self, field: str) -> bool:
        """Whether a field is compared anywhere in it."""
        return any(each.field == field for each in comparisons_in(self.condition))

    def to_dict(self) -> dict[str, Any]:
        """The filter as plain JSON, as every door takes it."""
        return _copied(self._plain)

    def __getitem__(self, name: str) -> Any:
        return self._plain[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)

    def __repr__(self) -> str:
        return f"Filter({self._plain!r})"

    def _joined(self, by: str) -> list[Any]:
        """Its parts, if it is made of nothing but parts joined so; else itself."""
        return list(self._plain[by]) if list(self._plain) == [by] else [self._plain]


def _given(**tests: Any) -> dict[str, Any]:
    return {name: value for name, value in tests.items() if value is not None}


def _copied(plain: Mapping[str, Any]) -> dict[str, Any]:
    """A copy in plain JSON. An age goes by its seconds."""
    return {
        str(name): f"{int(told.total_seconds())}s" if isinstance(told, timedelta) else _of(told)
        for name, told in plain.items()
    }


def _of(told: Any) -> Any:
    if isinstance(told, Mapping):
        return _copied(told)
    return [_of(each) for each in told] if isinstance(told, list | tuple) else to_plain(told)
