"""A megabyte of the worst for every family of rules. Nothing here is timed: what hangs is ended by the time limit.

That no pattern can be made to go back over a long run is also read from the patterns themselves.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants, _parser
from typing import Any

import pytest

from recollect import redaction
from recollect.domain.late import Late
from recollect.redaction.names import VENDORS
from recollect.redaction.redactor import RULES, redact
from tests.redaction.worst import FAMILIES, LONE, MEGABYTE, filled, for_keywords

FARTHEST_BACK = 400  # characters a pattern may have to give back, one by one


def patterns() -> Iterator[tuple[str, str]]:
    """Every pattern of the package: of the rules, of the vendors, and those that modules keep for themselves."""
    for rule in RULES:
        yield rule.kind, rule.pattern
    yield from VENDORS.items()
    for found in pkgutil.iter_modules(redaction.__path__, f"{redaction.__name__}."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern | Late):
                yield f"{found.name}.{name}", value.pattern


def given_back(tree: Any) -> int:
    """How many characters the pattern may give back at most. A possessive run gives back nothing."""
    total = 0
    for operator, argument in tree:
        if operator in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            least, most, inner = argument
            total += (0 if most == least else int(most)) * max(1, longest(inner)) + int(most) * given_back(inner)
        elif operator is _constants.SUBPATTERN:
            total += given_back(argument[3])
        elif operator is _constants.BRANCH:
            total += max(given_back(way) for way in argument[1])
        elif operator in (_constants.ASSERT, _constants.ASSERT_NOT):
            total += given_back(argument[1])
    return total


def longest(tree: Any) -> int:
    return min(int(tree.getwidth()[1]), MEGABYTE)


def test_no_pattern_goes_back_over_a_long_run() -> None:
    checked = set(patterns())
    assert len(checked) > 500
    assert [name for name, pattern in checked if given_back(_parser.parse(pattern)) > FARTHEST_BACK] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_megabyte_of_every_keyword_of_a_family_is_read_to_its_end(family: str) -> None:
    texts = [text[: MEGABYTE // 15] for _, text in for_keywords(FAMILIES[family])]
    text = "\n".join(texts)
    assert redact(redact(text).text).redactions == ()


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_megabyte_of_each_filling_is_read_to_its_end(family: str) -> None:
    for _, text in for_keywords(FAMILIES[family]):
        assert len(text) == MEGABYTE
        redact(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONE)
def test_a_megabyte_of_one_thing_is_read_to_its_end(name: str) -> None:
    redact(filled(LONE[name]), pii=True)
