"""Pure: the people a question names.

A name steers a vector more than anything else in a question: "Good morning, Nina!" comes nearer to a question on
what Nina did than what she did. So names are taken out of what is compared by meaning, and who said something, or
whom it is about, is weighed instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from recollect.attributes.catalogue import attribute_called, names_kin
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.domain.readings import USER, is_denied
from recollect.language.english.ownership import MY_RELATIVE, OWN_RELATIVE
from recollect.language.english.relations import COUNTERPART, OF_EITHER_SEX, SHORT_FOR
from recollect.language.english.small_words import STOP_WORDS
from recollect.recall.weights import WEIGHTS
from recollect.recall.words import words_of

Name: TypeAlias = frozenset[str]  # the words of one

HALF = WEIGHTS.question.of_a_name
_NAME = re.compile(r"\w+(?:['\N{RIGHT SINGLE QUOTATION MARK}]s\b)?")
_SPACES = re.compile(r"\s+")
_BEINGS = ("person", "relation")  # sorts of subjects that have a name


def names_among(said: Iterable[Observation], notes: Iterable[Note]) -> frozenset[Name]:
    """The names of whoever speaks, and of the people whom notes are about."""
    speakers = {observation.speaker for observation in said if observation.speaker}
    subjects = {note.subject for note in notes if note.subject}
    return frozenset((*map(_words, speakers), *map(person_named, subjects)))


def person_named(subject: str | None) -> Name:
    """The words of the name in a subject such as `person:Ann Lee`; of any other subject none."""
    kind, _, name = (subject or "").partition(":")
    return _words(name) if kind in _BEINGS else frozenset()


def named_in(question: str, names: Iterable[Name]) -> frozenset[str]:
    """The words of a question that name somebody: by half of a name at least. "Country" does not name Country Joe."""
    asked = frozenset(words_of(question))
    return frozenset(word for name in names if share_named(name, asked) >= HALF for word in name & asked)


def share_named(name: Name, asked: frozenset[str]) -> float:
    """How much of a name is among the words asked."""
    return len(name & asked) / len(name) if name else 0.0


def kin_meant(question: str, notes: Iterable[Note]) -> frozenset[str]:
    """The subjects that a question means by "my sister" and the like, as far as notes say who that is."""
    called = kin_called(question)
    if not called:
        return frozenset()
    named = {note.value for note in notes if note.value and is_kin(note, called)}
    words = {*called, *called.values()}
    return frozenset((*(f"relation:{word}" for word in words), *(f"person:{name.lower()}" for name in named)))


def kin_called(question: str) -> dict[str, str]:
    """The words after "my" in a question, each with the attribute that names whoever is called so, or itself."""
    words = [SHORT_FOR.get(word.lower(), word.lower()) for word in MY_RELATIVE.findall(question)]
    known = {word: attribute_called(word) for word in words}
    return {word: attribute.name if attribute is not None else word for word, attribute in known.items()}


def with_kin_named(question: str, notes: Sequence[Note]) -> str:
    """A question with her name in place of "my sister", and the like, where notes name one; else as it is."""
    return MY_RELATIVE.sub(lambda found: _named_instead(found, notes), question)


def _named_instead(found: re.Match[str], notes: Sequence[Note]) -> str:
    called = kin_called(found[0])
    if not any(map(names_kin, called.values())):
        return found[0]
    names = {note.value for note in notes if note.value and note.value[:1].isupper() and is_kin(note, called)}
    owns = "'s" if found[0].endswith(("'s", "\N{RIGHT SINGLE QUOTATION MARK}s")) else ""
    return f"{names.pop()}{owns}" if len(names) == 1 else found[0]


def without_kin(question: str) -> str:
    """A question without "my sister" and the like: whether it speaks of whoever asks is told by the rest."""
    return MY_RELATIVE.sub(
        lambda found: "" if any(map(names_kin, kin_called(found[0]).values())) else found[0], question
    )


def kin_in(text: str) -> frozenset[str]:
    """The attributes of relatives that a text names: a sister is no brother, while a son is a child."""
    found = (attribute_called(SHORT_FOR.get(word, word)) for word in words_of(text))
    return frozenset(each.name for each in found if each is not None and names_kin(each.name))


def names_other_kin(question: str, text: str, named: frozenset[str] = frozenset()) -> bool:
    """Whether a text is on "my son" where a question asks about "my daughter", and names nobody who may be meant.

    `named` are the words of names of those who may be. Other relatives speak against no text: it may tell of both.
    """
    asked = _own_kin(question)
    others = {COUNTERPART[word] for word in asked}
    if others.isdisjoint(_own_kin(text)) or not others.isdisjoint(words_of(question)):
        return False
    return (asked | named | OF_EITHER_SEX).isdisjoint(words_of(text))


def _own_kin(text: str) -> frozenset[str]:
    """The sons, daughters, sisters and brothers that a text calls somebody's own."""
    words = (word.lower() for word in OWN_RELATIVE.findall(text))
    return frozenset(name for word in words if (name := SHORT_FOR.get(word, word)) in COUNTERPART)


def is_kin(note: Note, called: Mapping[str, str]) -> bool:
    """Whether a note says who somebody called so is: a daughter is no son, though both are children.

    One that says who it is no longer does not.
    """
    if note.subject != USER or is_denied(note):
        return False
    said = words_of(note.text)
    return any(
        note.attribute == attribute and (attribute == word or word in said) for word, attribute in called.items()
    )


def without_names(text: str, names: frozenset[str]) -> str:
    """A text without the names; the text itself if nothing else is in it."""
    if not names:
        return text
    left = _NAME.sub(lambda found: "" if _is_of(found.group(), names) else found.group(), text)
    return _SPACES.sub(" ", left).strip() if words_of(left) else text


def _is_of(word: str, names: frozenset[str]) -> bool:
    parts = words_of(word)
    return bool(parts) and parts[0] in names


def _words(name: str) -> Name:
    return frozenset(word for word in words_of(name) if word not in STOP_WORDS)
