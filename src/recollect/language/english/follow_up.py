"""Questions that go on from the one before them: "and before that?", "where does she live?"."""

from __future__ import annotations

import re

from recollect.language.english import closed_words

_SOMEBODY = frozenset("he him his she her hers they them their theirs".split())
_SOMETHING = frozenset("it its".split())
_OWNERS = frozenset(closed_words.POSSESSIVES.split()) | {"hers", "theirs"}
_SMALL = frozenset(
    word
    for words in (
        closed_words.DETERMINERS,
        closed_words.POSSESSIVES,
        closed_words.SUBJECT_PRONOUNS,
        closed_words.OBJECT_PRONOUNS,
        closed_words.MODALS,
        closed_words.PREPOSITIONS,
        closed_words.CONJUNCTIONS,
        closed_words.SUBORDINATORS,
        closed_words.NEGATIONS,
        closed_words.WH_WORDS,
        closed_words.ADVERBS,
        closed_words.BE_FORMS,
        closed_words.HAVE_FORMS,
        closed_words.DO_FORMS,
    )
    for word in words.split()
)

_WORD = re.compile(r"[^\W_]+")
_PEOPLE = re.compile(rf"\b(?:{'|'.join(sorted(_SOMEBODY))})\b", re.IGNORECASE)
_THING = re.compile(rf"\b(?:{'|'.join(sorted(_SOMETHING))})\b", re.IGNORECASE)


def goes_on(question: str) -> bool:
    """Whether a question says nothing by itself: it has small words alone, or a pronoun for people."""
    return _PEOPLE.search(question) is not None or _has_small_words_alone(question)


def pronoun_of(question: str) -> str:
    """The first pronoun in a question that stands for somebody, or else for something, in small letters; or nothing."""
    found = _pronoun(question)
    return found[0].lower() if found else ""


def before_pronoun(question: str) -> str:
    """The words before that pronoun; whom they name it may stand for."""
    found = _pronoun(question)
    return question[: found.start()] if found else ""


def means_somebody(pronoun: str) -> bool:
    """Whether a pronoun stands for people, and not for a thing or a place."""
    return pronoun in _SOMEBODY


def with_name(question: str, name: str) -> str:
    """A question with a name in the place of that pronoun."""
    found = _pronoun(question)
    if found is None:
        return question
    rest = question[found.end() :]
    owns = found[0].lower() in _OWNERS and rest.strip(" ?.!") != ""
    whose = f"{name}'s" if owns else name
    return f"{question[: found.start()]}{whose}{rest}"


def _pronoun(question: str) -> re.Match[str] | None:
    """The first pronoun for people. "It" points back only where nothing else is said: "is it true" does not."""
    return _PEOPLE.search(question) or (_THING.search(question) if _has_small_words_alone(question) else None)


def _has_small_words_alone(question: str) -> bool:
    return all(word in _SMALL for word in _WORD.findall(question.lower()))
