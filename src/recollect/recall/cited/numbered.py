"""Pure: things that are told apart by a number, as in "room 12", "board two" or "the third night"."""

from __future__ import annotations

import re

from recollect.recall.words import stem, words_of

_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NUMBERS = {word: number for number, word in enumerate(_CARDINALS)} | {
    word: number for number, word in enumerate(_ORDINALS, start=1)
}
_FIGURE = re.compile(r"(\d{1,9})(?:st|nd|rd|th)?")


def is_about_others(question: str, text: str) -> bool:
    """Whether a question asks for one of a numbered sort, and a text speaks of others of that sort alone."""
    told = _numbered(text)
    return any(told.get(word) and numbers.isdisjoint(told[word]) for word, numbers in _numbered(question).items())


def _numbered(text: str) -> dict[str, set[int]]:
    """The words that have a number beside them, as stems, each with its numbers."""
    words = list(words_of(text))
    found: dict[str, set[int]] = {}
    for place, number in enumerate(map(_number, words)):
        if number is None:
            continue
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(words) and _number(words[beside]) is None:
                found.setdefault(stem(words[beside]), set()).add(number)
    return found


def _number(word: str) -> int | None:
    figure = _FIGURE.fullmatch(word)
    return int(figure[1]) if figure else _NUMBERS.get(word)
