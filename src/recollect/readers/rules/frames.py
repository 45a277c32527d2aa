"""Frames held against a clause: lines of data that say which verb, with which complements, tells which attribute.

A frame fits when its subject, its verb and all the complements it asks for are there. The first frame of an
attribute that fits is taken, and a phrase that has become a value is not read a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.readers.rules.clauses import Clause, Part, companions, span_of
from recollect.readers.rules.frame_lines import ACTIVE, PASSIVE, TIMED, Frame, FrameSlot
from recollect.readers.rules.naming import singular
from recollect.readers.rules.scene import RECURRENCE, SLOT, Scene
from recollect.readers.rules.sorts import value_of
from recollect.readers.rules.values import birthday_value, dated_value
from recollect.readers.rules.vocabulary import listed
from recollect.readers.rules.words import Phrase, spelled_out


class FrameMatch(NamedTuple):
    """A frame that fits: its values by role. `value` and `old` are texts, `thing` is a phrase.

    `at` is the place of the value among the parts of the clause; -1 means that it is the subject.
    """

    frame: Frame
    value: str
    at: int
    old: str = ""
    thing: Phrase | None = None


def matches(clause: Clause, scene: Scene, fits: Callable[[Frame], bool]) -> Iterator[FrameMatch]:
    """The frames that fit a clause, each attribute once, in the order of the data; `fits` judges the subject."""
    verb = clause.verb
    if verb is None:
        return
    candidates = (PASSIVE if verb.passive else ACTIVE).get(verb.lemma, ())
    parts = clause.parts
    if candidates:
        yield from _matching(candidates, clause, parts, scene, fits)
    if verb.passive and "be" in ACTIVE:
        described = _described(clause)
        if described is not None:
            yield from _matching(ACTIVE["be"], clause, (Part("", described), *parts), scene, fits, described=True)


def _described(clause: Clause) -> Phrase | None:
    """ "I'm divorced" has a verb group, and can be read as an adjective: the participle itself."""
    assert clause.verb is not None
    at = clause.verb.end - 1
    while at > clause.verb.start and clause.words[at].tag & (tags.ADV | tags.NEG):
        at -= 1
    return Phrase(clause.words[at : at + 1])


def _matching(
    candidates: Sequence[Frame],
    clause: Clause,
    parts: Sequence[Part],
    scene: Scene,
    fits: Callable[[Frame], bool],
    *,
    described: bool = False,
) -> Iterator[FrameMatch]:
    done: set[str] = set()
    used: set[int] = set()
    preps = {part.prep for part in parts}
    role = "pronoun" if clause.subject is not None and clause.subject.pronoun else ""
    for frame in candidates:
        if frame.needs and frame.needs.isdisjoint(preps) and frame.subject.role != "WORD":
            continue
        if role and frame.subject.role in ("VALUE", "MEETING"):
            continue
        if (frame.attribute in done and frame.attribute != "@") or not fits(frame):
            continue
        match = _match(frame, clause, parts, scene, described=described)
        if match is None or match.at in used:
            continue
        done.add(frame.attribute)
        used.add(match.at)
        yield match._replace(at=match.at - 1) if described and match.at >= 0 else match


def _match(
    frame: Frame, clause: Clause, parts: Sequence[Part], scene: Scene, *, described: bool = False
) -> FrameMatch | None:
    subject = clause.subject
    text = scene.text
    value, at, old = "", -2, ""
    thing: Phrase | None = None
    if not _words_allow(frame, clause):
        return None
    role = frame.subject.role
    if role == "WORD":
        if subject is None or not _has_head(subject, frame.subject.heads) or _somebody_elses(subject):
            return None
        parts = (*parts, *companions(subject))
    elif role == "MEETING":
        if subject is None or not is_meeting(subject):
            return None
        thing = subject
    elif role == "VALUE":
        found = value_of(frame.subject.sort, subject, text) if subject is not None else None
        if found is None:
            return None
        value, at = found, -1
    elif role == "YOU":
        if not (subject is None or subject.low == "you"):
            return None
    elif role == "THING" and frame.subject.sort == "tech":
        if subject is None or not value_of("tech", subject, text):
            return None
        thing = subject
    taken: set[int] = set()
    is_said = described or (clause.verb is not None and clause.verb.lemma == "be")
    for slot in frame.slots:
        if slot.sort in TIMED:
            place, found = _timed(slot, clause, scene)
        else:
            place, found = _fill(slot, parts, taken, text)
        if place < 0:
            if slot.optional and not (parts and _passes_over(slot, parts[0])):
                continue
            return None
        if is_said and place and place != _NO_PART and not taken:
            return None  # "I'm ready to dive into X" is not "I'm into X"
        taken.add(place)
        if slot.role == "VALUE":
            value, at = found, place
        elif slot.role == "OLD":
            old = found
        elif slot.role == "THING":
            thing = parts[place].phrase
    said = text[clause.words[0].start : span_of(clause)[1]]
    if frame.asks is not None and not frame.asks.search(spelled_out(said.lower())):
        return None
    return FrameMatch(frame, value, at, old, thing)


def _words_allow(frame: Frame, clause: Clause) -> bool:
    """Whether a clause has the adverbs a frame wants, and none that bars it."""
    if frame.adverbs and not any(word.low in frame.adverbs for word in clause.words):
        return False
    return not any(word.low in frame.barred for word in clause.words)


def _fill(slot: FrameSlot, parts: Sequence[Part], taken: set[int], text: str) -> tuple[int, str]:
    """The first part that can stand in a slot, and its value; -1 if there is none."""
    tried = False
    for place, part in enumerate(parts):
        if place in taken or part.prep not in slot.preps:
            continue
        phrase = part.phrase
        if (
            tried
            and slot.role == "VALUE"
            and slot.preps == _OBJECT_ONLY
            and phrase.det not in ("a", "an")
            and not phrase.named
        ):
            break  # an object is the first one, or its apposition
        tried = True
        if slot.role in ("VALUE", "OLD", "SKIP"):
            found = value_of(slot.sort, phrase, text)
            if found:
                return place, found
        elif slot.role == "WORD":
            if _has_head(phrase, slot.heads):
                return place, ""
        elif slot.role == "THING":
            if slot.sort == "tech" and not value_of("tech", phrase, text):
                continue
            if not phrase.pronoun and phrase.det not in ("a", "an", "your") and part.prep != "wh":
                return place, ""
        elif part.prep != "wh":
            return place, ""
    return -1, ""


_OBJECT_ONLY = frozenset(("",))


def _passes_over(slot: FrameSlot, first: Part) -> bool:
    """Whether an object is there that the slot does not take: "we moved a client to Postgres" is not about us."""
    return slot.preps == _OBJECT_ONLY and not first.prep and not first.phrase.pronoun


def _timed(slot: FrameSlot, clause: Clause, scene: Scene) -> tuple[int, str]:
    """A value that is a time is taken from the text of the clause, not from its phrases."""
    assert clause.verb is not None
    end = span_of(clause)[1]
    begin = clause.words[clause.verb.start].start
    if slot.sort == "date":
        found = dated_value(scene, begin, end)
    elif slot.sort == "birthdate":
        found = birthday_value(scene, begin, end)
    else:
        pattern = SLOT if slot.sort == "slot" else RECURRENCE
        wanted = "from" if "from" in slot.preps else "to" if slot.preps == {"to"} else ""
        found = next(
            (
                match.group().strip()
                for match in pattern.finditer(scene.text, begin, end)
                if _stands_after(wanted, scene.text[max(0, match.start() - 5) : match.start()].split())
            ),
            None,
        )
    return (_NO_PART, found) if found else (-1, "")


def _stands_after(wanted: str, before: Sequence[str]) -> bool:
    return before[-1:] == [wanted] if wanted else before[-1:] not in (["from"], ["not"])


_NO_PART = 1_000  # the place of a value that is not one of the parts


def _somebody_elses(subject: Phrase) -> bool:
    return subject.det in ("his", "her", "their", "your", "its") or any(word.tag & tags.OWNER for word in subject.words)


def _has_head(phrase: Phrase, heads: frozenset[str]) -> bool:
    """Whether the phrase is one of these words, or its last word before a companion is."""
    head = ""
    for word in phrase.core:
        if head and word.tag & tags.PREP and not word.tag & tags.NAME:
            break
        head = word.low
    return head in heads or singular(head) in heads or phrase.low in heads


def is_meeting(phrase: Phrase) -> bool:
    return singular(phrase.head.low) in _MEETINGS


_MEETINGS = listed("meetings")
