"""How a clause was meant, as a fact, a plan, a wish or a possibility, and when it holds.

The verb group says most of it. The rest is in the words around: a condition, "rumour has it", a verb of wishing in
the clause before.

A change begins at its time, an end ends at it, a state that is over held then. What is only planned becomes certain
when it has a date. Nothing is ever dated "today" because no time was told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from recollect.domain.periods import Period, TimeMention, TimeRelation
from recollect.domain.readings import Modality, Tense
from recollect.language.lexicon import CHANGING
from recollect.readers.rules.english import cues
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.verbs import Verb
from recollect.readers.rules.syntax.words import Word

_HEDGES = re.compile(cues.HEDGES, re.IGNORECASE)
_COUNTERFACTUAL = re.compile(cues.COUNTERFACTUAL, re.IGNORECASE)
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


def is_hedged(words: Sequence[Word], text: str) -> bool:
    """Whether something in a sentence makes all of it uncertain."""
    if cues.HEDGE_TRIGGERS.isdisjoint(word.low for word in words):
        return False
    return _HEDGES.search(text) is not None


def is_over(text: str) -> bool:
    """Whether something that is denied held before: "no coffee any more"."""
    return _ANY_MORE.search(text) is not None


def is_unreal(clause: Clause, before: Clause | None, text: str) -> bool:
    """Whether a clause is only imagined: a condition, "almost", "let's say". Nothing at all follows from it."""
    if clause.link in cues.CONDITIONS or _COUNTERFACTUAL.search(text):
        return True
    if clause.link in cues.TIMES_TO_COME and clause.verb is not None and not (clause.verb.past or clause.verb.perfect):
        return True  # "when I have kids"
    if (
        before is not None
        and before.link in cues.CONDITIONS
        and clause.verb is not None
        and clause.verb.modal == "would"
    ):
        return True
    if before is not None and clause.link in ("that", "if", "whether", "") and before.verb is not None:
        return before.verb.lemma in cues.IMAGINING and not before.verb.past
    return False


def mood_of(clause: Clause, before: Clause | None, text: str, *, hedged: bool, asks: bool) -> Mood:
    """The mood of a clause; `text` is the clause's own."""
    verb = clause.verb
    if verb is None:
        return Mood(Modality.ASKED if asks else Modality.SUPPOSED if hedged else Modality.ASSERTED)
    modality = Modality.ASKED if asks else _modality(clause, verb, before, hedged=hedged)
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


def _modality(clause: Clause, verb: Verb, before: Clause | None, *, hedged: bool) -> Modality:
    """Whether a clause is asserted, planned or supposed, by its verb and by the clause before it."""
    modality = Modality.ASSERTED
    for effect in verb.chain:
        modality = _BY_EFFECT.get(effect, modality)
    if "obliged" in verb.chain and not verb.past:
        modality = Modality.SUPPOSED
    conditional = _is_conditional(clause)
    unable = verb.modal == "could" and verb.negated  # "couldn't think" is what happened
    if (verb.modal in cues.SUPPOSING_MODALS and not unable and modality is Modality.ASSERTED) or conditional:
        modality = Modality.SUPPOSED
    if before is not None and before.link in cues.CONDITIONS and (verb.modal or conditional):
        modality = Modality.SUPPOSED
    if before is not None and clause.link in ("that", "if", "whether") and before.verb is not None:
        modality = _BY_EFFECT.get(cues.REPORTED.get(before.verb.lemma, ""), modality)
    doubtful = hedged or _is_half_hearted(verb)
    return Modality.SUPPOSED if doubtful and modality is Modality.ASSERTED else modality


def _ends(verb: Verb, text: str) -> bool:
    over = "no longer" in verb.adverbs or _NO_MORE.search(text) is not None
    return over or (verb.negated and is_over(text)) or "stopped" in verb.chain


def _is_conditional(clause: Clause) -> bool:
    return clause.link in cues.CONDITIONS or any(word.low in cues.CONDITIONS for word in clause.lead)


def _is_half_hearted(verb: Verb) -> bool:
    likened = (verb.lemma == "be" or verb.passive) and not cues.LIKENING.isdisjoint(verb.adverbs)
    return likened or not cues.HALF_HEARTED.isdisjoint(verb.adverbs)


class Dates(NamedTuple):
    """The tense of a statement, and its times."""

    tense: Tense = Tense.PRESENT
    since: Period | None = None
    until: Period | None = None
    occurred: Period | None = None
    modality: Modality = Modality.ASSERTED
    up_to_now: bool = False


def dates_of(
    mood: Mood, times: Sequence[TimeMention], at: datetime, *, ended: bool, past: bool, happened: bool, lasting: bool
) -> Dates:
    """How the times of a clause bear on it.

    `ended` if it is over, `past` if it is told as history, `happened` if it is an event, `lasting` if it holds
    for good whatever the tense of its verb.
    """
    tense = Tense.PAST if past or (mood.past and not lasting and not ended) else Tense.PRESENT
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
        elif _long_gone(period, at):
            occurred = occurred or period
    if mood.coming and tense is Tense.PRESENT:
        tense = Tense.FUTURE
    if tense is Tense.FUTURE and since is not None and mood.coming and modality is Modality.PLANNED:
        modality = Modality.ASSERTED
    if happened:
        tense = Tense.PAST
    return Dates(tense, since, until, occurred, modality, up_to_now and tense is Tense.PRESENT and not ended)


def _long_gone(period: Period, at: datetime) -> bool:
    return period.end <= at
