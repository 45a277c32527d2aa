"""Sorts of phrases: which words are a place, a person, an occupation, a technology, something to own.

Each sort takes a phrase and the text it stands in, and gives the value, or `None` if the phrase is of another sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from recollect.attributes.catalogue import attribute_named, flagged, relation_of
from recollect.attributes.records import AttributeRelation, Flag
from recollect.language import tags
from recollect.language.english.closed_words import WEEKDAYS
from recollect.language.english.relations import RELATIONS, TITLES
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.naming import (
    bare,
    called_name,
    is_place,
    is_technology,
    is_version,
    kind_in,
    kind_of,
    kind_of_command,
    said,
    singular,
    trimmed,
)
from recollect.readers.rules.scene import GENDERS, could_be_person
from recollect.readers.rules.vocabulary import NOUNS, in_order, listed, split
from recollect.readers.rules.words import Phrase


def _place(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if is_place(value):
        return value
    first = phrase.words[0]
    if (
        not phrase.named
        or phrase.det not in ("", "the")
        or first.text[0].islower()
        or any(word.low in _TEAMS for word in phrase.words)
    ):
        return None
    if (len(phrase.words) == 1 and first.low in LEXICON) or not all(
        word.tag & (tags.NAME | tags.PUNCT | tags.PREP | tags.DET | tags.CONJ) for word in phrase.words
    ):
        return None
    if kind_of(value) is not None or first.low in _TITLES or value.isupper():
        return None
    if first.low in GENDERS and len(phrase.words) == 1:
        return None
    return value


def _org(phrase: Phrase, text: str) -> str | None:
    called = called_name(phrase)
    if called is not None:
        return said(called, text)
    first = phrase.words[0]
    if phrase.named:
        if (
            phrase.det in ("my", "our")
            or first.tag & (tags.CODE | tags.THIRD)
            or (first.low in GENDERS and len(phrase.words) <= 2)
        ):
            return None  # "our Siemens account", "I work for Anna"
        if phrase.head.low in _TEAMS or first.low in RELATIONS or first.low in _TITLES:
            return None  # "started with coworker Hayashi"
        return None if kind_of(said(phrase, text)) == "programming_language" else said(phrase, text)
    if phrase.det in ("a", "an", "the") and singular(phrase.head.low) in _ORGANISATIONS:
        return said(phrase, text)
    return None


def _person(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    return value if could_be_person(phrase) and not is_place(value) and phrase.low not in _PEOPLES else None


def _first_name(phrase: Phrase, text: str) -> str | None:
    quoted = phrase.start > 0 and text[phrase.start - 1] in "'\"‘“"
    if quoted or phrase.det or len(phrase.words) > 3 or not all(word.tag & tags.NAME for word in phrase.words):
        return None
    if phrase.low in _PEOPLES or is_place(said(phrase, text)) or kind_of(said(phrase, text)):
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


def _tongue(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.low in _LANGUAGES else None


def _role(phrase: Phrase, text: str) -> str | None:
    head = singular(phrase.head.low)
    if (
        phrase.det not in ("a", "an", "the", "")
        or head in _NOT_OCCUPATIONS
        or phrase.words[0].tag & tags.NUM  # "we're six engineers"
        or (phrase.head.tag & tags.NAME and not phrase.head.text.isupper())
    ):
        return None
    endings = _OCCUPATION_ENDINGS if phrase.det else ("engineer", "developer", "manager", "scientist")
    if head not in _OCCUPATIONS and not (head.endswith(endings) and len(head) > 5):
        return None
    core = Phrase(phrase.core)
    while core.words[0].low in _MERELY:  # the head, an occupation, is none of them
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


def _child(phrase: Phrase, text: str) -> str | None:
    if any(word.tag & tags.OWNER for word in phrase.words):
        return None
    kin = any(singular(word.low) in _CHILDREN for word in phrase.words)
    return said(called_name(phrase) or phrase, text) if kin else None


_CHILDREN = frozenset("child kid son daughter baby twin toddler".split())


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
    last = [singular(word.low) for word in head.words[-2:]]
    if not _PET_ANIMALS.isdisjoint((last[-1], " ".join(last))):
        return text[head.start : phrase.end] if named is not None else said(head, text)
    if singular(phrase.head.low) == "pet":
        return said(phrase, text)
    return None


def _study(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    return None if is_place(value) or phrase.det == "my" or phrase.low in _NO_SUBJECTS else value


_NO_SUBJECTS = frozenset("hard well together home bed school college uni university work night".split())


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")


def _email(phrase: Phrase, text: str) -> str | None:
    found = _EMAIL.search(said(phrase, text))
    return found.group() if found else None


_TITLES = frozenset(TITLES.split())
_LANGUAGES, _PEOPLES = listed("languages"), listed("peoples", "religions", "languages")
_PET_ANIMALS = frozenset(split(NOUNS["pets"]))
_OCCUPATION_ENDINGS = tuple(in_order("occupation_endings"))
_TEAMS = listed("teams")
_HOMES_AND_SHARES = listed("homes_and_shares")
_ORGANISATIONS = listed("organisations")
_OCCUPATIONS = listed("occupations")
_NOT_OCCUPATIONS = listed("not_occupations") | {
    word
    for word, (attribute, _) in RELATIONS.items()
    if relation_of(attribute) in (AttributeRelation.FAMILY, AttributeRelation.COMPANION)
}
_TASTELESS = listed("tasteless")
Sort = Callable[[Phrase, str], str | None]


def _taste(phrase: Phrase, text: str) -> str | None:
    head = phrase.head
    if phrase.det == "no" or phrase.words[0].tag & tags.NUM or (phrase.det in _OF_ONE_THING and not phrase.named):
        return None
    if head.low in _TASTELESS or (
        head.tag & (tags.ADJ | tags.ADV) and len(phrase.words) == 1 and not head.tag & (tags.NOUN | tags.NAME)
    ):
        return None
    return said(phrase, text)


_OF_ONE_THING = frozenset("this that these those your his her their its how the my our a an each every".split())


def _ends_in(name: str) -> Sort:
    ends = listed(name)
    return lambda phrase, text: said(phrase, text) if singular(phrase.head.low) in ends else None


def _vehicle(phrase: Phrase, text: str) -> str | None:
    """A vehicle that somebody drives: whatever is named, but for people."""
    named = phrase.named and phrase.words[0].low not in GENDERS
    return said(phrase, text) if named and not is_technology(said(phrase, text)) else None


def _object(phrase: Phrase, text: str) -> str | None:
    if phrase.det not in ("a", "an", "") or phrase.words[0].tag & tags.NUM or not (phrase.det or phrase.named):
        return None
    if phrase.low in _NEVER_OWNED or phrase.head.low in _NEVER_OWNED:
        return None
    kind = kind_of(said(phrase, text))
    if (kind is not None and not flagged(kind, Flag.OWNABLE)) or singular(phrase.head.low) in _HOMES_AND_SHARES:
        return None
    return said(phrase, text)


def _tool(phrase: Phrase, text: str) -> str | None:
    """The name of a tool, known or not: written like a name or known to be one."""
    value = said(phrase, text)
    return value if phrase.named or is_technology(value) else None


def _tech(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if phrase.det in ("this", "that", "your", "my", "his", "her", "its"):
        return None
    if is_technology(value):
        return value
    if phrase.words[0].tag & tags.CODE:
        return value if kind_of_command(value) else None
    return value if is_version(value) and "." in value else None


def _tech_name(phrase: Phrase, text: str) -> str | None:
    """A technology that is written as a name, where an adjective could stand as well."""
    return _tech(phrase, text) if phrase.named else None


def _platform(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    kind = kind_of(value)
    if flagged(kind, Flag.PLATFORM):
        return value
    if kind is not None or is_place(value):
        return None
    named = phrase.named and not phrase.words[0].tag & tags.NUM and phrase.head.low not in _DAYS
    return value if named else None


_DAYS = frozenset(WEEKDAYS.split())
_NEVER_OWNED = listed("objects_never_owned")


def _intolerant(phrase: Phrase, text: str) -> str | None:
    return phrase.words[0].text if len(phrase.words) == 2 and phrase.head.low == "intolerant" else None


def _body_part(phrase: Phrase, text: str) -> str | None:
    owned = phrase.det in ("my", "his", "her", "their", "a")
    return f"broken {phrase.head.low}" if owned and phrase.head.low in _BODY_PARTS else None


def _medicine(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if any(_is_medicine(word.low) for word in phrase.words) else None


def _is_medicine(low: str) -> bool:
    return low in _MEDICINES or (len(low) > 6 and low.endswith(_MEDICINE_ENDINGS))


def _drug(phrase: Phrase, text: str) -> str | None:
    """A drug that a doctor puts somebody on: a medicine, or one word that the lexicon does not have."""
    unknown = len(phrase.words) == 1 and phrase.words[0].low not in LEXICON and len(phrase.words[0].low) > 5
    brand = unknown and not phrase.det and not phrase.words[0].low.endswith(("ing", "ist", "diet", "list"))
    return _medicine(phrase, text) or (said(phrase, text) if brand else None)


def _diet(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.low in _DIETS else None


def _food(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.low.replace(" ", "-") in _FOODS else None


_DIETS = frozenset(split(NOUNS["diet"]))
_MEDICINE_ENDINGS = tuple(in_order("medicine_endings"))
_BODY_PARTS = listed("body_parts")
_MEDICINES = listed("medicines")
_FOODS = listed("foods")


def value_of(sort: str, phrase: Phrase, text: str) -> str | None:
    """The value in a phrase of the text, if the phrase is of that sort."""
    if phrase.pronoun or not phrase.words:
        return None
    found = _SORTS.get(sort)
    if found is not None:
        return found(phrase, text)
    return _of_kind(sort.rstrip("_"), phrase, text)


def _any(phrase: Phrase, text: str) -> str | None:
    return None if phrase.head.low in _TASTELESS else said(phrase, text)


def _name(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.named and phrase.det not in ("this", "that", "your") else None


def _of_kind(kind: str, phrase: Phrase, text: str) -> str | None:
    known = attribute_named(kind)
    phrase = trimmed(phrase, text)
    if kind_of(said(phrase, text)) == kind:
        return said(phrase, text)
    found = kind_in(phrase, text)
    if found == kind or (known is not None and found in known.accepts):
        return said(bare(phrase), text)
    return None


_SORTS: dict[str, Sort] = {
    "any": _any,
    "name": _name,
    "place": _place,
    "origin": _place,
    "org": _org,
    "person": _person,
    "firstname": _first_name,
    "age": _age,
    "number": _number,
    "tongue": _tongue,
    "role": _role,
    "child": _child,
    "pet": _pet,
    "study": _study,
    "email": _email,
    "taste": _taste,
    "appointment": _ends_in("appointments"),
    "race": _ends_in("races"),
    "vehicle": _vehicle,
    "object": _object,
    "tool": _tool,
    "tech": _tech,
    "techname": _tech_name,
    "platform": _platform,
    "intolerant": _intolerant,
    "bodypart": _body_part,
    "medicine": _medicine,
    "drug": _drug,
    "diet": _diet,
    "food": _food,
}
