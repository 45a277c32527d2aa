"""Languages as data: the small words by which each is known, its letters, and the endings that its words take.

They are read from `profiles.txt` when they are first needed. A language has its ISO 639 code; a script that has one
profile for all its languages has its ISO 15924 code. A language that is missing is no mistake: its words are found as
they are written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from recollect.domain.dataclass import dataclass
from recollect.language.world.folding import words_of

ENGLISH = "en"
# Scripts with a profile: from which letter to which.
SCRIPTS = {
    "Grek": ("\u0370", "\u03ff"),
    "Cyrl": ("\u0400", "\u052f"),
    "Hebr": ("\u0590", "\u05ff"),
    "Arab": ("\u0600", "\u06ff"),
    "Deva": ("\u0900", "\u097f"),
}

# Signs that say how something is said, in scripts whose words are cut into neighbours. Two of them say nothing either.
SMALL_SIGNS = frozenset(
    "的了是我你他她它们們在有和不吗嗎呢什么麼这這那个個一就也都很哪谁誰怎为為吧啊把被与與及或之其會会何私僕彼方"
    "은는이가을를의에도로와과하다나내네요니까지고한해습했어디무엇누구언제왜어떤인입뭐야제저"
)


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """A language or a script; see the head of `profiles.txt` for the fields."""

    words: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    passes: int = 1
    shortest: int = 1


@cache
def profiles() -> dict[str, LanguageProfile]:
    """All profiles by their codes."""
    lists: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in (Path(__file__).parent / "profiles.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            code, field, *members = line.split()
            lists[code][field] += members
    return {code: _profile(fields) for code, fields in lists.items()}


@cache
def latin_languages() -> frozenset[str]:
    """The languages in Latin letters that have a profile, without English."""
    return frozenset(profiles()) - SCRIPTS.keys() - {ENGLISH}


def _profile(fields: defaultdict[str, list[str]]) -> LanguageProfile:
    words, letters, cues, endings = (tuple(fields[name]) for name in ("words", "letters", "cues", "endings"))
    passes, shortest = (int(fields[name][0]) if fields[name] else 1 for name in ("passes", "shortest"))
    return LanguageProfile(words, letters, cues, endings, passes, shortest)


_JAPANESE_ENDINGS = re.compile("[\u3041-\u309f]+")  # written in these signs alone, it is grammar


class SmallWords(frozenset[str]):
    """Small words of scripts by their letters, of one language in Latin letters, and some of the caller's own."""

    def __new__(cls, own: Iterable[str], language: str | None) -> SmallWords:
        codes = [*SCRIPTS, *([language] if language is not None else [])]
        small = " ".join(word for code in codes for word in profiles()[code].words)
        return super().__new__(cls, [*own, *words_of(small)])

    def __contains__(self, word: object) -> bool:
        if super().__contains__(word):
            return True
        if not isinstance(word, str) or word.isascii():
            return False
        return SMALL_SIGNS.issuperset(word) or _JAPANESE_ENDINGS.fullmatch(word) is not None
