"""Sentences of one form: about one thing with another value, or about two things."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.links.statement_link import Stance, StatementRelation
from recollect.domain.scopes import Scope
from recollect.language.english import sentence_form
from recollect.language.english.sentence_form import are_of_different_things, name_other_things, tells_another_value
from recollect.recall.chains.statement_chains import newest_of_one_form_first
from recollect.remember.link_decision import DatedText, judged
from tests.support.clock import SteadyClock
from tests.support.writing import a_note

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


# Two sentences, and whether they tell another value of one thing, or tell of different things.
PAIRS = {
    "person": ("Anna lives in Porto.", "Anna lives in Lisbon.", True, False),
    "host": ("The staging host is otter.", "The staging host is badger.", True, False),
    "landlord": ("Our landlord is Mr Abara.", "Our landlord is Ms Lund.", True, False),
    "in the middle": (
        "My address is 12 Oak Street, Springfield.",
        "My address is 14 Elm Street, Springfield.",
        True,
        False,
    ),
    "mayors": ("The mayor of Ghent is Mia Holm.", "The mayor of Bruges is Jan Roos.", False, True),
    "leases": (
        "The lease for the flat in Oslo ends in May.",
        "The lease for the flat in Bergen ends in June.",
        False,
        True,
    ),
    "heads": (
        "The head of the city of Ghent is Mia Holm.",
        "The head of the Norway office is Jan Roos.",
        False,
        True,
    ),
    "captain in other words": ("Tom is the captain of the team.", "Steffi is the new captain.", False, False),
    "head of one city": ("The head of Ghent is Mia Holm.", "The head of the city of Ghent is Jan Roos.", False, False),
    "owner of what is ours": (
        "The owner of our Oslo flat is Mia.",
        "The owner of our Bergen flat is Jan.",
        False,
        False,
    ),
    "name taken over": ("The coach of the Lions is Kwame.", "The coach of the Kwame Lions is Steffi.", False, False),
    "whose lead": ("The lead of the Falcon project is Ann Lee.", "As of today Falcon's lead is Bob.", False, False),
    "spelled otherwise": (
        "The price of the Pixel-8 is 500 euros.",
        "The price of the Pixel 8 is now 450.",
        False,
        False,
    ),
    "value before the verb": (
        "The hosting provider Hetzner is used for every server.",
        "The hosting provider OVH is what all machines run on.",
        False,
        False,
    ),
    "own move": ("I moved from Porto to Lisbon.", "I moved from Lisbon to Faro.", False, False),
    "move of one person": ("Anna moved from Porto to Lisbon.", "Anna moved from Lisbon to Faro.", False, False),
    "supplier": ("Kessler Mill brings our flour.", "Oldbrook Mill brings our flour.", False, False),
    "days": ("On Monday the shop opens at nine.", "On Tuesday the shop opens at ten.", False, False),
    "nothing": ("", "The staging host is badger.", False, False),
    "long": ("The host " * 40, "The host " * 41, False, False),
}


@pytest.mark.parametrize(("older", "newer", "value", "thing"), PAIRS.values(), ids=PAIRS)
def test_the_form_of_two_sentences_tells_how_they_differ(older: str, newer: str, value: bool, thing: bool) -> None:
    assert tells_another_value(older, newer) is value
    assert are_of_different_things(older, newer) is thing


def test_a_first_word_that_differs_tells_no_less_than_all_words(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for older, newer, *_ in PAIRS.values() for text in (older, newer, newer.upper(), f"“{older}”")]
    pairs = list(product(texts, texts))
    quick = [tells_another_value(older, newer) for older, newer in pairs]
    monkeypatch.setattr(sentence_form, "_begin_alike", lambda _one, _other: True)
    assert quick == [tells_another_value(older, newer) for older, newer in pairs]


# Two texts, and whether the newer one names something else than the older.
NAMED = {
    "town": ("I live in Rome.", "I haven't lived in Paris since 2015.", True),
    "title": ("My dentist is Dr Lee.", "As of today Dr Bauer isn't my dentist any more.", True),
    "the same": ("My dentist is Dr Lee.", "I no longer go to Dr Lee.", False),
    "at the beginning": ("I'm dating Karl.", "Karl and I broke up in Vienna.", False),
    "possessive": ("We rehearse in Timo's garage.", "No more rehearsals at the garage of Timo, says Ana.", False),
    "a day is no name": ("I work at Acme.", "I quit on Friday.", False),
    "no name": ("I am vegetarian.", "I eat meat again.", False),
    "a name on one side": ("I ride the 109.", "I'm off the bus, since Lena drives me.", False),
}


@pytest.mark.parametrize(("older", "newer", "others"), NAMED.values(), ids=NAMED.keys())
def test_texts_that_name_other_things_are_told_apart(older: str, newer: str, others: bool) -> None:
    assert name_other_things(older, newer) is others


class Sure:
    """A judge that takes everything for asserted, and everything new for a change."""

    model_id = "sure"

    def __init__(self, relation: StatementRelation = StatementRelation.REPLACES) -> None:
        self._relation = relation

    def stances(self, text: str) -> dict[Stance, float]:
        return {stance: float(stance is Stance.ASSERTED) for stance in Stance}

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        return {relation: float(relation is self._relation) for relation in StatementRelation}


class Leaning(Sure):
    """A judge that holds every change for a little more likely than none."""

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        none, change = StatementRelation.UNRELATED, StatementRelation.REPLACES
        return {**super().relations(older, newer), none: 0.45, change: 0.55}


def _text(number: int, said: str) -> DatedText:
    return DatedText(f"m{number}", 0, said, NOON + timedelta(days=number), Scope(), "", of_person=True)


def test_a_judge_is_not_asked_whether_one_town_replaces_another() -> None:
    older = [_text(1, "The mayor of Ghent is Mia Holm."), _text(2, "The mayor of Bruges is Ann Vos.")]
    made = judged(_text(3, "The mayor of Bruges is Jan Roos."), lambda: older, Sure(), NOON)
    assert [link.older for link in made.links] == ["m2"]


def test_the_end_of_one_thing_is_not_the_end_of_another() -> None:
    older = [_text(1, "I live in Rome."), _text(2, "I live in a flat in Paris.")]
    made = judged(_text(3, "I haven't lived in Paris since 2015."), lambda: older, Sure(StatementRelation.ENDS), NOON)
    assert [link.older for link in made.links if not link.is_faint] == ["m2"]


def test_the_same_words_said_again_change_nothing() -> None:
    older = [_text(1, "Bus 14 does not run on Sundays any more."), _text(2, "Bus 14 runs on Sundays")]
    made = judged(_text(3, "bus 14 does not run on sundays any more"), lambda: older, Sure(), NOON)
    assert [(link.older, link.relation) for link in made.links] == [
        ("m1", StatementRelation.SAME),
        ("m2", StatementRelation.REPLACES),
    ]


def test_a_change_is_believed_less_the_less_two_texts_are_alike() -> None:
    older = [_text(1, "My dentist is Dr Lee."), _text(2, "My landlord is called Abel.")]
    newest = _text(3, "Dr Bauer is my dentist now.")
    made = judged(newest, lambda: older, Leaning(), NOON, {"m1": 0.8, "m2": 0.3}.get)
    near, far = (link.score for link in sorted(made.links, key=lambda link: link.older))
    assert near > 0.9 > 0.6 > far


def test_a_long_message_may_change_a_text_that_it_is_hardly_like() -> None:
    older = [_text(1, "My dentist is Dr Lee.")]
    newest = _text(2, "Dr Bauer is my dentist now. " + "The meeting with the printers went well. " * 4)
    [link] = judged(newest, lambda: older, Leaning(), NOON, {"m1": 0.3}.get).links
    assert link.score == 0.55


def test_a_plan_changes_little_however_like_the_two_texts_are() -> None:
    class Planning(Leaning):
        def stances(self, text: str) -> dict[Stance, float]:
            return {**super().stances(text), Stance.ASSERTED: 0.22, Stance.PLANNED: 0.78}

    older = [_text(1, "My dentist is Dr Lee.")]
    made = judged(_text(2, "Dr Bauer might be my dentist."), lambda: older, Planning(), NOON, {"m1": 0.9}.get)
    assert all(link.is_faint for link in made.links)


def test_what_is_rather_said_again_than_changed_changes_nothing() -> None:
    class Repeating(Sure):
        def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
            same, change = StatementRelation.SAME, StatementRelation.REPLACES
            return {**super().relations(older, newer), same: 0.6, change: 0.4}

    older = [_text(1, "My dentist is Dr Lee.")]
    made = judged(_text(2, "Dr Lee is my dentist now."), lambda: older, Repeating(), NOON, {"m1": 0.9}.get)
    assert [link.relation for link in made.links] == [StatementRelation.SAME]


def test_texts_that_are_nearly_the_same_are_no_change_where_the_judge_sees_none() -> None:
    older = [_text(1, "My dentist is Dr Lee, on Mondays.")]
    newest = _text(2, "My dentist is Dr Lee, mostly on Mondays.")
    assert not judged(newest, lambda: older, Sure(StatementRelation.ADDS), NOON, {"m1": 0.99}.get).links


def test_the_newer_value_takes_the_place_of_the_older_and_nothing_else_moves(clock: SteadyClock) -> None:
    notes = [
        a_note(clock, said)
        for said in ("The staging host is otter.", "Otters are back in the river.", "The staging host is badger.")
    ]
    ranked = [Hit(note, score, ()) for note, score in zip(notes, (0.9, 0.8, 0.7), strict=True)]
    moved = newest_of_one_form_first(ranked, at=clock.now())
    assert [hit.note for hit in moved] == [notes[2], notes[1], notes[0]]
    assert [hit.score for hit in moved] == [0.9, 0.8, 0.7]
    assert "newest of one form first" in moved[0].why[-1]


def test_what_is_said_after_the_time_asked_about_takes_no_place(clock: SteadyClock) -> None:
    older = a_note(clock, "The staging host is otter.")
    at = clock.now()
    newer = a_note(clock, "The staging host is badger.")
    ranked = [Hit(older, 0.9, ()), Hit(newer, 0.8, ())]
    assert newest_of_one_form_first(ranked, at=at) == ranked
