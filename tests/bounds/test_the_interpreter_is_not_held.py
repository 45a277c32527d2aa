"""While the longest accepted text is worked on, no single step keeps other threads waiting.

Whatever runs inside one built-in call, such as a search by a pattern, keeps every other thread from running, a health
check of the server included. How long that is, is told by the processor time of the call; what the database does in a
call of its own lets others run.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import TooLarge
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.surfaces.reception import forms
from recollect.surfaces.reception.forms import Form, object_in, written
from tests.support.growth import calls_made

FULL = os.environ.get("RECOLLECT_BOUNDS") == "full"
LONGEST = 0.1  # seconds of processor time
TRIES = 3  # a machine may be slowed down for a moment: the shortest of several counts
RUNS = ("a", "\n", "é", "? [", "my sister ", "word, ", "please\n", "x1 ")


def longest_hold(work: Callable[[], Any]) -> tuple[float, str]:
    """The longest that built-in code kept the processor, and where: from an event of the interpreter to the next.

    A built-in function that calls functions of Python, as `sorted` may, lets others run at each of them.
    """
    longest, since = (0.0, ""), time.thread_time()
    entered: list[str] = []  # of each function that is running: the name of a built-in one, nothing for one of Python

    def watching(frame: FrameType, event: str, called: Any) -> None:
        nonlocal longest, since
        took = time.thread_time() - since
        if took > longest[0] and entered and entered[-1] and not _lets_others_run(entered[-1]):
            longest = took, f"{entered[-1]} at {frame.f_code.co_filename}:{frame.f_lineno}"
        if event == "call":
            entered.append("")
        elif event == "c_call":
            entered.append(getattr(called, "__qualname__", "") or str(called))
        elif entered:
            entered.pop()
        since = time.thread_time()

    sys.setprofile(watching)
    try:
        work()
    finally:
        sys.setprofile(None)
    return longest


def _lets_others_run(name: str) -> bool:
    """Whether a call is of the database."""
    return name.startswith(("Connection.", "Cursor."))


def assert_nobody_is_held_up(work: Callable[[], Any]) -> None:
    held = longest_hold(work)
    for _ in range(TRIES - 1):
        if held[0] >= LONGEST:
            held = min(held, longest_hold(work))
    assert held[0] < LONGEST, held[1]


def filled(unit: str) -> str:
    return unit * (MAX_TEXT_BYTES // len(unit.encode()) - 1) + "x"


def updated(memory: Memory, text: str) -> None:
    memory.update(memory.save("I like tea.").id, text=text)


def ingested(memory: Memory, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text(text)
        memory.ingest(page)


VERBS: dict[str, Callable[[Memory, str], Any]] = {
    "add": lambda memory, text: memory.add(text),
    "save": lambda memory, text: memory.save(text),
    "update": updated,
    "watch": lambda memory, text: memory.watch(text),
    "ingest": ingested,
    "search": lambda memory, text: memory.search(text),
    "recall": lambda memory, text: memory.recall(text),
    "brief": lambda memory, text: memory.brief(text),
    "learn": lambda memory, text: memory.learn("user", "likes", text[:10_000]),
    "learn from": lambda memory, text: memory.learn("user", "likes", "tea", text=text),
}


# In CI each verb meets two of the texts, and all of them are met; `RECOLLECT_BOUNDS=full` tries each with each.
PAIRS = [
    (verb, unit) for at, verb in enumerate(VERBS) for unit in (RUNS if FULL else (RUNS[at % 8], RUNS[(at + 3) % 8]))
]


@pytest.mark.parametrize(("verb", "unit"), PAIRS)
def test_the_longest_text_holds_nobody_up(verb: str, unit: str) -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        for text in ("I live in Paris.", "where do I live"):  # what is imported and compiled at first is not counted
            VERBS[verb](memory, text)
        assert_nobody_is_held_up(lambda: VERBS[verb](memory, filled(unit)))


def test_a_value_that_no_note_has_room_for_is_refused_at_once(memory: Memory) -> None:
    memory.learn("user", "likes", "tea")

    def refused() -> None:
        with pytest.raises(TooLarge, match="`value` is over its limit"):
            memory.learn("user", "likes", "tea " * 200_000)

    assert calls_made(refused) < 1_000


def test_built_in_code_that_holds_others_up_is_found() -> None:
    bad = re.compile("(?:a|b|ab)*c")
    took, where = longest_hold(lambda: bad.search("ab" * 20))
    assert took >= LONGEST
    assert "Pattern.search" in where


def test_a_body_of_many_values_is_read_step_by_step() -> None:
    number = 210_000
    body = b'{"messages":[' + b"1," * number + b"1]}"
    found: list[object] = []
    assert calls_made(lambda: found.append(object_in(body, 64))) > number, "between two steps others can run"
    assert found == [{"messages": [1] * (number + 1)}]


@pytest.mark.parametrize("value", [b"\x01", b"\xa0", b"\x81\x01", b"\x61a"] if FULL else [b"\x81\x01"])
def test_a_body_of_cbor_is_read_step_by_step(value: bytes) -> None:
    number = 240_000 if FULL else 20_000
    body = b"\xa1\x61m\x9a" + number.to_bytes(4, "big") + value * number
    reads = calls_made(lambda: object_in(body, 64, Form.CBOR), only="read")
    assert reads > len(body) // 5_000, "between two steps others can run"
    assert_nobody_is_held_up(lambda: object_in(body, 64, Form.CBOR))


@pytest.mark.parametrize("form", [Form.JSON, Form.CBOR])
def test_an_answer_of_many_notes_is_written_step_by_step(form: Form) -> None:
    answer = {"session_id": "s", "learned": [{"text": "I like tea."}] * 10_000, "redacted": {"tokens": 0}}
    assert calls_made(lambda: written(answer, form, "add")) > 10_000, "between two steps others can run"


@pytest.mark.parametrize("form", [Form.JSON, Form.CBOR])
def test_a_body_of_too_many_values_is_refused_and_holds_nobody_up(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    most = forms._MOST_VALUES if FULL else 20_000
    monkeypatch.setattr(forms, "_MOST_VALUES", most)
    maps = b"\xa1\x61m\x9a" + (2 * most).to_bytes(4, "big") + b"\xa0" * 2 * most
    body = maps if form is Form.CBOR else b'{"m":[' + b"{}," * 2 * most + b"1]}"

    def refused() -> None:
        with pytest.raises(TooLarge, match=f"more than {most:,} values"):
            object_in(body, 64, form)

    assert_nobody_is_held_up(refused)


def test_a_page_long_question_is_understood_with_the_work_of_a_short_page() -> None:
    with Memory(store=":memory:") as memory:
        memory.add("I live in Paris.")
        memory.search("where do I live")
        page, book = ("where did my sister move in May " * many for many in (100, 3_000))
        few, many = (calls_made(lambda text=text: memory.search(text)) for text in (page, book))  # type: ignore[misc]
        assert many < 3 * few
