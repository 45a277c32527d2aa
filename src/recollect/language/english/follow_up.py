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
_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(_SOMEBODY | _SOMETHING))})\b", re.IGNORECASE)


def goes_on(question: str) -> bool:
    """Whether a question says nothing by itself: it has small words alone, or a pronoun of the third person."""
    words = _WORD.findall(question.lower())
    return bool(pronoun_of(question)) or all(word in _SMALL for word in words)


def pronoun_of(question: str) -> str:
    """The first pronoun of the third person in a question, in small letters; or nothing."""
    found = _PRONOUN.search(question)
    return found[0].lower() if found else ""


def means_somebody(pronoun: str) -> bool:
    """Whether a pronoun stands for people, and not for a thing or a place."""
    return pronoun in _SOMEBODY


def with_name(question: str, name: str) -> str:
    """A question with a name in the place of its first pronoun."""

    def named(found: re.Match[str]) -> str:
        owns = found[0].lower() in _OWNERS and question[found.end() :].strip(" ?.!") != ""
        return f"{name}'s" if owns else name

    return _PRONOUN.sub(named, question, count=1)
