"""When a reading is certain enough to be filed.

The message itself is always kept and found, so that a wrong fact costs more than a missing one. A finding is certain if
it was asserted by the speaker, in no condition and in nobody else's words, of somebody who can only be the one meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.catalogue import flagged
from recollect.attributes.records import Flag
from recollect.language import tags
from recollect.readers.rules.english import hedges
from recollect.readers.rules.gazetteer.technology import TECHNOLOGY
from recollect.readers.rules.scene import Finding
from recollect.readers.rules.sorts.kinds import is_technology
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase
from recollect.readers.rules.who import Company

_GOING_ON = frozenset(("and", "or", ",", "but"))
_TASTES = frozenset(("liked", "disliked", "skilled"))
_ONESELF = frozenset(("i", "we", "it"))


def unasserted(clauses: Sequence[Clause]) -> frozenset[int]:
    """The places of the clauses that the speaker does not assert: conditions, and what others say or think."""
    if any(clause.link in hedges.CONDITIONS for clause in clauses):
        return frozenset(range(len(clauses)))
    found: set[int] = set()
    for at, clause in enumerate(clauses[1:], start=1):
        before = clauses[at - 1]
        if (clause.link == "that" and not _vouched_for(before)) or (clause.link in _GOING_ON and at - 1 in found):
            found.add(at)
    return frozenset(found)


def _vouched_for(clause: Clause) -> bool:
    """Whether the speaker stands for what follows: "I found out that", not "Ben thinks" or "I don't say"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or verb.negated or verb.modal or verb.lemma in hedges.OPINIONS:
        return False
    return subject is None or subject.low in _ONESELF


def is_certain(finding: Finding, clause: Clause, company: Company) -> bool:
    """Whether it is certain of whom, and of what sort of thing, a finding is."""
    if finding.effect in ("ended", "negated", "named"):
        return True
    subject = clause.subject
    if finding.rule == "frames" and clause.verb is not None and not _TASTES.isdisjoint(clause.verb.chain):
        return False  # "I love running a studio" is about loving
    if finding.rule == "frames" and len(clause.parts) > 1 and clause.verb and "never" in clause.verb.adverbs:
        return False  # "I never drink coffee after noon" says little of coffee
    if clause.link == ":" and finding.who.kind == "project":
        return False  # a label before it says what it is about
    if subject is None and company.people and finding.who.kind == "user":
        return False  # "going to Rome", after somebody was named
    if finding.who.kind == "person" and subject is not None and not subject.pronoun and _is_a_word(subject, clause):
        return False  # a capital at the beginning of a sentence makes no name
    if finding.rule == "frames" and finding.attribute in TECHNOLOGY and not is_technology(finding.value):
        return False  # "went to Rome" is no deployment
    if finding.rule == "frames" and clause.verb is not None and not clause.verb.passive and clause.part("by"):
        return False  # "all of it goes to Fly by Easter": a limit, and not yet so
    if finding.rule == "copula" and clause.lead and clause.link in ("and", "or"):
        return False  # of a list before the verb only the end was read
    complement = clause.part("")
    defined = complement is not None and complement.det == "the"
    return not (
        defined and flagged(finding.attribute, Flag.TRADE) and finding.who.kind != "user"
    )  # "she is the winner"


def _is_a_word(subject: Phrase, clause: Clause) -> bool:
    first = subject.words[0]
    opens = first.start == clause.words[0].start
    return opens and bool(first.tag & (tags.NOUN | tags.VERB | tags.ADV | tags.ADJ | tags.TIME))
