"""Pure: the part of a word that its forms have in common, by the endings of its language.

A root is made for comparing, and is no word. The endings of a script's main language are taken off by looking at the
letters alone; in Latin letters the language has to be known. English has its own stems, in `recall.words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from recollect.language.world.folding import folded

if TYPE_CHECKING:
    from recollect.language.world.profiles import LanguageProfile


Rooting: TypeAlias = Callable[[str], str]

_SHORTEST = 3  # letters; a shorter word is its own root
_LONGEST = 40  # letters; what is longer is no inflected word
_KNOWN = 65_536  # words whose roots are kept
# "der", "and the", "with the", "like the", "for the": the Arabic article and what is written to it.
_ARTICLES = ("وال", "بال", "كال", "فال", "لل", "ال")
_UMLAUT = re.compile("(?<![aeq])([aou])e")  # Mueller is Müller


@lru_cache(maxsize=_KNOWN)
def root_by_script(word: str) -> str:
    """The root of a folded word that is not written in Latin letters; other words are as they are."""
    if not word or len(word) > _LONGEST:
        return word
    if "\u0600" <= word[0] <= "\u06ff":
        word = _without_article(word)
    profile = _profile_of(word[0])
    return _shortened(word, profile) if profile is not None else word


@cache
def root_in(language: str) -> Rooting:
    """How words are shortened in a language in Latin letters. Words of other scripts are shortened as always."""
    from recollect.language.world.profiles import profiles

    profile, umlauts = profiles()[language], language == "de"

    @lru_cache(maxsize=_KNOWN)
    def root(word: str) -> str:
        if not word.isascii():
            return root_by_script(word)
        if len(word) > _LONGEST:
            return word
        if umlauts:
            word = _UMLAUT.sub(r"\1", word)
        return _shortened(word, profile)

    return root


def _shortened(word: str, profile: LanguageProfile) -> str:
    """A word without its longest endings, one after the other."""
    endings = _by_length(profile)
    for _ in range(profile.passes):
        for length, ends in endings.items():
            left = len(word) - length
            if left >= (profile.shortest if length == 1 else _SHORTEST) and word[-length:] in ends:
                if length == 1 and word[-2] == word[-1]:
                    continue  # of two equal letters the second is no ending
                word = word[:-length]
                break
        else:
            break
    return word


def _without_article(word: str) -> str:
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= _SHORTEST:
            return word[len(article) :]
    return word


@cache
def _by_length(profile: LanguageProfile) -> dict[int, frozenset[str]]:
    """Endings by their length, the longest first."""
    endings = {folded(ending) for ending in profile.endings}
    lengths = sorted({len(ending) for ending in endings}, reverse=True)
    return {length: frozenset(each for each in endings if len(each) == length) for length in lengths}


@lru_cache(maxsize=4096)
def _profile_of(sign: str) -> LanguageProfile | None:
    """The profile of the script that a letter belongs to."""
    if sign < "\u0370":
        return None
    from recollect.language.world.profiles import SCRIPTS, profiles

    script = next((code for code, (first, last) in SCRIPTS.items() if first <= sign <= last), None)
    return profiles()[script] if script is not None else None
