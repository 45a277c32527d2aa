"""Values: which words of a clause are the value, and what may be one.

A value is a clean noun phrase, without the time, the afterthought and the punctuation around it. What only tells how
something seems just now is no value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.attributes.catalogue import attribute_named
from recollect.attributes.records import Flag
from recollect.domain.dataclass import replace
from recollect.domain.periods import Precision, TimeMention
from recollect.language import tags
from recollect.language.times.finder import resolve
from recollect.readers.rules.english.sorts import STREET_WORDS, TASTELESS
from recollect.readers.rules.naming import Called
from recollect.readers.rules.quoting import after_of, bare, end_of_name, kind_in, said, trimmed
from recollect.readers.rules.scene import RECURRENCE, SLOT, Scene, span_of
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.sorts.people import SORTS_OF_PEOPLE
from recollect.readers.rules.sorts.things import SORTS_OF_THINGS, Sort
from recollect.readers.rules.syntax.clauses import Clause, Part
from recollect.readers.rules.syntax.phrases import Phrase
from recollect.readers.rules.syntax.words import Word

_MEETINGS = ("meeting", "sync", "call", "slot")
_PREFERRED = ("recurrence", "aim")  # sorts that are looked for first, and need not be there
_PREPS = ("", "at", "on", "in", "with", "to", "from", "by", "for", "every")


def open_values(clause: Clause, called: Called, scene: Scene) -> list[str]:
    """The values on the other side of an attribute's name: one, or the members of a list; none if not worth keeping."""
    value = _open_value(clause, called, scene)
    if value is None:
        return []
    if called.known is None or not called.known.many:
        return [value]
    return [part.strip() for part in _LIST.split(value) if part.strip()]


def old_value(clause: Clause, called: Called, scene: Scene) -> str:
    """The old value, which a clause says was there before: "moved from X to Y". Empty if nothing is said."""
    if clause.part("to") is None:
        return ""
    if _sort_of(called) == "slot":
        start, end = span_of(clause)
        slots = [slot.group().strip() for slot in SLOT.finditer(scene.text, start, end)]
        return slots[0] if len(slots) > 1 else ""
    old = clause.part("from")
    return said(old, scene.text) if old is not None else ""


def _sort_of(called: Called) -> str:
    """The sort of phrase that the values of an attribute are; "" for any."""
    return called.known.value if called.known is not None else ""


def _open_value(clause: Clause, called: Called, scene: Scene) -> str | None:
    sort = _sort_of(called)
    assert clause.verb is not None
    end = _end(clause)
    begin = clause.words[clause.verb.start].end
    moved = clause.part("to")
    if moved is not None and clause.part("from") is not None:
        begin = moved.start
    if sort == "slot" or (called.known is None and called.attribute.rpartition(" ")[2] in _MEETINGS):
        slots = list(SLOT.finditer(scene.text, begin, end))
        slot = slots[-1] if slots and moved is not None else slots[0] if slots else None
        if slot is not None:
            return slot.group().strip()
        if sort == "slot":
            return None
    if sort == "date":
        return dated_value(scene, begin, end)
    if sort == "birthdate":
        return birthday_value(scene, begin, end)
    if sort == "recurrence" and (cycle := RECURRENCE.search(scene.text, begin, end)):
        return cycle.group()
    if sort == "phone" and (digits := _PHONE.search(scene.text, begin, end)):
        return digits.group().strip()
    if sort == "street":
        return _until_the_end(clause, scene)
    if sort == "aim" and (aim := clause.part("to+")) is not None:
        return said(_without_time(aim), scene.text)
    part = next((part for part in clause.parts if part.phrase is moved), None) if moved is not None else None
    if part is None and clause.parts and clause.parts[0].prep in _PREPS:
        part = clause.parts[0]
    if part is None:
        return _single_word(clause, called, scene) or (
            birthday_value(scene, begin, end) if called.known is None else None
        )
    if sort and sort not in _PREFERRED:
        if part.prep and sort in ("person", "name", "tongue", "age"):
            return None
        if sort in ("place", "origin"):
            places = (value_of(sort, part.phrase, scene.text) for part in clause.parts)
            return next((place for place in places if place), None)
        return value_of(sort, part.phrase, scene.text)
    if part.prep and called.known is None and part.prep not in ("at", "on", "in", "with", "to", "for"):
        return None
    return _extended(clause, part, called, scene)


def _extended(clause: Clause, part: Part, called: Called, scene: Scene) -> str | None:
    """An open value reaches over its companions: "trunk-based with short branches", "500 requests per minute"."""
    phrase = after_of(part.phrase, _KIND_NOUNS)
    if phrase.pronoun or phrase.det in ("this", "that", "these", "those", "your", "my") or is_passing(phrase):
        return None
    first = phrase.words[0]
    if (
        first.tag & tags.ING
        and first.tag & tags.VERB
        and not first.tag & (tags.NOUN | tags.NAME)
        and called.known is None
    ):
        return None
    parts = clause.parts
    at = parts.index(part)
    last = phrase.words[-1]
    if (
        called.known is None
        or called.known.many
        or Flag.REACHING in called.known.flags
        or kind_of(said(phrase, scene.text)) == called.attribute
    ):
        for following in parts[at + 1 :]:
            if (
                following.prep in ("with", "per", "of", "and", "over", "under", "before", "a")
                and following.phrase.words
            ):
                last = following.phrase.words[-1]
            else:
                break
    rate = _RATE.match(scene.text, last.end)
    value = scene.text[phrase.start : rate.end() if rate else end_of_name(last, scene.text)].strip("`\"'“”‘’ ")
    return value or None


_RATE = re.compile(r" (?:a|an|per) (?:year|month|hour|week|day|minute|second|sprint|user|person)\b")


_KIND_NOUNS = ("city", "town", "country", "language", "sport", "religion", "position", "field", "continent", "state")
_LIST = re.compile(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+")


def reached(clause: Clause, part: Part, scene: Scene) -> str:
    """The value in a part, with the companions that belong to it: "release branches per month"."""
    last = part.phrase.words[-1]
    for following in clause.parts[clause.parts.index(part) + 1 :]:
        if following.prep not in ("with", "per", "of", "and", "a"):
            break
        last = following.phrase.words[-1]
    return scene.text[part.phrase.start : last.end].strip("`\"'“”‘’ ")


def _single_word(clause: Clause, called: Called, scene: Scene) -> str | None:
    """A value that looks like anything but a noun: "our default branch is develop"."""
    assert clause.verb is not None
    rest = [word for word in clause.words[clause.verb.end :] if not word.tag & (tags.TIME | tags.PUNCT)]
    if called.known is None or len(rest) != 1 or rest[0].tag & (tags.ADJ | tags.ADV | tags.SUBJECT | tags.OBJECT):
        return None
    return rest[0].text


def is_passing(phrase: Phrase) -> bool:
    """Whether a phrase only says how something seems: adjectives of the moment, or nothing else."""
    words = [word for word in phrase.words if not word.tag & (tags.ADV | tags.PUNCT) or word.tag & tags.ADJ]
    return all(_seems(word) for word in words)


def _seems(word: Word) -> bool:
    if word.tag & (tags.NAME | tags.NOUN):
        return False
    if word.tag & tags.PART and not word.tag & tags.VERB:
        return False  # an unknown word in -ed is as good as a verb: "twinned with"
    return bool(word.tag & (tags.ADJ | tags.PART))


def dated_value(scene: Scene, begin: int, end: int) -> str | None:
    """A date, as a day if it is known to the day, else in the words it was told in."""
    times = scene.times_in(begin, end)
    if not times:
        return None
    time = ahead(times[-1], scene)
    if time.period.precision in (Precision.DAY, Precision.MOMENT):
        return time.period.start.astimezone(scene.zone).date().isoformat()
    return re.sub(r"^(?:on|in|by|at|until) (?:the )?", "", time.text)


def ahead(time: TimeMention, scene: Scene) -> TimeMention:
    """The same time, read as one that is to come where the words leave it open: "on 1 June"."""
    if time.period.start > scene.at or _FIXED.search(time.text):
        return time
    later = resolve(time.text, at=scene.at, zone=scene.zone, lean="future")
    return replace(time, period=later) if later is not None else time


_FIXED = re.compile(r"\d{4}|\b(?:last|ago|yesterday|today|this|since|previous|past)\b", re.IGNORECASE)


def birthday_value(scene: Scene, begin: int, end: int) -> str | None:
    times = scene.times_in(begin, end)
    if not times:
        return None
    return re.sub(r"^(?:on|in) (?:the )?", "", times[0].text, flags=re.IGNORECASE)


def rest_of(clause: Clause, first: Word, scene: Scene) -> str:
    """The text from a word to the end of its clause, without trailing times and punctuation."""
    words = _without_afterthought([word for word in clause.words if word.start >= first.start])
    return scene.text[first.start : _without_time(Phrase(words)).end].strip("`\"'“”‘’ .,;")


def _without_afterthought(words: Sequence[Word]) -> Sequence[Word]:
    """Without what only tells how somebody feels about it: "accounting at RMIT and already scared"."""
    for at in range(len(words) - 1, 1, -1):
        if words[at].tag & tags.CONJ and not words[at].tag & tags.NAME:
            told = all(
                word.tag & (tags.ADV | tags.ADJ | tags.PART) and not word.tag & tags.NOUN for word in words[at + 1 :]
            )
            return words[:at] if told and at + 1 < len(words) else words
    return words


def _until_the_end(clause: Clause, scene: Scene) -> str | None:
    part = next((part for part in clause.parts if part.prep in _PREPS), None)
    if part is None:
        return None
    value = scene.text[part.phrase.start : _end(clause)].strip(" .,;")
    return value if _ADDRESS.search(value.lower()) else None


def _without_time(phrase: Phrase) -> Phrase:
    words: Sequence[Word] = phrase.words
    while len(words) > 1 and words[-1].tag & (tags.TIME | tags.PUNCT):
        words = words[:-1]
    while len(words) > 1 and words[-1].tag & tags.PREP and not words[-1].tag & tags.NAME:
        words = words[:-1]
    return Phrase(words, phrase.det)


def _end(clause: Clause) -> int:
    return span_of(clause)[1]


_PHONE = re.compile(r"\+?\d[\d ()/-]{5,}\d")
_ADDRESS = re.compile(r"\d|" + "|".join(rf"\b{word}\b" for word in STREET_WORDS.split()))


_TASTELESS = frozenset(TASTELESS.split())


def value_of(sort: str, phrase: Phrase, text: str) -> str | None:
    """The value in a phrase of the text, if the phrase is of that sort."""
    if phrase.pronoun or not phrase.words:
        return None
    found = _SORTS.get(sort)
    if found is not None:
        return found(phrase, text)
    return _of_kind(sort.rstrip("_"), phrase, text)


def _any(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("this", "that", "these", "those", "your", "no", "any", "its"):
        return None
    head = phrase.head
    if head.tag & tags.ADJ and len(phrase.words) == 1:
        return None
    return None if head.low in _TASTELESS else said(phrase, text)


def _name(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.named and phrase.det not in ("this", "that", "your") else None


def _of_kind(kind: str, phrase: Phrase, text: str) -> str | None:
    known = attribute_named(kind)
    phrase = trimmed(phrase, text)
    if kind_of(said(phrase, text)) == kind:
        return said(phrase, text)
    found = kind_in(phrase, text)
    if found == kind or (known is not None and found in known.accepts):
        return said(bare(phrase), text)
    return None


_SORTS: dict[str, Sort] = {"any": _any, "name": _name} | SORTS_OF_PEOPLE | SORTS_OF_THINGS
