"""What can be said of somebody or something: the shape of one entry of the attribute catalogue.

An attribute says whether it has one value at a time or many, whom it is said of, what else it is called, how it is
put into a sentence, how long it stays fresh, and whether it is essential to who somebody is. The entries are in
`catalogue`; attributes that are not in it are taken from a text in the open.
"""

from __future__ import annotations

from enum import StrEnum

from recollect.domain.dataclass import dataclass


class Cardinality(StrEnum):
    """How many values hold at a time."""

    ONE = "one"
    MANY = "many"


class About(StrEnum):
    """Whom an attribute is said of when the sentence only says "we" or "our"."""

    PERSON = "person"  # "we live in Berlin": the speaker
    PROJECT = "project"  # "we deploy to Heroku": what is being worked on
    EITHER = "either"  # "I use Vim" is the speaker's, "we use Vim" the project's


@dataclass(frozen=True, slots=True)
class Attribute:
    """One entry of the catalogue.

    `sentence` has `{who}` and `{value}`, and its verb stands right after `{who}`: the negated, ended and past forms
    are made from it, except where `negated`, `ended` or `past` say otherwise. `synonyms` are what a text calls it,
    `asked` the words of a question that ask for it. `fresh_days` is how long it is believed without being seen
    again; `None` means for good.
    """

    name: str
    cardinality: Cardinality
    sentence: str
    synonyms: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    about: About = About.PERSON
    negated: str = ""
    ended: str = ""
    past: str = ""
    fresh_days: int | None = None
    essential: bool = False

    @property
    def many(self) -> bool:
        return self.cardinality is Cardinality.MANY
