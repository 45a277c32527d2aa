"""Pure: statements that are incomplete, resolved against what is known.

A statement that leaves its attribute open waits until memory can place it. "Kasia left" says nothing of who she
was, and "bye Disney+" not what that is. Memory knows that Kasia is the manager and Disney+ is what is watched, and so
what has ended. In the same way "checkout errors go to Rollbar" is a word on the checkout, once it is known that the
checkout is what has them tracked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from recollect.attributes.catalogue import attribute_called, attribute_named, flagged, relation_of
from recollect.attributes.records import AttributeRelation, Flag
from recollect.domain.dataclass import replace
from recollect.domain.notes import Note, State
from recollect.domain.readings import PROJECT, UNRESOLVED, USER, Polarity, Statement, is_denied
from recollect.language.english.closed_words import AT_HOME, PARTED, PARTS
from recollect.language.english.relations import MAKERS
from recollect.language.rendering import undated
from recollect.remember.known_facts import is_of_somebody, normalised, same_value

_AT_HOME = re.compile(AT_HOME, re.IGNORECASE)
_PARTED = re.compile(PARTED, re.IGNORECASE)
_PARTS = frozenset(PARTS.split())
_THING = "thing:"


class Known(Protocol):
    """The notes known so far, this very call included."""

    def with_value(self, value: str) -> Sequence[Note]:
        """The notes that have a value, whatever they are about."""
        ...

    def with_attribute(self, attribute: str) -> Sequence[Note]:
        """The notes on an attribute, whosever it is."""
        ...

    def of(self, subject: str, attribute: str) -> Iterator[Note]:
        """The notes on an attribute of one subject."""
        ...


def placed(statements: Sequence[Statement], known: Known, *, at: datetime) -> list[Statement]:
    """Those of the open statements that have a place: what ended, or what took the place of what held until then.

    Names are offered every way round; where more than one would do, none is believed.
    """
    every = [place for each in statements if (place := _placed(each, known, at)) is not None]
    found = {(each.subject, each.attribute, each.value, each.polarity): each for each in every}.values()
    lines = Counter((each.subject, each.attribute) for each in found)
    return [each for each in found if lines[each.subject, each.attribute] == 1]


def refiled(statement: Statement, known: Known, *, at: datetime) -> Statement:
    """A statement where what it ends or replaces is known, or where more is known of the thing that it is about.

    Otherwise as it is: of whoever it was read, that was read from its grammar.
    """
    old = statement.value if statement.polarity is Polarity.ENDED else statement.replaces
    if old and _is_about_us(statement.subject):
        held = [note for note in known.with_value(old) if _holds(note, at) and _is_about_us(note.subject or "")]
        if held and not any(
            (note.subject, note.attribute) == (statement.subject, statement.attribute) for note in held
        ):
            return _placed(statement, known, at) or statement
    return _of_its_thing(statement, known, at)


def _placed(statement: Statement, known: Known, at: datetime) -> Statement | None:
    note = _note_meant(statement, known, at)
    if note is None:
        return None
    subject, attribute = note.subject or "", note.attribute or ""
    if statement.polarity is Polarity.ENDED:
        wording = undated(note.text).replace(f" is {note.value}", f" is no longer {note.value}")
        wording = wording if " no longer " in wording else f"{wording.rstrip('.')} no longer."
        return replace(statement, subject=subject, attribute=attribute, value=note.value or "", text=wording)
    if same_value(subject.partition(":")[2], statement.value):
        return None  # what it is about is no value of it
    if any((other.subject, other.attribute) == (subject, attribute) for other in known.with_value(statement.value)):
        return None  # back to what was before, or the other way round: the two names alone do not tell
    text = undated(note.text).replace(note.value or "", statement.value)
    return replace(statement, subject=subject, attribute=attribute, replaces=note.value, text=text, many=False)


def _note_meant(statement: Statement, known: Known, at: datetime) -> Note | None:
    """The one note whose value ends or is replaced; `None` if several could be meant, or none."""
    ended = statement.polarity is Polarity.ENDED
    old = statement.value if ended else statement.replaces
    held = [note for note in known.with_value(old or "") if _holds(note, at)]
    if not _is_about_us(statement.subject):
        held = [note for note in held if note.subject == statement.subject]  # of others, only what is theirs
    elif ended:
        held = [note for note in held if _is_about_us(note.subject or "")]
    lines = {(note.subject, note.attribute): note for note in held}
    called = {} if lines or not ended or statement.attribute != UNRESOLVED else _called(statement.value, known, at)
    meant = lines or called
    if len(meant) != 1:
        return None
    [note] = meant.values()
    return note if called or _may_end(note, statement) else None


def _called(word: str, known: Known, at: datetime) -> dict[tuple[str | None, str | None], Note]:
    """The user's current notes on a thing called so: "no hairdresser any more" ends whatever the hairdresser is."""
    attribute = attribute_called(word)
    held = known.with_attribute(attribute.name if attribute is not None else word)
    ours = [
        note for note in held if note.subject == USER and not flagged(note.attribute, Flag.KEPT) and _holds(note, at)
    ]
    return {(note.subject, note.attribute): note for note in ours}


def _of_its_thing(statement: Statement, known: Known, at: datetime) -> Statement:
    """A statement on the whole project, or on a part of a thing, under the thing of which that is known already."""
    subject = statement.subject
    if statement.many or is_of_somebody(subject):
        return statement
    if any(_holds(note, at) for note in known.of(subject, statement.attribute)):
        return statement
    held = [note for note in known.with_attribute(statement.attribute) if _holds(note, at)]
    named = _words(statement.quote if subject == PROJECT else subject.removeprefix(_THING))
    things = {
        note.subject: note
        for note in held
        if note.subject
        and note.subject.startswith(_THING)
        and _leads(_words(note.subject[len(_THING) :]), named, subject)
    }
    if len(things) != 1:
        return statement
    [(thing, note)] = things.items()
    text = undated(note.text)
    told = (
        text.replace(note.value or "", statement.value) if statement.polarity is Polarity.AFFIRMED else statement.text
    )
    return replace(statement, subject=thing, text=told)


def _leads(thing: list[str], named: list[str], subject: str) -> bool:
    """Whether a thing is named in the words of a quote, or leads the name of a part of it: the checkout's errors."""
    if subject != PROJECT:
        return named[: len(thing)] == thing and _PARTS.issuperset(named[len(thing) :])
    return any(named[at : at + len(thing)] == thing for at in range(len(named)))


def _words(text: str) -> list[str]:
    return normalised(text).replace("'s", "").replace("’s", "").split()


def _holds(note: Note, at: datetime) -> bool:
    """Whether a note is a fact that was true by then."""
    if note.state is not State.ACTIVE or note.attribute is None or note.subject is None or is_denied(note):
        return False
    return note.valid_from is None or note.valid_from <= at


def _is_about_us(subject: str) -> bool:
    return subject == USER or not is_of_somebody(subject)


def _may_end(note: Note, statement: Statement) -> bool:
    """Whether what is said of a name is enough to end what it stands for."""
    attribute = note.attribute or ""
    known = attribute_named(attribute)
    ended = statement.polarity is Polarity.ENDED
    if flagged(attribute, Flag.FOR_A_TIME) and relation_of(attribute) is AttributeRelation.FAMILY:
        return ended and _PARTED.search(statement.quote) is not None
    if flagged(attribute, Flag.KEPT) or (note.subject != USER and attribute.rpartition(" ")[2] in MAKERS):
        return False
    if flagged(attribute, Flag.FOR_A_TIME):
        return ended
    if (known is not None and known.many) or note.metadata.get("said", {}).get("many"):
        # Who drinks no more coffee may still like it.
        return ended and statement.attribute == UNRESOLVED
    return not flagged(attribute, Flag.PLACE) or _AT_HOME.search(statement.quote) is not None
