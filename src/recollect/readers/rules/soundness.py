"""Findings that cannot be what was meant: a value that is only a number of something, a name that is nobody's.

Rules read what is written. Some of what they read is no value by itself ("a second, a Laverda"), or is not the
speaker's ("name is Pager"). A wrong memory is worse than none, so it is dropped here, in one place.
"""

from __future__ import annotations

from recollect.attributes.catalogue import attribute_named, flagged
from recollect.attributes.records import Flag
from recollect.language import tags
from recollect.language.english.closed_words import ABBREVIATIONS, DAYS_AND_MONTHS, EMPTY_VALUES
from recollect.readers.rules.scene import Finding
from recollect.readers.rules.sorts.kinds import is_version
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.words import Word

_WHEN = frozenset(DAYS_AND_MONTHS.split())
_CUT_SHORT = frozenset(ABBREVIATIONS.split())
_EMPTY = frozenset(EMPTY_VALUES.split())
_NO_VALUES = frozenset(("over", "gone", "back", "away", "done", "off", "out"))
_TIMED = frozenset(("age", "birthdate", "date", "slot"))  # sorts of values that are times
_COUNTING = frozenset("two three four five six seven eight nine ten several many some few all most".split())


def is_sound(finding: Finding, clause: Clause) -> bool:
    """Whether a finding can be what somebody meant to say."""
    words = finding.value.casefold().split()
    if words and words[-1].rstrip(".") in _CUT_SHORT:
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
    if finding.value.count("(") != finding.value.count(")"):
        return False  # cut in the middle
    if flagged(finding.attribute, Flag.TO_COME) and words[0].isdigit() and int(words[0]) > 1:
        return False  # "I have 38 interviews": a count, not a date
    if flagged(finding.attribute, Flag.PLATFORM) and is_version(finding.value):
        return False  # "prod went to 4.2"
    named = flagged(finding.attribute, Flag.PROPER_NAME) and finding.who.kind == "user"
    return not named or _names_the_speaker(clause)


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
