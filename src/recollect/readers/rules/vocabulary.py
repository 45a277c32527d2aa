"""The words that the rules know, read from `words.tsv`: names that tell by themselves what they are, and lists.

A row has a table, a kind and words. In `first` are the first words of a name, with more after them or alone, in `last`
its last words, in `technology` whole names, in `noun` the last words of a phrase. A name in lower case is recognised in
any case; one with a capital, or one of `ordinary_names` is also an English word, and only counts when it is written so.
"""

from __future__ import annotations

from pathlib import Path


def _tables() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name("words.tsv").read_text(encoding="utf-8").splitlines():
        table, kind, words = line.split("\t")
        found.setdefault(table, {})[kind] = words
    return found


_TABLES = _tables()
FIRST_WORDS, LAST_WORDS, TECHNOLOGY, NOUNS = (_TABLES[table] for table in ("first", "last", "technology", "noun"))
CHAINS = _TABLES["chain"]


def listed(kind: str, *more: str) -> frozenset[str]:
    """The words of a list, and of more lists."""
    return frozenset(word for each in (kind, *more) for word in in_order(each))


def in_order(kind: str) -> list[str]:
    return split(_TABLES["words"][kind])


def pairs(kind: str) -> dict[str, str]:
    """A list whose words are written `one=other`."""
    return dict(word.split("=") for word in in_order(kind))


def split(words: str) -> list[str]:
    return [word.strip() for word in words.split(", ")]
