"""A finding becomes a statement, if it is certain: how it was meant, when it holds, and the sentence that says so.

The message itself is always kept and found, so that a wrong fact costs more than a missing one. A finding is certain if
it was asserted by the speaker, in no condition and in nobody else's words, of somebody who can only be the one meant. A
change begins at its time, an end ends at it, a state that is over held then. A plan becomes certain when it has a date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.domain.dataclass import replace
from recollect.domain.periods import Period, TimeMention, TimeRelation
from recollect.domain.readings import Modality, Polarity, Statement, Tense
from recollect.language import tags
from recollect.language.english.closed_words import EMPTY_VALUES, MONTHS, WEEKDAYS
from recollect.language.lexicon import CHANGING
from recollect.language.rendering import rendered
from recollect.language.times.finder import resolve
from recollect.readers.rules import cues
from recollect.readers.rules.clauses import Clause
from recollect.readers.rules.naming import is_place, is_technology
from recollect.readers.rules.scene import GENDERS, Company, Finding, Scene
from recollect.readers.rules.verbs import Verb
from recollect.readers.rules.vocabulary import TECHNOLOGY, listed
from recollect.readers.rules.words import ABBREVIATED, Phrase, phrase_at

_CONDITIONS, _OPINIONS = listed("conditions"), listed("opinions")
_GOING_ON = frozenset(("and", "or", ",", "but"))
_ONESELF = frozenset(("i", "we", "it"))
_NOT_DONE = frozenset(("liked", "disliked", "skilled"))


def unasserted(clauses: Sequence[Clause]) -> frozenset[int]:
    """The places of the clauses that the speaker does not assert: conditions, and what others say or think."""
    if any(clause.link in _CONDITIONS for clause in clauses):
        return frozenset(range(len(clauses)))
    found: set[int] = set()
    for at, clause in enumerate(clauses[1:], start=1):
        before = clauses[at - 1]
        saying = before.verb is not None and before.verb.lemma in _OPINIONS and not before.verb.chain
        doubted = (clause.link == ":" and saying) or (clause.link == "that" and not _vouched_for(before))
        if doubted or (clause.link in _GOING_ON and at - 1 in found):
            found.add(at)
    return frozenset(found)


def _vouched_for(clause: Clause) -> bool:
    """Whether the speaker stands for what follows: "I found out that", not "Ben thinks" or "it's a lie that"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or verb.negated or verb.modal or verb.lemma in _OPINIONS:
        return False
    if any(part.phrase.head.low in _OPINIONS for part in clause.parts):
        return False
    return subject is None or subject.low in _ONESELF


def is_certain(finding: Finding, clause: Clause, company: Company) -> bool:
    """Whether it is certain of whom, and of what sort of thing, a finding is."""
    if finding.rule == "frames" and clause.verb is not None and not _NOT_DONE.isdisjoint(clause.verb.chain):
        return False  # "I hate living with you in Berlin" does not say that it is done
    if finding.effect in ("ended", "negated", "named"):
        return True
    subject = clause.subject
    if finding.rule == "frames" and len(clause.parts) > 1 and clause.verb and "never" in clause.verb.adverbs:
        return False  # "I never drink coffee after noon" says little of coffee
    if clause.link == ":" and finding.who.kind == "project":
        return False  # a label before it says what it is about
    if subject is None and (company.people or company.unnamed) and finding.who.kind == "user":
        return False  # "going to Rome", after somebody was spoken of
    if finding.who.kind == "person" and subject is not None and not subject.pronoun and _is_a_word(subject, clause):
        return False  # a capital at the beginning of a sentence makes no name
    if finding.rule == "copula" and clause.lead and clause.link in ("and", "or"):
        return False  # of a list before the verb only the end was read
    if finding.rule == "frames" and _is_limited(clause):
        return False
    if finding.rule == "frames" and finding.attribute in TECHNOLOGY and not is_technology(finding.value):
        return False  # "went to Rome" is no deployment
    if finding.rule == "frames" and clause.verb is not None and not clause.verb.passive and clause.part("by"):
        return False  # "all of it goes to Fly by Easter": a limit, and not yet so
    if finding.rule == "frames" and flagged(finding.attribute, Flag.PROPER_NAME) and not _is_called(finding, clause):
        return False  # "she's Adventist"
    if finding.who.kind == "thing" and finding.who.key.partition(":")[2] in _EMPTY:
        return False  # "one service is in Go"
    if finding.rule == "frames" and flagged(finding.attribute, Flag.PLACE) and _goes_elsewhere(clause):
        return False
    complement = clause.part("")
    defined = complement is not None and complement.det == "the"
    return not (
        defined and flagged(finding.attribute, Flag.TRADE) and finding.who.kind != "user"
    )  # "she is the winner"


def _is_limited(clause: Clause) -> bool:
    """Whether somebody is something only now and then: "he's vegan on weekdays"."""
    complement = clause.part("")
    if clause.verb is None or clause.verb.lemma != "be" or complement is None:
        return False
    after = [word for word in clause.words if word.start >= complement.end][:2]
    return any(word.low in _RECURRING for word in after)


_RECURRING = frozenset(f"{WEEKDAYS.replace(' ', 's ')}s weekdays weekends mornings evenings nights afternoons".split())


def _is_called(finding: Finding, clause: Clause) -> bool:
    """Whether a name is the speaker's own, or that of whom somebody is called by it."""
    return finding.who.kind == "user" or clause.verb is None or clause.verb.passive or clause.subject is None


def _goes_elsewhere(clause: Clause) -> bool:
    """Whether somebody only could be in a place, or moves something else there: "I've moved us to Bottleco"."""
    verb = clause.verb
    return verb is not None and (verb.modal == "can" or (verb.lemma == "move" and clause.part("") is not None))


def _is_a_word(subject: Phrase, clause: Clause) -> bool:
    first = subject.words[0]
    opens = first.start == clause.words[0].start
    return opens and bool(first.tag & (tags.NOUN | tags.VERB | tags.ADV | tags.ADJ | tags.TIME))


_WHEN = frozenset(f"{MONTHS} {WEEKDAYS} weekend {WEEKDAYS.replace(' ', 's ')}s weekends".split())
_EMPTY = frozenset(EMPTY_VALUES.split())
_TIMED = frozenset(("age", "birthdate", "date", "slot"))  # sorts of values that are times


def is_sound(finding: Finding, clause: Clause, text: str) -> bool:
    """Whether a finding can be what somebody meant to say in a text."""
    words = finding.value.casefold().split()
    last = words[-1].rstrip(".") if words else ""
    if not words or all(word.strip(".,!?") in _EMPTY for word in words):
        return False
    denied = finding.effect or (clause.verb is not None and clause.verb.negated)
    if not denied and finding.attribute in (finding.value.casefold(), f"{finding.value.casefold()}s"):
        return False  # "I have a pet": which?
    said = [word for word in clause.words if word.text in finding.value.split() and not word.low.isdigit()]
    if said and not _is_a_time(finding.attribute) and all(word.tag & tags.TIME or word.low in _WHEN for word in said):
        return False  # "in May" says when
    if finding.rule == "frames" and _is_an_owner(finding, clause, text):
        return False  # "moved into Hana's": hers is not said
    if _is_cut(finding.value, clause.words[0].start, text):
        return False
    if finding.rule == "frames" and not _is_a_time(finding.attribute) and last in _RECURRING | _WHEN and len(words) > 1:
        return False  # "in Chennai Monday to Friday"
    if flagged(finding.attribute, Flag.TO_COME) and words[0].isdigit() and int(words[0]) > 1:
        return False  # "I have 38 interviews": a count, not a date
    named = flagged(finding.attribute, Flag.PROPER_NAME) and finding.who.kind == "user"
    return not named or _names_the_speaker(clause)


def _is_cut(value: str, start: int, text: str) -> bool:
    """Whether only a part was read: "inch truss" of a "16-inch truss", "5" of "5'2", a name that is spelled on."""
    at = text.find(value, start)
    if at < 0:
        return False
    short = value.rpartition(" ")[2].casefold() in _CUT_SHORT and text[at + len(value) :].startswith(". ")
    return short or bool(_BEFORE.search(text, max(0, at - 2), at) or _BEHIND.match(text, at + len(value)))


def _is_an_owner(finding: Finding, clause: Clause, text: str) -> bool:
    """Whether the value only says whose something is, and not what."""
    begin = clause.words[clause.verb.start].end if clause.verb is not None else clause.words[0].start
    at = text.find(finding.value, begin)
    return at >= 0 and _OWNING.match(text, at + len(finding.value)) is not None


_OWNING = re.compile(r"['’]s\b")
_BEFORE = re.compile(r"\w[-'’]\Z")
_BEHIND = re.compile(r"['’]\d|-\w|(?<= [A-Z]) [A-Z]\b|(?<=\.[A-Z])\. |, (?:[A-Z]\.){2}")
_CUT_SHORT = ABBREVIATED - {"inc", "ltd", "corp", "co", "jr", "sr"}


def _is_a_time(attribute: str) -> bool:
    known = attribute_named(attribute)
    return known is not None and (known.value in _TIMED or Flag.UNTIMED in known.flags)


def _names_the_speaker(clause: Clause) -> bool:
    """ "My name is" and "I'm" do; "we're Dosecerta" is a company, and a bare "name is" the name of something else."""
    subject = clause.subject
    return subject is None or subject.low in ("i", "you", "me") or subject.det == "my"


_COUNTERFACTUAL = re.compile(cues.COUNTERFACTUAL, re.IGNORECASE)
_SOME_TIME = re.compile(cues.SOME_TIME, re.IGNORECASE)
_TIMES_TO_COME = listed("times_to_come")
_IMAGINING = listed("imagining")
_SUPPOSING_MODALS = listed("supposing_modals")
_LIKENING = listed("likening")
_HALF_HEARTED = listed("half_hearted")
_BY_EFFECT = {"planned": Modality.PLANNED, "wished": Modality.WISHED, "supposed": Modality.SUPPOSED}
_ANY_MORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_NO_MORE = re.compile(r"\bno more[\s.!]*$", re.IGNORECASE)


class Mood(NamedTuple):
    """How a clause was meant. `ended` if it no longer holds, `past` if it held before, `coming` if it is to come.

    `changes` if the verb tells of a change: its past is the beginning of what holds now, and its present is `ahead`.
    `told_past` if the verb itself is in the past.
    """

    modality: Modality = Modality.ASSERTED
    negated: bool = False
    ended: bool = False
    past: bool = False
    coming: bool = False
    changes: bool = False
    perfect: bool = False
    ahead: bool = False
    told_past: bool = False


def is_over(text: str) -> bool:
    """Whether something that is denied held before: "no coffee any more"."""
    return _ANY_MORE.search(text) is not None


def is_unreal(clause: Clause, before: Clause | None, text: str) -> bool:
    """Whether a clause is only imagined: a condition, "almost", "let's say". Nothing at all follows from it."""
    if clause.link in _CONDITIONS or _COUNTERFACTUAL.search(text) or _is_made_up(clause):
        return True
    label = clause.lead[0].low if clause.link == ":" and clause.lead else ""
    if label in GENDERS or label in _IMAGINING:
        return True  # "Anna: I live in Rome"
    if clause.link in _TIMES_TO_COME and clause.verb is not None and not (clause.verb.past or clause.verb.perfect):
        return True  # "when I have kids"
    if before is not None and clause.link in ("that", "if", "whether", ":", "") and before.verb is not None:
        return before.verb.lemma in _IMAGINING and not before.verb.past
    return False


def _is_made_up(clause: Clause) -> bool:
    """ "In my novel I live in Rome", "in The Sims I have two kids"."""
    opening = phrase_at(clause.lead, 1, len(clause.lead))[0] if clause.lead and clause.lead[0].low in _INSIDE else None
    if opening is not None and opening.head.tag & tags.NAME and not is_place(opening.low):
        return not is_technology(opening.words[0].text)
    inside = [opening, *(part.phrase for part in clause.parts if part.prep in _INSIDE)]
    return any(phrase is not None and phrase.head.low in _FICTIONS for phrase in inside)


_INSIDE = frozenset(("in", "inside"))
_FICTIONS = frozenset("novel book story tale game movie film play dream dreams comic series script simulation".split())


def mood_of(clause: Clause, text: str, *, hedged: bool) -> Mood:
    """The mood of a clause; `text` is the clause's own."""
    verb = clause.verb
    if verb is None:
        return Mood(Modality.SUPPOSED if hedged else Modality.ASSERTED)
    modality = _modality(clause, verb, text, hedged=hedged)
    ended = _ends(verb, text)
    negated = (verb.negated and not ended) or "hardly" in verb.adverbs
    changes = verb.lemma in CHANGING or "started" in verb.chain or ("decided" in verb.chain and verb.past)
    past = "past" in verb.chain or (verb.past and not changes and not ended and not verb.perfect)
    coming = verb.modal in ("will", "shall")
    under_way = verb.progressive and verb.lemma in CHANGING and not verb.past and not verb.passive
    if (coming or under_way) and modality is Modality.ASSERTED:
        # It is to come, and planned unless a date makes it certain.
        coming, modality = True, Modality.PLANNED
    ahead = (changes or coming) and not verb.past and not verb.perfect
    return Mood(modality, negated, ended, past, coming, changes, verb.perfect, ahead, verb.past and not verb.perfect)


def _modality(clause: Clause, verb: Verb, text: str, *, hedged: bool) -> Modality:
    """Whether a clause is asserted, planned or supposed, by its verb."""
    modality = Modality.ASSERTED
    for effect in verb.chain:
        modality = _BY_EFFECT.get(effect, modality)
    if "obliged" in verb.chain and not verb.past:
        modality = Modality.SUPPOSED
    conditional = _is_conditional(clause)
    unable = verb.modal == "could" and verb.negated  # "couldn't think" is what happened
    if (verb.modal in _SUPPOSING_MODALS and not unable and modality is Modality.ASSERTED) or conditional:
        modality = Modality.SUPPOSED
    to_come = not verb.form & tags.PAST and not verb.perfect and _SOME_TIME.search(text) is not None
    doubtful = hedged or to_come or _is_half_hearted(verb)
    return Modality.SUPPOSED if doubtful and modality is Modality.ASSERTED else modality


def _ends(verb: Verb, text: str) -> bool:
    over = "no longer" in verb.adverbs or _NO_MORE.search(text) is not None
    return over or (verb.negated and is_over(text)) or "stopped" in verb.chain


def _is_conditional(clause: Clause) -> bool:
    return clause.link in _CONDITIONS or any(word.low in _CONDITIONS for word in clause.lead)


def _is_half_hearted(verb: Verb) -> bool:
    likened = (verb.lemma == "be" or verb.passive) and not _LIKENING.isdisjoint(verb.adverbs)
    return likened or not _HALF_HEARTED.isdisjoint(verb.adverbs)


class Dates(NamedTuple):
    """The tense of a statement, and its times."""

    tense: Tense = Tense.PRESENT
    since: Period | None = None
    until: Period | None = None
    occurred: Period | None = None
    modality: Modality = Modality.ASSERTED
    up_to_now: bool = False


def dates_of(
    mood: Mood, times: Sequence[TimeMention], at: datetime, *, ended: bool, happened: bool, lasting: bool
) -> Dates:
    """How the times of a clause bear on it.

    `ended` if it is over, `happened` if it is an event, `lasting` if it holds for good whatever the tense of its verb.
    """
    tense = Tense.PAST if mood.past and not lasting and not ended else Tense.PRESENT
    modality = mood.modality
    since = until = occurred = None
    up_to_now = False
    for time in times:
        period, relation = time.period, time.relation
        if relation is TimeRelation.UNTIL or relation is TimeRelation.BEFORE:
            until = period
            continue
        if relation is TimeRelation.SINCE or relation is TimeRelation.AFTER:
            if period.start > at and not ended:
                tense = Tense.FUTURE
            since = since or period
            up_to_now = up_to_now or relation is TimeRelation.SINCE
            continue
        if happened:
            occurred = occurred or period
        elif ended:
            until = until or period
        elif tense is Tense.PAST:
            occurred = occurred or period
        elif period.start > at:
            tense, since = Tense.FUTURE, since or period
        elif mood.changes:
            since = since or period
    if mood.coming and tense is Tense.PRESENT:
        tense = Tense.FUTURE
    if tense is Tense.FUTURE and since is not None and mood.coming and modality is Modality.PLANNED:
        modality = Modality.ASSERTED
    if happened:
        tense = Tense.PAST
    return Dates(tense, since, until, occurred, modality, up_to_now and tense is Tense.PRESENT and not ended)


_STATED = 0.6  # of confidence: below it a value was only given away
_TIMES = frozenset(("date", "birthdate", "slot"))  # sorts of values that are times themselves


def told(finding: Finding, mood: Mood, scene: Scene, start: int, end: int) -> Statement | None:
    """The statement a finding makes, with the words from `start` to `end` as its quote; `None` if it cancels itself."""
    attribute, effect = finding.attribute, finding.effect
    ended = (mood.ended or effect == "ended") and effect != "named"
    if effect == "ended" and mood.negated:
        return None  # "I haven't left": nothing new
    if effect == "state" and mood.changes:
        mood = mood._replace(changes=False, past=mood.told_past)  # "I went to Oakwood School": no longer
    negated = (mood.negated or effect == "negated") and effect != "named"
    if effect == "named":
        mood = Mood()  # "my sister Ana might move" still says that the sister is called Ana
    known = attribute_named(attribute)
    if known is not None and known.opposite and negated and not ended:
        attribute, negated = known.opposite, False
        known = attribute_named(attribute)
    if flagged(attribute, Flag.NEGATIVE) and effect != "negated":
        negated = False
    if _tells_nothing(attribute, mood, negated=negated):
        return None
    if finding.old and mood.past:
        mood = mood._replace(past=False, changes=True)  # in place of something: a change, whatever the verb
    dates = dates_of(
        mood,
        _times(finding, mood, scene, start, end),
        scene.at,
        ended=ended,
        happened=effect == "event",
        lasting=flagged(attribute, Flag.PAST_HOLDS),
    )
    tense, modality = dates.tense, dates.modality
    if flagged(attribute, Flag.TO_COME):
        if tense is Tense.PAST:
            return None
        meant = mood.modality in (Modality.ASSERTED, Modality.PLANNED)
        tense, modality = Tense.FUTURE, Modality.ASSERTED if meant else mood.modality
    polarity = Polarity.ENDED if ended else Polarity.NEGATED if negated else Polarity.AFFIRMED
    many = finding.many if finding.many is not None else known is not None and known.many
    replaces = finding.old or (scene.wrong if scene.corrects else "")
    value = finding.value
    text = rendered(
        finding.who.called,
        attribute,
        known,
        value,
        wording=finding.wording,
        polarity=polarity,
        tense=tense,
        modality=modality,
        since=dates.since,
        until=dates.until,
        occurred=dates.occurred,
    )
    return Statement(
        subject=finding.who.key,
        attribute=attribute,
        value=value,
        text=text,
        quote=scene.text[start:end].strip(),
        many=many,
        polarity=polarity,
        modality=modality,
        tense=tense,
        since=dates.since,
        until=dates.until,
        occurred=dates.occurred,
        up_to_now=dates.up_to_now,
        corrects=scene.corrects and modality is Modality.ASSERTED,
        replaces=replaces or None,
        confidence=round(finding.confidence * (0.9 if mood.perfect else 1.0), 3),
        presupposed=effect == "named",
        start=start,
        end=end,
        read_by=(f"rules:{finding.rule}",),
    )


def _tells_nothing(attribute: str, mood: Mood, *, negated: bool) -> bool:
    if negated and (flagged(attribute, Flag.NEVER_DENIED) or mood.changes or mood.perfect):
        return True  # "I haven't moved yet" tells nothing new
    if flagged(attribute, Flag.ONLY_NOW) and mood.past:
        return True  # "when I was 10"
    return flagged(attribute, Flag.MOMENTARY) and mood.perfect  # "we've been together 2 years"


def _times(finding: Finding, mood: Mood, scene: Scene, start: int, end: int) -> list[TimeMention]:
    """The times that bear on a finding: not those that are its value, and none on what is only given away."""
    known = attribute_named(finding.attribute)
    if finding.effect == "named" or finding.confidence < _STATED:
        return []
    if known is not None and (known.value in _TIMES or Flag.UNTIMED in known.flags):
        return []
    if flagged(finding.attribute, Flag.MOMENTARY) and not mood.changes:
        return []  # "I'm 48 with a back from 1950"
    value_at = scene.text.find(finding.value, start, end)
    times = [
        time
        for time in scene.times_in(start, end)
        if time.text not in finding.value and not (time.text.isdigit() and 0 <= value_at - time.end <= 1)
    ]  # "a 2014 Corolla" says how old the car is
    coming = mood.ahead or not (mood.told_past or mood.perfect)
    return [ahead(time, scene) if mood.ahead or (coming and _FROM.match(time.text)) else time for time in times]


_FROM = re.compile(r"(?:starting )?from\b", re.IGNORECASE)  # with a present: it is to come


def ahead(time: TimeMention, scene: Scene) -> TimeMention:
    """The same time, read as one that is to come where the words leave it open: "on 1 June"."""
    if time.period.start > scene.at or _FIXED.search(time.text):
        return time
    later = resolve(time.text, at=scene.at, zone=scene.zone, lean="future")
    return replace(time, period=later) if later is not None else time


_FIXED = re.compile(r"\d{4}|\b(?:last|ago|yesterday|today|this|since|previous|past)\b", re.IGNORECASE)
