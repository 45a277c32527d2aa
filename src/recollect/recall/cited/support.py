"""Pure: whether records say what a sentence claims.

Every number, date and name of the sentence must be in its citations, and nearly all of its other words. A denial must
be on both sides or on neither. So a sentence may be put together anew, but nothing can be added to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.language.english.closed_words import MONTHS
from recollect.language.english.small_words import DENIALS, OF_STANDING, STOP_WORDS
from recollect.recall.cited.draft import Evidence
from recollect.recall.weights import WEIGHTS, AnswerWeights
from recollect.recall.words import stem, words_of

_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_NAME = re.compile(r"\b[^\W\d_][\w-]+")  # with a capital, at the beginning of a sentence too: "Ben works" is about Ben
_MONTHS = MONTHS.split()


def is_said_by(text: str, cited: Sequence[Evidence], weights: AnswerWeights = WEIGHTS.answer) -> bool:
    """Whether some records say a sentence; no record says nothing."""
    words = [word for word in words_of(text) if word not in STOP_WORDS and word not in OF_STANDING]
    if not cited or not words:
        return False
    known = {stem(word) for each in cited for word in _words_of(each)}
    names = {word for name in _NAME.findall(text) if name[0].isupper() for word in words_of(name)}
    certain = [word for word in words if word in names or any(sign.isdigit() for sign in word)]
    if any(_plain(word) not in known for word in certain if word not in STOP_WORDS):
        return False
    if _denies(text) != any(_denies(each.quote) for each in cited):
        return False
    letters = sum(map(len, words))
    return sum(len(word) for word in words if _plain(word) in known) >= weights.said * letters


def _words_of(evidence: Evidence) -> Iterator[str]:
    """The words of a record and of its date, months by name too."""
    told = f"{evidence.quote} {evidence.date}"
    for word in words_of(told):
        yield _number(word)
    for _, month, _ in _DATE.findall(told):
        if 1 <= int(month) <= 12:
            yield _MONTHS[int(month) - 1]


def _plain(word: str) -> str:
    return stem(_number(word))


def _number(word: str) -> str:
    """A number without zeros before it: the third of March is 03 in a date."""
    return word.lstrip("0") or "0" if word.isdigit() else word


def _denies(text: str) -> bool:
    return not DENIALS.isdisjoint(words_of(text))
