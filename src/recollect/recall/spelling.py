"""Pure: which words of memory a word may stand for that is found nowhere: the same one misspelled, or its beginning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from recollect.recall.weights import WEIGHTS
from recollect.recall.words import SHORTEST_STEM, stem

_LIMITS = WEIGHTS.spelling
SHORTEST = _LIMITS.shortest


def unmet(asked: Sequence[str], spoken: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The asked words that no text has, by their stems, and which are long enough to be looked for otherwise.

    Texts, each as its words, are read only until all are met: mostly the first few have them.
    """
    missing = {stem(word) for word in asked if len(word) >= SHORTEST and word.isalpha()}
    # A word that begins otherwise cannot have one of the stems, and most begin otherwise.
    begun = frozenset(root[:SHORTEST_STEM] for root in missing)
    for words in spoken:
        if not missing:
            return ()
        missing.difference_update([stem(word) for word in words if word[:SHORTEST_STEM] in begun])
    return tuple(word for word in asked if len(word) >= SHORTEST and word.isalpha() and stem(word) in missing)


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
