"""A filter is read, or refused with a stable code, the place that is wrong and what was probably meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Filter, InvalidInput
from recollect.domain.filters.conditions import AllOf, Comparison
from recollect.domain.filters.grammar import MAX_COMPARISONS, MAX_DEPTH, MAX_VALUES
from recollect.domain.notes import MAX_LEAVES, leaves_of
from tests.support.filter_data import filters
from tests.support.writing import at


def refused(plain: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        Filter(plain)
    return caught.value


REFUSALS = [
    ({"kinds": ["lesson"]}, "unknown_filter_field", "`where` has no field `kinds`: did you mean `kind`?"),
    ({"ticket": 3}, "unknown_filter_field", "did you mean `metadata.ticket`"),
    ({"metadata.said.quote": "x"}, "unknown_filter_field", "keeps it for itself"),
    ({"or": [{"tag": "a"}, {"kind": "lesso"}]}, "invalid_filter", "`where.or[1].kind.eq` is `lesso`"),
    ({"created": {"gte": "2026"}}, "unknown_filter_operator", "`gte`: did you mean `since`?"),
    ({"metadata.n": {"$gt": 1}}, "unknown_filter_operator", "did you mean `gt`?"),
    ({"metadata.n": {">=": 1}}, "unknown_filter_operator", "did you mean `gte`?"),
    ({"tag": {"contains": "x"}}, "unknown_filter_operator", "`where.tag` has no operator `contains`"),
    ({"created": {"since": "soon"}}, "invalid_time", "`where.created.since` is `soon`"),
    ({"created": {"max_age": 7}}, "invalid_filter", "`where.created.max_age` is `7`"),
    ({"metadata.n": {"eq": None}}, "invalid_filter", "`where.metadata.n.eq` is null"),
    ({"metadata.n": {"gt": True}}, "invalid_filter", "has no order"),
    ({"metadata.n": {"eq": {}}}, "invalid_filter", "`where.metadata.n.eq` is a dict"),
    ({"metadata.n": float("nan")}, "invalid_filter", "without a usual size"),
    ({"pinned": "yes"}, "invalid_filter", "`where.pinned.eq` is `yes`; it must be true or false"),
    ({"confidence": {"gt": "high"}}, "invalid_filter", "which is no number"),
    ({"subject": " "}, "invalid_filter", "`where.subject.eq` is empty"),
    ({"subject": "a\x00"}, "invalid_text", "`where.subject.eq`"),
    ({"id": "nothing"}, "invalid_id", "is not a note id"),
    ({"kind": {}}, "invalid_filter", "has no operator"),
    ({"tag": []}, "invalid_filter", "is not a list of values"),
    ({"and": {"kind": "lesson"}}, "invalid_filter", "`where.and` is not a list of filters"),
    ({"or": []}, "invalid_filter", "`where.or` is not a list of filters"),
    ({"not": "lesson"}, "invalid_filter", "`where.not` is not a filter"),
    ({"metadata.": 1}, "filter_too_large", "path"),
    ({f"metadata.{'k' * 300}": 1}, "filter_too_large", "path"),
    ({"metadata.k": "x" * 2000}, "filter_too_large", "2,000 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "code", "told"), REFUSALS)
def test_a_wrong_filter_is_refused_with_its_place(plain: dict[str, Any], code: str, told: str) -> None:
    problem = refused(plain)
    assert problem.code == code
    assert told in problem.message
    assert problem.hint


def nested(depth: int) -> dict[str, Any]:
    plain: dict[str, Any] = {"kind": "lesson"}
    for _ in range(depth):
        plain = {"not": plain}
    return plain


def test_depth_and_size_are_bounded() -> None:
    Filter(nested(MAX_DEPTH - 1))
    for plain in (
        nested(MAX_DEPTH),
        nested(500),
        {"or": [{"kind": "lesson"}] * (MAX_COMPARISONS + 1)},
        {"and": [{"or": [{"kind": "lesson"}] * 40}] * 2},
        {"metadata.n": list(range(MAX_VALUES + 1))},
        {"or": [{"metadata.n": list(range(300))}, {"metadata.m": list(range(300))}]},
    ):
        assert refused(plain).code == "filter_too_large"


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
NAMES = st.sampled_from(["and", "or", "not", "kind", "tag", "created", "metadata.k", "in", "eq", "x"])


@given(
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=12,
    )
)
def test_whatever_is_given_is_read_or_refused(plain: Any) -> None:
    try:
        Filter(plain)
    except InvalidInput as problem:
        assert problem.code
        assert problem.message.startswith("`")


@given(filters)
def test_a_filter_survives_being_written_down(plain: dict[str, Any]) -> None:
    told = Filter(plain)
    assert Filter(told.to_dict()).condition == told.condition
    assert dict(Filter(told)) == dict(told)


def test_the_builder_writes_the_same_grammar() -> None:
    built = (
        Filter.kind("lesson", "pattern")
        & (Filter.tag("deploy") | Filter.metadata("ticket", gte=12, lt=20))
        & ~Filter.state("retracted")
        & Filter.created(since=at("2026-01-01"), max_age="30d")
    )
    assert built.to_dict() == {
        "and": [
            {"kind": ["lesson", "pattern"]},
            {"or": [{"tag": ["deploy"]}, {"metadata.ticket": {"gte": 12, "lt": 20}}]},
            {"not": {"state": ["retracted"]}},
            {"created": {"since": "2026-01-01T00:00:00.000000Z", "max_age": "30d"}},
        ]
    }
    assert Filter.metadata("team", one_of=["ops", "dev"]).to_dict() == {"metadata.team": {"in": ["ops", "dev"]}}


def test_a_value_alone_means_equal_and_a_list_means_any_of() -> None:
    assert Filter({"tag": "A b", "user": ["ana"]}).condition == AllOf(
        (Comparison("tag", "eq", "a-b"), Comparison("user", "in", ("ana",)))
    )


def test_metadata_is_taken_apart_into_bounded_leaves() -> None:
    told = {"a": {"b": [1, 1.0, "x", None, {"c": True}]}, "a.b": "y", "said": {"quote": "z"}, "": 1}
    assert [(leaf.path, leaf.kind, leaf.text) for leaf in leaves_of(told)] == [
        ("a.b", "number", "1"),
        ("a.b", "text", "x"),
        ("a.b.c", "truth", "true"),
        ("a.b", "text", "y"),
    ]
    assert len(leaves_of({"many": list(range(5 * MAX_LEAVES))})) == MAX_LEAVES
    assert leaves_of({"k" * 300: 1}) == ()
