"""A clause becomes findings: it names its attribute itself, "my editor is Helix", or a frame fits.

The subject depends on what is said: "we live in Porto" is about the speaker, "we deploy to Fly" about the project,
"we pin Django for the worker" about the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from recollect.attributes.catalogue import attribute_named, attribute_stated, flagged, relation_of
from recollect.attributes.records import About, Flag
from recollect.language import tags
from recollect.language.english.relations import RELATIONS
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.clauses import Clause
from recollect.readers.rules.frame_lines import Frame
from recollect.readers.rules.frames import FrameMatch, is_meeting, matches
from recollect.readers.rules.naming import (
    attribute_in,
    is_place,
    is_technology,
    is_version,
    kind_of,
    kind_of_command,
    named_version,
    said,
    singular,
    thing_in,
    version_apart,
)
from recollect.readers.rules.owners import attribute_of
from recollect.readers.rules.scene import (
    GENDERS,
    Company,
    Finding,
    Scene,
    Who,
    by_rule,
    could_be_person,
    is_full_name,
    project,
    thing,
    user,
    who_is,
)
from recollect.readers.rules.sorts import is_trade, value_of
from recollect.readers.rules.statements import is_over
from recollect.readers.rules.values import open_values, rest_of
from recollect.readers.rules.words import Phrase, phrase_at

SURE, SOFT = 0.9, 0.6  # how far a wording is believed


def read_clause(clause: Clause, scene: Scene) -> list[Finding]:
    """Everything a clause says; a phrase that has become a value is not read a second time."""
    who = subject_of(clause, scene)
    found: list[Finding] = []
    for name, rule in _RULES:
        if found := by_rule(name, scene, rule, clause, who, scene):
            break
    if who is not None and who.relation and who.name:
        found = [*by_rule("kin", scene, _named_relation, who, scene), *found]
    _meet(clause, who, scene)
    for finding in found:
        if finding.who.kind == "user" and relation_of(finding.attribute) is not None and clause.subject is not None:
            named = [word for word in clause.words if word.tag & tags.NAME and word.text in finding.value.split()]
            scene.company.met(who_is(Phrase(named), scene.company) if named else None)
    return found


def _meet(clause: Clause, who: Who | None, scene: Scene) -> None:
    """Take note of everybody a clause speaks of, for the pronouns that follow."""
    scene.company.met(_somebody(who, clause, scene))
    if who is None and clause.subject is not None and clause.subject.low in ("he", "she"):
        scene.company.unnamed = True
    elif who is not None and who.kind == "user" and clause.subject is not None:
        scene.company.unnamed = False
    for part in clause.parts:
        _met_as_owners(part.phrase, scene.company)
        if part.phrase.det in ("my", "our", "the") and not part.phrase.pronoun:
            mentioned = who_is(part.phrase, scene.company)
            scene.company.met(mentioned if part.phrase.det != "the" or not part.prep else None)


def _met_as_owners(phrase: Phrase, company: Company) -> None:
    """Take note of whoever something belongs to: after "Ana's husband's dog", "he" may be the husband."""
    for at, word in enumerate(phrase.words):
        owner = who_is(Phrase(phrase.words[:at], phrase.det), company) if at and word.tag & tags.OWNER else None
        company.met(owner._replace(gender="") if owner is not None else None)


def _somebody(who: Who | None, clause: Clause, scene: Scene) -> Who | None:
    """Whom a later "she" may mean: a name that no list has may be a person's all the same."""
    if who is None or who.kind != "thing" or clause.subject is None or is_place(clause.subject.low):
        return who
    if clause.verb is None or (clause.verb.lemma == "be" and not clause.verb.progressive):
        return who  # "Kikuyu is my own language"
    if not is_full_name(clause.subject) or value_of("person", clause.subject, scene.text) is None:
        return who
    return Who(f"person:{clause.subject.low}", who.called, "person")


def _named_relation(who: Who, scene: Scene) -> list[Finding]:
    key, called = who.kin
    owner = Who(key, called, "relation" if key.startswith("relation:") else "person") if key else user(scene.company)
    return [Finding(owner, who.relation, who.name, effect="named", wording=who.word)]


def subject_of(clause: Clause, scene: Scene) -> Who | None:
    """Whom a clause is about. A clause without any subject is about the speaker, unless it is a request."""
    verb = clause.verb
    if clause.subject is not None:
        return who_is(clause.subject, scene.company)
    if verb is None:
        return None
    if verb.lemma in _STATES and not verb.perfect:
        return None  # "preferred orientation", "known issues": an adjective
    told = verb.past or verb.progressive or verb.perfect or bool(verb.form & tags.ING)
    return user(scene.company) if told else None  # "Switched to Go", "Thinking about Rust"


_STATES = frozenset("prefer like love hate know want need own dislike mean".split())


def _framed(clause: Clause, who: Who | None, scene: Scene) -> Iterator[Finding]:
    done: set[str] = set()
    for match in matches(clause, scene, lambda frame: _subject_fits(frame, clause, who, scene)):
        for finding in _findings(match, clause, _promoted(match.frame, clause, who, scene), scene):
            if finding.value not in done:
                done.update((finding.value, finding.old))
                yield finding


def _subject_fits(frame: Frame, clause: Clause, who: Who | None, scene: Scene) -> bool:
    role = frame.subject.role
    if role in ("WORD", "MEETING", "VALUE", "YOU"):
        return True
    who = _promoted(frame, clause, who, scene)
    if who is None:
        return False
    if role == "WHO":
        return who.personal or who.kind == "project" or who.key.endswith(("team", "company", "group"))
    return role != "THING" or who.kind in ("thing", "project")


def _promoted(frame: Frame, clause: Clause, who: Who | None, scene: Scene) -> Who | None:
    """A name that is not known to be a person's is one when it is said to marry or to be somebody's citizen."""
    if who is None or who.kind != "thing" or frame.subject.role != "WHO" or clause.subject is None:
        return who
    known = attribute_named(frame.attribute)
    if known is None or known.about is not About.PERSON or not is_full_name(clause.subject):
        return who
    if is_place(clause.subject.low):
        return who  # "Chile speaks Spanish"
    if Flag.TRADE in known.flags and len(clause.subject.words) == 1 and not _has_a_trade(clause):
        return who  # "Networking was a lifesaver"
    return Who(f"person:{clause.subject.low}", who.called, "person")


def _has_a_trade(clause: Clause) -> bool:
    """ "Beata is an accountant": a name no word of the language has, and a trade everybody knows."""
    complement, subject = clause.part(""), clause.subject
    if complement is None or subject is None or clause.verb is None or clause.verb.past:
        return False
    return subject.low not in LEXICON and could_be_person(subject) and is_trade(complement)


def _findings(match: FrameMatch, clause: Clause, who: Who | None, scene: Scene) -> Iterator[Finding]:
    effects = match.frame.effects
    attribute, value, old = _what_it_tells(match, clause, scene)
    known = attribute_named(attribute)
    if flagged(attribute, Flag.PLATFORM) and _only_goes_there(clause, value):
        return
    if known is not None and any(word.low in known.never_with for word in clause.words):
        return
    subject = _subject(attribute, match, clause, who, scene)
    if subject is None or _is_not_meant(match, clause, subject):
        return
    value = _shaped(value, match, clause, scene)
    if not attribute or not value:
        return
    effect = _effect_of(match, clause, scene)
    wording = known.unnamed if known is not None and not value[:1].isupper() else ""
    wording = "{who} is {value}" if "adjective" in effects else wording
    finding = Finding(subject, attribute, value, old, effect, SOFT if "soft" in effects else SURE, wording=wording)
    if known is not None and known.many and 0 <= match.at < len(clause.parts):
        yield from (finding._replace(value=more) for more in (value, *_further(match, clause, scene)))
        return
    yield finding


def _is_not_meant(match: FrameMatch, clause: Clause, subject: Who) -> bool:
    """Whether it only passes by, "we came from Hamburg", or is not the speaker's: "his Tesla", "your cat died"."""
    verb = clause.verb
    if "present" in match.frame.effects and verb is not None and (verb.past or verb.perfect or verb.form & tags.ING):
        return True
    if subject.kind in ("person", "relation"):
        return False
    phrase = clause.subject if match.at == -1 else None
    if 0 <= match.at < len(clause.parts):
        phrase = clause.parts[match.at].phrase
    return phrase is not None and (phrase.det in _OTHERS or (phrase.det in _SHOWN and not phrase.named))


_OTHERS = frozenset(("your", "his", "her", "its", "their"))
_SHOWN = frozenset(("this", "that", "these", "those"))


def _what_it_tells(match: FrameMatch, clause: Clause, scene: Scene) -> tuple[str, str, str]:
    """The attribute, the value and the old value of a match; some frames leave the attribute to their words."""
    attribute, value, old = match.frame.attribute, match.value, match.old
    if attribute == "@":
        return _by_kind(value, old, scene)
    if attribute == "@version" and match.thing is not None:
        attribute = f"{said(match.thing, scene.text).lower()} version"
    elif match.frame.subject.role == "MEETING" and match.thing is not None:
        called = attribute_in(match.thing.core)
        attribute = called.attribute if called is not None else attribute
    return attribute, value, old


def _effect_of(match: FrameMatch, clause: Clause, scene: Scene) -> str:
    """The effect that a frame names, or that "no" before the value has."""
    named = next((name for name in ("ended", "event", "state") if name in match.frame.effects), "")
    none = 0 <= match.at < len(clause.parts) and clause.parts[match.at].phrase.det == "no"
    if named or not (none or any(word.low == "neither" for word in clause.words)):
        return named
    return "ended" if is_over(scene.text[clause.words[0].start : clause.words[-1].end]) else "negated"


def _only_goes_there(clause: Clause, value: str) -> bool:
    """ "The cat goes to Pawfield": what goes to a name that nobody knows need not be software."""
    return clause.verb is not None and clause.verb.lemma == "go" and kind_of(value) is None


def _by_kind(value: str, old: str, scene: Scene) -> tuple[str, str, str]:
    """The attribute that a technology's name belongs to. A bare version belongs to the last technology named."""
    versioned = version_apart(value)
    before = named_version(old) if old else None
    if is_version(value):
        name = before[0] if before is not None else scene.technology
        if not name:
            return "", "", ""
        return f"{name.lower()} version", value, before[1] if before is not None else old
    if versioned is not None:
        return f"{versioned[0].lower()} version", versioned[1], before[1] if before is not None else old
    return kind_of(value) or kind_of_command(value) or (kind_of(old) if old else "") or "", value, old


def _subject(attribute: str, match: FrameMatch, clause: Clause, who: Who | None, scene: Scene) -> Who | None:
    """The subject of a finding: the frame's thing, the clause's subject, the speaker or the project."""
    known = attribute_named(attribute)
    about = known.about if known is not None else About.PROJECT
    role = match.frame.subject.role
    if about is About.PERSON:
        if _is_given_away(clause):
            return None
        if role in ("WHO", "ANY", "THING"):
            return who if who is None or who.kind != "project" else None  # "prod is still 13": no age
        return user(scene.company)
    if who is not None and _is_theirs(who, about, match, clause):
        return who
    has_it = who is not None and who.kind == "thing" and role in ("THING", "ANY", "WHO")
    if match.thing is not None and (found := _thing_of(match.thing, attribute, clause, scene)) is not None:
        if found.kind != "project" or not has_it:  # "the checkout uses Stripe for payments" is about the checkout
            return found
    return _itself(attribute, clause, who) if who is not None and has_it else project()


def _is_theirs(who: Who, about: About, match: FrameMatch, clause: Clause) -> bool:
    """ "My colleague uses MySQL for work" is about the colleague, "moved the API to Fly" about our API."""
    if who.kind == "user":
        return about is About.EITHER and not who.plural
    moved = match.thing
    ours = moved is not None and moved.det in ("the", "our") and moved is clause.part("")
    return who.kind in ("person", "relation") and match.frame.subject.role in ("WHO", "ANY") and not ours


def _itself(attribute: str, clause: Clause, who: Who) -> Who:
    """ "Our wiki moved to BookStack": the subject is the attribute, not a thing that has it."""
    called = attribute_in(clause.subject.core) if clause.subject is not None else None
    return thing(called.thing) if called is not None and called.attribute == attribute else who


def _thing_of(phrase: Phrase, attribute: str, clause: Clause, scene: Scene) -> Who | None:
    """The thing a phrase names, if it names one rather than a purpose: "for tests" is none."""
    if phrase.pronoun or is_meeting(phrase) or is_technology(said(phrase, scene.text)):
        return None
    called = attribute_in(phrase.core)
    if called is not None and called.known.about is not About.PERSON and not called.thing:
        moved = phrase is clause.part("") and called.attribute != attribute  # "we host the docs on Netlify"
        return thing(phrase.low) if moved or flagged(called.attribute, Flag.PART) else project()
    name = thing_in(phrase.words)
    return thing(name)


def _shaped(value: str, match: FrameMatch, clause: Clause, scene: Scene) -> str:
    """The value as its attribute wants it: with its tail, or with its verb."""
    effects = match.frame.effects
    if "tail" in effects and 0 <= match.at < len(clause.parts):
        return rest_of(clause, clause.parts[match.at].phrase.words[0], scene)
    if "adjective" in effects:
        described = clause.part("")
        return said(described, scene.text) if described is not None else ""
    if "event" in effects and clause.verb is not None:
        return rest_of(clause, clause.words[clause.verb.start], scene) if clause.verb.past else ""
    return value


def _further(match: FrameMatch, clause: Clause, scene: Scene) -> Iterator[str]:
    """The other values of a list: "Polish, Greek and Italian"."""
    sort = next((slot.sort for slot in match.frame.slots if slot.role == "VALUE"), "any")
    for part in clause.parts[match.at + 1 :]:
        if part.prep != "and":
            break
        found = value_of(sort, part.phrase, scene.text)
        if found:
            yield found
    for tail in clause.tails:
        at = 0
        while at < len(tail):
            if tail[at].tag & (tags.CONJ | tags.PUNCT):
                at += 1
                continue
            phrase, after = phrase_at(tail, at, len(tail))
            if phrase is None or (after < len(tail) and not tail[after].tag & (tags.CONJ | tags.PUNCT | tags.TIME)):
                return
            found = value_of(sort, phrase, scene.text)
            if not found:
                return
            yield found
            at = after


def _liked(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """Read "I love running my own studio", which is about loving."""
    verb = clause.verb
    if verb is None or verb.passive or verb.modal or clause.link in ("that", "which"):
        return []
    if who is None or not who.personal:
        return []
    taste = next(filter(None, map(attribute_stated, verb.chain)), None)
    told = clause.words[verb.start : verb.end]
    doing = next((word for word in reversed(told) if word.lemma == verb.lemma), None)
    if taste is None or doing is None or any(word.low in _UNNAMED for word in clause.words[verb.start :]):
        return []  # to like "it" says nothing by itself
    return [Finding(who, taste.name, value)] if (value := rest_of(clause, doing, scene)) else []


_UNNAMED = frozenset("it this that him her them you these those pretend".split())


# In this order; the first that finds anything in a clause has read it.
_RULES: tuple[tuple[str, Callable[[Clause, Who | None, Scene], Iterable[Finding]]], ...] = (
    ("copula", lambda clause, _, scene: read_copula(clause, scene)),
    ("liking", _liked),
    ("frames", _framed),
)
_SAYING = frozenset("be become remain stay default equal total stand".split())
_SAYING_PASSIVE = frozenset("call name locate situate base set fix found pin cap schedule".split())


def read_copula(clause: Clause, scene: Scene) -> list[Finding]:
    """Read a sentence of the form "A is B", where A or B names the attribute."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or "stopped" in verb.chain:
        return []
    if verb.lemma not in (_SAYING_PASSIVE if verb.passive else _SAYING):
        return []
    if subject.pronoun or subject.low in ("that", "this") or _is_cut_short(clause, subject):
        return []
    return _named_by_subject(clause, subject, scene) or _named_by_complement(clause, subject, scene)


def _is_cut_short(clause: Clause, subject: Phrase) -> bool:
    """Whether a noun that reads like a verb was left off the subject: "captain" in "the release captain is Dana"."""
    after = [word.tag for word in clause.words if word.start > subject.words[-1].start]
    return len(after) > 1 and bool(after[0] & tags.BASE and after[1] & tags.BE)


def _named_by_subject(clause: Clause, subject: Phrase, scene: Scene) -> list[Finding]:
    owner, called = attribute_of(subject, scene)
    if called is None or owner is None:
        return []
    theirs = any(word.tag & tags.OWNER for word in subject.words)
    owned = subject.det in ("my", "our") or theirs
    if owner.kind == "thing" and owned and not theirs:
        return []  # "my handle on the radio" is mine, and not the radio's
    values = [value for value in open_values(clause, called, scene) if len(value) > 1 or value.isdigit()]
    if not values:
        return []
    if not owned and not _has_companion(subject) and not is_technology(values[0]):
        return []  # "the fee is 30": whose?
    relation = owner.key.partition(":")[2] if owner.kind == "relation" else ""
    if relation in RELATIONS and flagged(called.attribute, Flag.PROPER_NAME):  # "my mother's name is Agnes"
        return [Finding(user(scene.company), RELATIONS[relation][0], values[0], wording=relation)]
    many = False if called.known.many and owner.kind != "user" else None
    if flagged(called.attribute, Flag.ANIMAL):
        values = [f"{subject.head.low} named {value}" for value in values]
    return [Finding(owner, called.attribute, value, many=many, wording=subject.head.low) for value in values]


def _named_by_complement(clause: Clause, subject: Phrase, scene: Scene) -> list[Finding]:
    """ "Luis is my new manager": the complement names the attribute, the subject is the value."""
    complement = clause.part("")
    if complement is None or clause.verb is None or clause.verb.passive or complement.head.tag & tags.ADJ:
        return []
    owned = complement.det in ("my", "our") or any(word.tag & tags.OWNER for word in complement.words)
    defined = complement.det == "the" and (_has_companion(complement) or _of_or_for(clause, complement))
    if not owned and not defined:
        return []
    owner, called = attribute_of(complement, scene)
    if called is None or owner is None:
        return []
    if subject.det in ("my", "this", "that", "our") or (
        not subject.named and subject.det and kind_of(subject.low) != called.attribute
    ):
        return []
    return [Finding(owner, called.attribute, said(subject, scene.text), wording=complement.head.low)]


def _has_companion(phrase: Phrase) -> bool:
    return any(word.low in ("of", "for") for word in phrase.words)


def _of_or_for(clause: Clause, complement: Phrase) -> bool:
    return len(clause.parts) > 1 and clause.parts[0].phrase is complement and clause.parts[1].prep in ("of", "for")


def owner_of(attribute: str, scene: Scene) -> Who:
    """The owner of such an attribute when nobody is named."""
    known = attribute_named(attribute)
    return project() if known is not None and known.about is About.PROJECT else user(scene.company)


def _is_given_away(clause: Clause) -> bool:
    """Whether somebody else has it then: "she brought me a kitten", "I got a Kindle for my mum"."""
    if clause.verb is None or clause.verb.lemma not in _GIVING:
        return False
    gets = [part.phrase for part in clause.parts if part.prep == "for"]
    if len(clause.parts) > 1 and not (clause.parts[0].prep or clause.parts[1].prep):
        gets.append(clause.parts[0].phrase)
    return any(to.pronoun or singular(to.head.low) in RELATIONS or to.words[0].low in GENDERS for to in gets)


_GIVING = frozenset("give bring buy get lend leave send make order purchase choose find".split())
