"""The attribute catalogue: what can be said of somebody or something, as data.

An attribute says whether it has one value at a time or many, what else it is called, how it is put into a
sentence, how long it stays fresh, and whether it is essential to who somebody is. The catalogue is shared by what
reads messages and by what reads questions; attributes that are not in it are taken from a text in the open.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cardinality(StrEnum):
    """How many values hold at a time."""

    ONE = "one"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One entry of the catalogue.

    `sentence` has `{who}` and `{value}`; `ended` is the same for what no longer holds, `negated` for what does not.
    `asked` are words of a question that ask for it. `fresh_days` is how long it is believed without being seen
    again; `None` means for good.
    """

    name: str
    cardinality: Cardinality
    sentence: str
    synonyms: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    negated: str = ""
    ended: str = ""
    fresh_days: int | None = None
    essential: bool = False
