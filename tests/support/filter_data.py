"""Notes and filters for trying one against the other, made of the same few values so that they meet."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from recollect.domain.filters.conditions import FIELDS, OPERATORS, Sort
from recollect.domain.notes import Kind, State
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import Scope
from tests.support.writing import at

NOW = at("2026-06-01T12:00:00")
MOMENTS = [NOW - timedelta(days=days) for days in (0, 1, 7, 30, 400)]
NAMES = ["ana", "Ana", "bo", "ÖL", "a_b", "50%", "it's"]
WORDS = [
    "tea",
    "TEA",
    "green tea",
    "a%b_c",
    "x" * 120,
    "x" * 121,
    "\u00e9",
    "🙂",
    "'",
    "0",
    "1",
    "true",
    "a\nb",
    "nul\x00",
    "",
]
KEYS = ["k", "n", "a.b", "a", "b", "ü", "K"]
NUMBERS = [0, 1, -1, 1.0, 0.5, -0.5, 2**53, 2**53 + 1, 1e20, 10**20, 10**299]

scalars = st.sampled_from([*WORDS, *NUMBERS, True, False, None, "\ud800", 10**400])
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)
metadata = st.dictionaries(st.sampled_from([*KEYS, "said"]), json_values, max_size=3)


def _or_none(values: list[Any]) -> st.SearchStrategy[Any]:
    return st.none() | st.sampled_from(values)


@st.composite
def note_fields(draw: st.DrawFn) -> dict[str, Any]:
    """The fields of a note besides its text and its ids."""
    begun = draw(_or_none(MOMENTS))
    ends = [moment for moment in MOMENTS if begun is None or moment > begun]
    return {
        "kind": draw(st.sampled_from(Kind)),
        "state": draw(st.sampled_from(State)),
        "authority": draw(st.sampled_from(Authority)),
        "subject": (subject := draw(_or_none(NAMES))),
        "attribute": draw(_or_none(NAMES)) if subject else None,
        "value": draw(_or_none(NAMES)),
        "title": draw(_or_none(NAMES)),
        "tags": tuple(sorted(draw(st.sets(st.sampled_from(["tea", "green", "a_b", "50%", "é"]), max_size=2)))),
        "scope": Scope(*(draw(_or_none(NAMES)) for _ in range(5))),
        "origin": Origin(draw(st.sampled_from(Channel)), "tester", None, draw(_or_none(NAMES))),
        "review": draw(_or_none(NAMES)),
        "pinned": draw(st.booleans()),
        "confidence": draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        "importance": draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        "valid_from": begun,
        "valid_until": draw(_or_none(ends)) if ends else None,
        "occurred_at": draw(_or_none(MOMENTS)),
        "expires_at": draw(_or_none(MOMENTS)),
        "erase_at": draw(_or_none(MOMENTS)),
        "key": draw(_or_none(NAMES)),
        "metadata": draw(metadata),
    }


_TEXTS = st.sampled_from(NAMES)
_COMPARED: dict[Sort, st.SearchStrategy[Any]] = {
    Sort.TEXT: _TEXTS,
    Sort.PROSE: _TEXTS,
    Sort.TAG: st.sampled_from(["tea", "Green", "a_b", "50%", "É", "none"]),
    Sort.NUMBER: st.sampled_from([0, 0.25, 0.5, 1, 1.0, 2]),
    Sort.TRUTH: st.booleans(),
    Sort.TIME: st.sampled_from([moment.isoformat() for moment in MOMENTS]),
    Sort.PERIOD: st.sampled_from([moment.isoformat() for moment in MOMENTS]),
    Sort.METADATA: st.sampled_from([each for each in WORDS if "\x00" not in each] + NUMBERS + [True, False]),
}
_CHOICES = {"kind": Kind, "state": State, "authority": Authority, "channel": Channel}
_PATHS = [f"metadata.{path}" for path in [*KEYS, "a.b.k", "k.n", "n.a.b"]]
_FIELDS = [*(name for name in FIELDS if name != "id"), *_PATHS]


@st.composite
def _comparison(draw: st.DrawFn) -> dict[str, Any]:
    field = draw(st.sampled_from(_FIELDS) | st.sampled_from(_PATHS))
    sort = FIELDS.get(field, Sort.METADATA)
    values = st.sampled_from([each.value for each in _CHOICES[field]]) if field in _CHOICES else _COMPARED[sort]
    operator = draw(st.sampled_from(OPERATORS[sort]))
    if operator == "exists":
        return {field: {"exists": draw(st.booleans())}}
    if operator == "in":
        told = draw(st.lists(values, min_size=1, max_size=3))
        return {field: draw(st.sampled_from([told, {"in": told}]))}
    if operator == "max_age":
        return {field: {"max_age": draw(st.sampled_from(["0s", "1d", "25h", "7d", "8w", "999999w"]))}}
    if operator == "contains":
        return {field: {"contains": draw(st.sampled_from(["tea", "a", "x", "%", "_", "'", "\n" + "b", "é"]))}}
    if operator in ("gt", "gte", "lt", "lte"):
        values = values.filter(lambda each: not isinstance(each, bool))
    value = draw(values)
    return {field: draw(st.sampled_from([value, {"eq": value}])) if operator == "eq" else {operator: value}}


def _joined(parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        st.builds(lambda one: {"not": one}, parts),
        st.builds(lambda some: {"and": some}, st.lists(parts, min_size=1, max_size=3)),
        st.builds(lambda some: {"or": some}, st.lists(parts, min_size=1, max_size=3)),
        st.builds(lambda one, other: {**one, **other}, parts, parts),
    )


filters = st.recursive(_comparison(), _joined, max_leaves=5)
