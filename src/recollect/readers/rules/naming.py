"""Names of attributes and things, in one spelling; and the kind that a name tells: DuckDB is a database.

"Our new line managers", "my boss" and "the manager" are one attribute, "the billing service" and "billing" one thing.
The kind of a name is the attribute it is a value of. If a name is also an ordinary word, only a capital makes it one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_called, favourite_of, flagged, names_with
from recollect.attributes.records import About, Attribute, Flag
from recollect.language import tags
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.vocabulary import FIRST_WORDS, LAST_WORDS, NOUNS, TECHNOLOGY, listed, pairs, split
from recollect.readers.rules.words import Phrase, Word

_LIGHT = listed("light_modifiers")
_GENERIC = listed("generic_heads")
_THIS_PROJECT = listed("this_project")
_EXACT = listed("only_by_themselves")
_EDITIONS = listed("past_editions")
_FAVOURITE = "favourite"  # of whatever sort
_NEVER_PLURAL, _PLURALS, _SPELLINGS = listed("never_plural"), pairs("plural_forms"), pairs("spellings")


class Called(NamedTuple):
    """The record of the attribute that a phrase names, and the thing it is an attribute of if the phrase says so."""

    known: Attribute
    thing: str = ""

    @property
    def attribute(self) -> str:
        return self.known.name


@lru_cache(maxsize=8_192)
def singular(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun in _NEVER_PLURAL or len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1]


def attribute_in(words: Sequence[Word]) -> Called | None:
    """The attribute that the words of a phrase name; `None` if they name none that has a record."""
    plain = _plain(words)
    if plain and not words[-1].tag & tags.NAME:
        plain[-1] = singular(plain[-1])
    return _called(tuple(plain))


def known_by(words: Sequence[Word]) -> Attribute | None:
    """The entry of the catalogue that all these words together name: "place of birth"."""
    return attribute_called(" ".join(_plain(words)))


def thing_in(words: Sequence[Word]) -> str:
    """The one spelling of a thing's name: "the Billing-Service" is "billing". Empty for the project at hand."""
    plain = _plain(words)
    if "of" in plain[1:-1] and plain[plain.index("of") - 1] in _EDITIONS:
        plain = plain[plain.index("of") + 1 :]  # "the 2019 prototype of billing" is billing
    if "for" in plain[1:-1] and plain[0] in _THIS_PROJECT:
        plain = plain[plain.index("for") + 1 :]  # "production for the API" is the API
    while len(plain) > 1 and plain[0] in ("the", "a", "our", "my"):
        plain.pop(0)
    if plain and (words[-1].tag & tags.NOUN or not words[-1].tag & tags.NAME):
        plain[-1] = singular(plain[-1])
    return thing_called(tuple(plain))


@lru_cache(maxsize=8_192)
def thing_called(plain: tuple[str, ...]) -> str:
    parts = [part for word in plain for part in (word.split("-") if word.endswith(_GENERIC_ENDINGS) else (word,))]
    while len(parts) > 1 and parts[0] in _LIGHT:
        parts.pop(0)
    while len(parts) > 1 and parts[-1] in _GENERIC:
        parts.pop()
        parts[-1] = singular(parts[-1])
    if len(parts) == 1 and parts[0] in _THIS_PROJECT:
        return ""
    return " ".join(parts)


_GENERIC_ENDINGS = tuple(f"-{head}" for head in _GENERIC)


def _plain(words: Sequence[Word]) -> list[str]:
    """Lower case, the last noun in the singular, one spelling; years and small words left out."""
    plain = [
        _SPELLINGS.get(word.low, word.low)
        for word in words
        if not word.tag & (tags.OWNER | tags.PUNCT) and (not word.tag & tags.TIME or word.low.isdigit())
    ]
    return [word for word in plain if not (word.isdigit() and len(word) == 4 and len(plain) > 1)]


@lru_cache(maxsize=8_192)
def _called(plain: tuple[str, ...]) -> Called | None:
    joined = " ".join(plain)
    if known := attribute_called(joined):
        return Called(known)
    parts = list(plain)
    while len(parts) > 1 and parts[0] in _LIGHT:
        parts.pop(0)
        if known := attribute_called(" ".join(parts)):
            return Called(known)
    if _FAVOURITE in parts[:-1]:
        return Called(favourite_of(" ".join(parts[parts.index(_FAVOURITE) + 1 :])))
    for cut in range(1, len(parts)):
        name = " ".join(parts[cut:])
        known = attribute_called(name) if name not in _EXACT else None
        if known is not None and known.about is not About.PERSON:
            return Called(known, thing_called(tuple(parts[:cut])))
    return None


_PLACES = listed("places")


def said(phrase: Phrase, text: str) -> str:
    """The words of a phrase as they stand in the text, without quotation marks around them."""
    return text[phrase.start : phrase.end].strip("`\"'“”‘’ ")


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


def is_place(name: str) -> bool:
    return name.lower() in _PLACES


_VERSION = re.compile(r"v?\d[\w.+-]*")
_TEST_COMMAND = re.compile(
    r"\b(?:test|tests|pytest|tox|nox|check|spec|jest|vitest|verify|rspec|unittest|nextest|ctest|trial|behave|"
    r"nosetests)\b"
)
_MACHINES = frozenset(("vm", "vps", "server", "servers", "box", "droplet"))
_REGION = re.compile(
    r"(?:eu|us|ap|ca|sa|af|me|il)-(?:gov-)?(?:west|east|central|north|south)(?:east|west)?-?\d\w?|(?:europe|us|"
    r"asia)-(?:west|east|north|central)\d"
)
_LONGEST = 4  # words in the longest entry


@lru_cache(maxsize=8_192)
def kind_of(said: str) -> str | None:
    """The attribute that such a value belongs to, or `None`. `said` is a phrase without its article."""
    low = said.lower()
    capital = said != low
    if _REGION.fullmatch(low):
        return "region"
    if found := _whole(low, said):
        return found
    words = low.split()
    if len(words) > 1 and words[-1] in _MACHINES and (found := _whole(" ".join(words[:-1]), said.rpartition(" ")[0])):
        return found
    if len(words) > 1 and (found := _TECHNOLOGY.get(" ".join(words[:-1]))) and _VERSION.fullmatch(words[-1]):
        return found
    for size in range(min(_LONGEST, len(words)), 0, -1):
        first = " ".join(words[:size])
        if capital and (found := _FIRST.get(first)):
            return found
    for size in range(min(_LONGEST, len(words)), 0, -1):
        last = " ".join(words[-size:])
        if found := _ENGLISH.get(last):
            return found
        if capital and len(words) > size and (found := _LAST.get(last)):
            return found
    return None


def is_technology(said: str) -> bool:
    """Whether it is the name of software or of a service that software runs on."""
    kind = kind_of(said)
    return kind in TECHNOLOGY or kind == "region"


def named_version(said: str) -> tuple[str, str] | None:
    """A technology and its version, "Python 3.12"; `None` for anything else."""
    name, _, version = said.rpartition(" ")
    if name and _VERSION.fullmatch(version) and flagged(_whole(name.lower(), name), Flag.VERSIONED):
        return name, version
    return None


def version_apart(said: str) -> tuple[str, str] | None:
    """A technology and its version, where the version is an attribute by itself; `None` for anything else."""
    found = named_version(said)
    return found if found is not None and flagged(kind_of(found[0]), Flag.VERSION_APART) else None


def is_version(said: str) -> bool:
    return bool(_VERSION.fullmatch(said))


def kind_of_command(code: str) -> str | None:
    """The purpose of a command between backticks, as far as it says so itself."""
    return "test_command" if _TEST_COMMAND.search(code.lower()) else None


def _whole(low: str, said: str) -> str | None:
    found = _TECHNOLOGY.get(low)
    if found is not None and low in _CAPITAL_ONLY and said == low:
        return None
    return found


def _table(data: dict[str, str]) -> dict[str, str]:
    return {name.lower(): kind for kind, names in reversed(data.items()) for name in split(names)}


_TECHNOLOGY = _table(TECHNOLOGY) | {
    "node": "programming_language",
    "node.js": "programming_language",
    "nodejs": "programming_language",
    "jdk": "programming_language",
}
_CAPITAL_ONLY = frozenset(
    name.lower() for names in TECHNOLOGY.values() for name in split(names) if name != name.lower()
) | {name for name in _TECHNOLOGY if name in LEXICON}
_FIRST = _table(FIRST_WORDS) | _table({kind: TECHNOLOGY[kind] for kind in names_with(Flag.PRACTICE)})
_LAST = _table(LAST_WORDS)
_ENGLISH = _table(NOUNS)
_CAPITAL_ONLY |= listed("ordinary_names")
