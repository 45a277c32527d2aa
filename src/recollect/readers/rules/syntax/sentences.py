"""Sentences: where one ends, and whether it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.language.english.closed_words import ABBREVIATIONS
from recollect.readers.rules.syntax.words import Word


class Sentence(NamedTuple):
    """The words of a sentence without its final mark; `asks` if it is a question."""

    words: Sequence[Word]
    asks: bool
    start: int
    end: int


MOST_WORDS = 120  # nobody says more in one breath; it also keeps the reading linear in the length of a text
_ENDS = frozenset(".!?…")
_ABBREVIATIONS = frozenset(ABBREVIATIONS.split())
_ASKING = frozenset(
    "what who where when why how which whose whom is are am was were do does did can could would should shall will "
    "have has had may might".split()
)


def sentences_of(words: Sequence[Word], text: str) -> list[Sentence]:
    """The words grouped into sentences. Marks inside abbreviations and names do not end one; a new line does."""
    found: list[Sentence] = []
    begin = 0
    size = len(words)
    for at in range(size):
        word = words[at]
        breaks = False
        if word.tag & tags.PUNCT and word.text in _ENDS:
            breaks = _ends_here(words, at, text)
        after = at + 1
        if after - begin >= MOST_WORDS:
            breaks = True
        if not breaks and after < size and _apart(text, word.end, words[after].start):
            breaks = True
            if not (word.tag & tags.PUNCT and word.text in _ENDS):
                _put(found, words, begin, after, text)
                begin = after
                continue
        if breaks:
            _put(found, words, begin, after, text)
            begin = after
    _put(found, words, begin, size, text)
    return found


def _apart(text: str, end: int, start: int) -> bool:
    """Whether two words stand too far apart for one sentence: a new line, or something blanked out between them."""
    return start - end > _WIDEST_GAP or (start > end and "\n" in text[end:start])


_WIDEST_GAP = 4  # characters


def _put(found: list[Sentence], words: Sequence[Word], begin: int, end: int, text: str) -> None:
    stop = end
    asks = False
    while (
        stop > begin
        and words[stop - 1].tag & tags.PUNCT
        and words[stop - 1].text in "!?…\"'”’)."
        and words[stop - 1].text != ")"
    ):
        asks = asks or words[stop - 1].text == "?"
        stop -= 1
    while begin < stop and words[begin].tag & tags.PUNCT and words[begin].text in "-•*–—…\"'“‘.,;:)>#!?":
        begin += 1
    if stop > begin:
        inside = words[begin:stop]
        inverted = _inverted(inside)
        asked = _asked_after(inside) if asks and not inverted else 0
        if asked:
            told = inside[: asked - 1]
            found.append(Sentence(told, False, told[0].start, told[-1].end))
            inside = inside[asked:]
        found.append(Sentence(inside, asks or inverted, inside[0].start, words[end - 1].end))


def _asked_after(words: Sequence[Word]) -> int:
    """Where the question begins that follows a statement: "They put me on it, is coffee ok?" 0 if none does."""
    if words[0].low in _ASKING or words[0].tag & tags.SUB:
        return 0
    for at in range(len(words) - 2, 2, -1):
        if words[at - 1].text == "," and words[at].low in _ASKING and not words[at].tag & tags.NAME:
            return at
    return 0


def _ends_here(words: Sequence[Word], at: int, text: str) -> bool:
    if at + 1 == len(words):
        return True
    word, following = words[at], words[at + 1]
    if following.start == word.end:
        return following.tag & tags.PUNCT != 0 and following.text not in _ENDS
    if word.text != ".":
        return True
    before = words[at - 1] if at else None
    if before is not None and before.end == word.start:
        if (
            before.low in _ABBREVIATIONS
            and following.text[:1].isupper()
            and before.low not in ("etc", "inc", "ltd", "jr", "sr", "co", "no")
        ):
            return False
        if len(before.text) == 1 and before.text.isupper() and before.text != "I" and following.text[:1].isupper():
            return False
        if (before.low in _ABBREVIATIONS or "." in before.text) and following.text[:1].islower():
            return False
        if "." in before.text and before.text.isupper() and len(before.text) == 3:
            return False  # "J.K. Rowling"
    return True


def _inverted(words: Sequence[Word]) -> bool:
    """A question without its mark: "what is the capital of France", "can you help"."""
    first = words[0].low
    if first not in _ASKING or len(words) < 2:
        return False
    second = words[1]
    if first in ("what", "who", "where", "when", "why", "how", "which", "whose", "whom"):
        return not (first in ("when", "where") and second.tag & (tags.SUBJECT | tags.DET | tags.POSS))
    if second.tag & tags.NEG:
        return len(words) > 2 and bool(words[2].tag & tags.SUBJECT)
    return (bool(second.tag & tags.SUBJECT) and not second.tag & tags.NAME) or second.low == "there"
