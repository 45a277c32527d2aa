"""When a finding is certain and sound enough to be filed.

The message itself is always kept and found, so that a wrong fact costs more than a missing one. A finding is certain if
it was asserted by the speaker, in no condition and in nobody else's words, of somebody who can only be the one meant.

Rules read what is written. Some of what they read is no value by itself ("a second, a Laverda"), or is not the
speaker's ("name is Pager"). A wrong memory is worse than none, so it is dropped here, in one place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.language import tags
from recollect.language.english.closed_words import ABBREVIATIONS, EMPTY_VALUES, MONTHS, WEEKDAYS
from recollect.readers.rules.english import cues
from recollect.readers.rules.gazetteer import TECHNOLOGY
from recollect.readers.rules.scene import Finding
from recollect.readers.rules.sorts.kinds import is_technology, is_version
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import Company

_GOING_ON = frozenset(("and", "or", ",", "but"))
_TASTES = frozenset(("liked", "disliked", "skilled"))
_ONESELF = frozenset(("i", "we", "it"))


def unasserted(clauses: Sequence[Clause]) -> frozenset[int]:
    """The places of the clauses that the speaker does not assert: conditions, and what others say or think."""
    if any(clause.link in cues.CONDITIONS for clause in clauses):
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
    if verb is None or verb.negated or verb.modal or verb.lemma in cues.OPINIONS:
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
    if subject is None and (company.people or company.unnamed) and finding.who.kind == "user":
        return False  # "going to Rome", after somebody was spoken of
    if finding.rule == "frames" and _is_limited(finding, clause):
        return False
    if finding.who.kind == "person" and subject is not None and not subject.pronoun and _is_a_word(subject, clause):
        return False  # a capital at the beginning of a sentence makes no name
    if finding.rule == "frames" and finding.attribute in TECHNOLOGY and not is_technology(finding.value):
        return False  # "went to Rome" is no deployment
    if finding.rule == "frames" and clause.verb is not None and not clause.verb.passive and clause.part("by"):
        return False  # "all of it goes to Fly by Easter": a limit, and not yet so
    if finding.rule == "copula" and clause.lead and clause.link in ("and", "or"):
        return False  # of a list before the verb only the end was read
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


def _is_limited(finding: Finding, clause: Clause) -> bool:
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
_CUT_SHORT = frozenset(ABBREVIATIONS.split())
_ENDS_OF_NAMES = frozenset(("inc", "ltd", "corp", "co", "jr", "sr"))
_EMPTY = frozenset(EMPTY_VALUES.split())
_NO_VALUES = frozenset(("over", "gone", "back", "away", "done", "off", "out"))
_TIMED = frozenset(("age", "birthdate", "date", "slot"))  # sorts of values that are times
_COUNTING = frozenset("two three four five six seven eight nine ten several many some few all most".split())


def is_sound(finding: Finding, clause: Clause, text: str) -> bool:
    """Whether a finding can be what somebody meant to say in a text."""
    words = finding.value.casefold().split()
    last = words[-1].rstrip(".") if words else ""
    if last in _CUT_SHORT and not (len(words) > 1 and last in _ENDS_OF_NAMES):
        return False  # "the Dept. of ..."
    if not words or all(word.strip(".,!?") in _EMPTY for word in words):
        return False
    said = _words_of(finding, clause)
    if said and not _is_a_time(finding.attribute) and all(word.tag & tags.TIME or word.low in _WHEN for word in said):
        return False  # "in May" says when
    if _alike(finding.attribute, finding.value.casefold()):
        return False  # "I have a pet": which?
    if finding.value.casefold() in _NO_VALUES:
        return False  # "my days as an owner are over"
    if finding.attribute.split(" ")[0] in _COUNTING:
        return False  # "three patches are open in Crucible": of how many something is said names nothing
    if finding.rule == "frames" and _is_an_owner(finding, clause, text):
        return False  # "moved into Hana's": hers is not said
    if finding.value.count("(") != finding.value.count(")") or _is_cut(finding.value, clause.words[0].start, text):
        return False
    if finding.rule == "frames" and not _is_a_time(finding.attribute) and last in _RECURRING | _WHEN and len(words) > 1:
        return False  # "in Chennai Monday to Friday"
    if flagged(finding.attribute, Flag.TO_COME) and words[0].isdigit() and int(words[0]) > 1:
        return False  # "I have 38 interviews": a count, not a date
    if flagged(finding.attribute, Flag.PLATFORM) and is_version(finding.value):
        return False  # "prod went to 4.2"
    named = flagged(finding.attribute, Flag.PROPER_NAME) and finding.who.kind == "user"
    return not named or _names_the_speaker(clause)


def _is_cut(value: str, start: int, text: str) -> bool:
    """Whether only a part was read: "inch truss" of a "16-inch truss", "5" of "5'2", a name that is spelled on."""
    at = text.find(value, start)
    return at >= 0 and bool(_BEFORE.search(text, max(0, at - 2), at) or _BEHIND.match(text, at + len(value)))


def _is_an_owner(finding: Finding, clause: Clause, text: str) -> bool:
    """Whether the value only says whose something is, and not what."""
    begin = clause.words[clause.verb.start].end if clause.verb is not None else clause.words[0].start
    at = text.find(finding.value, begin)
    return at >= 0 and _OWNING.match(text, at + len(finding.value)) is not None


_OWNING = re.compile(r"['’]s\b")
_BEFORE = re.compile(r"\w[-'’]\Z")
_BEHIND = re.compile(r"['’]\d|-\w|(?<= [A-Z]) [A-Z]\b")


def _words_of(finding: Finding, clause: Clause) -> list[Word]:
    said = set(finding.value.split())
    return [word for word in clause.words if word.text in said and not word.low.isdigit()]


def _is_a_time(attribute: str) -> bool:
    known = attribute_named(attribute)
    return known is not None and (known.value in _TIMED or Flag.UNTIMED in known.flags)


def _alike(attribute: str, value: str) -> bool:
    return value == attribute or f"{value}s" == attribute


def _names_the_speaker(clause: Clause) -> bool:
    """ "My name is" and "I'm" do; "we're Dosecerta" is a company, and a bare "name is" the name of something else."""
    subject = clause.subject
    if subject is None:
        return True
    return subject.low in ("i", "you", "me") or (subject.det in ("my", "our"))
