"""Sentences that name their attribute, "my editor is Helix", and those without a verb, "Nurse here".

The attribute is a phrase of the sentence, so this works in the open as well: whatever "our", "my" or "the ... of" can
stand before has a value. What only describes the moment ("my head is sore") or the conversation is not a value.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.catalogue import attribute_named, flagged, relation_of
from recollect.attributes.records import About, Flag
from recollect.domain.readings import UNRESOLVED
from recollect.language import tags
from recollect.language.english.relations import RELATIONS
from recollect.readers.rules.naming import Called, is_open_head
from recollect.readers.rules.owners import attribute_of
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.sorts.kinds import is_technology, kind_of
from recollect.readers.rules.sorts.people import is_trade
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase, phrase_at
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.values import is_passing, old_value, open_values
from recollect.readers.rules.who import Who, could_be_person, project, user

_SAYING = frozenset("be become remain stay default equal total stand".split())
_SAYING_PASSIVE = frozenset("call name locate situate base set fix found pin cap schedule".split())
_MOVING = frozenset(
    "move shift change slip go switch jump rise drop increase decrease push postpone reschedule set raise lower "
    "extend bump".split()
)
# Words that stand for whatever attribute was just spoken of: "the new slot is 9:30".
_STANDING_IN = frozenset(
    ("slot", "rule", "time", "date", "day", "choice", "number", "one", "model", "value", "address", "place")
)
FAVOURITE = "favourite"  # with whatever it is the favourite of, an attribute of anybody
_HOSTED = frozenset(("website", "api", "app", "shop"))
_GENERAL = frozenset(("stack", "runtime", "tech stack"))


def read_copula(clause: Clause, scene: Scene) -> list[Finding]:
    """Read a sentence of the form "A is B", where A or B names the attribute."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or "stopped" in verb.chain:
        return []
    if verb.lemma not in (_SAYING_PASSIVE if verb.passive else _SAYING):
        return []
    if subject.low == "it":
        return _standing_in(clause, scene)
    if subject.pronoun or subject.low in ("that", "this") or _is_cut_short(clause, subject):
        return []
    return _named_by_subject(clause, subject, scene) or _named_by_complement(clause, subject, scene)


def _is_cut_short(clause: Clause, subject: Phrase) -> bool:
    """Whether a noun that reads like a verb was left off the subject: "captain" in "the release captain is Dana"."""
    after = [word.tag for word in clause.words if word.start > subject.words[-1].start]
    return len(after) > 1 and bool(after[0] & tags.BASE and after[1] & tags.BE)


def read_moved(clause: Clause, scene: Scene) -> list[Finding]:
    """Read a sentence of the form "A moved to B", where A names the attribute."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or verb.lemma not in _MOVING or subject.pronoun:
        return []
    if not any(word.low == "to" for word in clause.words[verb.end :]):
        return []
    return _named_by_subject(clause, subject, scene)


def _named_by_subject(clause: Clause, subject: Phrase, scene: Scene) -> list[Finding]:
    owner, called = attribute_of(subject, scene)
    if called is None or owner is None:
        return []
    standing = called.known is None and bool(scene.ended) and subject.head.low in _STANDING_IN
    theirs = any(word.tag & tags.OWNER for word in subject.words)
    owned = subject.det in ("my", "our") or theirs
    if owner.kind == "thing" and owned and not theirs:
        return []  # "my handle on the radio" is mine, and not the radio's
    if called.known is None and not owned and not standing:
        return []
    placed = next((part for part in clause.parts if part.prep in ("on", "in", "with")), None)
    if placed is not None and called.attribute in _HOSTED and is_technology(said(placed.phrase, scene.text)):
        return []  # "my blog is on Netlify" tells where it runs, not what it is
    values = [value for value in open_values(clause, called, scene) if len(value) > 1 or value.isdigit()]
    if not values:
        return []
    sure = standing or called.attribute.startswith(FAVOURITE) or _solid(clause, values[0]) or _is_called(clause)
    if called.known is None and not sure:
        return []
    if not owned and not standing and not _has_companion(subject) and not is_technology(values[0]):
        return []  # "the fee is 30": whose?
    if called.known is None and subject.head.low in RELATIONS and not _names_a_person(clause):
        return []
    if standing:
        before = scene.ended[-1]
        return [Finding(before.who, before.attribute, values[0], old=before.value, confidence=0.8)]
    if flagged(called.attribute, Flag.PROPER_NAME) and owner.kind == "relation" and (kin := _kin(owner)):
        return [Finding(user(scene.company), kin, values[0], wording=owner.key.partition(":")[2])]
    general = called.attribute in _GENERAL or flagged(called.attribute, Flag.PART)
    if general and (kind := kind_of(values[0])) is not None and is_technology(values[0]):
        return [Finding(owner, kind, values[0])]
    many = False if called.known is not None and called.known.many and owner.kind != "user" else None
    confidence = 0.9 if called.known is not None else 0.8
    if flagged(called.attribute, Flag.ANIMAL):
        values = [f"{subject.head.low} named {value}" for value in values]
    old = old_value(clause, called, scene)
    return [
        Finding(owner, called.attribute, value, old=old, confidence=confidence, many=many, wording=subject.head.low)
        for value in values
    ]


def _kin(owner: Who) -> str:
    """The attribute under which a relation of the speaker is named."""
    relation = owner.key.partition(":")[2]
    return RELATIONS.get(relation, ("", ""))[0] if "'s " not in relation else ""


def _named_by_complement(clause: Clause, subject: Phrase, scene: Scene) -> list[Finding]:
    """ "Luis is my new manager": the complement names the attribute, the subject is the value."""
    complement = clause.part("")
    if complement is None or clause.verb is None or clause.verb.passive or complement.head.tag & tags.ADJ:
        return []
    owned = complement.det in ("my", "our") or any(word.tag & tags.OWNER for word in complement.words)
    defined = complement.det == "the" and (_has_companion(complement) or _of_or_for(clause, complement))
    if not owned and not defined:
        return []
    owner, called = attribute_of(_with_companion(clause, complement), scene)
    if called is None or owner is None:
        return []
    if subject.det in ("my", "this", "that", "our") or (
        not subject.named and subject.det and kind_of(subject.low) != called.attribute
    ):
        return []
    unique = complement.det == "the" and subject.named and owner.kind in ("thing", "person")
    if not _nameable(called) and not unique:
        return []
    if relation_of(called.attribute) is not None and not could_be_person(subject):
        return []
    return [Finding(owner, called.attribute, said(subject, scene.text), wording=complement.head.low)]


def _nameable(called: Called) -> bool:
    return (
        called.known is not None
        or called.attribute.startswith(FAVOURITE)
        or is_open_head(called.attribute.rpartition(" ")[2])
    )


def _is_called(clause: Clause) -> bool:
    return clause.verb is not None and clause.verb.passive and clause.verb.lemma in ("call", "name")


def _solid(clause: Clause, value: str) -> bool:
    """Whether a value is a name, a number or code: for a word we do not know to have values, nothing less will do."""
    if any(sign in value for sign in "./:@_"):
        return True
    first = next((word for word in clause.words if value.startswith(word.text.strip("`"))), None)
    return first is not None and bool(first.tag & (tags.NAME | tags.NUM | tags.CODE)) and not first.tag & tags.PREP


def _names_a_person(clause: Clause) -> bool:
    complement = clause.part("")
    return complement is not None and could_be_person(complement)


def _has_companion(phrase: Phrase) -> bool:
    return any(word.low in ("of", "for") for word in phrase.words)


def _of_or_for(clause: Clause, complement: Phrase) -> bool:
    return len(clause.parts) > 1 and clause.parts[0].phrase is complement and clause.parts[1].prep in ("of", "for")


def _with_companion(clause: Clause, complement: Phrase) -> Phrase:
    if _of_or_for(clause, complement) and clause.parts[1].prep == "for":
        stop = clause.parts[1].phrase.words[-1]
        return Phrase([word for word in clause.words if complement.start <= word.start <= stop.start], complement.det)
    return complement


def _standing_in(clause: Clause, scene: Scene) -> list[Finding]:
    """ "It's 9000": of what was named last as wrong, or in place of what was just said to be over."""
    complement = next(
        (part.phrase for part in clause.parts if part.prep in ("", "on", "in", "at", "with", "to", "by")), None
    )
    if complement is None and clause.lead and clause.lead[-1].tag & tags.NAME:
        complement = Phrase([word for word in clause.lead if word.tag & (tags.NAME | tags.NUM)])  # "Helix it is"
    if (
        complement is None
        or complement.pronoun
        or is_passing(complement)
        or (complement.det in ("a", "an", "the") and not complement.named)
    ):
        return []
    value = said(complement, scene.text)
    if scene.topic is not None:
        who, attribute = scene.topic
        return [Finding(who, attribute, value, old=scene.wrong)]
    if scene.ended and scene.ended[-1].attribute != UNRESOLVED:
        before = scene.ended[-1]
        return [Finding(before.who, before.attribute, value, old=before.value, confidence=0.8)]
    return []


def read_fragment(clause: Clause, scene: Scene) -> list[Finding]:
    """A piece without a verb in which somebody says what they are: "Nurse here"."""
    return read_lead(clause.words, scene)


def read_lead(lead: Sequence[Word], scene: Scene) -> list[Finding]:
    """Read the words before a clause that are no clause themselves: "Ferry cook here, we sail at six"."""
    phrase, after = phrase_at(lead, 0, len(lead)) if lead else (None, 0)
    trade = _trade(lead, phrase, after, scene) if phrase is not None and not phrase.pronoun else None
    return [trade] if trade is not None else []


def _trade(words: Sequence[Word], phrase: Phrase, after: int, scene: Scene) -> Finding | None:
    """ "Nurse here", "data engineer at a startup": who speaks says what they are."""
    if (
        phrase.det
        or phrase.words[0].tag & (tags.NUM | tags.TIME)
        or after >= len(words)
        or words[after].low not in _PLACED
        or not is_trade(Phrase(phrase.words, "a"))
    ):
        return None
    return Finding(user(scene.company), "role", said(Phrase(phrase.core), scene.text), confidence=0.8)


_PLACED = frozenset(("here", "at"))


def read_replacement(words: Sequence[Word], scene: Scene, old: str) -> list[Finding]:
    """ "Vercel, not Netlify": the attribute is what the names are, or only memory knows it."""
    phrase, _ = phrase_at(words, 0, len(words))
    if phrase is None or phrase.pronoun or not old:
        return []
    value = said(phrase, scene.text)
    attribute = kind_of(value) or kind_of(old) or UNRESOLVED
    return [Finding(owner_of(attribute, scene), attribute, value, old=old, confidence=0.7)]


def owner_of(attribute: str, scene: Scene) -> Who:
    """The owner of such an attribute when nobody is named."""
    known = attribute_named(attribute)
    return project() if known is not None and known.about is About.PROJECT else user(scene.company)
