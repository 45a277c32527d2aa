"""Values of an attribute that a sentence names: "our standup is at 9:30", without the time and the afterthought."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.attributes.records import Flag
from recollect.domain.periods import Precision
from recollect.language import tags
from recollect.readers.rules.clauses import Clause, Part, span_of
from recollect.readers.rules.naming import Called, kind_of, said
from recollect.readers.rules.scene import RECURRENCE, SLOT, Scene
from recollect.readers.rules.sorts import value_of
from recollect.readers.rules.statements import ahead
from recollect.readers.rules.vocabulary import in_order
from recollect.readers.rules.words import Phrase, Word

_PREFERRED = ("recurrence", "aim")  # sorts that are looked for first, and need not be there
_PREPS = ("", "at", "on", "in", "with", "to", "from", "by", "for", "every")


def open_values(clause: Clause, called: Called, scene: Scene) -> list[str]:
    """The values on the other side of an attribute's name: one, or the members of a list; none if not worth keeping."""
    value = _open_value(clause, called, scene)
    if value is None:
        return []
    if not called.known.many:
        return [value]
    return [part.strip() for part in _LIST.split(value) if part.strip()]


def _open_value(clause: Clause, called: Called, scene: Scene) -> str | None:
    sort = called.known.value
    assert clause.verb is not None
    begin, end = clause.words[clause.verb.start].end, span_of(clause)[1]
    if sort == "slot":
        slot = SLOT.search(scene.text, begin, end)
        return slot.group().strip() if slot is not None else None
    if sort == "date":
        return dated_value(scene, begin, end)
    if sort == "birthdate":
        return birthday_value(scene, begin, end)
    if sort == "recurrence" and (cycle := RECURRENCE.search(scene.text, begin, end)):
        return cycle.group()
    if sort == "phone":
        digits = _PHONE.search(scene.text, begin, end)
        return digits.group().strip() if digits is not None else None
    if sort == "street":
        value = scene.text[begin:end].strip(" .,;")
        return value if _ADDRESS.search(value.lower()) and clause.parts and not clause.parts[0].prep else None
    if sort == "aim" and (aim := clause.part("to+")) is not None:
        return said(_without_time(aim), scene.text)
    part = clause.parts[0] if clause.parts else None
    if part is None or part.prep not in _PREPS:
        return None
    if sort and sort not in _PREFERRED:
        if part.prep and sort in ("person", "name", "tongue", "age"):
            return None
        if sort in ("place", "origin"):
            places = (value_of(sort, part.phrase, scene.text) for part in clause.parts)
            return next((place for place in places if place), None)
        return value_of(sort, part.phrase, scene.text)
    return _extended(clause, part, called, scene)


def _extended(clause: Clause, part: Part, called: Called, scene: Scene) -> str | None:
    """An open value reaches over its companions: "trunk-based with short branches", "500 requests per minute"."""
    phrase = part.phrase
    if is_passing(phrase):
        return None
    parts = clause.parts
    at = parts.index(part)
    last = phrase.words[-1]
    if (
        called.known.many
        or Flag.REACHING in called.known.flags
        or kind_of(said(phrase, scene.text)) == called.attribute
    ):
        for following in parts[at + 1 :]:
            if following.prep not in ("with", "per", "of", "and", "over", "under", "before", "a"):
                break
            last = following.phrase.words[-1]
    rate = _RATE.match(scene.text, last.end)
    value = scene.text[phrase.start : rate.end() if rate else last.end].strip("`\"'“”‘’ ")
    return value or None


_RATE = re.compile(r" (?:a|an|per) (?:year|month|hour|week|day|minute|second|sprint|user|person)\b")
_LIST = re.compile(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+")


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


def _without_time(phrase: Phrase) -> Phrase:
    words: Sequence[Word] = phrase.words
    while len(words) > 1 and (words[-1].tag & (tags.TIME | tags.PUNCT) or words[-1].tag == tags.INTERJ):
        words = words[:-1]
    while len(words) > 1 and words[-1].tag & tags.PREP and not words[-1].tag & tags.NAME:
        words = words[:-1]
    return Phrase(words, phrase.det)


_ADDRESS = re.compile(r"\d|" + "|".join(rf"\b{word}\b" for word in in_order("street_words")))
_PHONE = re.compile(r"\+?\d[\d ()/-]{5,}\d")
