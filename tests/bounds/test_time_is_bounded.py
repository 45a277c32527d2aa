"""Every reader and every verb that takes a text takes time in proportion to it, whatever the text.

The texts are runs of characters and the words that the tables of rules look for, each again and again. In CI some of
them are tried, chosen by a seed; `RECOLLECT_BOUNDS=full`, as `make fuzz` sets it, tries every word on every reader,
up to 64,000 characters, and some fifty on every verb.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.observations import Message
from recollect.domain.readings import ReadingContext
from recollect.language.english.directions import asked_to_remember
from recollect.language.times.finder import find_times
from recollect.readers.rules import cues, vocabulary
from recollect.readers.rules.reader import RulesReader
from recollect.recall.cues import is_question, manner_of, standing
from recollect.recall.question import understand
from recollect.redaction.redactor import redact
from recollect.remember.pipeline import masked
from tests.support.growth import grows_too_fast, processor_time
from tests.support.patterns import RUNS

FULL = os.environ.get("RECOLLECT_BOUNDS") == "full"
SIZE = 4_000
SIZES = (4_000, 16_000) if FULL else (SIZE,)
PARTS = 10 if FULL else 1  # of the texts of a reader, each a test
SUSPECT = 20e-6 * SIZE  # seconds; below it even the square of a text is soon gone through
NOW = datetime(2026, 5, 1, tzinfo=UTC)
PHRASES = (
    'he said "',
    "I live in Paris, ",
    "not X, but Y. ",
    "((a",
    "“«",
    "a\n\n",
    "Bob: ",
    "on Monday ",
    "in 2024 and ",
)

READERS: dict[str, Callable[[str], Any]] = {
    "rules": lambda text: RulesReader().read(Message("user", text, NOW), ReadingContext()),
    "find_times": lambda text: find_times(text, at=NOW, zone=UTC),
    "redact": redact,
    "redact with personal data": lambda text: redact(text, pii=True),
    "asked_to_remember": asked_to_remember,
    "masked": masked,
    "understand": lambda text: understand(text, now=NOW, zone=UTC),
    "manner_of": manner_of,
    "is_question": is_question,
    "standing": standing,
}
VERBS: dict[str, Callable[[Memory, str], Any]] = {
    "add": lambda memory, text: memory.add(text),
    "watch": lambda memory, text: memory.watch(f"{text}\nremember that I like tea"),
    "learn": lambda memory, text: memory.learn("user", "likes", text),
    "save": lambda memory, text: memory.save(text),
    "search": lambda memory, text: memory.search(text),
    "recall": lambda memory, text: memory.recall(text),
    "answer": lambda memory, text: memory.answer(text),
    "brief": lambda memory, text: memory.brief(text),
}


def triggers() -> list[str]:
    """The words of the tables of rules."""
    words: set[str] = set()
    patterns = [text for name, text in vars(cues).items() if isinstance(text, str) and not name.startswith("__")]
    for text in (*patterns, Path(vocabulary.__file__).with_name("words.tsv").read_text(encoding="utf-8")):
        words.update(re.findall(r"[a-z']{2,}", text.lower()))
    return sorted(words)


def units(words: int, runs: int) -> list[str]:
    """Texts to repeat: phrases, runs of characters, and at most so many trigger words. The full form has all runs."""
    known, chance = triggers(), random.Random(5)
    assert len(known) > 1_000, "the tables are no longer where they were"
    known = chance.sample(known, min(words, len(known)))
    return [*PHRASES, *(RUNS if FULL else chance.sample(RUNS, runs)), *(f"{word} " for word in known)]


def too_fast(work: Callable[[str], Any], units: list[str], *, suspect: float = SUSPECT) -> list[str]:
    found = []
    for unit in units:

        def grown(size: int, unit: str = unit) -> None:
            work((unit * (size // len(unit) + 1))[:size] + "x")

        if processor_time(lambda: grown(SIZE)) < suspect:
            continue
        if told := next(filter(None, (grows_too_fast(grown, size) for size in SIZES)), ""):
            found.append(f"{unit!r} again and again: {told}")
    return found


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_time_in_proportion_to_its_text(reader: str, part: int) -> None:
    READERS[reader]("My sister moved to Berlin in May.")
    assert too_fast(READERS[reader], units(words=100_000 if FULL else 5, runs=12)[part::PARTS]) == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_time_in_proportion_to_its_text(verb: str) -> None:
    with Memory(store=":memory:") as memory:
        memory.add("My sister moved to Berlin in May.")
        VERBS[verb](memory, "My sister moved to Berlin in May.")
        # A memory grows with every text; a few are enough here, the readers behind it are tried with more.
        assert (
            too_fast(
                lambda text: VERBS[verb](memory, text), units(words=50 if FULL else 2, runs=4)[: None if FULL else 10]
            )
            == []
        )


def test_a_reader_that_grows_too_fast_is_found() -> None:
    def slow(text: str) -> None:
        for place in range(0, len(text), 8):
            text[place:].count("xy")
            text[place:].count("yx")

    assert too_fast(slow, ["a"], suspect=0.0)
