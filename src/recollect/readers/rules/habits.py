"""Tastes, habits, rules and decisions: clauses whose value is what somebody does, likes or has agreed to do."""

from __future__ import annotations

import re

from recollect.attributes.catalogue import attribute_stated, flagged
from recollect.attributes.records import Flag
from recollect.language import tags
from recollect.readers.rules.scene import RECURRENCE, Finding, Scene, span_of
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.values import rest_of
from recollect.readers.rules.who import Who, project

_EMPTY_VERBS = frozenset(
    "be have do think know see mean say hear feel want need seem look try go get make let wonder guess mind work "
    "talk chat meet".split()
)
_ALL = frozenset(("every", "each", "all"))
_UNNAMED = frozenset(("it", "this", "that", "him", "her", "them", "you"))  # a habit with them says nothing by itself


def read_habits(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """Read a clause by what somebody does in it: at most one finding."""
    verb = clause.verb
    if verb is None or verb.passive or clause.link == "that" or clause.link == "which":
        return []
    if clause.subject is not None and clause.subject.start < clause.words[0].start and not verb.chain:
        return []  # a subject borrowed from the clause before is not enough for a habit
    if who is None:
        return _rule_for_all(clause, scene)
    if not who.personal or verb.modal:
        return _rule_for_all(clause, scene)
    for effect in verb.chain:
        if (attribute := attribute_stated(effect)) and who.kind != "project":
            doing = _doing(clause, scene)
            if any(word.low in _UNNAMED or word.low in ("these", "those") for word in clause.words[verb.start :]):
                return []
            return [Finding(who, attribute, doing)] if doing else []
    if who.kind != "user":
        return []
    if {"stopped", "started"} & set(verb.chain) and flagged(kind_of(_doing(clause, scene)), Flag.PASTIME):
        return [Finding(who, kind_of(_doing(clause, scene)) or "", _doing(clause, scene))]
    if verb.past or verb.perfect or verb.progressive or verb.chain or verb.form & tags.ING:
        return []
    often = next((adverb for adverb in verb.adverbs if adverb in ("always", "never")), "") or _often(clause)
    if any(
        part.phrase.det in ("this", "that", "these", "those") or part.phrase.low in _UNNAMED for part in clause.parts
    ):
        return []
    if often and verb.lemma not in _EMPTY_VERBS and clause.parts:
        subject, attribute = (project(), "conventions") if who.plural else (who, "habits")
        return [Finding(subject, attribute, f"{often} {_doing(clause, scene)}", effect="rule")]
    if (
        who.plural
        and any(part.phrase.det in _ALL and part.phrase.head.low != "other" for part in clause.parts)
        and verb.lemma not in _EMPTY_VERBS
    ):
        return [Finding(project(), "conventions", _doing(clause, scene), effect="rule")]
    if not who.plural and verb.lemma not in _EMPTY_VERBS:
        start, end = span_of(clause)
        if RECURRENCE.search(scene.text, start, end):
            return [Finding(who, "habits", _with_its_time(clause, scene), effect="rule")]
    return []


def _rule_for_all(clause: Clause, scene: Scene) -> list[Finding]:
    """ "Every PR needs two approvals", "Never push to main": rules of the house."""
    verb = clause.verb
    if verb is None:
        return []
    if clause.subject is None:
        first = clause.lead[0].low if clause.lead else clause.words[0].low
        if (
            first in ("always", "never")
            and verb.form & tags.BASE
            and not verb.form & tags.PAST
            and len(clause.words) > 2
            and verb.lemma not in ("mind",)
        ):
            return [Finding(project(), "conventions", f"{first} {_doing(clause, scene)}", effect="rule")]
        return []
    subject = clause.subject
    ruled = verb.lemma in ("need", "require") or verb.modal == "must" or (verb.lemma == "go" and verb.form & tags.THIRD)
    if subject.det in _ALL and ruled and len(subject.words) <= 4 and not verb.past:
        start = clause.words[0].start
        value = scene.text[start : rest_end(clause)].strip(" .,;")
        return [Finding(project(), "conventions", value[:1].lower() + value[1:], effect="rule")]
    return []


def _often(clause: Clause) -> str:
    return next((word.low for word in clause.lead if word.low in ("always", "never")), "")


def _doing(clause: Clause, scene: Scene) -> str:
    assert clause.verb is not None
    return rest_of(clause, clause.words[_main(clause)], scene)


def _main(clause: Clause) -> int:
    """Where the verb that counts stands inside its group."""
    verb = clause.verb
    assert verb is not None
    for at in range(verb.end - 1, verb.start - 1, -1):
        if clause.words[at].lemma == verb.lemma:
            return at
    return verb.start


def _with_its_time(clause: Clause, scene: Scene) -> str:
    start = clause.words[_main(clause)].start
    return re.sub(r"[\s.,;]+$", "", scene.text[start : clause.words[-1].end])


def rest_end(clause: Clause) -> int:
    return clause.words[-1].end
