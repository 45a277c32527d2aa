"""Words as they stand in the text, and the parts of a phrase that carry its value."""

from __future__ import annotations

import re

from recollect.language import tags
from recollect.readers.rules.english.nouns import LIGHT_MODIFIERS
from recollect.readers.rules.gazetteer import PLACES
from recollect.readers.rules.sorts.kinds import is_in, kind_of
from recollect.readers.rules.syntax.phrases import Phrase
from recollect.readers.rules.syntax.words import Word

# What follows a name and belongs to it: initials, as in "Washington, D.C.".
_BELONGS = re.compile(r"(?<=\w), (?:[A-Z]\.){2,}")
_LIGHT = frozenset(LIGHT_MODIFIERS.split())


def said(phrase: Phrase, text: str) -> str:
    """The words of a phrase as they stand in the text, without quotation marks around them.

    Initials belong to the name before them: "Washington, D.C.".
    """
    return text[phrase.start : end_of_name(phrase.words[-1], text)].strip("`\"'“”‘’ ")


def end_of_name(last: Word, text: str) -> int:
    """Where a name ends whose last word this is, with what belongs to it; of any other word its own end."""
    belongs = _BELONGS.match(text, last.end) if last.tag & tags.NAME else None
    return belongs.end() if belongs else last.end


def bare(phrase: Phrase) -> Phrase:
    """A phrase without adjectives that say nothing about what it is: "my new MacBook" is a MacBook."""
    words = phrase.words
    while len(words) > 1 and (words[0].low in _LIGHT or _YEAR.fullmatch(words[0].low)):
        words = words[1:]
    return Phrase(words, phrase.det)


_YEAR = re.compile(r"(?:19|20)\d\d")  # "a 2014 Corolla"


def trimmed(phrase: Phrase, text: str) -> Phrase:
    """A name without the noun that only says what sort of name it is: "Netflix subscription" is Netflix."""
    words = phrase.words
    while len(words) > 1 and words[-1].low in _SORT_NOUNS and kind_of(said(Phrase(words[:-1]), text)) is not None:
        words = words[:-1]
    return Phrase(words, phrase.det)


_SORT_NOUNS = frozenset(
    "app application service project site shop codebase stack setup cluster instance account card subscription "
    "membership contract plan".split()
)


def kind_in(phrase: Phrase, text: str) -> str | None:
    """The kind of a phrase by itself, whatever adjectives stand before it."""
    return kind_of(said(phrase, text)) or kind_of(said(bare(phrase), text))


def called_name(phrase: Phrase) -> Phrase | None:
    """The name in "an agency called Brightwater"."""
    for at, word in enumerate(phrase.words):
        if word.low in ("called", "named") and 0 < at < len(phrase.words) - 1:
            return Phrase(phrase.words[at + 1 :])
    return None


def after_of(phrase: Phrase, heads: tuple[str, ...]) -> Phrase:
    """ "The city of Mainz" is Mainz: what follows "of", if one of these words stands before it."""
    words = phrase.words
    if len(words) > 2 and words[0].low in heads and words[1].low == "of":
        rest = words[2:]
        while len(rest) > 1 and rest[0].tag & tags.DET and not rest[0].tag & tags.NAME:
            rest = rest[1:]
        return Phrase(rest)
    return phrase


def is_place(name: str) -> bool:
    return is_in(PLACES, name.lower())
