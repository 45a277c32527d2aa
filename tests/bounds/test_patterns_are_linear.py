"""No pattern takes time in the square of a text, whatever the text.

Every pattern of the package is tried on runs of characters and on texts made from the pattern itself. In CI each meets
some of them at 2,000 characters and, where that takes long, at more; `RECOLLECT_BOUNDS=full`, as `make fuzz` sets it,
tries all patterns on all texts, up to 64,000.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.support.growth import grows_too_fast, processor_time
from tests.support.patterns import (
    RUNS,
    Compiled,
    every_pattern,
    hostile_texts,
    is_held_to_the_beginning,
    led_texts,
)

FULL = os.environ.get("RECOLLECT_BOUNDS") == "full"
SIZE = 2_000
SUSPECT = 400e-9 * SIZE  # seconds; what goes through a text once takes a tenth of that
PARTS = 50 if FULL else 2  # of the patterns, each a test: all of them on all texts take half an hour
OWN = None if FULL else 12  # texts of a pattern's own that it is tried on

# Matched against one word at a time, by way of a table.
WHOLE_WORDS = ("recollect.language.times.english:",)


def chosen() -> list[Compiled]:
    """Those that are tried. The rules of redaction are many, and have a test of their own that reads them."""
    return [each for each in every_pattern() if FULL or each.place.startswith("recollect.")]


def texts_for(compiled: Compiled) -> Iterator[tuple[str, str]]:
    pattern, flags = compiled.pattern, compiled.flags
    yield from (("", run) for run in RUNS)
    yield from (("", text) for text in islice(hostile_texts(pattern, flags), OWN))
    yield from islice(led_texts(pattern, flags), OWN)


def found_too_slow(compiled: Compiled) -> str:
    """What a pattern is too slow on; nothing if it never is."""
    pattern = re.compile(compiled.pattern, compiled.flags)
    once = is_held_to_the_beginning(compiled) or compiled.place.startswith(WHOLE_WORDS)
    for lead, unit in texts_for(compiled):

        def grown(size: int, lead: str = lead, unit: str = unit) -> None:
            text = (lead + unit * (size // len(unit) + 1))[:size] + "\x01"
            if once:
                pattern.match(text)
                pattern.fullmatch(text)
            else:
                deque(pattern.finditer(text), maxlen=0)

        # First a little: what is worse than the square would not come to an end.
        suspect = any(processor_time(lambda size=size: grown(size)) > SUSPECT for size in (SIZE // 8, SIZE))  # type: ignore[misc]
        sizes = (SIZE // 16, SIZE // 4, SIZE, *((2 * SIZE, 8 * SIZE) if FULL else ())) if suspect else ()
        too_fast = next(filter(None, (grows_too_fast(grown, size) for size in sizes)), "")
        if too_fast:
            return f"{compiled.place}: {lead!r} and {unit!r} again and again: {too_fast}"
    return ""


def test_patterns_are_found_where_they_are_compiled() -> None:
    found = every_pattern()
    assert len(found) > 600
    assert {each.place.partition(":")[0] for each in found} >= {"recollect.recall.cues", "recollect.remember.resolver"}


def test_a_pattern_that_grows_too_fast_is_found() -> None:
    for bad in (r"[^.!?]+[.!]", r"\s*\s*x", r"<a>.*?<b>"):
        assert found_too_slow(Compiled("here", bad, re.DOTALL)), bad


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_grows_faster_than_its_text(part: int) -> None:
    assert list(filter(None, map(found_too_slow, chosen()[part::PARTS]))) == []
