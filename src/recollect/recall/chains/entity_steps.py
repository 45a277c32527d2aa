"""Questions of several steps: "where does Alice's manager live?" asks where Carol lives, if notes say who that is.

A name with one of its relations is put in the place of both, step by step, and the question is asked so. Which words
name a relation belongs to the records of attributes; who it is, the index of entities says. A question without such
words, and one whose steps are not known, is asked as it is and costs no read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_called, attribute_named
from recollect.domain.dataclass import replace
from recollect.domain.graph.graph_ports import EntityIndex
from recollect.domain.graph.mentions import Role, entity_key, subject_key, user_key
from recollect.domain.notes import ONCE_TRUE, Note
from recollect.domain.readings import is_denied
from recollect.domain.selections import Selection
from recollect.language.english.ownership import ARTICLE_AT_END, OF_NAMED, OWNED, POSSESSIVE, WORD
from recollect.language.english.questions import asks_who_it_is

MOST_STEPS = 3
_VALUES = 3  # that are asked about together, where a relation has several
_NOTES = 20  # that are looked at for one step


class EntityStep(NamedTuple):
    """A place of a question that names somebody by a relation: whose, which attribute, and from where to where."""

    who: str  # empty for the speaker
    attribute: str
    start: int
    end: int
    possessive: str  # what follows the name there, as in "manager's"


class Stepped(NamedTuple):
    """A question with names in the place of relations, and the notes by which it got there."""

    text: str
    notes: tuple[Note, ...] = ()


def stepped(index: EntityIndex, space: str, text: str, selection: Selection) -> Stepped:
    """Follow the relations that a question names, one after the other, as they held at the asked time."""
    notes: list[Note] = []
    for _ in range(MOST_STEPS):
        for step in steps_in(text):
            found = _known(index, space, step, selection)
            if found:
                names = " and ".join(dict.fromkeys(note.value or "" for note in found))
                text = f"{text[: step.start]}{names}{step.possessive}{text[step.end :]}"
                notes += found
                break
        else:
            break
    return Stepped(text, tuple(notes))


def steps_in(text: str) -> list[EntityStep]:
    """The places of a question that name somebody by a relation of somebody else, the first one first.

    The speaker's own people are named by the question only where it asks on: "my manager's wife".
    """
    owned = (_owned(match, text) for match in OWNED.finditer(text))
    of = (_of(match, text) for match in OF_NAMED.finditer(text))
    found = [step for step in (*owned, *of) if step is not None and not _is_asked_for(step, text)]
    return sorted(found, key=lambda step: step.start)


def _owned(match: re.Match[str], text: str) -> EntityStep | None:
    """The step in "Alice's manager", or in "my manager's"."""
    named = _relation(match["what"], from_the_end=False)
    if named is None:
        return None
    end = match.start("what") + named[1]
    possessive = POSSESSIVE.match(text, end)
    if match["who"] is None and possessive is None:
        return None
    after = possessive.group() if possessive else ""
    return EntityStep(match["who"] or "", named[0], match.start(), end + len(after), after)


def _of(match: re.Match[str], text: str) -> EntityStep | None:
    """The step in "the manager of Alice"."""
    named = _relation(match["what"], from_the_end=True)
    if named is None:
        return None
    start = match.end("what") - named[1]
    article = ARTICLE_AT_END.search(text, 0, start)
    return EntityStep(match["who"], named[0], article.start() if article else start, match.end(), "")


def _is_asked_for(step: EntityStep, text: str) -> bool:
    return asks_who_it_is(text[: step.start]) and not step.possessive and not text[step.end :].strip(" ?!.")


def _relation(words: str, *, from_the_end: bool) -> tuple[str, int] | None:
    """The attribute that words name, if its values are entities, and how many characters of them do so."""
    parts = list(re.finditer(WORD, words))
    for length in range(len(parts), 0, -1):
        taken = parts[-length:] if from_the_end else parts[:length]
        spelled = words[taken[0].start() : taken[-1].end()]
        known = attribute_called(spelled.casefold())
        if known is not None and known.entity_type:
            return known.name, len(words) - taken[0].start() if from_the_end else taken[-1].end()
    return None


def _known(index: EntityIndex, space: str, step: EntityStep, selection: Selection) -> list[Note]:
    """The notes that say who is meant; none if nothing says so, or if too many are."""
    record, within = attribute_named(step.attribute), replace(selection, states=selection.states or ONCE_TRUE)
    notes: Sequence[Note] = ()
    words = step.who.split()
    # A sentence may begin before a name: "Does Alice's manager …"
    named = (entity_key(" ".join(words[number:])) for number in range(len(words)))
    for key in named if words else (user_key(selection.scope.user),):
        saying = index.naming(
            space, key, roles={Role.SUBJECT}, attributes={step.attribute}, selection=within, limit=_NOTES
        )
        notes = notes or [note for note in saying if subject_key(note) == key and note.attribute == step.attribute]
    found = {entity_key(note.value or ""): note for note in reversed(notes) if note.value and not is_denied(note)}
    one = record is not None and not record.many
    return list(found.values())[-1:] if one else list(found.values()) if len(found) <= _VALUES else []
