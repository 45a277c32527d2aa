"""Ids sort by time, come in order, and cannot be guessed."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.clock import SystemClock, checked_id, encode_id, is_uuid, uuid_of
from recollect.domain.errors import InvalidInput
from tests.support.together import at_once

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class FrozenClock(SystemClock):
    """The machine's randomness, at moments the test chooses."""

    def __init__(self, *moments: datetime) -> None:
        super().__init__()
        self._moments = list(moments)

    def now(self) -> datetime:
        return self._moments.pop(0) if len(self._moments) > 1 else self._moments[0]


def test_an_id_is_understood_in_the_spelling_of_a_uuid() -> None:
    made = SystemClock().new_id()
    spelled = uuid_of(made)
    assert UUID(spelled).int == _number(made)
    for spelling in (spelled, spelled.upper(), spelled.replace("-", ""), f" {spelled}\n"):
        assert checked_id(spelling) == made


@given(st.uuids())
def test_every_uuid_is_an_id_and_comes_back_as_it_was(uuid: UUID) -> None:
    made = checked_id(str(uuid))
    assert _number(checked_id(str(uuid))) == _number(made) == uuid.int
    assert uuid_of(made) == str(uuid)


@pytest.mark.parametrize("wrong", ["0" * 31, "0" * 33, "g" * 32, "0000-" * 6 + "00", "{" + "0" * 32 + "}", ""])
def test_what_is_no_uuid_spells_no_id(wrong: str) -> None:
    assert not is_uuid(wrong)


@pytest.mark.parametrize(
    ("what", "listed"),
    [
        ("note", "; `recollect list` shows them."),
        ("job", "; `recollect jobs list` shows them."),
        ("receipt", " digits."),
    ],
)
def test_what_is_no_id_is_told_where_such_ids_are_listed(what: str, listed: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        checked_id("nope", what=what)
    assert caught.value.hint.endswith(listed)


def _number(note_id: str) -> int:
    number = 0
    for letter in note_id:
        number = number * 32 + ALPHABET.index(letter)
    return number


def test_an_id_says_when_it_was_made() -> None:
    moment = datetime(2026, 3, 1, 10, 30, tzinfo=UTC)
    made = FrozenClock(moment).new_id()
    assert len(made) == 26
    assert _number(made) >> 80 == int(moment.timestamp() * 1000)


def test_ids_of_later_milliseconds_sort_later() -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    clock = FrozenClock(*(start + timedelta(milliseconds=number) for number in range(1000)))
    made = [clock.new_id() for _ in range(1000)]
    assert made == sorted(made)


def test_ids_of_one_millisecond_are_in_order_and_a_random_step_apart() -> None:
    clock = FrozenClock(datetime(2026, 3, 1, tzinfo=UTC))
    made = [_number(clock.new_id()) for _ in range(2000)]
    steps = [later - earlier for earlier, later in pairwise(made)]

    assert all(0 < step <= 2**64 for step in steps)
    assert len(set(steps)) == len(steps)
    # Whoever has seen one id has to guess among 2**64 for the next: no step may be predictably small.
    assert sum(step < 2**56 for step in steps) < 50
    assert max(steps) > 2**62


def test_a_clock_that_goes_back_does_not_take_the_ids_along() -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    clock = FrozenClock(start, start - timedelta(days=1), start - timedelta(days=2), start + timedelta(days=1))
    made = [clock.new_id() for _ in range(4)]
    assert made == sorted(set(made))


def test_threads_never_get_the_same_id_and_each_gets_its_own_in_order() -> None:
    clock = SystemClock()
    counted = threading.local()

    def many() -> list[str]:
        counted.made = [clock.new_id() for _ in range(2000)]
        made: list[str] = counted.made
        return made

    made = [outcome.value for outcome in at_once([many] * 8)]

    assert len({each for part in made for each in part}) == 8 * 2000
    assert all(part == sorted(part) for part in made)


def test_two_processes_clocks_do_not_make_the_same_ids() -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    made = {FrozenClock(moment).new_id() for _ in range(1000)}
    assert len(made) == 1000


def test_chance_is_between_nothing_and_one() -> None:
    clock = SystemClock()
    drawn = [clock.chance() for _ in range(1000)]
    assert all(0 <= number < 1 for number in drawn)
    assert len(set(drawn)) == 1000


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**128 - 1))
def test_ids_sort_as_their_numbers_do(one: int, other: int) -> None:
    assert (encode_id(one) < encode_id(other)) == (one < other)
    assert _number(encode_id(one)) == one
    assert checked_id(encode_id(one)) == encode_id(one)


def test_an_id_is_understood_in_any_case_and_with_space_around_it() -> None:
    made = SystemClock().new_id()
    assert checked_id(f" {made.lower()}\n") == made


@pytest.mark.parametrize(
    "wrong",
    ["", " ", "x", "0" * 25, "0" * 27, "8" + "0" * 25, "I" * 26, "0" * 25 + "U", "0" * 25 + "é", "0" * 25 + "\x00",
     "'; DROP TABLE note; --", None, 5, b"0" * 26],
)  # fmt: skip
def test_what_is_not_an_id_is_refused_with_a_hint(wrong: object) -> None:
    with pytest.raises(InvalidInput, match="is not a note id") as refusal:
        checked_id(wrong)  # type: ignore[arg-type]
    assert refusal.value.code == "invalid_id"
    assert "recollect list" in refusal.value.hint


def test_a_wrong_id_of_any_length_is_shown_short() -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_id("x" * 100_000)
    assert len(refusal.value.message) < 120
