"""Pure: what each sign that something answers a question is worth, and their sum.

The four shares of what is matched add up to 1; every hint is measured beside them. Signs are scaled to 0..1 and added:
on every set measured that beat reciprocal ranks. The weights were fitted on half of the development conversations of
four sets together (talks of two people, curated notes, long chats with an assistant, records of a phone), hold on the
other half within a point, and are rounded; products of signs and a second round of search were tried and gave nothing.
"""

from __future__ import annotations

from typing import NamedTuple

# What is matched. Words and meaning find different things and weigh alike; alone, a turn of a talk lacks its context
# in words, while its neighbours' meaning mostly repeats its own.
WORDS = 0.13
WORDS_AROUND = 0.37
MEANING = 0.37
MEANING_AROUND = 0.13

# Added for the best hits only, once they are compared with the question word by word.
WORD_BY_WORD = 0.3

# Hints. What is worth more than a tenth answers something that was asked outright.
IN_TIME = 0.5  # from the time that the question names, the strongest thing it can say
STANDING = 0.6  # a rule or preference, when something is to be done: it has few words in common with the task
ANSWERS = 0.27  # follows a question that is like this one
FITS = 0.2  # has a time when it is asked when
TELLS = 0.18  # length of what was said, up to a few sentences: "Wow, thanks!" is like much and answers nothing
SPEAKER = 0.14  # said by, or about, whoever is named; soft, since a question may name the wrong one
OF_ONESELF = 0.09  # and the speaker speaks of themselves
RECENT = 0.16  # is of late, when the query goes on with a talk
ASKS = -0.06  # is a question itself


class Signs(NamedTuple):
    """What speaks for something, each from 0 to 1. A tuple, since every candidate of every search has one."""

    words: float = 0.0
    words_around: float = 0.0
    meaning: float = 0.0
    meaning_around: float = 0.0
    in_time: float = 0.0
    standing: float = 0.0
    answers: float = 0.0
    fits: float = 0.0
    tells: float = 0.0
    speaker: float = 0.0
    of_oneself: float = 0.0
    recent: float = 0.0
    asks: float = 0.0


def fused(signs: Signs, *, measured: bool) -> float:
    """One score. Where no meaning is `measured` the words have its share too."""
    by_itself, around = (MEANING, MEANING_AROUND) if measured else (0.0, 0.0)
    matched = (
        (WORDS + MEANING - by_itself) * signs.words
        + (WORDS_AROUND + MEANING_AROUND - around) * signs.words_around
        + by_itself * signs.meaning
        + around * signs.meaning_around
    )
    return matched + (
        IN_TIME * signs.in_time
        + STANDING * signs.standing
        + ANSWERS * signs.answers
        + FITS * signs.fits
        + TELLS * signs.tells
        + SPEAKER * signs.speaker
        + OF_ONESELF * signs.of_oneself
        + RECENT * signs.recent
        + ASKS * signs.asks
    )
