"""The odds of a tie rise with what an act repeats, and fall where something else was done before a text."""

from __future__ import annotations

import pytest

from recollect.domain.dataclass import replace
from recollect.recall.reminders.act import act_of
from recollect.recall.reminders.learned_odds import WEIGHTS, Tie, odds, signs_of
from recollect.recall.reminders.prior_acts import PriorAct, Repetition, repetitions

UNKNOWN = Tie(0.0, 0.0, 0, is_unrelated=True, repetition=Repetition(), is_nearest=False, is_most_shared=False)
AGAIN = Repetition("dd if=a of=b", likeness=4.0, terms=0.6, share=0.6, same_program=True)
STEP_AGAIN = replace(AGAIN, same_step=True)


def repeated(before: str, now: str, text: str, *others: str) -> Repetition:
    lines = {"note": before, **{f"other {line}": line for line in others}}
    prior = {key: [PriorAct(key, "s1", act_of((), line, ()), (line, ()))] for key, line in lines.items()}
    return repetitions(act_of((), now, ()), prior, dict.fromkeys(lines, text), {})["note"]


def test_what_was_done_before_a_text_makes_it_worth_telling_before_the_same_act() -> None:
    assert odds(replace(UNKNOWN, repetition=STEP_AGAIN, is_nearest=True, is_most_shared=True)) > 0
    assert odds(UNKNOWN) < 0


def test_a_text_that_shares_something_with_an_act_is_likelier_about_it() -> None:
    tie = replace(UNKNOWN, repetition=AGAIN)
    assert odds(replace(tie, is_unrelated=False, rare=3.5)) > odds(tie)
    assert odds(replace(tie, outstanding=3.0)) > odds(tie)
    assert odds(replace(tie, repetition=replace(AGAIN, same_option=True))) > odds(tie)
    assert odds(replace(tie, repetition=replace(AGAIN, is_rule=True))) > odds(tie)


def test_a_rule_that_nothing_was_done_for_is_told_by_its_words() -> None:
    rule = Repetition(is_rule=True)
    assert odds(Tie(4.0, 10.0, 2, False, rule, is_nearest=False, is_most_shared=False)) > 0


@pytest.mark.parametrize("outstanding", [0.0, 3.0])
@pytest.mark.parametrize("rare", [0.0, 8.0])
@pytest.mark.parametrize("names", [0, 2])
def test_doing_the_very_same_is_never_a_weaker_sign_than_doing_something_like_it(
    outstanding: float, rare: float, names: int
) -> None:
    tie = replace(UNKNOWN, outstanding=outstanding, rare=rare, names=names)
    for terms in (0.0, 0.6):
        steps = [replace(AGAIN, likeness=each / 2, terms=terms) for each in range(20)]
        values = [odds(replace(tie, repetition=each)) for each in steps]
        assert values == sorted(values)
    shared = [odds(replace(tie, repetition=replace(AGAIN, likeness=1.0, terms=each / 10))) for each in range(10)]
    assert shared == sorted(shared)


def test_every_sign_has_a_weight() -> None:
    assert list(signs_of(UNKNOWN)) == list(WEIGHTS)


def test_an_option_that_a_text_names_is_known_among_others_in_one_word() -> None:
    text = "With -a the drafts went in as well."
    assert repeated('git commit -am "one"', "git commit -a", text).same_option
    assert not repeated('git commit -am "one"', "git commit -s", text).same_option
    assert not repeated('git commit -m "one"', "git commit -a", text).same_option


def test_terms_that_many_acts_have_say_less_than_those_of_a_few() -> None:
    others = ("yarn lint", "yarn build", "yarn serve", "yarn test")
    common = repeated("yarn add leaflet", "yarn lint", "", *others)
    rare = repeated("yarn add leaflet", "npm publish leaflet", "", *others)
    assert rare.share > common.share
