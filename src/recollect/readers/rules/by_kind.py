"""What the name alone tells: "I do all my work on a ThinkPad" says what the laptop is, whatever the verb.

A maker's or a technology's name in the company of somebody's doings is theirs, unless the verb keeps its distance
("I looked at a ThinkPad"). Believed less than a frame, and read only where none fits.
"""

from __future__ import annotations

from datetime import datetime

from recollect.attributes.catalogue import attribute_named
from recollect.attributes.records import About
from recollect.domain.periods import Period
from recollect.language import tags
from recollect.language.lexicon import CHANGING, ENDING
from recollect.readers.rules.clauses import Clause, Part
from recollect.readers.rules.english.distance import DISTANT_VERBS
from recollect.readers.rules.kinds import is_own_kind, is_technology, kind_of, version_apart
from recollect.readers.rules.owning import receiver_of
from recollect.readers.rules.phrases import Phrase
from recollect.readers.rules.quoting import bare, is_a_letter, said, trimmed
from recollect.readers.rules.scene import Finding, Scene, span_of
from recollect.readers.rules.verbs import Verb
from recollect.readers.rules.who import Who, project, user

_LIKELY = 0.7
_DISTANT = frozenset(DISTANT_VERBS.split())
_PREPS = frozenset(("", "on", "with", "at", "to", "in", "by", "through", "via", "using", "behind"))
_LASTING = frozenset("use have be run work live do drive ride own keep store host bank depend rely sit train".split())
_NEVER_OWN = frozenset(("this", "that", "these", "those", "your", "his", "her", "their", "its", "no", "any", "another"))


def read_by_kind(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """The findings that names of a known kind make in a clause; the new one where an old one is named as well."""
    verb = clause.verb
    if verb is None or who is None or verb.lemma in _DISTANT or is_technology(who.key.partition(":")[2]):
        return []
    if _was_only_done(verb) and not any(_long_gone(time.period, scene.at) for time in scene.times_in(*span_of(clause))):
        return []  # it is only given away, and read as such
    who = receiver_of(clause, scene) or who
    if not who.key:
        return []
    found: list[Finding] = []
    for part in clause.parts:
        if part.prep and verb.lemma == "have" and verb.past and not verb.perfect:
            continue  # "had the tyres put on the Panda": done to it, not had
        if part.prep not in _PREPS or part.phrase.det in _NEVER_OWN or part.phrase.pronoun:
            continue
        known = _kind_and_name(part, scene)
        if known is None:
            continue
        attribute, value = known
        if (who.kind == "thing" and not is_technology(value)) or any(
            finding.attribute == attribute for finding in found
        ):
            continue
        old = _old(clause, attribute, scene)
        effect = "ended" if verb.lemma in ENDING and not part.prep else ""
        found.append(
            Finding(_subject(attribute, who, scene), attribute, value, old=old, effect=effect, confidence=_LIKELY)
        )
    return found


def _was_only_done(verb: Verb) -> bool:
    """Whether a verb tells what somebody did once, and not what they had or began to have."""
    lasts = verb.lemma in CHANGING or verb.lemma in _LASTING or verb.lemma in ENDING
    return verb.past and not verb.perfect and not lasts


def _long_gone(period: Period, at: datetime) -> bool:
    return (at - period.end).days > 300  # "in 2015 I wrote my thesis on a ThinkPad" is a state of that time


def _kind_and_name(part: Part, scene: Scene) -> tuple[str, str] | None:
    """The kind of a phrase and the name in it: "a React app" is React, a framework."""
    words = trimmed(bare(part.phrase), scene.text).words
    name = said(Phrase(words), scene.text)
    if is_a_letter(Phrase(words), scene.text):
        return None
    if not any(word.tag & (tags.NAME | tags.CODE) for word in words) and not is_technology(name):
        return None
    if (version := version_apart(name)) is not None:
        return f"{version[0].lower()} version", version[1]
    kind = kind_of(name)
    return (kind, name) if kind is not None and is_own_kind(kind) else None


def _old(clause: Clause, attribute: str, scene: Scene) -> str:
    for part in clause.parts:
        if part.prep in ("from", "off") and kind_of(said(bare(part.phrase), scene.text)) == attribute:
            return said(bare(part.phrase), scene.text)
    return ""


def _subject(attribute: str, who: Who, scene: Scene) -> Who:
    known = attribute_named(attribute)
    about = known.about if known is not None else About.PROJECT
    if who.kind == "project" and about is About.PERSON:
        return user(scene.company)
    if who.kind != "user":
        return who
    if about is About.PROJECT or (about is About.EITHER and who.plural):
        return project()
    return who
