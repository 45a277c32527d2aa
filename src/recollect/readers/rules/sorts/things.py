"""Sorts of phrases about things and bodies: what can be liked, owned, driven, suffered from, taken.

Each takes a phrase and the text it stands in, and gives the value, or `None` if the phrase is of another sort.
"""

from __future__ import annotations

from collections.abc import Callable

from recollect.attributes.catalogue import flagged
from recollect.attributes.records import Flag
from recollect.language import tags
from recollect.language.english.closed_words import WEEKDAYS
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.english import sorts as english
from recollect.readers.rules.naming import singular
from recollect.readers.rules.quoting import bare, is_place, kind_in, said
from recollect.readers.rules.sorts.kinds import is_in, is_technology, is_version, kind_of, kind_of_command
from recollect.readers.rules.syntax.phrases import Phrase

Sort = Callable[[Phrase, str], str | None]


def _taste(phrase: Phrase, text: str) -> str | None:
    head = phrase.head
    if (
        phrase.det
        in ("this", "that", "these", "those", "your", "his", "her", "their", "its", "how", "the", "my", "our")
        and not phrase.named
    ):
        return None
    if (
        phrase.det in ("each", "every")
        or (phrase.det in ("a", "an", "no") and not phrase.named)
        or phrase.det == "no"
        or phrase.words[0].tag & tags.NUM
    ):
        return None
    if head.low in _TASTELESS or (
        head.tag & (tags.ADJ | tags.ADV) and len(phrase.words) == 1 and not head.tag & (tags.NOUN | tags.NAME)
    ):
        return None
    return said(phrase, text)


def _drink(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if kind_of(value) != "usual_drink" and not (
        phrase.words[-1].low == "black" and len(phrase.words) > 1 and kind_of(phrase.words[-2].low) == "usual_drink"
    ):
        return None
    head_words = [
        word for word in phrase.words if word.low not in ("morning", "daily", "usual", "first", "second", "double-now")
    ]
    return text[head_words[0].start : head_words[-1].end]


def _activity(phrase: Phrase, text: str) -> str | None:
    head = phrase.head
    known = kind_of(phrase.low)
    if flagged(known, Flag.PASTIME) or head.low.endswith("ing"):
        return said(phrase, text)
    return None


def _learned(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if is_in(english.LANGUAGES, phrase.low) or is_technology(value) or flagged(kind_of(value), Flag.PASTIME):
        return value
    return None


def _skill(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    return value if is_technology(value) else None


def _title(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("this", "your", "my"):
        return None
    return said(phrase, text) if phrase.named and phrase.words[0].tag & (tags.NAME | tags.DET) else None


def _ends_in(listed: str, dets: tuple[str, ...] = ("", "a", "an", "my", "our", "another", "the")) -> Sort:
    ends = frozenset(listed.split())

    def fits(phrase: Phrase, text: str) -> str | None:
        return said(phrase, text) if singular(phrase.head.low) in ends and phrase.det in dets else None

    return fits


def _club(phrase: Phrase, text: str) -> str | None:
    """Where somebody trains: named like a club, and not a place on the map or a person."""
    if (
        not phrase.named
        or phrase.det in ("my", "our", "your")
        or is_place(said(phrase, text))
        or phrase.words[0].tag & tags.CODE
    ):
        return None
    return said(phrase, text)


def _society(phrase: Phrase, text: str) -> str | None:
    return (
        said(phrase, text)
        if singular(phrase.head.low)
        in ("club", "society", "association", "choir", "orchestra", "union", "party", "church", "book-club", "league")
        and len(phrase.words) > 1
        else None
    )


def _car(phrase: Phrase, text: str) -> str | None:
    if kind_in(phrase, text) != "vehicle":
        return None
    return said(phrase if kind_of(said(phrase, text)) else bare(phrase), text)


def _no_car(phrase: Phrase, text: str) -> str | None:
    """ "I don't own a car": only worth saying when it is negated, and then it is about all of them."""
    return said(phrase, text) if singular(phrase.head.low) in ("car", "vehicle") and len(phrase.words) == 1 else None


def _vehicle(phrase: Phrase, text: str) -> str | None:
    """A vehicle that somebody drives: whatever is named, or an ordinary vehicle."""
    if phrase.det in ("this", "that", "your", "the") and not phrase.named:
        return None
    if (phrase.named and not is_technology(said(phrase, text))) or singular(phrase.head.low) in (
        "car",
        "van",
        "truck",
        "motorbike",
        "camper",
    ):
        return said(phrase, text)
    return None


def _bike(phrase: Phrase, text: str) -> str | None:
    value = said(phrase, text)
    if kind_of(value) == "bicycle" or (
        singular(phrase.head.low) in ("bike", "bicycle", "e-bike")
        and len(phrase.words) > 1
        and phrase.det in ("a", "an")
    ):
        return value
    return None


def _sold(phrase: Phrase, text: str) -> str | None:
    """A thing that can be sold again: something of one's own that has a name."""
    return (
        said(phrase, text)
        if phrase.det in ("the", "my", "our") and phrase.words[0].tag & tags.NAME
        else _object(phrase, text)
    )


def _object(phrase: Phrase, text: str) -> str | None:
    if (
        phrase.det not in ("a", "an", "")
        or phrase.words[0].tag & tags.NUM
        or phrase.low in _NEVER_OWNED
        or phrase.head.low in _NEVER_OWNED
    ):
        return None
    if not phrase.det and not phrase.named:
        return None
    kind = kind_of(said(phrase, text))
    if (kind is not None and not flagged(kind, Flag.OWNABLE)) or singular(phrase.head.low) in (
        "house",
        "flat",
        "apartment",
        "car",
        "home",
        "share",
        "business",
        "company",
    ):
        return None
    return said(phrase, text)


def _happening(phrase: Phrase, text: str) -> str | None:
    return (
        said(phrase, text)
        if phrase.named or (phrase.det in ("a", "an", "the", "my") and phrase.head.low not in _NEVER_OWNED)
        else None
    )


def _command(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.words[0].tag & tags.CODE and kind_of_command(phrase.words[0].text) else None


def _tool(phrase: Phrase, text: str) -> str | None:
    """The name of a tool, known or not: written like a name or known to be one."""
    value = said(phrase, text)
    if phrase.named or is_technology(value):
        return value if phrase.det in ("", "a", "an", "the", "our") else None
    return None


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
    if kind is not None or is_place(value) or phrase.det in ("my", "your", "this"):
        return None
    if phrase.named:
        return None if phrase.words[0].tag & tags.NUM or phrase.head.low in _DAYS else value
    if phrase.det in ("a", "an", "our") and phrase.head.low in (
        "vm",
        "vps",
        "server",
        "cluster",
        "machine",
        "kubernetes",
        "k8s",
        "servers",
        "hardware",
    ):
        return value
    return None


def _branching(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if kind_of(said(phrase, text)) == "branching_model" else None


def _favour(phrase: Phrase, text: str) -> str | None:
    if phrase.words[0].low not in ("favour", "favor") or len(phrase.words) < 3:
        return None
    return text[phrase.words[2].start : phrase.end]


_DAYS = frozenset(WEEKDAYS.split())
_NEVER_OWNED = frozenset(english.OBJECTS_NEVER_OWNED.split())
_TASTELESS = frozenset(english.TASTELESS.split())

SORTS_OF_THINGS: dict[str, Sort] = {
    "taste": _taste,
    "drink": _drink,
    "activity": _activity,
    "learned": _learned,
    "skill": _skill,
    "title": _title,
    "venture": _ends_in(english.VENTURES),
    "appointment": _ends_in(english.APPOINTMENTS, ("a", "an", "my", "another", "")),
    "race": _ends_in(english.RACES),
    "certificate": _ends_in(english.CERTIFICATES, ("a", "an", "my", "")),
    "club": _club,
    "society": _society,
    "car": _car,
    "nocar": _no_car,
    "vehicle": _vehicle,
    "anyvehicle": _vehicle,
    "bike": _bike,
    "object": _object,
    "sold": _sold,
    "happening": _happening,
    "command": _command,
    "tool": _tool,
    "tech": _tech,
    "techname": _tech_name,
    "platform": _platform,
    "branching_": _branching,
    "favour": _favour,
}


def _allergy(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("allergy", "intolerance", "allergies") or len(phrase.core) < 2:
        return None
    return text[phrase.start : phrase.core[-2].end]


def _intolerant(phrase: Phrase, text: str) -> str | None:
    return phrase.words[0].text if len(phrase.words) == 2 and phrase.head.low == "intolerant" else None


def _allergen(phrase: Phrase, text: str) -> str | None:
    return (
        said(phrase, text)
        if is_in(english.ALLERGENS, phrase.low) or is_in(english.ALLERGENS, singular(phrase.low))
        else None
    )


def _illness(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("the", "my", "this"):
        return None
    return said(phrase, text) if kind_of(phrase.low) == "health" else None


def _body_part(phrase: Phrase, text: str) -> str | None:
    return (
        f"broken {phrase.head.low}"
        if phrase.det in ("my", "his", "her", "their", "a") and phrase.head.low in _BODY_PARTS
        else None
    )


def _medicine(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if any(_is_medicine(word.low) for word in phrase.words) else None


def _is_medicine(low: str) -> bool:
    return low in _MEDICINES or (len(low) > 6 and low.endswith(english.MEDICINE_ENDINGS))


def _drug(phrase: Phrase, text: str) -> str | None:
    """A drug that a doctor puts somebody on: a medicine, or one word that the lexicon does not have."""
    unknown = len(phrase.words) == 1 and phrase.words[0].low not in LEXICON and len(phrase.words[0].low) > 5
    brand = unknown and not phrase.det and not phrase.words[0].low.endswith(("ing", "ist", "diet", "list"))
    return _medicine(phrase, text) or (said(phrase, text) if brand else None)


def _diet(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if is_in(english.DIETS, phrase.low) else _last_in(english.DIETS, phrase)


def _last_in(listed: str, phrase: Phrase) -> str | None:
    last = phrase.words[-1]
    return last.text if is_in(listed, last.low) and phrase.words[0].tag & tags.ADV else None


def _diet_noun(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("diet", "eating", "thing", "lifestyle", "food") or len(phrase.core) < 2:
        return None
    inner = text[phrase.start : phrase.core[-2].end]
    return inner if is_in(english.DIETS, inner.lower()) or phrase.head.low == "diet" else None


def _food(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.low.replace(" ", "-") in _FOODS else None


_BODY_PARTS = frozenset(english.BODY_PARTS.split())
_MEDICINES = frozenset(english.MEDICINES.split())
_FOODS = frozenset(english.FOODS.split())

SORTS_OF_HEALTH: dict[str, Sort] = {
    "allergy": _allergy,
    "intolerant": _intolerant,
    "allergen": _allergen,
    "illness": _illness,
    "bodypart": _body_part,
    "medicine": _medicine,
    "drug": _drug,
    "diet": _diet,
    "dietnoun": _diet_noun,
    "food": _food,
}
