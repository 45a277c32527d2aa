"""The record of an attribute: everything the system knows about one thing that can be said of somebody or something.

A record is a table of `data/*.toml`, named as its attribute is, with the fields of `Attribute`. The first six are
written in every record. The others are left out where they do not apply; `frames` has one sentence frame a line, in
the form that is explained below.

A frame is a subject, a verb and complements. `WHO` is somebody, `THING` a part of the project, `MEETING` a meeting,
`YOU` the listener, `ANY` anything, `=home|flat` one of these words. A verb with `!` is in the passive; `|` separates
alternatives. A complement is a preposition (none for the object) and a slot: `VALUE` or `OLD` with the sort of phrase
it takes after a colon, `=word` for one of these words, `*` for anything. A sort that ends in `_` is a kind of thing:
the name of the attribute that such things are values of. `?` before a complement makes it optional, `+word` asks for
one of these words, `-word` for none of them, `& words` for these words in the text. After `>` stands the effect of the
wording: `ended`, `event`, `soft` (believed less), `tail` (the value goes on to the end of the clause), `adjective`
(the value is the word before), `present` (only in the present tense), `state` (its past is over, and begins nothing).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from recollect.domain.dataclass import dataclass

AS_ITS_KIND = "as its kind"  # in a record, in place of a number of days


class Cardinality(StrEnum):
    """How many values hold at a time."""

    ONE = "one"
    MANY = "many"


class About(StrEnum):
    """The subject of an attribute when the sentence only says "we" or "our"."""

    PERSON = "person"  # "we live in Berlin": the speaker
    PROJECT = "project"  # "we deploy to Heroku": what is being worked on
    EITHER = "either"  # "I use Vim" is the speaker's, "we use Vim" the project's


class AttributeRelation(StrEnum):
    """The relation in which the people who are values of an attribute stand to its subject."""

    FAMILY = "family"
    COMPANION = "companion"  # friends, colleagues, neighbours
    WORK = "work"  # managers, mentors: the word is also an occupation
    SERVICE = "service"  # doctors, landlords: people somebody turns to; the word is also an occupation


class Flag(StrEnum):
    """A yes or no that the readers, the resolver or recall need to know about an attribute."""

    ESSENTIAL = "essential"  # belongs in every profile
    # How long a value holds
    KEPT = "kept"  # ends only when a new value is told, not because its name is mentioned beside an ending
    FOR_A_TIME = "for_a_time"  # held by somebody as long as they are there: "my old boss" is the boss no more
    PAST_HOLDS = "past_holds"  # told in the past it is still true: "I was born in Lyon", "I studied physics"
    ONLY_NOW = "only_now"  # told in the past it is not worth keeping: "I was 10"
    MOMENTARY = "momentary"  # a count as of the moment of speaking: no date beside it belongs to it
    TO_COME = "to_come"  # lies in the future until it has happened
    AIM = "aim"  # to want it is to have it
    UNTIMED = "untimed"  # a time in the sentence is part of the value
    # What "not" does to it
    NEGATIVE = "negative"  # its wording already says "not": "never push to main"
    NEVER_DENIED = "never_denied"  # a denial tells nothing: "I have no plans"
    # Whose it is
    OWN = "own"  # "my deadline" is the speaker's, though deadlines are a project's
    BARE = "bare"  # is the speaker's without "my": "home is Ghent"
    PART = "part"  # also a part of a project that has attributes of its own: the frontend
    # What its values are
    PLACE = "place"  # a place, which people also name when they only visit it
    ANIMAL = "animal"  # an animal, told with its sort: "dog named Bruno"
    OWNABLE = "ownable"  # a value is also a thing to own: a piano
    PRACTICE = "practice"  # a way of working, told in several words: "trunk-based with short branches"
    PLATFORM = "platform"  # software runs there; a version is no platform
    TRADE = "trade"  # an occupation
    PROPER_NAME = "proper_name"  # how somebody is called
    VERSIONED = "versioned"  # comes in versions: "Django 4.2"
    VERSION_APART = "version_apart"  # its version is an attribute by itself: "python version"
    # The part of life it belongs to, besides that of its people and its project
    WORK = "work"  # somebody's work
    TASTE = "taste"  # what somebody likes, and how they like to do things
    LEARNING = "learning"  # what somebody learns or strives for
    SKILL = "skill"  # what somebody is good at
    RECURRING = "recurring"  # comes back again and again
    # How a value is cut and written
    ARTICLE = "article"  # is written with its article: "has a dog"
    REACHING = "reaching"  # goes on over its companions: "500 euros per month"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One record.

    `wording` has `{who}` and `{value}`, and its verb stands right after `{who}`: the negated, ended and past forms
    are made from it. `synonyms` are its names in a text, `asked` the words of a question that ask for it. Where two
    attributes share a synonym, the earlier one is meant. `fresh_days` is how long it is believed without being seen
    again; `None` means as long as other notes of its kind.
    """

    name: str
    cardinality: Cardinality
    about: About
    wording: str
    synonyms: tuple[str, ...]
    asked: tuple[str, ...]
    fresh_days: int | None
    flags: frozenset[Flag] = frozenset()
    relation: AttributeRelation | None = None
    people: tuple[str, ...] = ()  # the words for its people; " m" or " f" says which pronoun fits
    value: str = ""  # the sort of phrase that is a value after "is"; "" for any
    accepts: tuple[str, ...] = ()  # other attributes whose known values are values of this one as well
    opposite: str = ""  # the attribute that a denial of this one states
    chain: str = ""  # the effect of a chain of verbs that states it: "I love to cook" is `liked`
    unnamed: str = ""  # the wording for a value that is no name
    relates_to: str = ""  # the type of entity that its values are, in the graph; "" if they are values and no more
    never_with: tuple[str, ...] = ()  # words of a clause in which no frame states it
    frames: str = ""
    many: bool = False  # as the cardinality says

    @property
    def entity_type(self) -> str:
        """The type of the entities that its values are, and "" if they are none; those of a relation are people."""
        return self.relates_to or ("Person" if self.relation is not None else "")


def attribute_from(name: str, record: Mapping[str, Any]) -> Attribute:
    """The attribute that a record describes. `ValueError` or `TypeError` if a field has no such value."""
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}
    days, relation = record["fresh_days"], record.get("relation")
    return Attribute(
        **fields
        | {
            "name": name,
            "cardinality": Cardinality(record["cardinality"]),
            "many": record["cardinality"] == Cardinality.MANY,
            "about": About(record["about"]),
            "fresh_days": None if days == AS_ITS_KIND else days,
            "flags": frozenset(map(Flag, record.get("flags", ()))),
            "relation": None if relation is None else AttributeRelation(relation),
        }
    )
