"""While the longest accepted text is worked on, no single step keeps other threads waiting.

Whatever runs inside one built-in call, such as a search by a pattern, keeps every other thread from running, a health
check of the server included. How long that is, is told by the processor time of the call; what the database does in a
call of its own lets others run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.remember.requests import asked_to_remember
from recollect.surfaces.http.forms import object_in
from tests.support.growth import calls_made

LONGEST = 0.4  # seconds; some tens of milliseconds are usual, and a slow machine takes several times as long
RUNS = ("a", "\n", "é", "? [", "my sister ", "word, ", "please\n", "x1 ")


def longest_hold(work: Callable[[], Any]) -> tuple[float, str]:
    """The longest that one built-in call kept the processor, and which call it was."""
    longest, begun = (0.0, ""), list[float]()

    def watching(frame: FrameType, event: str, called: Any) -> None:
        nonlocal longest
        if event == "c_call":
            begun.append(time.thread_time())
        elif event in ("c_return", "c_exception") and begun:
            took = time.thread_time() - begun.pop()
            if took > longest[0] and not _lets_others_run(called):
                longest = took, f"{called} at {frame.f_code.co_filename}:{frame.f_lineno}"

    sys.setprofile(watching)
    try:
        work()
    finally:
        sys.setprofile(None)
    return longest


def _lets_others_run(called: Any) -> bool:
    """Whether a call is of the database, or goes on in Python: then it is made of other calls, which are seen."""
    name = getattr(called, "__qualname__", "")
    return "execute" in name or name in ("next", "exec", "list", "any", "max", "sorted", "sum")


def filled(unit: str) -> str:
    return unit * (MAX_TEXT_BYTES // len(unit.encode()) - 1) + "x"


@pytest.mark.parametrize("unit", RUNS)
def test_a_search_for_the_longest_text_holds_nobody_up(unit: str) -> None:
    with Memory(store=":memory:") as memory:
        memory.add("I live in Paris.")
        memory.search("where do I live")  # what is imported and compiled at first is not counted
        took, where = longest_hold(lambda: memory.search(filled(unit)))
        assert took < LONGEST, where


@pytest.mark.parametrize("unit", RUNS)
def test_looking_for_a_wish_in_the_longest_text_holds_nobody_up(unit: str) -> None:
    asked_to_remember("x")
    took, where = longest_hold(lambda: asked_to_remember(filled(unit)))
    assert took < LONGEST, where


def test_a_body_of_many_values_is_read_step_by_step() -> None:
    number = 210_000
    body = b'{"messages":[' + b"1," * number + b"1]}"
    found: list[object] = []
    assert calls_made(lambda: found.append(object_in(body, 64))) > number, "between two steps others can run"
    assert found == [{"messages": [1] * (number + 1)}]


def test_a_page_long_question_is_understood_with_the_work_of_a_short_page() -> None:
    with Memory(store=":memory:") as memory:
        memory.add("I live in Paris.")
        memory.search("where do I live")
        page, book = ("where did my sister move in May " * many for many in (100, 3_000))
        few, many = (calls_made(lambda text=text: memory.search(text)) for text in (page, book))  # type: ignore[misc]
        assert many < 3 * few
