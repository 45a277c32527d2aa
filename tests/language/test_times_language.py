"""Another language is data: a few words of German, and no code."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.domain.periods import TimeRelation
from recollect.language.times.finder import find_times
from recollect.language.times.grammar import Language, Rule

GERMAN = Language(
    name="German",
    classes={
        "number": {"einem": 1, "zwei": 2, "drei": 3},
        "spans": {"tag": "day", "tagen": "day", "wochen": "week", "jahren": "year"},
        "span": {"woche": "week", "jahr": "year"},
        "month": {"januar": 1, "märz": 3, "mai": 5},
        "nearday": {"gestern": -1, "heute": 0, "morgen": 1},
        "step": {"letzte": -1, "letztes": -1, "diese": 0, "nächste": 1},
        "ahead": {"werde": True, "wird": True},
    },
    phrases={
        "AMOUNT": (Rule("number"),),
        "MONTH": (Rule("month year", "month_of_year"), Rule("month", "month_of_year")),
        "POINT": (Rule("MONTH"), Rule("year", "year")),
        "TOP": (
            Rule("nearday", "near_day"),
            Rule("step unit:span", "stepped"),
            Rule("'vor' AMOUNT unit:span|spans", "ago"),
            Rule("'im' MONTH"),
            Rule("'am' DOM '.' month", "day_and_month"),
            Rule("slash", "slash_date", value=True),
            Rule("'seit' POINT", relation=TimeRelation.SINCE, lean="past"),
        ),
        "DOM": (Rule("dom"),),
        "ALONE": (Rule("POINT"),),
        "NOT": (),
        "CUE": (Rule("ahead", value="future"),),
        "LASTING": (),
    },
    triggers=frozenset("tag tagen woche wochen jahr jahren januar märz mai gestern heute morgen".split()),
)


@pytest.mark.parametrize(
    ("text", "phrase", "start", "relation"),
    [
        ("Gestern war ich krank.", "Gestern", "2026-03-08", TimeRelation.AT),
        ("Ich bin letzte Woche umgezogen.", "letzte Woche", "2026-03-02", TimeRelation.AT),
        ("Das war vor drei Tagen.", "vor drei Tagen", "2026-03-06", TimeRelation.AT),
        ("Ich wohne seit 2019 in Wien.", "seit 2019", "2019-01-01", TimeRelation.SINCE),
        ("Seit Mai bin ich hier.", "Seit Mai", "2025-05-01", TimeRelation.SINCE),
        ("Im Januar 2024 war Schnee.", "Im Januar 2024", "2024-01-01", TimeRelation.AT),
        ("Ich werde im Mai reisen.", "im Mai", "2026-05-01", TimeRelation.AT),
        ("Er kam am 3. März.", "am 3. März", "2026-03-03", TimeRelation.AT),
        ("Stand 4/3/2024", "4/3/2024", "2024-03-04", TimeRelation.AT),
    ],
)
def test_german_is_understood_from_a_table(text: str, phrase: str, start: str, relation: TimeRelation) -> None:
    (mention,) = find_times(text, at=datetime(2026, 3, 9, 10, 30, tzinfo=UTC), language=GERMAN)

    assert mention.text == phrase
    assert mention.period.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert mention.relation is relation
