"""Names of attributes and things, in one spelling: so that two sentences about the same thing meet.

"Our new line managers", "my boss" and "the manager" are one attribute, "the billing service" and "billing" one
thing. What the catalogue knows gets its name there; the rest keeps its own words, in the singular and lower case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_called
from recollect.attributes.records import About, Attribute
from recollect.language import tags
from recollect.readers.rules.english import nouns
from recollect.readers.rules.sorts.kinds import is_technology
from recollect.readers.rules.syntax.words import Word

_LIGHT = frozenset(nouns.LIGHT_MODIFIERS.split())
_GENERIC = frozenset(nouns.GENERIC_HEADS.split())
_THIS_PROJECT = frozenset(nouns.THIS_PROJECT.split())
_OPEN_HEADS = frozenset(nouns.ATTRIBUTE_HEADS.split())
_EMPTY_HEADS = frozenset(nouns.EMPTY_HEADS.split())
_EXACT = frozenset(nouns.ONLY_BY_THEMSELVES.split())
_EDITIONS = frozenset(nouns.PAST_EDITIONS.split())


class Called(NamedTuple):
    """The attribute that a phrase names, and the thing it is an attribute of if the phrase says so.

    `known` is its entry in the catalogue; `None` means that the attribute is only known in the open.
    """

    attribute: str
    known: Attribute | None
    thing: str = ""


@lru_cache(maxsize=8_192)
def singular(noun: str) -> str:
    if noun in nouns.PLURAL_FORMS:
        return nouns.PLURAL_FORMS[noun]
    if noun in nouns.NEVER_PLURAL or len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses", "zes")):
        return noun[:-2]
    return noun[:-1]


def attribute_in(words: Sequence[Word]) -> Called | None:
    """The attribute that the words of a phrase name; `None` if they name nothing that could have a value."""
    plain = _plain(words)
    if not plain:
        return None
    if not words[-1].tag & tags.NAME:
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
    if "for" in plain[1:-1] and (plain[0] in _THIS_PROJECT or plain[0] in _GENERIC):
        plain = plain[plain.index("for") + 1 :]  # "production for the API" is the API
    while len(plain) > 1 and plain[0] in ("the", "a", "our", "my"):
        plain.pop(0)
    if plain and plain[0] in _EDITIONS and all(part.isdigit() for part in plain[1:]) and len(plain) > 1:
        return ""  # "version 1"
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


def is_open_head(noun: str) -> bool:
    return singular(noun) in _OPEN_HEADS or noun in _OPEN_HEADS


def is_empty_head(noun: str) -> bool:
    return singular(noun) in _EMPTY_HEADS or noun in _EMPTY_HEADS


def _plain(words: Sequence[Word]) -> list[str]:
    """Lower case, the last noun in the singular, one spelling; years and small words left out."""
    plain = [
        nouns.SPELLINGS.get(word.low, word.low)
        for word in words
        if not word.tag & (tags.OWNER | tags.PUNCT) and (not word.tag & tags.TIME or word.low.isdigit())
    ]
    return [word for word in plain if not (word.isdigit() and len(word) == 4 and len(plain) > 1)]


@lru_cache(maxsize=8_192)
def _called(plain: tuple[str, ...]) -> Called | None:
    joined = " ".join(plain)
    if known := attribute_called(joined):
        return Called(known.name, known)
    parts = list(plain)
    while len(parts) > 1 and parts[0] in _LIGHT:
        parts.pop(0)
        if known := attribute_called(" ".join(parts)):
            return Called(known.name, known)
    if "favourite" in parts:
        rest = parts[parts.index("favourite") + 1 :]
        return Called("favourite " + " ".join(rest), None) if rest and rest[-1] not in _EMPTY_HEADS else None
    if parts[-1] == "version" and len(parts) > 1:
        return Called(f"{_version_of(parts)} version", None, _thing_before(parts, 2))
    for cut in range(1, len(parts)):
        name = " ".join(parts[cut:])
        known = attribute_called(name) if name not in _EXACT else None
        if known is not None and known.about is not About.PERSON:
            thing = thing_called(tuple(parts[:cut]))
            return Called(known.name, known, thing)
    if "of" in parts:
        at = parts.index("of")
        parts = parts[:at]
        if not parts:
            return None
        parts[-1] = singular(parts[-1])
        if known := attribute_called(" ".join(parts)):
            return Called(known.name, known)
    return Called(" ".join(parts), None) if parts else None


def _version_of(parts: Sequence[str]) -> str:
    """The technology whose version it is: the word right before."""
    return parts[-2]


def _thing_before(parts: Sequence[str], taken: int) -> str:
    rest = tuple(part for part in parts[: len(parts) - taken] if part not in _LIGHT and not is_technology(part))
    return thing_called(rest) if rest else ""
