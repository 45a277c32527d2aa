"""Texts that name nothing of an act are told only where enough speaks for them."""

from __future__ import annotations

import pytest

from recollect.recall.reminders import likely_ties as ties
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.likely_ties import Advice, likely_ties
from recollect.recall.reminders.shared_terms import terms_of

ACT = terms_of(act_of((), "kiln --ramp fast", ()))
OTHERS = [Advice(f"Thing number {each} is as it is.", is_guidance=True, likeness=each % 2 / 100) for each in range(40)]


def told(text: str, likeness: float) -> bool:
    return likely_ties([Advice(text, is_guidance=True, likeness=likeness), *OTHERS], ACT).get(0) is not None


def test_a_lesson_without_a_word_of_the_act_needs_more_likeness_where_nobody_knows_what_was_done_before_it() -> None:
    somewhat, much = 0.022, 0.05  # about three and more than five standard deviations
    assert not told("The glaze cracked overnight.", somewhat)
    assert told("The kiln cracked the glaze overnight.", somewhat), "it has a word of the act"
    assert told("The glaze cracked overnight.", much)


def test_a_higher_cut_off_asks_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told("The glaze cracked overnight.", 0.05)
    monkeypatch.setattr(ties, "CUT_OFF", 50.0)
    assert not told("The glaze cracked overnight.", 0.05)
