"""Pure: a candidate of a language model becomes a statement, if its words stand in the message it names.

A model may be wrong, or may have been talked into something by what it read. So its word counts for nothing here that
the message does not say: the quote stands in it, and so do the words of the value; names of people and things stand in
what was shown, and relations and attributes are ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.attributes.catalogue import attribute_called, attribute_named, flagged
from recollect.attributes.records import Attribute, Flag
from recollect.domain.dataclass import dataclass
from recollect.domain.periods import Period, Precision
from recollect.domain.readings import PROJECT, UNRESOLVED, USER, Modality, Polarity, Statement, Tense
from recollect.language.english.relations import RELATIONS, SAME_RELATION
from recollect.language.rendering import called, rendered
from recollect.language.times.finder import find_times
from recollect.language.world.words import UNSPACED_SIGN, words_of

QUOTED = "quoted"  # a modality that models know, and we take for supposed
CONFIDENCE = 0.8  # a model reads deeper than rules, and less reliably

_WORD = {"type": "string", "maxLength": 200}
_TIME = {"type": "string", "maxLength": 40}
_FIELDS: Mapping[str, Any] = {
    "message": {"type": "integer"},
    "quote": {"type": "string", "maxLength": 600},
    "subject": _WORD,
    "attribute": _WORD,
    "value": {"type": "string", "maxLength": 400},
    "many": {"type": "boolean"},
    "polarity": {"type": "string", "enum": [each.value for each in Polarity]},
    "modality": {
        "type": "string",
        "enum": [*(each.value for each in Modality if each is not Modality.DOUBTED), QUOTED],
    },
    "tense": {"type": "string", "enum": [each.value for each in Tense]},
    "since": _TIME,
    "until": _TIME,
    "occurred": _TIME,
    "corrects": {"type": "boolean"},
    "replaces": _WORD,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "statements": {
            "type": "array",
            "maxItems": 60,
            "items": {
                "type": "object",
                "properties": _FIELDS,
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["statements"],
    "additionalProperties": False,
}

_FREE = re.compile(r"[a-z0-9][a-z0-9'+./& -]{0,39}")  # an attribute that has no record
_PERSON, _RELATION, _THING = "person", "relation", "thing"
_TIME_FORM = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d)?(?:Z|\+00:00)?)?)?)?")
_UNITS = tuple(Precision)  # from the finest on
_FRACTION = re.compile(r"(?<=\d)[.,](?=\d)")
_ATTACHING = re.compile("[\u0590-\u06ff]")  # Hebrew and Arabic write "in", "the" and "and" to the word that follows
_STEM = 4  # letters in which two forms of a word agree at least: learn and learning, but not sun and son
_ENDING = 3  # letters in which they may differ
# Words that a value may have and its message need not.
_SMALL = frozenset("a an and of the to in on at for with by from named called as or is".split())
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
}


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message as a model was shown it, and everything it was shown with it, folded."""

    text: str
    at: datetime
    shown: frozenset[str]


def statement_from(candidate: Mapping[str, Any], message: ShownMessage, read_by: str) -> Statement | None:
    """The statement that a candidate makes; `None` for one that its message does not say."""
    place = _place(candidate["quote"], message.text)
    subject = _subject(candidate["subject"], message.shown)
    known, attribute = _attribute(candidate["attribute"])
    polarity, tense = Polarity(candidate["polarity"]), Tense(candidate["tense"])
    if known is not None and known.opposite and polarity is Polarity.NEGATED:
        attribute, polarity = known.opposite, Polarity.AFFIRMED
        known = attribute_named(attribute)
    value, replaces = candidate["value"].strip(), candidate["replaces"].strip()
    if place is None or not subject or not attribute or _tells_nothing(attribute, polarity, tense):
        return None
    if attribute == UNRESOLVED and not replaces and polarity is not Polarity.ENDED:
        return None  # nothing that memory could place
    if not _is_said(value, known, message) or (replaces and not stands_in(replaces, message.text)):
        return None
    start, end = place
    modality = Modality.SUPPOSED if candidate["modality"] == QUOTED else Modality(candidate["modality"])
    since, until, occurred = (_told_time(candidate[each], message) for each in ("since", "until", "occurred"))
    text = rendered(
        called(subject),
        attribute,
        known,
        value,
        polarity=polarity,
        tense=tense,
        modality=modality,
        since=since,
        until=until,
        occurred=occurred,
    )
    return Statement(
        subject=subject,
        attribute=attribute,
        value=value,
        text=text,
        quote=message.text[start:end],
        many=known.many if known is not None else candidate["many"],
        polarity=polarity,
        modality=modality,
        tense=tense,
        since=since,
        until=until,
        occurred=occurred,
        corrects=candidate["corrects"] and modality is Modality.ASSERTED,
        replaces=replaces or None,
        confidence=CONFIDENCE,
        start=start,
        end=end,
        read_by=(read_by,),
    )


def stands_in(value: str, text: str) -> bool:
    """Whether a text says a value: each of its words in some form, figures as words too; signs as they are."""
    words, there = _numbered(value), set(_numbered(text))
    if not words:
        return "".join(value.split()) in "".join(text.split())
    telling = [word for word in words if word not in _SMALL]
    return all(_is_among(word, there) for word in telling or words)


def period_from(told: str) -> Period | None:
    """A time as models write it, in UTC; `None` for none, and for what is no time."""
    found = _TIME_FORM.fullmatch(told.strip())
    if found is None:
        return None
    year, month, day, hour, minute = (int(each) if each else None for each in found.groups())
    try:
        start = datetime(year or 0, month or 1, day or 1, hour or 0, minute or 0, tzinfo=UTC)
        if hour is not None:
            return Period(start, start + timedelta(minutes=1), Precision.MOMENT)
        if day is not None:
            return Period(start, start + timedelta(days=1), Precision.DAY)
        if month is not None:
            after = start.replace(year=start.year + month // 12, month=month % 12 + 1)
            return Period(start, after, Precision.MONTH)
        return Period(start, start.replace(year=start.year + 1), Precision.YEAR)
    except (ValueError, OverflowError):
        return None


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Where the words of a quote stand in a text, whatever the space between them and their case."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE) if words else None
    return found.span() if found else None


def _subject(told: str, shown: frozenset[str]) -> str:
    """The key of a subject; empty for one that nobody was told of."""
    low = " ".join(told.casefold().split())
    if low in (USER, PROJECT):
        return low
    kind, _, name = low.partition(":")
    name = name.strip()
    if kind == _RELATION:
        return f"{_RELATION}:{SAME_RELATION.get(name, name)}" if name in RELATIONS else ""
    if kind not in (_PERSON, _THING) or not name:
        return ""
    return f"{kind}:{name}" if all(_is_among(word, shown) for word in words_of(name)) else ""


def _attribute(told: str) -> tuple[Attribute | None, str]:
    """The record of an attribute, and its name; no name for what cannot be one."""
    plain = " ".join(told.casefold().replace("_", " ").split())
    if plain == UNRESOLVED:
        return None, UNRESOLVED
    known = attribute_named(plain.replace(" ", "_")) or attribute_called(plain)
    if known is not None:
        return known, known.name
    return None, plain if _FREE.fullmatch(plain) else ""


def _tells_nothing(attribute: str, polarity: Polarity, tense: Tense) -> bool:
    """Whether nothing is known by it: a denial of plans, how old somebody once was, an appointment of last week."""
    if polarity is Polarity.NEGATED and flagged(attribute, Flag.NEVER_DENIED):
        return True
    over = tense is Tense.PAST and polarity is Polarity.AFFIRMED
    return over and (flagged(attribute, Flag.ONLY_NOW) or flagged(attribute, Flag.TO_COME))


def _is_said(value: str, known: Attribute | None, message: ShownMessage) -> bool:
    """Whether a message says a value. A date is said by its day, or by words that we read as that date."""
    if not value:
        return False
    day = period_from(value)
    if day is None or day.precision is not Precision.DAY or known is None or known.value != "date":
        return stands_in(value, message.text)
    named = any(each.period.start.date() == day.start.date() for each in find_times(message.text, at=message.at))
    return named or str(day.start.day) in words_of(message.text)


def _told_time(told: str, message: ShownMessage) -> Period | None:
    """A time that a message names, no finer than it does; `None` for one that it does not.

    Where we cannot read its words, as in other languages, its figures must stand there.
    """
    period = period_from(told)
    if period is None:
        return None
    times = (each.period for each in find_times(message.text, at=message.at))
    named = [each for each in times if each.start < period.end and period.start < each.end]
    if named:
        nearest = min(named, key=lambda each: each.end - each.start)
        return max(period, nearest, key=lambda each: _UNITS.index(each.precision))
    figures = {str(period.start.year)}
    if period.precision in (Precision.DAY, Precision.MOMENT):
        figures.add(str(period.start.day))
    return period if figures <= set(words_of(message.text)) else None


def _numbered(text: str) -> list[str]:
    """The words of a text, with figures for number words; a fraction is one word."""
    return [_NUMBERS.get(word, word) for word in words_of(_FRACTION.sub("p", text))]


def _is_among(word: str, there: Collection[str]) -> bool:
    """Whether a word is there, in this form or in another one: one that begins as it does, for all but its ending."""
    if word in there:
        return True
    if word[0].isdigit():
        return False
    if UNSPACED_SIGN.match(word):
        return any(word in other for other in there)
    if _ATTACHING.match(word) and any(other.endswith(word) for other in there):
        return True
    root = word[: max(_STEM, len(word) - _ENDING)]
    return any(
        (other.startswith(root) and len(root) >= _STEM) or (other[:-1] == word and other[-1] == "s") for other in there
    )
