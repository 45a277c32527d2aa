"""A clause becomes findings: what names its own attribute, then frames, then what is read in the open.

Which subject a finding has depends on what is said: "we live in Porto" is about the speaker, "we deploy to Fly" about
the project, "we pin Django for the worker" about the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from recollect.attributes.catalogue import attribute_named, attribute_stated, flagged, relation_of
from recollect.attributes.records import About, AttributeRelation, Flag
from recollect.language import tags
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.copula import read_copula, read_moved
from recollect.readers.rules.frames import Frame, FrameMatch, is_meeting, matches
from recollect.readers.rules.moods import is_over
from recollect.readers.rules.naming import attribute_in, singular, thing_in
from recollect.readers.rules.owners import receiver_of
from recollect.readers.rules.quoting import is_place, said
from recollect.readers.rules.scene import Finding, Scene, by_rule
from recollect.readers.rules.sorts.kinds import (
    is_technology,
    is_version,
    kind_of,
    kind_of_command,
    named_version,
    version_apart,
)
from recollect.readers.rules.sorts.people import JOBLESS, is_trade
from recollect.readers.rules.syntax.clauses import Clause, Part, clauses_of
from recollect.readers.rules.syntax.phrases import Phrase, phrase_at
from recollect.readers.rules.syntax.verbs import Verb
from recollect.readers.rules.values import reached, rest_of, value_of
from recollect.readers.rules.who import (
    Company,
    Who,
    could_be_person,
    is_full_name,
    project,
    thing,
    user,
    who_is,
)

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


def _liked(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """Read "I love running my own studio", which is about loving, and "I stopped climbing"."""
    verb = clause.verb
    if verb is None or verb.passive or verb.modal or who is None or not who.personal or who.kind == "project":
        return []
    if not verb.chain or clause.link in ("that", "which"):
        return []
    doing = rest_of(clause, clause.words[_main(verb, clause)], scene)
    attribute = next(filter(None, map(attribute_stated, verb.chain)), "")
    if attribute and any(word.low in _UNNAMED for word in clause.words[verb.start :]):
        return []  # to like "it" says nothing by itself
    if not attribute and who.kind == "user" and not _TURNS.isdisjoint(verb.chain):
        attribute = kind if flagged(kind := kind_of(doing) or "", Flag.PASTIME) else ""
    return [Finding(who, attribute, doing)] if attribute and doing else []


def _required(clause: Clause, _: Who | None, scene: Scene) -> list[Finding]:
    """Read a rule of the house: "every PR needs two approvals"."""
    verb, subject = clause.verb, clause.subject
    if verb is None or verb.past or subject is None or subject.det not in _ALL:
        return []
    if verb.lemma not in _REQUIRING and verb.modal != "must":
        return []
    value = scene.text[clause.words[0].start : clause.words[-1].end].strip(" .,;")
    return [Finding(project(), "conventions", value[:1].lower() + value[1:], effect="rule")]


_ALL = frozenset(("every", "each", "all"))
_REQUIRING = frozenset(("need", "require"))
_UNNAMED = frozenset(("it", "this", "that", "him", "her", "them", "you", "these", "those"))
_TURNS = frozenset(("stopped", "started"))


def _main(verb: Verb, clause: Clause) -> int:
    """Where the verb that counts stands inside its group."""
    within = range(verb.end - 1, verb.start - 1, -1)
    return next((at for at in within if clause.words[at].lemma == verb.lemma), verb.start)


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
    for match, told, subject in _candidates(clause, who, scene):
        for finding in _findings(match, told, _promoted(match.frame, told, subject, scene), scene):
            if finding.value not in done:
                done.update((finding.value, finding.old))
                if finding.effect != "never":
                    yield finding


def _candidates(clause: Clause, who: Who | None, scene: Scene) -> Iterator[tuple[FrameMatch, Clause, Who | None]]:
    for match in matches(clause, scene, lambda frame: _subject_fits(frame, clause, who, scene)):
        yield match, clause, who
    # "Goldline is where I train" is read as "I train at Goldline".
    relative = clause.part("wh")
    if relative is None or clause.subject is None or clause.verb is None or clause.verb.lemma != "be":
        return
    prep = {"where": "at", "what": ""}.get(relative.words[0].low)
    inner = clauses_of(relative.words[1:]) if prep is not None and len(relative.words) > 2 else []
    if inner and inner[0].verb is not None and prep is not None:
        turned = inner[0]._replace(parts=(Part(prep, clause.subject), *inner[0].parts))
        subject = who_is(turned.subject, scene.company)
        for match in matches(turned, scene, lambda frame: _subject_fits(frame, turned, subject, scene)):
            yield match, turned, subject


def _subject_fits(frame: Frame, clause: Clause, who: Who | None, scene: Scene) -> bool:
    role = frame.subject.role
    if role in ("WORD", "MEETING", "VALUE", "OLD", "YOU"):
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
    if Flag.TRADE in known.flags and len(clause.subject.words) == 1 and not _has_a_trade(clause, scene):
        return who  # "Networking was a lifesaver"
    return Who(f"person:{clause.subject.low}", who.called, "person")


def _has_a_trade(clause: Clause, scene: Scene) -> bool:
    """ "Beata is an accountant": a name no word of the language has, and a trade everybody knows."""
    complement, subject = clause.part(""), clause.subject
    if complement is None or subject is None or clause.verb is None or clause.verb.past:
        return False
    return subject.low not in LEXICON and could_be_person(subject) and is_trade(complement)


def _findings(match: FrameMatch, clause: Clause, who: Who | None, scene: Scene) -> Iterator[Finding]:
    effects = match.frame.effects
    if "never" in effects:
        yield Finding(user(scene.company), "", match.value, effect="never")
        return
    verb = clause.verb
    if "present" in effects and verb is not None and (verb.past or verb.perfect or verb.progressive):
        return
    attribute, value, old = _what_it_tells(match, clause, scene)
    known = attribute_named(attribute)
    if known is not None and any(
        word.low in known.never_with or word.lemma in known.never_with for word in clause.words
    ):
        return
    if flagged(attribute, Flag.PLATFORM):
        if _is_a_store(match, value) or _only_goes_there(clause, value):
            return
        if kind_of(value) is None:
            attribute, old = _like_the_old(attribute, old, clause, scene)
    if known is not None and (kind := kind_of(value)) in known.yields_to:
        attribute = kind or attribute
    known = attribute_named(attribute)
    subject = _subject(attribute, match, clause, who, scene)
    value = _shaped(value, match, clause, scene)
    if subject is None or not attribute or not value:
        return
    effect = _effect_of(match, clause, value, scene)
    wording = known.unnamed if known is not None and not value[:1].isupper() else ""
    wording = "{who} is {value}" if "adjective" in effects or value in JOBLESS else wording
    finding = Finding(subject, attribute, value, old, effect, SOFT if "soft" in effects else SURE, wording=wording)
    if known is not None and known.many and 0 <= match.at < len(clause.parts):
        if names := _names_of_several(clause.parts[match.at].phrase, attribute, clause):
            yield from (finding._replace(value=name) for name in names)
            return
        yield from (finding._replace(value=more) for more in (value, *_further(match, clause, scene)))
        return
    yield finding


def _what_it_tells(match: FrameMatch, clause: Clause, scene: Scene) -> tuple[str, str, str]:
    """The attribute, the value and the old value of a match; some frames leave the attribute to their words."""
    attribute, value, old = match.frame.attribute, match.value, match.old
    if attribute == "@":
        return _by_kind(value, old, clause, scene)
    if attribute == "@version" and match.thing is not None:
        attribute = f"{said(match.thing, scene.text).lower()} version"
    elif match.meeting is not None:
        called = attribute_in(match.meeting.core)
        attribute = called.attribute if called is not None else attribute
    return attribute, value, old


def _effect_of(match: FrameMatch, clause: Clause, value: str, scene: Scene) -> str:
    """The effect that a frame names, or that "no" before the value has."""
    named = next((name for name in ("ended", "past", "negated", "event", "state") if name in match.frame.effects), "")
    if named or not 0 <= match.at < len(clause.parts) or clause.parts[match.at].phrase.det != "no":
        return named
    if value.startswith("no "):
        return ""
    return "ended" if is_over(scene.text[clause.words[0].start : clause.words[-1].end]) else "negated"


def _like_the_old(attribute: str, old: str, clause: Clause, scene: Scene) -> tuple[str, str]:
    """ "Moved from RabbitMQ to Foo": an unknown name is of the kind of what it takes the place of."""
    before = clause.part("from", "off")
    kind = kind_of(said(before, scene.text)) if before is not None else None
    if before is None or kind is None or attribute_named(kind) is None:
        return attribute, old
    return kind, said(before, scene.text)


def _is_a_store(match: FrameMatch, value: str) -> bool:
    """ "We migrated our secrets to Doppler": what comes in numbers is kept somewhere, not deployed."""
    moved = match.thing
    plural = moved is not None and singular(moved.head.low) != moved.head.low
    return plural and not flagged(kind_of(value), Flag.PLATFORM)


def _only_goes_there(clause: Clause, value: str) -> bool:
    """ "The cat goes to Pawfield": what goes to a name that nobody knows need not be software."""
    return clause.verb is not None and clause.verb.lemma == "go" and kind_of(value) is None


def _by_kind(value: str, old: str, clause: Clause, scene: Scene) -> tuple[str, str, str]:
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
    if about is About.PERSON:
        if (receiver := receiver_of(clause, scene)) is not None:
            return receiver if receiver.key else None
        if match.frame.subject.role in ("WHO", "ANY", "THING"):
            return who if who is None or who.kind != "project" else None  # "prod is still 13": no age
        return user(scene.company)
    if about is About.EITHER and who is not None and who.kind == "user" and not who.plural:
        return who
    has_it = who is not None and who.kind == "thing" and match.frame.subject.role in ("THING", "ANY", "WHO")
    if match.thing is not None and (found := _thing_of(match.thing, scene)) is not None:
        if found.kind != "project" or not has_it:  # "the checkout uses Stripe for payments" is about the checkout
            return found
    if who is not None and who.kind in ("person", "relation") and match.frame.subject.role in ("WHO", "ANY"):
        return who
    if who is not None and has_it:
        return _itself(attribute, clause, who)
    return thing_nearby(clause, scene, skipping=match.at)


def _itself(attribute: str, clause: Clause, who: Who) -> Who:
    """ "Our wiki moved to BookStack": the subject is the attribute, not a thing that has it. So are bare plurals."""
    if clause.subject is None:
        return who
    called = attribute_in(clause.subject.core)
    if called is not None and called.attribute == attribute:
        return thing(called.thing)
    words = clause.subject.words
    general = len(words) == 1 and not clause.subject.det and singular(words[0].low) != words[0].low
    return project() if general and words[0].start == clause.words[0].start else who


def _thing_of(phrase: Phrase, scene: Scene) -> Who | None:
    """The thing a phrase names, if it names one rather than a purpose: "for tests" is none."""
    if phrase.pronoun or is_meeting(phrase) or is_technology(said(phrase, scene.text)):
        return None
    called = attribute_in(phrase.core)
    if called is not None and called.known is not None and called.known.about is not About.PERSON and not called.thing:
        return thing(phrase.low) if flagged(called.attribute, Flag.PART) else project()
    name = thing_in(phrase.words)
    if not name or phrase.words[0].tag & tags.TIME or name in _PURPOSES:
        return project()
    return thing(name)


_PURPOSES = frozenset(
    (
        "everything",
        "it",
        "all",
        "development",
        "work",
        "fun",
        "now",
        "provisioning",
        "deployment",
        "testing",
        "monitoring",
    )
)


def thing_nearby(clause: Clause, scene: Scene, skipping: int = -2) -> Who:
    """The thing a clause mentions beside its value: "in this repo", "behind the billing service". Else the project."""
    for at, part in enumerate(clause.parts):
        if (
            at == skipping
            or part.prep not in _AROUND
            or part.phrase.det not in ("the", "our", "this", "")
            or part.phrase.named
        ):
            continue
        if not part.phrase.det or part.phrase.head.low in _SURROUNDINGS:
            continue
        found = _thing_of(part.phrase, scene)
        if found is not None and found.kind == "thing":
            return found
    return project()


_SURROUNDINGS = frozenset(
    "guide readme docs documentation wiki handbook meeting office weekend morning past future end background run "
    "team".split()
)
_AROUND = frozenset(("for", "in", "behind", "of", "inside", "within", "under"))


def _shaped(value: str, match: FrameMatch, clause: Clause, scene: Scene) -> str:
    """The value as its attribute wants it: with its tail, or with its verb."""
    effects = match.frame.effects
    if "tail" in effects and 0 <= match.at < len(clause.parts):
        return rest_of(clause, clause.parts[match.at].phrase.words[0], scene)
    if "tail" in effects and clause.parts:
        return rest_of(clause, clause.words[clause.verb.end] if clause.verb else clause.words[0], scene)
    if flagged(match.frame.attribute, Flag.PRACTICE) and 0 <= match.at < len(clause.parts):
        return reached(clause, clause.parts[match.at], scene)
    if "learn" in effects:
        return f"learn {value}"
    if "collecting" in effects:
        return f"collecting {value}"
    if "adjective" in effects:
        described = clause.part("")
        return said(described, scene.text) if described is not None else ""
    if "event" in effects:
        past = clause.verb is not None and clause.verb.past and clause.verb.modal == ""
        return rest_of(clause, clause.words[clause.verb.start], scene) if past and clause.verb is not None else ""
    return value


def _names_of_several(phrase: Phrase, attribute: str, clause: Clause) -> list[str]:
    """ "Two cats, Miso and Tofu": the names are the values, not the number."""
    if (
        not phrase.words[0].tag & tags.NUM
        or not clause.tails
        or not (flagged(attribute, Flag.ANIMAL) or relation_of(attribute) is AttributeRelation.FAMILY)
    ):
        return []
    names = [word.text for word in clause.tails[0] if word.tag & tags.NAME]
    names += [word.text for tail in clause.tails[1:] for word in tail if word.tag & tags.NAME]
    if any(not word.tag & (tags.NAME | tags.CONJ | tags.PUNCT) for tail in clause.tails for word in tail):
        return []
    return [f"{singular(phrase.head.low)} named {name}" for name in names] if flagged(attribute, Flag.ANIMAL) else names


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


# In this order; the first that finds anything in a clause has read it.
_RULES: tuple[tuple[str, Callable[[Clause, Who | None, Scene], Iterable[Finding]]], ...] = (
    ("tastes", _liked),
    ("copula", lambda clause, _, scene: read_copula(clause, scene)),
    ("frames", _framed),
    ("moved", lambda clause, _, scene: read_moved(clause, scene)),
    ("required", _required),
)
