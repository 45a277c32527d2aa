"""A finding becomes a statement: how it was meant, when it holds, and the sentence that says so."""

from __future__ import annotations

import re

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.domain.periods import TimeMention
from recollect.domain.readings import Modality, Polarity, Statement, Tense
from recollect.language.rendering import rendered
from recollect.readers.rules.moods import Mood, dates_of
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.values import ahead

_STATED = 0.6  # of confidence: below it a value was only given away
_TIMES = frozenset(("date", "birthdate", "slot"))  # sorts of values that are times themselves


def told(finding: Finding, mood: Mood, scene: Scene, start: int, end: int) -> Statement | None:
    """The statement a finding makes, with the words from `start` to `end` as its quote; `None` if it cancels itself."""
    attribute, effect = finding.attribute, finding.effect
    ended = (mood.ended or effect == "ended") and effect not in ("goal", "named")
    if effect == "ended" and mood.negated:
        return None  # "I haven't left": nothing new
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
    passive_fact = known is None and finding.wording.startswith("{who}") and finding.who.kind != "user"
    if effect == "state" and mood.changes:
        mood = mood._replace(changes=False, past=mood.told_past)
    if finding.old and mood.past and effect != "past":
        mood = mood._replace(past=False, changes=True)  # in place of something: a change, whatever the verb
    dates = dates_of(
        mood,
        _times(finding, mood, scene, start, end),
        scene.at,
        ended=ended,
        past=effect == "past",
        happened=effect == "event",
        lasting=flagged(attribute, Flag.PAST_HOLDS) or passive_fact,
    )
    tense, modality = dates.tense, dates.modality
    if flagged(attribute, Flag.TO_COME):
        if tense is Tense.PAST:
            return None
        meant = mood.modality in (Modality.ASSERTED, Modality.PLANNED)
        tense, modality = Tense.FUTURE, Modality.ASSERTED if meant else mood.modality
    if flagged(attribute, Flag.AIM) and modality is Modality.SUPPOSED and effect == "goal":
        modality = Modality.ASSERTED
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
    if finding.effect in ("rule", "named") or finding.confidence < _STATED:
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
