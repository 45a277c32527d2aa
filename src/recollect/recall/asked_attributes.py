"""Pure: which attributes of the catalogue a question asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from recollect.attributes.catalogue import catalogue, names_kin
from recollect.language.english.ownership import names_own
from recollect.language.english.questions import BEFORE_NOUNS, OF_NOW, WHERE, asks_who
from recollect.recall.weights import WEIGHTS
from recollect.recall.words import stem, words_of

_LIMITS = WEIGHTS.question


def attributes_asked(question: str) -> tuple[str, ...]:
    """The attributes whose words are in a question, the ones with the most telling words first."""
    words = [stem(word) for word in words_of(question)]
    only_whose = names_own(question) and not asks_who(question)
    scores: dict[str, float] = defaultdict(float)
    phrases = _phrases()
    for start in range(len(words)):
        for length in range(1, min(_LIMITS.phrase, len(words) - start) + 1):
            for attribute, weight in phrases.get(tuple(words[start : start + length]), ()):
                if only_whose and names_kin(attribute):
                    continue  # "What does my sister do?" asks what she does, not who she is
                # A longer phrase says more than its words do one by one.
                scores[attribute] += weight * length * length
    for attribute, weight in phrases.get((_WHERE, _done_there(words)), ()):
        scores[attribute] += weight * 4
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return tuple(attribute for attribute, score in ranked[: _LIMITS.attributes] if score >= ranked[0][1] / 2)


def _done_there(words: Sequence[str]) -> str:
    """The verb that a question for a place ends in: `work` in "where does my sister work now?"; empty without one."""
    while words and words[-1] in _NOW:
        words = words[:-1]
    return words[-1] if len(words) > 2 and words[0] == _WHERE and words[-2] not in _BEFORE_NOUNS else ""


_WHERE = stem(WHERE)
_NOW = frozenset(map(stem, OF_NOW))
_BEFORE_NOUNS = frozenset(map(stem, BEFORE_NOUNS))


@cache
def _phrases() -> dict[tuple[str, ...], list[tuple[str, float]]]:
    """Every phrase that asks for attributes, with its weight: the fewer attributes it asks for, the more it says."""
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for attribute in catalogue():
        for phrase in (*attribute.asked, *attribute.synonyms, attribute.name.replace("_", " ")):
            found[tuple(stem(word) for word in words_of(phrase))].add(attribute.name)
    return {phrase: [(name, 1 / len(names)) for name in sorted(names)] for phrase, names in found.items() if phrase}
