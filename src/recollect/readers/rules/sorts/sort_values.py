"""Sorts of phrases: what can be a place, an employer, a person, a database; and the value such a phrase gives.

Sorts are where a frame is told apart from its namesake: "I work with Anna" is no employer, "we moved to Go" no
address. A sort that has no rule of its own is a kind: whatever the gazetteers know to be one.
"""

from __future__ import annotations

from recollect.attributes.catalogue import attribute_named
from recollect.language import tags
from recollect.readers.rules.english.sorts import TASTELESS
from recollect.readers.rules.quoting import bare, kind_in, said, trimmed
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.sorts.people import SORTS_OF_PEOPLE
from recollect.readers.rules.sorts.things import SORTS_OF_THINGS, Sort
from recollect.readers.rules.syntax.phrases import Phrase

_TASTELESS = frozenset(TASTELESS.split())


def value_of(sort: str, phrase: Phrase, text: str) -> str | None:
    """The value in a phrase of the text, if the phrase is of that sort."""
    if phrase.pronoun or not phrase.words:
        return None
    found = _SORTS.get(sort)
    if found is not None:
        return found(phrase, text)
    return _of_kind(sort.rstrip("_"), phrase, text)


def _any(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("this", "that", "these", "those", "your", "no", "any", "its"):
        return None
    head = phrase.head
    if head.tag & tags.ADJ and len(phrase.words) == 1:
        return None
    return None if head.low in _TASTELESS else said(phrase, text)


def _name(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.named and phrase.det not in ("this", "that", "your") else None


def _of_kind(kind: str, phrase: Phrase, text: str) -> str | None:
    known = attribute_named(kind)
    phrase = trimmed(phrase, text)
    if kind_of(said(phrase, text)) == kind:
        return said(phrase, text)
    found = kind_in(phrase, text)
    if found == kind or (known is not None and found in known.accepts):
        return said(bare(phrase), text)
    return None


_SORTS: dict[str, Sort] = {"any": _any, "name": _name} | SORTS_OF_PEOPLE | SORTS_OF_THINGS
