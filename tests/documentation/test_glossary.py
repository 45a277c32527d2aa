"""The glossary explains every public word, each once, and no word that there is not."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import recollect
from recollect import Authority, Channel, Kind, Settings, State
from recollect.memory import Memory
from recollect.operations import operations_of
from recollect.surfaces.cli.commands import all_words
from tests.support.project import ROOT

# Its commands are words of another system, which has a page of its own.
FOREIGN = {"anda"}


def _rows(heading: str) -> list[tuple[str, str]]:
    """The word and the meaning of each row of the first table under a heading."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    [part] = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return re.findall(r"^\| (?:\*\*|`)(.+?)(?:\*\*|`).*? \| (.+) \|$", part, re.MULTILINE)


def _groups() -> dict[str, set[str]]:
    """Every first word of a verb or a command, with the words that follow it."""
    groups: dict[str, set[str]] = {}
    for first, *rest in [*all_words(), *(verb.split(".") for verb in operations_of(Memory))]:
        groups.setdefault(first, set()).update(() if first in FOREIGN else rest)
    return groups


PUBLIC = {
    "Kinds, states, authorities, channels": [str(word) for sort in (Kind, State, Authority, Channel) for word in sort],
    "Verbs and commands": list(_groups()),
    "Names that can be imported": [name for name in recollect.__all__ if not name.startswith("_")],
    "Settings": list(Settings.__slots__),
}


@pytest.mark.parametrize("heading", PUBLIC)
def test_every_public_word_is_explained_once_and_no_other(heading: str) -> None:
    assert sorted(word for word, _ in _rows(heading)) == sorted(PUBLIC[heading])


def test_a_group_of_commands_names_each_of_them() -> None:
    told = {word: set(re.findall(r"`([\w-]+)`", meaning)) for word, meaning in _rows("Verbs and commands")}
    missing = {first: rest - told[first] for first, rest in _groups().items() if rest - told[first]}
    left_over = {first: told[first] - rest for first, rest in _groups().items() if rest and told[first] - rest}
    assert (missing, left_over) == ({}, {})


def test_no_word_is_explained_twice() -> None:
    words = Counter(word for word, _ in _rows("Words"))
    assert len(words) > 50
    assert [word for word, many in words.items() if many > 1] == []
