"""The scene of a message while it is being read: its text, its times, and whom its sentences are about.

"My sister Ana" is Ana, and says that the sister is called so. "She" is the nearest name in the message that fits;
when none fits, nobody is meant, and nothing is said. A scene lives as long as one message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from recollect.attributes.catalogue import flagged, relation_of
from recollect.attributes.records import AttributeRelation, Flag
from recollect.domain.dataclass import dataclass, field
from recollect.domain.periods import TimeMention
from recollect.domain.readings import PROJECT, USER
from recollect.language import tags
from recollect.language.english import closed_words, relations
from recollect.language.english.relations import RELATIONS
from recollect.readers.rules import cues
from recollect.readers.rules.naming import is_technology, kind_of, singular, thing_called, thing_in
from recollect.readers.rules.vocabulary import NOUNS, listed, split
from recollect.readers.rules.words import Phrase, Word


class Who(NamedTuple):
    """A subject: its key, how it is called in a sentence, and what it is.

    `kind` is "user", "person", "relation", "thing" or "project". `relation`, `name` and `word` say that a relation was
    named: of the speaker, or of whoever has the key and the name in `kin`.
    """

    key: str
    called: str
    kind: str
    plural: bool = False
    relation: str = ""
    name: str = ""
    gender: str = ""
    kin: tuple[str, str] = ("", "")
    word: str = ""  # for the relation, as it was said

    @property
    def personal(self) -> bool:
        return self.kind in ("user", "person", "relation")


@dataclass(slots=True)
class Company:
    """The people and things spoken of so far in a message, the latest last."""

    speaker: str
    known_names: frozenset[str] = frozenset()
    people: list[Who] = field(default_factory=list)
    things: list[Who] = field(default_factory=list)
    unnamed: bool = False  # whether somebody was spoken of who cannot be told

    def met(self, who: Who | None) -> None:
        if who is None or who.kind in ("user", "project"):
            return
        (self.things if who.kind == "thing" else self.people).append(who)


def user(company: Company, plural: bool = False) -> Who:
    return Who(USER, company.speaker, "user", plural)


def project() -> Who:
    return Who(PROJECT, "The project", "project")


def thing(name: str) -> Who:
    return Who(f"thing:{name}", f"The {name}", "thing") if name else project()


def who_is(phrase: Phrase | None, company: Company) -> Who | None:
    """Whom a phrase means; `None` if it means nobody we could name again."""
    if phrase is None:
        return None
    first = phrase.words[0]
    if phrase.pronoun:
        return pronoun_means(first.low, company)
    if first.low in ("this", "that") and len(phrase.words) == 1 and not phrase.det:
        return None
    if any(word.low == "user" for word in phrase.words[:2]) and phrase.det == "the":
        return None  # somebody's notes about the speaker, given back
    if owner := _owner(phrase, company):
        return owner
    if phrase.det in ("my", "our"):
        return _mine(phrase, company)
    if phrase.det in ("his", "her", "their"):
        return _theirs(phrase, company)
    if phrase.det in ("your", "its", "no", "any", "every", "each"):
        return None
    if of_mine := _of_mine(phrase, company):
        return of_mine
    if not phrase.det and _kin_in(phrase):
        return _mine(phrase, company)  # "Father walks again", "wife Sneha agrees": one's own
    if is_name(phrase, company):
        return person_named(phrase.words)
    if phrase.det in ("the", "this", "that") and phrase.low in RELATIONS:
        return None  # "the friend lives in Rome": somebody, and no thing of ours
    if phrase.det in ("the", "this") or first.tag & (tags.NAME | tags.CODE):
        return _thing(phrase)
    if not phrase.det and singular(phrase.head.low) == phrase.head.low:
        return _thing(phrase)
    return None


def is_name(phrase: Phrase, company: Company) -> bool:
    """Whether a phrase is somebody's name, as far as can be told from how it is written."""
    words = [word for word in phrase.words if not word.tag & tags.PUNCT]
    if not words or phrase.det in ("the", "a", "an", "this"):
        return False
    if phrase.low in company.known_names or words[0].low in company.known_names:
        return True
    if words[0].low in _TITLES:
        return True
    if not all(word.tag & tags.NAME for word in words) or len(words) > 4:
        return False
    return words[0].low in GENDERS and kind_of(" ".join(word.text for word in words)) is None


def is_full_name(phrase: Phrase) -> bool:
    """Whether a phrase is written like a name from its first word to its last."""
    return (
        not phrase.det
        and bool(phrase.words[0].tag & tags.NAME)
        and bool(phrase.words[-1].tag & (tags.NAME | tags.PUNCT))
    )


def could_be_person(phrase: Phrase) -> bool:
    """Whether a phrase is written like a name and is not known to be anything but a person's."""
    words = phrase.words
    if phrase.det in ("the", "a", "an", "this") or len(words) > 4 or words[0].tag & tags.CODE:
        return False
    named = all(word.tag & (tags.NAME | tags.PUNCT) for word in words) and not any(
        word.text.isupper() and len(word.text) > 1 for word in words
    )
    if words[0].low in _TITLES or (named and words[0].low in GENDERS):
        return True
    return named and words[0].low not in _NEVER_NAMES and not is_technology(" ".join(word.text for word in words))


_TITLES = frozenset(relations.TITLES.split())
_NEVER_NAMES = frozenset(closed_words.SUBORDINATORS.split()) | {"hr", "ci", "cd", "qa", "it", "ui", "api", "prs", "pr"}
GENDERS = {
    name: gender
    for names, gender in ((relations.WOMEN, "f"), (relations.MEN, "m"), (relations.EITHER, ""))
    for name in names.split()
}


def pronoun_means(low: str, company: Company) -> Who | None:
    """Whom a pronoun means; `None` if that is not safe to say."""
    if low in ("i", "me", "myself"):
        return user(company)
    if low in ("we", "us", "ourselves"):
        return user(company, plural=True)
    if low in ("he", "him", "his"):
        return _latest(company.people, "m")
    if low in ("she", "her"):
        return _latest(company.people, "f")
    if low == "it":
        return company.things[-1] if company.things else None
    return None


def _latest(people: Sequence[Who], gender: str) -> Who | None:
    """The person a pronoun means: the only one it fits, if nobody was named after them whom it may fit as well."""
    fitting = {who.key: who for who in people if who.gender == gender}
    if len(fitting) != 1:
        return None
    [(key, who)] = fitting.items()
    last = max(at for at, other in enumerate(people) if other.key == key)
    return who if all(other.gender or other.key == key for other in people[last + 1 :]) else None


def _owner(phrase: Phrase, company: Company) -> Who | None:
    """ "My friend's boss": somebody, seen from somebody. Known only by that, unless a name follows."""
    if not any(word.tag & tags.OWNER for word in phrase.words):
        return None
    at = next(n for n, word in enumerate(phrase.words) if word.tag & tags.OWNER)
    owner = who_is(Phrase(phrase.words[:at], phrase.det), company) if at else None
    rest = phrase.words[at + 1 :]
    if owner is None or not rest:
        return None
    relation, name = _relation_of(rest)
    if relation:
        return _relative(relation, name, owner)
    if owner.kind in ("thing", "project"):
        return thing(thing_called((*owner.key.partition(":")[2].split(), *(word.low for word in rest))))
    name = thing_in(rest) or " ".join(word.low for word in rest)  # "Ana's company", which has no name of its own
    return Who(f"thing:{owner.key.partition(':')[2]}'s {name}", f"{owner.called}'s {name}", "thing")


def _relative(relation: str, name: str, owner: Who) -> Who:
    """Somebody's mother or boss: by name if there is one, else by what they are to the owner."""
    attribute, gender = RELATIONS[relation]
    if name:
        kin = ("", "") if owner.kind == "user" else (owner.key, owner.called)
        word = relations.SPELLED.get(relation, relation)
        return _person(name, gender)._replace(relation=attribute, name=name, kin=kin, word=word)
    same = relations.SAME_RELATION.get(relation, relation)
    whose = "" if owner.kind == "user" else f"{owner.key.partition(':')[2] or owner.key}'s "
    return Who(f"relation:{whose}{same}", f"{owner.called}'s {relation}", "relation", gender=gender)


def _mine(phrase: Phrase, company: Company) -> Who | None:
    relation, name = _relation_of(phrase.words)
    if relation:
        attribute, gender = RELATIONS[relation]
        if name and _is_former(phrase.words, attribute):
            return _person(name, gender)  # "my late husband Carl": somebody, and nobody's husband now
        return _relative(relation, name, user(company))
    if pet := _pet(phrase.words):
        return pet
    return None if phrase.words[0].low in (*_FORMER, "last", "old") else _thing(phrase)  # "my last company"


def _is_former(words: Sequence[Word], attribute: str) -> bool:
    """Whether somebody no longer is what they are called. An old friend still is one."""
    said = {word.low for word in words}
    return not said.isdisjoint(_FORMER) or ("old" in said and flagged(attribute, Flag.FOR_A_TIME))


_PET_ANIMALS = frozenset(split(NOUNS["pets"]))
_FORMER = frozenset("late former previous ex deceased".split())


def named_relation(phrase: Phrase, company: Company) -> Who | None:
    """Somebody of the speaker's who is named, from "older sister Mika" or "cat Luna"; `None` if nobody is."""
    found = _mine(phrase, company)
    return found if found is not None and found.relation and found.name else None


def person_named(names: Sequence[Word]) -> Who:
    return _person(_spelled(names))


def relation_in(words: Sequence[Word]) -> str:
    """The word for a relation that some words are, and nothing else."""
    relation, name = _relation_of(words)
    return "" if name else relation


def _kin_in(phrase: Phrase) -> bool:
    """Whether a phrase begins with a word for one's own family, which needs no "my"."""
    relation, name = _relation_of(phrase.words)
    return (
        bool(relation)
        and relation_of(RELATIONS[relation][0]) is AttributeRelation.FAMILY
        and (relation in _BARE_KIN if not name else relation not in _ALSO_TITLES)
    )


_ALSO_TITLES = frozenset(relations.KIN_TITLES.split())
_BARE_KIN = frozenset(
    "mum mom mama mummy mother dad papa daddy father wife husband grandma grandpa granny nan nana sis bro".split()
)


def _pet(words: Sequence[Word]) -> Who | None:
    """ "My cat Luna": an animal and its name."""
    words = [word for word in words if word.low not in _RELATION_MODIFIERS]
    names = [word for word in words if word.tag & tags.NAME]
    animal = " ".join(word.low for word in words if not word.tag & tags.NAME)
    if not names or not animal or names[0] is words[0] or animal not in _PET_ANIMALS:
        return None
    name = " ".join(word.text for word in names)
    return Who(f"thing:{name.lower()}", name, "thing", relation="pets", name=f"{animal} named {name}")


def _theirs(phrase: Phrase, company: Company) -> Who | None:
    owner = pronoun_means(phrase.det, company)
    relation, name = _relation_of(phrase.words)
    if owner is None or not relation:
        return None
    return _person(name) if name else _relative(relation, "", owner)


def _of_mine(phrase: Phrase, company: Company) -> Who | None:
    """ "A colleague of mine", "one of my friends"."""
    words = [word.low for word in phrase.words]
    if "of" not in words or not {"mine", "ours", "my", "our"} & set(words):
        return None
    at = words.index("of")
    relation = singular(words[at - 1]) if at else ""
    if relation not in RELATIONS and at + 2 < len(words):
        relation = singular(" ".join(words[at + 2 :]))
    if relation not in RELATIONS:
        return None
    return _relative(relation, "", user(company))


def _relation_of(words: Sequence[Word]) -> tuple[str, str]:
    """The relation a phrase begins with, and the name that follows it; both may be empty."""
    words = [word for word in words if word.low not in _RELATION_MODIFIERS]
    for size in (3, 2, 1):
        relation = " ".join(word.low for word in words[:size])
        if relation not in RELATIONS:
            continue
        rest = words[size:]
        if not rest:
            return relation, ""
        if all(word.tag & (tags.NAME | tags.PUNCT) for word in rest):
            return relation, _spelled(rest)
        return "", ""
    return "", ""


_RELATION_MODIFIERS = frozenset(
    "older younger elder little big new old other twin dear lovely late youngest oldest eldest only two three "
    "four former previous junior senior baby kid middle wee small own good close best poor darling".split()
)


def _spelled(words: Sequence[Word]) -> str:
    """A name as it is written, with the full stop of a title where it belongs: "Prof. Odhiambo"."""
    name = ""
    for at, word in enumerate(words):
        apart = at > 0 and word.start > words[at - 1].end
        name += f" {word.text}" if apart else word.text
    return name.strip(" ,")


def _person(name: str, gender: str = "") -> Who:
    first = name.split(maxsplit=1)[0].lower()
    return Who(f"person:{name.lower()}", name, "person", gender=gender or GENDERS.get(first, ""))


def _thing(phrase: Phrase) -> Who | None:
    name = thing_in(phrase.words)
    if not name:
        return project()
    said = " ".join(word.text for word in phrase.words if not word.tag & tags.OWNER)
    return Who(f"thing:{name}", said if phrase.named and not phrase.det else f"The {said}", "thing")


class Finding(NamedTuple):
    """The result of one reading of a clause, before it is known how it was meant.

    `effect` is "ended", "negated", "event", "named" or nothing; `many` overrides the catalogue when it is not
    `None`. `rule` names the rule that found it.
    """

    who: Who
    attribute: str
    value: str
    old: str = ""
    effect: str = ""
    confidence: float = 0.9
    many: bool | None = None
    wording: str = ""
    rule: str = ""


@dataclass(slots=True)
class Scene:
    """The state of the reading of one message."""

    text: str
    at: datetime
    zone: tzinfo
    company: Company
    times: tuple[TimeMention, ...] = ()
    corrects: bool = False
    wrong: str = ""
    ended: list[Finding] = field(default_factory=list)
    technology: str = ""
    sentence: tuple[int, int] = (0, 0)
    without: frozenset[str] = frozenset()  # rules that are left out, to measure what each is worth

    def times_in(self, start: int, end: int) -> list[TimeMention]:
        return [time for time in self.times if time.start < end and time.end > start]


def by_rule(rule: str, scene: Scene, read: Callable[..., Iterable[Finding]], *given: object) -> list[Finding]:
    """The findings of a rule, each with the rule's name; none if it is left out."""
    if rule in scene.without:
        return []
    return [finding if finding.rule else finding._replace(rule=rule) for finding in read(*given)]


_VAGUE_TRIGGERS = listed("vague_triggers")
_VAGUE = re.compile(cues.VAGUE, re.IGNORECASE)
SLOT = re.compile(cues.SLOT, re.IGNORECASE)
RECURRENCE = re.compile(cues.RECURRENCE, re.IGNORECASE)


def with_times(words: list[Word], text: str, times: tuple[TimeMention, ...]) -> list[Word]:
    """The words, those inside a time phrase marked as such: they belong to no value."""
    spans = [(time.start, time.end) for time in times]
    if not _VAGUE_TRIGGERS.isdisjoint(word.low for word in words):
        spans.extend(match.span() for match in _VAGUE.finditer(text))
    if not spans:
        return words
    spans.sort()
    at = 0
    for place, word in enumerate(words):
        while at < len(spans) and spans[at][1] <= word.start:
            at += 1
        if at == len(spans):
            break
        if (
            spans[at][0] <= word.start
            and word.end <= spans[at][1]
            and not (word.tag & (tags.AUX | tags.SUBJECT) and word.text.islower())
        ):
            words[place] = word._replace(tag=word.tag & (tags.PUNCT | tags.CONJ) | tags.TIME)
    return words
