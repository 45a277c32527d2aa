"""Pure: in which language a text is, guessed from its beginning, without a model.

Scripts tell most. In Latin letters the small words of each language are counted, with its own letters and some endings;
a word that several languages have counts for each of them the less. "Unknown" is an answer, and the usual one for a few
words. Nothing is learned from other texts, so the same text has the same guess everywhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from recollect.language.world.folding import words_of

if TYPE_CHECKING:
    from recollect.language.world.profiles import LanguageProfile

ENGLISH = "en"
_READ = 600  # characters of a text that are looked at
# Words that hardly any other language has, so that most texts in English are known by a glance.
_PLAIN = frozenset(
    "the and my with you that this are have it from they what where when which does she your is was of for about their "
    "our would could should been had there how who because know think just not but".split()
)
# Names that are small words elsewhere. People who look for "ben's birthday" leave the capital out.
_NAMES = frozenset("ben dan fran jen jo ted".split())
_MANY_PLAIN = 4
_PLAINLY = 0.15  # share of such words that only an English text has
_SURE = 1.4  # what small words, letters and endings have to amount to
_LIKELY = 0.4  # the same where nothing can be filed wrongly
_CLEARLY = 2.5  # times as much as for English
_DENSELY = 0.12  # of each word: a name or two among many words make no other language
_A_LETTER, _AN_ENDING = 0.5, 0.3  # of what a small word says
_OTHER_SCRIPT = 0.5  # share of letters that are not Latin
_MOST_LETTERS = 3  # of one kind that count

# What stands in a script is in its language, or in one of a few: from which sign to which, and the usual one.
_SCRIPTS = (
    ("\u0370", "\u03ff", "el"),
    ("\u0400", "\u052f", "ru"),
    ("\u0530", "\u058f", "hy"),
    ("\u0590", "\u05ff", "he"),
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0980", "\u09ff", "bn"),
    ("\u0b80", "\u0bff", "ta"),
    ("\u0e00", "\u0e7f", "th"),
    ("\u0e80", "\u0eff", "lo"),
    ("\u1000", "\u109f", "my"),
    ("\u10a0", "\u10ff", "ka"),
    ("\u1780", "\u17ff", "km"),
    ("\u3040", "\u30ff", "ja"),
    ("\u3400", "\u9fff", "zh"),
    ("\uac00", "\ud7af", "ko"),
)
_LETTERS = re.compile(r"[^\W\d_]")
_NOT_LATIN = re.compile("[\u0370-\u1dff\u3040-\uabff\uac00-\ud7ff]")

# Languages, and how much something says for each.
_Told: TypeAlias = tuple[tuple[str, float], ...]


class Guess(NamedTuple):
    """A language by its ISO 639 code, `None` if it cannot be told; and whether a text is surely not English."""

    language: str | None = None
    foreign: bool = False

    @property
    def latin(self) -> str | None:
        """The language, if it is one of those that are told by their words and not by their script."""
        if self.language is None or self.language == ENGLISH:
            return None
        from recollect.language.world.profiles import latin_languages

        return self.language if self.language in latin_languages() else None


def guess(text: str) -> Guess:
    """The language of a message; only what is sure is said."""
    return _guessed(text[:_READ], False)


def likeliest(text: str) -> Guess:
    """The language that a text may well be in, to look for its words: a few of them have to do."""
    return _guessed(text[:_READ], True)


@lru_cache(maxsize=1024)
def _guessed(text: str, likely: bool) -> Guess:
    if not text.isascii() and _NOT_LATIN.search(text) is not None and (script := _by_script(text)) is not None:
        return Guess(script, foreign=True)
    words = words_of(text)
    plain = len(_PLAIN.intersection(words))
    if plain >= _MANY_PLAIN or plain > _PLAINLY * len(words):
        return Guess(ENGLISH)
    return _by_words(text, words, likely) if words else Guess()


def _by_script(text: str) -> str | None:
    """The language of the script that most letters are in; `None` if most are Latin."""
    letters = _LETTERS.findall(text)
    found: Counter[str] = Counter(script for letter in letters if (script := _script_of(letter)))
    if found.total() <= _OTHER_SCRIPT * len(letters):
        return None
    if found["ja"]:  # Japanese is written with Chinese signs too
        return "ja" if found["ja"] + found["zh"] >= found.most_common(1)[0][1] else found.most_common(1)[0][0]
    return found.most_common(1)[0][0]


@lru_cache(maxsize=8192)
def _script_of(letter: str) -> str | None:
    return next((name for first, last, name in _SCRIPTS if first <= letter <= last), None)


def _by_words(text: str, words: Sequence[str], likely: bool) -> Guess:
    """The language whose small words, letters and endings a text has; English words are held against it."""
    known = _small_words()
    scores: defaultdict[str, float] = defaultdict(float)
    # Each word once: one that is repeated says no more. A single letter is an initial as often as a word.
    words = [word for word in dict.fromkeys(words) if len(word) > 1]
    for word in words:
        for language, weight in known.get(word, ()):
            scores[language] += weight
    for language, weight in _cues(text, words):
        scores[language] += weight
    english = scores.pop(ENGLISH, 0.0)
    if not scores:
        return Guess(ENGLISH if english else None)
    best = max(_profiles(), key=lambda language: scores.get(language, 0.0))  # of equals the first of the list
    both = sum(_weight_in(known, word, ENGLISH) for word in words if _weight_in(known, word, best))
    told, against = scores[best] - both, english - both
    foreign = told >= max(_SURE, _CLEARLY * against, _DENSELY * len(words))
    if foreign or (likely and told >= _LIKELY and told > against and not _is_one_name(text, words, known, best)):
        return Guess(best, foreign)
    return Guess(ENGLISH if against > told else None)


def _is_one_name(text: str, words: Sequence[str], known: Mapping[str, _Told], language: str) -> bool:
    """Whether a single small word speaks for a language, and is a name or written like one: ben, Mia, Al."""
    small = [word for word in words if _weight_in(known, word, language)]
    if len(small) != 1 or not text.isascii():
        return False
    return small[0] in _NAMES or (small[0].capitalize() in text and small[0] not in text)


def _weight_in(known: Mapping[str, _Told], word: str, language: str) -> float:
    return next((weight for name, weight in known.get(word, ()) if name == language), 0.0)


def _cues(text: str, words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Languages that letters and endings of a text speak for, and how much."""
    if not text.isascii():
        low = text.lower()
        for letter, told in _letters().items():
            times = min(_MOST_LETTERS, low.count(letter))
            yield from ((language, weight * times * _A_LETTER) for language, weight in told if times)
    ends = _endings()
    for word in words:
        for length in (2, 3, 4, 5):
            if len(word) > length + 1:
                yield from ((language, weight * _AN_ENDING) for language, weight in ends.get(word[-length:], ()))


@cache
def _small_words() -> dict[str, _Told]:
    return _told_by({name: words_of(" ".join(each.words)) for name, each in _profiles().items()})


@cache
def _letters() -> dict[str, _Told]:
    return _told_by({name: each.letters for name, each in _profiles().items()})


@cache
def _endings() -> dict[str, _Told]:
    return _told_by({name: words_of(" ".join(each.cues)) for name, each in _profiles().items()})


def _profiles() -> dict[str, LanguageProfile]:
    from recollect.language.world.profiles import SCRIPTS, profiles

    return {name: profile for name, profile in profiles().items() if name not in SCRIPTS}


def _told_by(signs: Mapping[str, Sequence[str]]) -> dict[str, _Told]:
    """Of each sign the languages that have it: 1 for the only one, and less the more they are."""
    held: defaultdict[str, set[str]] = defaultdict(set)
    for language, each in signs.items():
        for sign in each:
            held[sign].add(language)
    most = math.log1p(len(signs))
    return {
        sign: tuple((name, math.log1p(len(signs) / len(languages)) / most) for name in sorted(languages))
        for sign, languages in held.items()
    }
