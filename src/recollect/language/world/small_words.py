"""The words of a question that say how something is asked, and not what about, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from recollect.language.world.folding import words_of
from recollect.language.world.profiles import SCRIPTS, SMALL_SIGNS, profiles

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
