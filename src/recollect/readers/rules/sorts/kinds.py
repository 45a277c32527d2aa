"""The kind of thing a name stands for by itself: a Renault is a vehicle, DuckDB a database, a flat white a drink.

The answer is the name of the attribute such a thing is a value of. Where a name is also an ordinary word, only a
capital letter makes it a name.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.attributes.catalogue import flagged, names_with
from recollect.attributes.records import Flag
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.english import sorts as english
from recollect.readers.rules.gazetteer import FIRST_WORDS, LAST_WORDS, ORDINARY_NAMES, TECHNOLOGY

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
        if (found := _FIRST.get(first)) and (capital or (first not in LEXICON and first not in _ORDINARY)):
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


def is_in(words: str, low: str) -> bool:
    """Whether a phrase is one of a list of the language data."""
    return low in _members(words)


@lru_cache(maxsize=32)
def _members(words: str) -> frozenset[str]:
    return frozenset(_listed(words))


def _whole(low: str, said: str) -> str | None:
    found = _TECHNOLOGY.get(low)
    if found is not None and low in _CAPITAL_ONLY and said == low:
        return None
    return found


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _table(data: dict[str, str]) -> dict[str, str]:
    return {name.lower(): kind for kind, names in reversed(data.items()) for name in _listed(names)}


_TECHNOLOGY = _table(TECHNOLOGY) | {
    "node": "programming_language",
    "node.js": "programming_language",
    "nodejs": "programming_language",
    "jdk": "programming_language",
}
_CAPITAL_ONLY = frozenset(
    name.lower() for names in TECHNOLOGY.values() for name in _listed(names) if name != name.lower()
) | {name for name in _TECHNOLOGY if name in LEXICON}
_FIRST = _table(FIRST_WORDS) | _table({kind: TECHNOLOGY[kind] for kind in names_with(Flag.PRACTICE)})
_LAST = _table(LAST_WORDS)
_ENGLISH = _table(english.KINDS)
_CAPITAL_ONLY |= frozenset(ORDINARY_NAMES.split())
# Makers' names that are words of their own: not to be read into a text without capitals.
_ORDINARY = frozenset(
    "leaf golf polo superb panda rio kona zoe swift cube canyon gazelle spectrum cox sunrise wise precision "
    "latitude legion aspire tern cowboy smart ally tuxedo sprinter beetle civic accord caddy lemonade ergo "
    "progressive equinox ee o2 salt transporter outback forester pixel galaxy polar punkt moto honor nothing omega "
    "ing seb op corne ducky mint latitude".split()
)
