"""Pure: whether two values say the same thing.

"Ovalis" and "Ovalis GmbH" do, "the Renault Zoe" and "Renault Zoe" do; "Austin" and "Boston", "Google" and
"Goldman", "3.11" and "3.12" do not, however alike they look. Words decide, never letters: what is merely similar
is kept apart, because merging two facts loses one of them. "Mountain hikes" are "hiking in the mountains", since only
the forms and the order of the words differ. Where some words differ, meaning decides, if it is told by a model: it has
to be all but the same, and no name, number or "over" may tell the two apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import TypeAlias

from recollect.language.english.sentences import OF_ANOTHER, TURNING
from recollect.language.english.small_words import FILLER
from recollect.language.english.word_forms import are_forms, roots_of

Likeness: TypeAlias = Callable[[str, str], float]  # of the meanings of two texts, at most 1
Words: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(r"[^\W_]+(?:[.:'’/+#-][^\W_]+)*[+#]*")

_ALL_BUT_THE_SAME = 0.96  # likeness; "meetings before ten" and "after ten" have 0.91, by arctic-embed-s 0.95
_MOST_MEASURED = 4  # values whose meaning is compared: each takes milliseconds, and somebody may like a thousand things
_MOST_RESEMBLING = 64  # values with a word in common from which those are chosen, those with a rare word first
_MOST_LEFT_OUT = 2  # words
_MOST_WORDS = 64  # of a value that is looked for in other words; a page of text is worded once
_LONGEST_REMEMBERED = 200  # characters of a value whose words are kept for the next comparison


def normalised(value: str) -> str:
    """A value in the spelling in which it is compared: folded, without accents, articles and punctuation."""
    return " ".join(_tokens(value))


def same_value(one: str, other: str) -> bool:
    """Whether two values name the same thing: the same words, or one is the other with something left out."""
    first, second = _tokens(one), _tokens(other)
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    return shorter in _shortened(longer)


def _shortened(words: Words) -> Iterator[Words]:
    """The same value with words left out: "Zoe" for "Renault Zoe", and "Ovalis" for "Ovalis GmbH".

    Those stand at one end, and are none that tell two things apart.
    """
    for few in range(1, min(_MOST_LEFT_OUT, len(words) - 1) + 1):
        for left, out in ((words[:-few], words[-few:]), (words[few:], words[:few])):
            if any(len(word) > 3 for word in left) and not any(map(_tells_apart, out)):
                yield left


def _tells_apart(word: str) -> bool:
    return word in OF_ANOTHER or any(map(str.isdigit, word))


class ValueIndex:
    """Values, looked up by their words: whatever says the same is found without being compared with all of them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._places: dict[str, int] = {}
        self._by_words: dict[Words, list[str]] = {}
        self._by_fewer: dict[Words, list[str]] = {}  # those that can be shortened to these words
        self._by_root: dict[tuple[frozenset[str], str], list[str]] = {}
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Take in a value; one that is empty or known already changes nothing."""
        if not value or value in self._places:
            return
        self._places[value] = len(self._places)
        words = _tokens(value)
        self._by_words.setdefault(words, []).append(value)
        for fewer in dict.fromkeys(_shortened(words)):
            self._by_fewer.setdefault(fewer, []).append(value)
        if _may_be_reworded(words):
            telling = _telling(value)
            for root in {root for word in words for root in roots_of(word)}:
                self._by_root.setdefault((telling, root), []).append(value)

    def same_as(self, value: str) -> list[str]:
        """The values of which `same_value` says that they are the same as this one, in the order they came."""
        words = _tokens(value)
        found = dict.fromkeys((*self._by_words.get(words, ()), *self._by_fewer.get(words, ())))
        for fewer in _shortened(words):
            found.update(dict.fromkeys(self._by_words.get(fewer, ())))
        return sorted(found, key=self._places.__getitem__)

    def wording(self, value: str, likeness: Likeness | None = None) -> str:
        """A value in the wording that is known for it, if one of those known says the same in other words."""
        words = _tokens(value)
        if self.same_as(value) or not words or not _may_be_reworded(words):
            return value
        telling = _telling(value)
        rarest_first = sorted(
            (self._with_form_of(word, telling) for word in words), key=lambda each: sum(map(len, each))
        )
        for other in sorted({*chain(*rarest_first[0])}, key=self._places.__getitem__):
            if _shared_words(value, other) == len(words) == len(_tokens(other)):
                return other
        if likeness is None:
            return value
        alike = islice(chain.from_iterable(chain.from_iterable(rarest_first)), 2 * _MOST_RESEMBLING)
        some = list(dict.fromkeys(alike))[:_MOST_RESEMBLING]
        some.sort(key=lambda other: (-_shared_words(value, other), self._places[other]))
        return next((other for other in some[:_MOST_MEASURED] if likeness(value, other) >= _ALL_BUT_THE_SAME), value)

    def _with_form_of(self, word: str, telling: frozenset[str]) -> list[list[str]]:
        """The values that have a word in some form, beside the same names and numbers; some of them more than once."""
        return [self._by_root.get((telling, root), []) for root in sorted(roots_of(word))]


def _shared_words(one: str, other: str) -> int:
    """How many words two values share, in whatever form; none where something tells the two apart."""
    first, second = _tokens(one), _tokens(other)
    if not TURNING.isdisjoint((*first, *second)) or _telling(one) != _telling(other):
        return 0
    unpaired = list(second)
    for token in first:
        form = next((each for each in unpaired if are_forms(token, each)), None)
        if form is not None:
            unpaired.remove(form)
    return len(second) - len(unpaired)


def _telling(value: str) -> frozenset[str]:
    """The names and numbers in a value: what tells two things apart, however alike they sound."""
    found = _TOKEN.findall(value)
    return frozenset(token.casefold() for token in found if token[0].isupper() or any(map(str.isdigit, token)))


def _may_be_reworded(words: Words) -> bool:
    return len(words) <= _MOST_WORDS and TURNING.isdisjoint(words)


def _tokens(value: str) -> Words:
    return _tokens_of(value) if len(value) > _LONGEST_REMEMBERED else _known_tokens(value)


def _tokens_of(value: str) -> Words:
    folded = unicodedata.normalize("NFKD", value.casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    found = _TOKEN.findall(plain)
    return tuple(token for token in found if token not in FILLER) or tuple(found)


_known_tokens = lru_cache(maxsize=16_384)(_tokens_of)
