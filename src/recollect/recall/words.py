"""Pure: the words of texts and questions, and the words of memory that a misspelt one may stand for.

Both databases stem words in their own way when they gather candidates. Here is the one way in which they are
then compared, so that the order of the answers does not depend on the database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from recollect.language.english.small_words import STOP_WORDS
from recollect.language.english.word_forms import SHORTEST_STEM, crude_stem
from recollect.language.world.words import words_of
from recollect.recall.weights import WEIGHTS

__all__ = ["words_of"]

Stem: TypeAlias = Callable[[str], str]

_WORD = re.compile(r"[^\W_]+")  # an underscore stands between words, for the databases too
_MOST_ASKED = 200  # words; of a page that is pasted as a question the rest would sharpen nothing
_PIECE = 16_000  # characters


@lru_cache(maxsize=32)
def _small_words(language: str | None) -> Collection[str]:
    """The small words of English and of another language, and of scripts without spaces their small signs."""
    from recollect.language.world.words import SmallWords

    return SmallWords(STOP_WORDS, language)


def asked_words(query: str, language: str | None = None) -> list[str]:
    """The words a question is about, each once; all of its words, if it has no others.

    `language` is the one it is asked in, if that is known and not English.
    """
    found: dict[str, None] = {}
    telling: dict[str, None] = {}
    small = STOP_WORDS if query.isascii() and language is None else _small_words(language)
    for piece in _pieces(query):
        words = dict.fromkeys(words_of(piece))
        found |= words
        telling.update((word, None) for word in words if word not in small)
        if len(telling) >= _MOST_ASKED:
            break
    return list(telling or found)[:_MOST_ASKED]


def spellings(query: str, asked: Sequence[str], language: str | None = None) -> list[str]:
    """The asked words to gather by, also as they were written: a database may know them with their accents only.

    And their stems, by which texts of other languages are indexed.
    """
    if query.isascii() and language is None:
        return list(asked)  # they are written as they are asked
    meant, found = set(asked), dict.fromkeys(asked)
    for piece in _pieces(query):
        written = dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", piece.lower())))
        found.update((word, None) for word in written if meant.intersection(words_of(word)))
    root = stem_in(language)
    found.update((root(word), None) for word in asked if language is not None or not word.isascii())
    return list(found)


def stem_in(language: str | None) -> Stem:
    """How words are compared with those of a question in a language; `None` for English, or if it is not known."""
    if language is None:
        return stem
    from recollect.language.world.words import root_in

    return root_in(language)


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that end between words, each short enough to be gone through without holding up others."""
    start = 0
    while start < len(text):
        near = start + _PIECE
        space = text.find(" ", near, near + _PIECE) if near < len(text) else -1
        end = space if space >= 0 else near
        yield text[start:end]
        start = end


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude stem, kept for the next time. Words of other scripts have endings of their own."""
    if not word.isascii():
        from recollect.language.world.words import root_by_script

        return root_by_script(word)
    return crude_stem(word)


_LIMITS = WEIGHTS.spelling
SHORTEST = _LIMITS.shortest


def unmet(asked: Sequence[str], spoken: Iterable[Iterable[str]], stem: Stem = stem) -> tuple[str, ...]:
    """The asked words that no text has, by their stems, and which are long enough to be looked for otherwise.

    Texts, each as its words, are read only until all are met: mostly the first few have them.
    """
    missing = {stem(word) for word in asked if len(word) >= SHORTEST and word.isalpha()}
    begun = beginnings_of(missing, stem)
    for words in spoken:
        if not missing:
            return ()
        missing.difference_update([stem(word) for word in words if not begun or word[:SHORTEST_STEM] in begun])
    return tuple(word for word in asked if len(word) >= SHORTEST and word.isalpha() and stem(word) in missing)


def beginnings_of(roots: Iterable[str], compare: Stem) -> frozenset[str]:
    """How words begin that can have one of the stems, since most begin otherwise; empty if any word can.

    An English stem begins as its word does. Other languages may change the beginning too.
    """
    begun = [root[:SHORTEST_STEM] for root in roots] if compare is stem else []
    return frozenset(begun) if all(map(str.isascii, begun)) else frozenset()


def beginnings(words: Iterable[str]) -> tuple[str, ...]:
    """By which words to look for those that were meant."""
    return tuple(dict.fromkeys(word[: _LIMITS.kept] for word in words))


def meant(word: str, known: Collection[str]) -> tuple[str, ...]:
    """The known words that are nearest in spelling, nearest first; none if none is near."""
    slips = 2 if len(word) >= _LIMITS.long else 1
    near = ((_distance(word, other, slips), other) for other in _alike(word, known, slips))
    begun = ((slips, other) for other in known if other.startswith(word))
    ranked = sorted({(far, other) for far, other in (*near, *begun) if far <= slips})
    return tuple(dict.fromkeys(other for _, other in ranked))[: _LIMITS.most]


def _alike(word: str, known: Iterable[str], slips: int) -> Iterator[str]:
    """The words that can be so few slips away at all: each slip makes at most two letters differ."""
    letters = frozenset(word)
    for other in known:
        if abs(len(other) - len(word)) <= slips and len(letters.symmetric_difference(other)) <= 2 * slips:
            yield other


def _distance(one: str, other: str, most: int) -> int:
    """How many letters are wrong, missing, too many, or swapped with the next; more than `most` is not counted out."""
    before: Sequence[int] = ()
    above: Sequence[int] = range(len(other) + 1)
    for row, letter in enumerate(one, start=1):
        line = [row]
        for column, against in enumerate(other, start=1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > most:
            return most + 1
        before, above = above, line
    return above[-1]
