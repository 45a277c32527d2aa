"""What something said does to what is known, as tables and as properties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.notes import Note, State
from recollect.domain.origin import Authority, Origin
from recollect.domain.periods import Period, Precision
from recollect.domain.readings import Polarity, Statement, Tense
from recollect.domain.scopes import Scope
from recollect.remember.known_facts import FactFinding
from recollect.remember.reconcile import FactAction, Reconciled, reconcile
from tests.support.clock import SteadyClock

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def period(first: int, last: int) -> Period:
    return Period(day(first), day(last), Precision.DAY)


def lives_in(place: str, **how: object) -> Statement:
    statement = Statement(
        subject="user", attribute="location", value=place, text=f"User lives in {place}.", quote=f"in {place}"
    )
    return replace(statement, **how)  # type: ignore[arg-type]


class Line:
    """What is known of one subject and attribute, and what becomes of it as things are said."""

    def __init__(self) -> None:
        self.notes: dict[str, Note] = {}
        self.clock = SteadyClock("2027-01-01T00:00:00+00:00")
        self._said = 0

    def hears(self, statement: Statement, number: float, *, source: str = "alice", again: bool = False) -> Reconciled:
        if not again:
            self._said += 1
        finding = FactFinding(
            statement=statement,
            said_at=START + timedelta(days=number),
            origin=Origin(),
            authority=Authority.FACT,
            source=source,
            evidence=(f"observation-{self._said}",),
            scope=Scope(),
        )
        outcome = reconcile(
            finding, list(self.notes.values()), space="alice", at=self.clock.now(), new_id=self.clock.new_id
        )
        for edit in outcome.edits:
            note = edit.note
            before = self.notes.get(note.id)
            assert note.version == (1 if before is None else before.version + 1)
            self.notes[note.id] = note
        return outcome

    @property
    def periods(self) -> list[tuple[str, int | None, int | None]]:
        """Value, first day, last day of everything that is or was true, in order."""
        held = [note for note in self.notes.values() if note.state is not State.RETRACTED]
        held.sort(key=lambda note: (note.valid_from or datetime.min.replace(tzinfo=UTC), note.id))
        return [(_spelled(note), _number(note.valid_from), _number(note.valid_until)) for note in held]

    def at(self, number: float) -> str:
        """The value at that time."""
        moment = START + timedelta(days=number)
        held = [note for note in self.notes.values() if (note.valid_from or START) <= moment]
        [value] = [_spelled(note) for note in held if note.valid_until is None or moment < note.valid_until]
        return value

    @property
    def current(self) -> list[str]:
        return [_spelled(note) for note in self.notes.values() if note.state is State.ACTIVE]


def _spelled(note: Note) -> str:
    denied = note.metadata["said"].get("polarity")
    return f"not {note.value}" if denied else str(note.value)


def _number(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - START).days


def test_a_correction_of_what_held_for_no_time_at_all_is_kept() -> None:
    line = Line()
    line.hears(lives_in("Boston", tense=Tense.PAST), 0)
    line.hears(lives_in("Boston", polarity=Polarity.ENDED), 0)
    line.hears(lives_in("Boston", polarity=Polarity.NEGATED, corrects=True), 0)
    assert line.hears(lives_in("Austin", corrects=True), 2).note is not None


def test_the_same_value_again_reinforces_instead_of_repeating() -> None:
    line = Line()
    first = line.hears(lives_in("Austin"), 1)
    again = line.hears(lives_in("the Austin"), 5)
    assert (first.action, again.action) == (FactAction.ADDED, FactAction.REINFORCED)
    assert line.periods == [("Austin", 1, None)]
    assert again.note is not None and first.note is not None
    assert again.note.confidence > first.note.confidence
    assert again.note.last_seen_at == day(5)


def test_another_value_supersedes_and_the_old_one_ends() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    outcome = line.hears(lives_in("Boston"), 5)
    assert outcome.action is FactAction.SUPERSEDED
    assert outcome.reason == "newer than Austin"
    assert line.periods == [("Austin", 1, 5), ("Boston", 5, None)]


def test_there_and_back_again_gives_one_current_value_and_three_periods() -> None:
    line = Line()
    for number, place in ((1, "Austin"), (5, "Boston"), (9, "Austin")):
        line.hears(lives_in(place), number)
    assert line.current == ["Austin"]
    assert line.periods == [("Austin", 1, 5), ("Boston", 5, 9), ("Austin", 9, None)]


def test_since_when_it_is_true_counts_and_not_when_it_was_said() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    line.hears(lives_in("Berlin", occurred=period(10, 17)), 20)
    assert line.periods == [("Austin", 1, 10), ("Berlin", 10, None)]


BERLIN = (lives_in("Berlin"), 9.4)
MUNICH_TODAY = (lives_in("Munich", occurred=period(9, 10)), 9.6)


@pytest.mark.parametrize("order", [*permutations(((lives_in("Rome"), 1), BERLIN, MUNICH_TODAY))])
def test_a_change_on_a_day_comes_after_what_was_seen_earlier_that_day(order: Sequence[tuple[Statement, float]]) -> None:
    line = Line()
    for statement, number in order:
        line.hears(statement, number)
    assert line.current == ["Munich"]
    assert (line.at(5), line.at(9.4), line.at(9.7)) == ("Rome", "Berlin", "Munich")


@pytest.mark.parametrize(
    ("occurred", "said", "current"),
    [
        (period(9, 10), 20, "Munich"),
        (replace(period(0, 31), precision=Precision.MONTH), 20, "Munich"),
        (replace(period(0, 31), precision=Precision.MONTH), 50, "Munich"),
        (replace(period(0, 9), precision=Precision.WEEK), 20, "Berlin"),
        (period(9, 10), 9.3, "Berlin"),
    ],
)
def test_what_was_said_within_a_time_is_older_than_a_change_that_is_dated_with_it(
    occurred: Period, said: float, current: str
) -> None:
    line = Line()
    line.hears(*BERLIN)
    line.hears(lives_in("Munich", occurred=occurred), said)
    assert line.current == [current]


def test_what_ends_on_a_day_ends_what_was_seen_earlier_that_day() -> None:
    line = Line()
    line.hears(lives_in("Berlin", many=True), 9.4)
    line.hears(lives_in("Berlin", many=True, polarity=Polarity.ENDED, occurred=period(9, 10)), 9.6)
    assert line.current == ["not Berlin"]


def test_what_is_said_after_a_change_on_the_same_day_is_newer() -> None:
    line = Line()
    line.hears(*MUNICH_TODAY)
    line.hears(lives_in("Berlin"), 9.7)
    assert line.current == ["Berlin"]
    assert line.at(9.65) == "Munich"


def test_a_value_that_has_held_since_then_holds_now_whatever_was_said_before() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 10)
    outcome = line.hears(lives_in("Berlin", since=period(5, 5), up_to_now=True), 20)
    assert outcome.action is FactAction.SUPERSEDED
    assert line.current == ["Berlin"]
    assert line.periods == [("Berlin", 5, 10), ("Austin", 10, 20), ("Berlin", 20, None)]


def test_a_value_that_has_held_since_then_gives_way_to_what_is_said_later() -> None:
    line = Line()
    line.hears(lives_in("Berlin", since=period(5, 5), up_to_now=True), 20)
    line.hears(lives_in("Austin"), 30)
    assert line.periods == [("Berlin", 5, 30), ("Austin", 30, None)]


def test_since_then_and_what_was_said_in_between_may_arrive_in_any_order() -> None:
    said = [
        (10, lives_in("Austin")),
        (20, lives_in("Berlin", since=period(5, 5), up_to_now=True)),
        (2, lives_in("Rome")),
    ]
    for order in permutations(said):
        line = Line()
        for number, statement in order:
            line.hears(statement, number)
        assert line.periods == [("Rome", 2, 5), ("Berlin", 5, 10), ("Austin", 10, 20), ("Berlin", 20, None)]


def test_one_of_many_that_has_held_since_then_holds_now_though_it_was_over_once() -> None:
    line = Line()
    line.hears(lives_in("Rome", many=True), 1)
    line.hears(lives_in("Rome", many=True, polarity=Polarity.ENDED), 10)
    line.hears(lives_in("Rome", many=True, since=period(5, 5), up_to_now=True), 20)
    assert "Rome" in line.current


def test_an_older_message_that_arrives_later_finds_its_place() -> None:
    line = Line()
    line.hears(lives_in("Boston"), 10)
    outcome = line.hears(lives_in("Austin"), 2)
    assert outcome.action is FactAction.HISTORICAL
    assert line.current == ["Boston"]
    assert line.periods == [("Austin", 2, 10), ("Boston", 10, None)]


def test_something_in_between_splits_what_was_seen_on_both_sides() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    line.hears(lives_in("Austin"), 20)
    line.hears(lives_in("Boston"), 10)
    assert line.periods == [("Austin", 1, 10), ("Boston", 10, 20), ("Austin", 20, None)]
    assert line.current == ["Austin"]


def test_what_used_to_be_does_not_close_the_present() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    outcome = line.hears(lives_in("New York", tense=Tense.PAST), 5)
    assert outcome.action is FactAction.HISTORICAL
    assert line.current == ["Austin"]
    assert ("New York", None, 5) in line.periods


def test_the_future_ends_the_present_only_when_it_comes() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    line.hears(lives_in("Berlin", tense=Tense.FUTURE, since=period(30, 31)), 5)
    assert line.periods == [("Austin", 1, 30), ("Berlin", 30, None)]


def test_a_correction_takes_the_mistake_back_and_its_place() -> None:
    line = Line()
    line.hears(lives_in("Boston"), 1)
    outcome = line.hears(lives_in("Austin", corrects=True), 5)
    assert outcome.action is FactAction.CORRECTED
    assert line.periods == [("Austin", 1, None)]
    assert [note.state for note in line.notes.values() if note.value == "Boston"] == [State.RETRACTED]


def test_correcting_back_to_what_was_known_before_restores_it() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    line.hears(lives_in("Boston"), 5)
    line.hears(lives_in("Austin", corrects=True), 6)
    assert line.periods == [("Austin", 1, None)]


def test_what_has_ended_is_itself_what_is_current() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    outcome = line.hears(lives_in("Austin", polarity=Polarity.ENDED), 5)
    assert outcome.action is FactAction.SUPERSEDED
    assert line.periods == [("Austin", 1, 5), ("not Austin", 5, None)]


def test_ending_another_value_leaves_the_current_one_alone() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    line.hears(lives_in("Boston", polarity=Polarity.ENDED), 5)
    assert line.current == ["Austin"]


def test_denying_another_value_changes_nothing() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    outcome = line.hears(lives_in("Boston", polarity=Polarity.NEGATED), 5)
    assert (outcome.action, outcome.edits) == (FactAction.IGNORED, ())


def test_many_values_stand_side_by_side_until_one_is_ended() -> None:
    line = Line()
    for number, language in ((1, "Polish"), (2, "French"), (3, "Polish")):
        line.hears(lives_in(language, many=True), number)
    assert sorted(line.current) == ["French", "Polish"]
    line.hears(lives_in("French", many=True, polarity=Polarity.ENDED), 9)
    assert sorted(line.current) == ["Polish", "not French"]


def test_two_sources_that_disagree_on_the_same_day_are_both_kept() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1, source="alice")
    outcome = line.hears(lives_in("Boston"), 1.2, source="bob")
    assert outcome.action is FactAction.DISPUTED
    assert {note.state for note in line.notes.values()} == {State.DISPUTED}


def test_reading_the_same_message_again_changes_nothing() -> None:
    line = Line()
    line.hears(lives_in("Austin"), 1)
    before = dict(line.notes)
    assert line.hears(lives_in("Austin"), 1, again=True).action is FactAction.IGNORED
    assert line.notes == before


@pytest.mark.parametrize(
    ("one", "other"), [("Austin", "Boston"), ("Google", "Goldman"), ("3.11", "3.12"), ("New York", "York")]
)
def test_what_only_looks_alike_is_never_merged(one: str, other: str) -> None:
    line = Line()
    line.hears(lives_in(one), 1)
    line.hears(lives_in(other), 2)
    assert line.current == [other]
    assert len(line.notes) == 2


SAID = st.lists(
    st.tuples(st.integers(1, 40), st.sampled_from(["Austin", "Boston", "Berlin"])),
    min_size=1,
    max_size=5,
    unique_by=lambda said: said[0],
)


@given(SAID)
def test_the_order_of_arrival_does_not_matter(said: Sequence[tuple[int, str]]) -> None:
    expected = _heard(sorted(said))
    for order in permutations(said):
        assert _heard(order) == expected


@given(SAID)
def test_the_line_is_what_the_marks_say(said: Sequence[tuple[int, str]]) -> None:
    marks = sorted(said)
    runs = [mark for number, mark in enumerate(marks) if number == 0 or marks[number - 1][1] != mark[1]]
    ends = [*(number for number, _ in runs[1:]), None]
    assert _heard(said) == [(place, number, end) for (number, place), end in zip(runs, ends, strict=True)]


def _heard(said: Iterable[tuple[int, str]]) -> list[tuple[str, int | None, int | None]]:
    line = Line()
    for number, place in said:
        line.hears(lives_in(place), number)
    return line.periods
