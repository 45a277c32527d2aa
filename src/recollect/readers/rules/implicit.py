"""What a sentence gives away: a value that is only mentioned, told by the words around it.

"Put the winter tyres on the Panda" says what somebody drives without saying so. This is believed less than a
statement, and only where nothing else was read and nothing in the sentence takes it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import About, Flag
from recollect.language import tags
from recollect.language.relations import RELATIONS
from recollect.readers.rules.cueing import cues
from recollect.readers.rules.english.cues import FOR_A_WHILE, LESSONS, TELLING_HEADS
from recollect.readers.rules.frames import is_meeting
from recollect.readers.rules.kinds import is_own_kind, is_technology, kind_of, kind_of_command, version_apart
from recollect.readers.rules.naming import attribute_in, singular, thing_in
from recollect.readers.rules.phrases import Phrase, phrase_at
from recollect.readers.rules.quoting import is_a_letter, is_place, said
from recollect.readers.rules.scene import SLOT, Finding, Scene
from recollect.readers.rules.sentences import Sentence
from recollect.readers.rules.who import GENDERS, Who, could_be_person, project, thing, user
from recollect.readers.rules.words import Word

_GIVEN_AWAY = 0.55
_HINTED = 0.45

Mention = tuple[str, Phrase]  # the preposition before a phrase, and the phrase


def read_implicit(sentence: Sentence, scene: Scene) -> list[Finding]:
    """What a sentence gives away; at most one finding, the first in the order of the data."""
    text = scene.text[sentence.start : sentence.end].lower()
    mentions = list(_mentions(sentence.words))
    found = _meeting(sentence, mentions, scene) or _command(sentence, scene) or _version(mentions, scene)
    if found is not None:
        return [found]
    if not any(_may_tell(phrase, scene) for _, phrase in mentions) or _somebody_elses(sentence):
        return []
    for attribute, place, cue in cues():
        if flagged(attribute, Flag.PLACE) and _FOR_A_WHILE.search(text):
            continue  # "at my aunt's in Hue this month"
        if cue.search(text) is None or (place == "person" and not _of_oneself(sentence)):
            continue
        phrase = _placed(attribute, place, mentions, scene) or _placed(attribute, "kind", mentions, scene)
        if phrase is not None:
            return [_found(attribute, phrase, mentions, scene)]
    return _told_by_head(mentions, scene) or _possessed(mentions, scene) or _at_work(mentions, scene)


def _of_oneself(sentence: Sentence) -> bool:
    """Whether the speaker is in it: who did something to somebody's tooth is not everybody's dentist."""
    return any(word.low in _ONESELF for word in sentence.words)


_ONESELF = frozenset("i me my mine we us our".split())
_FOR_A_WHILE = re.compile(FOR_A_WHILE)


def _may_tell(phrase: Phrase, scene: Scene) -> bool:
    """Whether a phrase could be a value at all: a name, or something that tells its kind. Most phrases are neither."""
    if any(word.tag & (tags.NAME | tags.CODE) for word in phrase.words):
        return True
    words = phrase.words
    return any(
        kind_of(said(Phrase(words[begin : begin + size]), scene.text)) is not None
        for size in (1, 2)
        for begin in range(len(words) - size + 1)
    )


def _told_by_head(mentions: Sequence[Mention], scene: Scene) -> list[Finding]:
    """ "My Copperline card", "my cello teacher": the noun after the name tells what the name is."""
    for _, phrase in mentions:
        words = phrase.words
        if phrase.det not in ("the", "my", "our") or len(words) < 2:
            continue
        before, head = Phrase(words[:-1]), words[-1].low
        if all(word.tag & tags.NAME for word in before.words):
            attribute = next((name for name, heads in _TELLING_HEADS.items() if head in heads), "")
            if attribute and kind_of(said(before, scene.text)) in (None, attribute):
                return [Finding(user(scene.company), attribute, said(before, scene.text), confidence=_GIVEN_AWAY)]
        kind = kind_of(before.low)
        if phrase.det == "my" and head in _LESSONS and kind is not None and flagged(kind, Flag.PASTIME):
            return [Finding(user(scene.company), kind, said(before, scene.text), confidence=_GIVEN_AWAY)]
    return []


def _at_work(mentions: Sequence[Mention], scene: Scene) -> list[Finding]:
    """ "Increased the Kafka memory limit for the order service": a technology beside a part of the project."""
    for _, phrase in mentions:
        names = Phrase([word for word in phrase.words if word.tag & tags.NAME or word.text.islower()][:2])
        if not names.words:
            continue
        names = Phrase([word for word in names.words if word.tag & tags.NAME] or names.words[:1])
        kind = kind_of(said(names, scene.text)) if not is_a_letter(names, scene.text) else None
        known = attribute_named(kind) if kind is not None and is_technology(said(names, scene.text)) else None
        if known is None or known.about is not About.PROJECT or phrase.det in ("a", "an", "your"):
            continue
        subject = _thing_beside(phrase, mentions, scene)
        if subject.kind == "thing":
            return [Finding(subject, known.name, said(names, scene.text), confidence=_HINTED)]
    return []


def _possessed(mentions: Sequence[Mention], scene: Scene) -> list[Finding]:
    """ "My iPhone 15 is wet": whatever is said of it, it is mine."""
    for _, phrase in mentions:
        if phrase.det == "my" and phrase.words[0].tag & tags.NAME:
            kind = kind_of(said(phrase, scene.text))
            named = Phrase(list(takewhile(_is_of_a_name, phrase.words)))
            if kind_of(said(named, scene.text)) == kind:
                phrase = named  # "my Renault Zoe needs new tyres"
            known = attribute_named(kind) if kind is not None and is_own_kind(kind) else None
            if kind is not None and known is not None and known.about is not About.PROJECT:
                return [Finding(user(scene.company), kind, said(phrase, scene.text), confidence=_HINTED)]
    return []


def _is_of_a_name(word: Word) -> bool:
    return bool(word.tag & (tags.NAME | tags.NUM))


def _found(attribute: str, phrase: Phrase, mentions: Sequence[Mention], scene: Scene) -> Finding:
    known = attribute_named(attribute)
    about = known.about if known is not None else About.PERSON
    value = _value(attribute, phrase, scene)
    if about is About.PERSON:
        return Finding(user(scene.company), attribute, value, confidence=_GIVEN_AWAY)
    if about is About.EITHER:
        return Finding(user(scene.company), attribute, value, confidence=_HINTED)
    return Finding(
        _thing_beside(phrase, mentions, scene),
        attribute,
        value,
        confidence=_HINTED if flagged(attribute, Flag.PRACTICE) else _GIVEN_AWAY,
    )


def _value(attribute: str, phrase: Phrase, scene: Scene) -> str:
    """The phrase, cut down to the part that is of the kind: "nightly DuckDB backup" is DuckDB."""
    words = list(phrase.words)
    if not any(kind_of(said(Phrase(words[at:]), scene.text)) == attribute for at in range(len(words))):
        part = next((p for p in _parts(words) if kind_of(said(p, scene.text)) == attribute), None)
        if part is None:
            names = [word for word in words if word.tag & (tags.NAME | tags.NUM)]
            whole = flagged(attribute, Flag.HABITUAL) or not names
            return said(phrase, scene.text) if whole else scene.text[names[0].start : names[-1].end]
        words = list(part.words)
    plain = not flagged(attribute, Flag.WHOLE)
    while len(words) > 1 and plain and not words[-1].tag & (tags.NAME | tags.NUM) and _is(attribute, words[:-1], scene):
        words.pop()
    while (
        len(words) > 1
        and (plain or words[0].low in _LIGHT)
        and not words[0].tag & tags.NAME
        and _is(attribute, words[1:], scene)
    ):
        words.pop(0)
    value = said(Phrase(words), scene.text)
    reach = _REACH.match(scene.text, words[-1].end) if flagged(attribute, Flag.PRACTICE) else None
    return value + _without_the(reach.group()) if reach else value


def _is(attribute: str, words: Sequence[Word], scene: Scene) -> bool:
    return kind_of(said(Phrase(words), scene.text)) == attribute


def _parts(words: Sequence[Word]) -> Iterator[Phrase]:
    """Every run of words, the longest first."""
    for size in range(len(words), 0, -1):
        for begin in range(len(words) - size + 1):
            yield Phrase(words[begin : begin + size])


_LIGHT = frozenset(("usual", "morning", "daily", "regular", "favourite", "first", "good", "great", "nice"))


def _without_the(reach: str) -> str:
    """What belongs to a value ends where the next phrase begins."""
    return reach.partition(" the")[0]


_REACH = re.compile(r" (?:with|per) [\w-]+(?: (?!(?:for|in|on|the|of|to|and|is|are|was)\b)[\w-]+)?(?= |[.,;]|$)")


def _placed(attribute: str, place: str, mentions: Sequence[Mention], scene: Scene) -> Phrase | None:
    for prep, phrase in mentions:
        if place == "kind":
            if _holds_kind(attribute, phrase, scene) and not (
                flagged(attribute, Flag.ANIMAL) and phrase.det in ("a", "an")
            ):
                return phrase
        elif place == "my thing":
            if phrase.det == "my" and kind_of(said(phrase, scene.text)) == attribute:
                return phrase
        elif place == "the Name":
            if (
                phrase.det in ("the", "my", "our")
                and _is_named_thing(phrase, scene)
                and kind_of(said(phrase, scene.text)) == attribute
            ):
                return phrase
        elif place == "person":
            if (
                not prep
                and phrase is mentions[0][1]
                and could_be_person(phrase)
                and phrase.words[0].low not in RELATIONS
            ):
                return phrase
        elif place == "with Person":
            if prep == "with" and could_be_person(phrase):
                return phrase
        elif place.endswith(" Person"):
            if prep in place.partition(" ")[0].split("|") and could_be_person(phrase):
                return phrase
        elif (
            prep in place.partition(" ")[0].split("|")
            and _is_own_name(phrase, scene)
            and _plausible(attribute, phrase, scene)
        ):
            return phrase
    return None


def _holds_kind(attribute: str, phrase: Phrase, scene: Scene) -> bool:
    words = phrase.words
    return any(
        kind_of(said(Phrase(words[begin : begin + size]), scene.text)) == attribute
        for size in (3, 2, 1)
        for begin in range(len(words) - size + 1)
    )


def _is_named_thing(phrase: Phrase, scene: Scene) -> bool:
    return bool(phrase.words[0].tag & tags.NAME)


def _is_own_name(phrase: Phrase, scene: Scene) -> bool:
    """A name by itself: "at Ovalis", "in Ghent", not "in the Ovalis building" and not "with Father"."""
    return (
        phrase.words[0].low not in RELATIONS
        and all(word.tag & (tags.NAME | tags.NUM | tags.PUNCT | tags.CONJ | tags.DET) for word in phrase.words)
        and phrase.det in ("", "the")
    )


def _plausible(attribute: str, phrase: Phrase, scene: Scene) -> bool:
    value = said(phrase, scene.text)
    if flagged(attribute, Flag.PLACE):
        return is_place(value) or (kind_of(value) is None and phrase.words[0].low not in GENDERS)
    return not is_place(value) and kind_of(value) in (None, attribute) and phrase.words[0].low not in GENDERS


def _meeting(sentence: Sentence, mentions: Sequence[Mention], scene: Scene) -> Finding | None:
    """ "Late for the Thursday 11:15 team call": a slot inside the name of a meeting."""
    slot = SLOT.search(scene.text, sentence.start, sentence.end)
    if slot is None or ":" not in slot.group():
        return None
    for at, word in enumerate(sentence.words):
        if word.start < slot.end():
            continue
        if word.start > slot.end() + 1:
            return None
        phrase, _ = phrase_at(sentence.words, at, len(sentence.words))
        if phrase is None or not is_meeting(phrase):
            return None
        called = attribute_in(phrase.core)
        return Finding(
            project(),
            called.attribute if called is not None else "team_meeting",
            slot.group().strip(),
            confidence=_GIVEN_AWAY,
        )
    return None


def _command(sentence: Sentence, scene: Scene) -> Finding | None:
    """A command for tests that is said to have done something: it is the one in use."""
    for word in sentence.words:
        if word.tag & tags.CODE and kind_of_command(word.text):
            return Finding(project(), "test_command", word.text.strip("`"), confidence=_GIVEN_AWAY)
    return None


def _version(mentions: Sequence[Mention], scene: Scene) -> Finding | None:
    for _, phrase in mentions:
        for begin in range(len(phrase.words) - 1):
            pair = version_apart(said(Phrase(phrase.words[begin : begin + 2]), scene.text))
            if pair is not None:
                subject = _thing_beside(phrase, mentions, scene)
                if subject.kind == "thing":
                    return Finding(subject, f"{pair[0].lower()} version", pair[1], confidence=_GIVEN_AWAY)
    return None


def _thing_beside(value: Phrase, mentions: Sequence[Mention], scene: Scene) -> Who:
    """The part of the project a sentence is about: "of billing", "in the worker", "the API secrets"."""
    for prep, phrase in mentions:
        if phrase is value or prep not in ("of", "for", "in", "behind") or phrase.det not in ("", "the", "our", "my"):
            continue
        if (phrase.named and not phrase.words[0].text.isupper()) or is_technology(said(phrase, scene.text)):
            continue
        name = thing_in(phrase.core)
        if name and not phrase.words[0].tag & tags.TIME and singular(phrase.head.low) == phrase.head.low:
            return thing(name)
    for _, phrase in mentions:
        inner = phrase.words
        if "of" in [word.low for word in inner]:
            at = [word.low for word in inner].index("of")
            rest = [word for word in inner[at + 1 :] if not word.tag & tags.DET]
            name = thing_in(rest) if rest else ""
            if name and not rest[0].tag & tags.NAME:
                return thing(name)
        first = inner[0]
        if (
            phrase.det == "the"
            and first.text.isupper()
            and len(first.text) > 1
            and phrase is not value
            and not is_technology(first.text)
        ):
            return thing(first.low)
    return project()


def _somebody_elses(sentence: Sentence) -> bool:
    """Whether a sentence is about somebody else's things: it begins with them."""
    first = sentence.words[0]
    if first.low in ("his", "her", "their", "your"):
        return True
    if any(word.low in ("his", "her") and _is_of_a_name(after) for word, after in pairwise(sentence.words)):
        return True  # "somebody parked her Panda in front of our gate"
    if first.low == "the" and any(
        word.low in ("team", "department", "company", "group") for word in sentence.words[1:4]
    ):
        return True
    relation = sentence.words[1].low if len(sentence.words) > 1 and first.low in ("my", "our", "a") else ""
    return relation in RELATIONS and relation not in ("trainer", "onboarding", "landlord", "landlady", "coach")


def _mentions(words: Sequence[Word]) -> Iterator[Mention]:
    at = 0
    prep = ""
    while at < len(words):
        word = words[at]
        if word.tag & tags.PREP and not word.tag & tags.NAME:
            prep = word.low
            at += 1
            continue
        if word.tag & (tags.TIME | tags.PUNCT) or (
            word.tag & (tags.SUBJECT | tags.OBJECT) and not word.tag & (tags.NAME | tags.POSS)
        ):
            prep = ""
            at += 1
            continue
        phrase, after = phrase_at(words, at, len(words))
        if phrase is None:
            prep = ""
            at += 1
            continue
        of = next((n for n in range(at + 1, after) if words[n].low == "of"), 0)
        if of and phrase.core and phrase.core[-1].start < words[of].start:
            yield prep, Phrase(phrase.core, phrase.det)
            prep, at = "of", of + 1
            continue
        yield prep, phrase
        prep = ""
        at = after


_TELLING_HEADS = {attribute: frozenset(heads.split()) for attribute, heads in TELLING_HEADS.items()}
_LESSONS = frozenset(LESSONS.split())
