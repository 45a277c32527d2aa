"""What stands around what was said, and how far it belongs to it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.recall.surroundings import TurnPlace, windows_of
from recollect.recall.weights import WEIGHTS


def test_neighbours_of_a_session_belong_together_and_fade() -> None:
    windows = windows_of([TurnPlace("a", 1), TurnPlace("a", 2), TurnPlace("b", 3), TurnPlace("a", 3)], [5, 5, 5, 5])

    assert windows[1].members == (1, 0, 3)
    assert windows[2].members == (2,)
    assert windows[0].members == (0, 1, 3)
    assert windows[0].shares[1] > windows[0].shares[2]


def test_a_long_text_stands_for_itself() -> None:
    windows = windows_of([TurnPlace("a", 1), TurnPlace("a", 2)], [400, 5])

    assert [window.members for window in windows] == [(0,), (1,)]


def test_what_stands_nowhere_is_its_own_window() -> None:
    assert [window.members for window in windows_of([None, None], [5, 5])] == [(0,), (1,)]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 12)), max_size=30), st.integers(1, 60))
def test_a_window_begins_with_its_own_text_and_reaches_no_farther_than_it_may(
    places: list[tuple[int, int]], length: int
) -> None:
    standing = [TurnPlace(session, position) for session, position in places]
    for number, window in enumerate(windows_of(standing, [length] * len(standing))):
        assert window.members[0] == number
        for member in window.members[1:]:
            assert standing[member].session == standing[number].session
            assert 0 < abs(standing[member].position - standing[number].position) <= WEIGHTS.match.reach
