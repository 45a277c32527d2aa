"""Pure: which words of memory a word may stand for that is found nowhere: the same one misspelled, or its beginning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from recollect.recall.words import stem

SHORTEST = 4  # letters; shorter words have too many neighbours
_LONG = 8  # letters from which two slips are forgiven, and not only one
_MOST = 3  # words that one word is taken for
_KEPT = 3  # letters at the beginning that are taken to be right


def unmet(asked: Iterable[str], spoken: Collection[str]) -> tuple[str, ...]:
    """The asked words whose stems are not among those spoken, and which are long enough to be looked for otherwise."""
    return tuple(word for word in asked if len(word) >= SHORTEST and word.isalpha() and stem(word) not in spoken)


def beginnings(words: Iterable[str]) -> tuple[str, ...]:
    """By which words to look for those that were meant."""
    return tuple(dict.fromkeys(word[:_KEPT] for word in words))


def meant(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words that are nearest in spelling, nearest first; none if none is near."""
    slips = 2 if len(word) >= _LONG else 1
    near = ((_distance(word, other, slips), other) for other in set(known) if abs(len(other) - len(word)) <= slips)
    begun = ((slips, other) for other in set(known) if other.startswith(word))
    ranked = sorted({(far, other) for far, other in (*near, *begun) if far <= slips})
    return tuple(dict.fromkeys(other for _, other in ranked))[:_MOST]


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
