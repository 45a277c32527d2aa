"""Sorts of phrases about people: where they live, whom they know, what they are.

Each takes a phrase and the text it stands in, and gives the value, or `None` if the phrase is of another sort.
"""

from __future__ import annotations

import re

from recollect.attributes.catalogue import relation_of
from recollect.attributes.records import AttributeRelation
from recollect.language import tags
from recollect.language.english.closed_words import MONTHS
from recollect.language.english.relations import RELATIONS, TITLES
from recollect.readers.rules.english import sorts as english
from recollect.readers.rules.naming import singular
from recollect.readers.rules.quoting import after_of, called_name, is_place, said
from recollect.readers.rules.sorts.kinds import is_in, kind_of
from recollect.readers.rules.sorts.things import SORTS_OF_HEALTH, Sort
from recollect.readers.rules.syntax.phrases import Phrase
from recollect.readers.rules.who import GENDERS, could_be_person


def _place(phrase: Phrase, text: str) -> str | None:
    phrase = after_of(phrase, ("city", "town", "village", "country", "state", "continent", "region"))
    value = said(phrase, text)
    if is_place(value):
        return value
    first = phrase.words[0]
    if (
        not phrase.named
        or first.tag & (tags.CODE | tags.NUM)
        or phrase.det not in ("", "the")
        or first.text[0].islower()
    ):
        return None
    if not all(word.tag & (tags.NAME | tags.PUNCT | tags.PREP | tags.DET | tags.CONJ) for word in phrase.words):
        return None
    kind = kind_of(value)
    if kind is not None or phrase.head.low in _MONTHS or phrase.head.low in _TEAMS:
        return None
    if (first.low in GENDERS and len(phrase.words) == 1) or first.low in _TITLES or value.isupper():
        return None
    return value


def _origin(phrase: Phrase, text: str) -> str | None:
    place = _place(phrase, text)
    if place is not None:
        return place
    if phrase.det not in ("a", "an", "the") or phrase.head.low not in _SETTLEMENTS:
        return None
    nearby = _NEARBY.match(text, phrase.end)
    return text[phrase.start : nearby.end() if nearby else phrase.end]


_SETTLEMENTS = frozenset("village town city island farm suburb countryside".split())
_NEARBY = re.compile(r" (?:near|outside|close to|north of|south of|east of|west of) [A-Z]\w+")


def _org(phrase: Phrase, text: str) -> str | None:
    called = called_name(phrase)
    if called is not None:
        return said(called, text)
    first = phrase.words[0]
    if phrase.named:
        if first.tag & tags.CODE or phrase.head.low in _TEAMS or phrase.head.low in _MONTHS:
            return None
        if phrase.det in ("my", "our", "your", "this") or (first.low in GENDERS and len(phrase.words) == 1):
            return None
        if first.low in RELATIONS or first.low in _TITLES:
            return None  # "started with coworker Hayashi"
        return said(phrase, text)
    if phrase.det in ("a", "an", "the") and singular(phrase.head.low) in _ORGANISATIONS:
        return said(phrase, text)
    return None


def _workplace(phrase: Phrase, text: str) -> str | None:
    """A place to work at that has no name: "a little bakery", "the workshop of a friend"."""
    plain = phrase.det in ("a", "an", "the") and not any(word.tag & tags.NAME for word in phrase.core)
    return said(Phrase(phrase.core), text) if plain and singular(phrase.head.low) in _ORGANISATIONS else None


def _person(phrase: Phrase, text: str) -> str | None:
    called = called_name(phrase)
    if called is not None and could_be_person(called):
        return said(called, text)
    if not could_be_person(phrase) or is_place(said(phrase, text)) or is_in(english.PEOPLES, phrase.low):
        return None
    if is_in(english.RELIGIONS, phrase.low) or is_in(english.LANGUAGES, phrase.low):
        return None
    return said(phrase, text)


def _titled(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.words[0].low in ("dr", "doctor") and len(phrase.words) > 1 else None


def _first_name(phrase: Phrase, text: str) -> str | None:
    quoted = phrase.start > 0 and text[phrase.start - 1] in "'\"‘“"
    if quoted or phrase.det or len(phrase.words) > 3 or not all(word.tag & tags.NAME for word in phrase.words):
        return None
    low = phrase.low
    if (
        is_in(english.PEOPLES, low)
        or is_in(english.RELIGIONS, low)
        or is_in(english.LANGUAGES, low)
        or is_place(low)
        or kind_of(said(phrase, text))
    ):
        return None
    if phrase.words[0].low in GENDERS or (len(phrase.words) == 1 and phrase.words[0].text[1:].islower()):
        return said(phrase, text)
    return None


def _age(phrase: Phrase, text: str) -> str | None:
    first = phrase.words[0]
    if phrase.det or not first.tag & tags.NUM or not first.low.isdigit() or not 0 < int(first.low) < 120:
        return None
    rest = [word.low for word in phrase.words[1:]]
    return first.text if all(word in ("years", "year", "old", "yrs", "yo") for word in rest) else None


def _number(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.words[0].tag & tags.NUM else None


def _height(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if not phrase.words[0].tag & tags.NUM or phrase.words[-1].low != "tall":
        return None
    return value.removesuffix("tall").strip()


def _money(phrase: Phrase, text: str) -> str | None:
    start = phrase.start
    before = text[start - 1] if start else ""
    numbers = [word for word in phrase.words if word.tag & tags.NUM]
    if not numbers:
        return None
    rate = _RATE.match(text, phrase.end)
    value = text[phrase.start : rate.end() if rate else phrase.end]
    if before and before in "€$£":
        return before + value
    paid = any(word.low in _CURRENCIES for word in phrase.words) or any(word.low.endswith("k") for word in numbers)
    return value if paid else None


_RATE = re.compile(r" (?:a|an|per) (?:year|month|hour|week|day)")


def _citizen(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("citizen", "national"):
        return None
    if len(phrase.core) < 2:
        country = after_of(phrase, ("citizen", "national"))
        return said(country, text) if country is not phrase else None
    return text[phrase.start : phrase.core[-2].end]


def _passport(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("passport", "citizenship") or len(phrase.core) < 2:
        return None
    return text[phrase.start : phrase.core[-2].end]


def _in_list(listed: str) -> Sort:
    def fits(phrase: Phrase, text: str) -> str | None:
        return said(phrase, text) if is_in(listed, phrase.low) else None  # "half Danish" is not Danish

    return fits


def _tongue(phrase: Phrase, text: str) -> str | None:
    last = phrase.words[-1]
    low = phrase.low
    if is_in(english.LANGUAGES, low):
        return said(phrase, text)
    if phrase.head.low == "language":
        return None  # "the language of X" speaks of one, as if there were no other
    if "of" in low.split():
        rest = low.partition(" of ")[2]
        return text[phrase.end - len(rest) : phrase.end] if is_in(english.LANGUAGES, rest) else None
    if is_in(english.LANGUAGES, last.low) and phrase.words[0].low in (
        "fluent",
        "some",
        "basic",
        "native",
        "a",
        "little",
        "good",
        "broken",
        "conversational",
        "perfect",
        "decent",
    ):
        return last.text
    return None


def _role(phrase: Phrase, text: str) -> str | None:
    head = singular(phrase.head.low)
    if (
        phrase.det not in ("a", "an", "the", "")
        or head in _NOT_OCCUPATIONS
        or (phrase.head.tag & tags.NAME and not phrase.head.text.isupper())
    ):
        return None
    if (
        not phrase.det
        and head not in _OCCUPATIONS
        and not head.endswith(("engineer", "developer", "manager", "scientist"))
    ):
        return None
    if head not in _OCCUPATIONS and not (head.endswith(english.OCCUPATION_ENDINGS) and len(head) > 5):
        return None
    core = Phrase(phrase.core)
    while len(core.words) > 1 and core.words[0].low in _MERELY:
        core = Phrase(core.words[1:])
    if any(word.tag & tags.ADJ or (word.tag & tags.ING and not word.tag & tags.NOUN) for word in core.words[:-1]):
        return None  # "a positive influencer", "an inspiring writer": praise, not a profession
    of = phrase.words[len(phrase.core) :]
    elsewhere = of and singular(of[-1].low) in _ORGANISATIONS
    if of and not elsewhere and not any(word.tag & (tags.NAME | tags.NUM) for word in of):
        return text[core.start : of[-1].end]  # "head of the mathematics section"; "of Datalune" is the employer
    return said(core, text)


_MERELY = frozenset(("only", "plain", "mere", "just", "new", "sole"))


def is_trade(phrase: Phrase) -> bool:
    """Whether a phrase names an occupation that is listed as one, and not only looks like one."""
    return phrase.det in ("a", "an") and singular(phrase.head.low) in _OCCUPATIONS


def _team(phrase: Phrase, text: str) -> str | None:
    if singular(phrase.head.low) not in _TEAMS or len(phrase.core) < 2 or phrase.det in ("a", "an"):
        called = called_name(phrase)
        return said(called, text) if called is not None and singular(phrase.words[0].low) in _TEAMS else None
    return text[phrase.start : phrase.core[-2].end]


def _child(phrase: Phrase, text: str) -> str | None:
    called = called_name(phrase)
    if any(word.tag & tags.OWNER for word in phrase.words):
        return None
    kin = [
        word
        for word in phrase.words
        if singular(word.low) in ("child", "kid", "son", "daughter", "baby", "twin", "toddler")
        or word.low in ("boys", "girls")  # of one girl it is not said whose she is
    ]
    if not kin:
        return None
    return said(called, text) if called is not None else said(phrase, text)


def _pet(phrase: Phrase, text: str) -> str | None:
    core = [word for word in phrase.words if not word.tag & tags.OWNER]
    named = called_name(phrase)
    head = phrase
    if phrase.det == "the" or any(word.low == "of" for word in core):
        return None  # "the tail of a fox"
    if named is not None:
        head = Phrase(
            [word for word in phrase.words if word.start < named.start and word.low not in ("called", "named")],
            phrase.det,
        )
    animal = next(
        (
            size
            for size in (2, 1)
            if len(head.words) >= size
            and is_in(english.PET_ANIMALS, " ".join(singular(word.low) for word in head.words[-size:]))
        ),
        0,
    )
    if animal:
        return text[head.start : phrase.end] if named is not None else said(head, text)
    if phrase.named and len(core) > 1 and is_in(english.PET_ANIMALS, core[0].low):
        return f"{core[0].text} named {text[core[1].start : core[-1].end]}"
    if singular(phrase.head.low) == "pet":
        return said(phrase, text)
    return None


def _degree(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("this", "the", "your"):
        return None
    titled = phrase.head.low in _DEGREES or any(
        word.low in ("phd", "doctorate", "mba", "bsc", "msc") for word in phrase.core
    )
    return said(phrase, text) if titled else None


def _study(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("this", "that", "your", "these", "the", "my") and not phrase.named:
        return None
    if phrase.head.low in _TASTELESS or phrase.head.low in ("hard", "well", "together") or is_place(said(phrase, text)):
        return None
    return said(phrase, text)


def _subject(phrase: Phrase, text: str) -> str | None:
    """Something that is studied; not a lesson in it."""
    return said(phrase, text) if not phrase.det and phrase.low.replace(" ", "-") in _SUBJECTS else None


def _education(phrase: Phrase, text: str) -> str | None:
    return (
        said(phrase, text)
        if (phrase.named and kind_of(said(phrase, text)) == "education") or "University" in said(phrase, text)
        else None
    )


def _timezone(phrase: Phrase, text: str) -> str | None:
    low = phrase.low.replace("time zone", "").replace("timezone", "").replace("time", "").strip()
    if low.split("+")[0].strip() in _TIMEZONE_CODES or low in english.TIMEZONE_WORDS.split():
        return text[phrase.start : phrase.start + len(low)]
    return None


def _street(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    return (
        value
        if any(word.tag & tags.NUM for word in phrase.words) and any(word.low in _STREETS for word in phrase.words)
        else None
    )


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\d[\d ()/-]{5,}\d")


def _email(phrase: Phrase, text: str) -> str | None:
    found = _EMAIL.search(said(phrase, text))
    return found.group() if found else None


def _phone_number(phrase: Phrase, text: str) -> str | None:
    found = _PHONE.match(text, phrase.start)
    return found.group().strip() if found else None


JOBLESS = frozenset(("freelance", "self-employed", "unemployed", "retired", "jobless", "a freelancer"))


_TITLES = frozenset(TITLES.split())
_TEAMS = frozenset(english.TEAMS.split())
_ORGANISATIONS = frozenset(english.ORGANISATIONS.split())
_OCCUPATIONS = frozenset(english.OCCUPATIONS.split())
_NOT_OCCUPATIONS = frozenset(english.NOT_OCCUPATIONS.split()) | {
    word
    for word, (attribute, _) in RELATIONS.items()
    if relation_of(attribute) in (AttributeRelation.FAMILY, AttributeRelation.COMPANION)
}
_SUBJECTS = frozenset(english.SUBJECTS.split())
_DEGREES = frozenset(english.DEGREES.split())
_TASTELESS = frozenset(english.TASTELESS.split())
_TIMEZONE_CODES = frozenset(english.TIMEZONE_CODES.split())
_STREETS = frozenset(english.STREET_WORDS.split())
_CURRENCIES = frozenset(english.CURRENCIES.split())
_MONTHS = frozenset(MONTHS.split())

SORTS_OF_PEOPLE: dict[str, Sort] = {
    "place": _place,
    "origin": _origin,
    "org": _org,
    "workplace": _workplace,
    "person": _person,
    "firstname": _first_name,
    "titled": _titled,
    "age": _age,
    "number": _number,
    "height": _height,
    "money": _money,
    "citizen": _citizen,
    "passport": _passport,
    "people": _in_list(english.PEOPLES),
    "religion": _in_list(english.RELIGIONS),
    "marital": _in_list(english.MARITAL),
    "tongue": _tongue,
    "role": _role,
    "team": _team,
    "child": _child,
    "pet": _pet,
    "degree": _degree,
    "study": _study,
    "subject": _subject,
    "education": _education,
    "timezone": _timezone,
    "street": _street,
    "email": _email,
    "phone": _phone_number,
} | SORTS_OF_HEALTH
