"""The description of a language's time phrases: words, patterns and cues. All of it is data.

A word belongs to classes, each with a value: "three" is a `number`, 3. A pattern is a row of elements:

    number          a word of that class; its value is kept under the class's name
    COUNT           another phrase of the grammar; what it matched is kept
    'ago'           that very word
    a|b             one or the other
    name:a|b        the same, kept under a name of our choice
    a?              may be missing
    !a  =a          the next word is not, or is, such; it is not taken
    <!a  <=a        the word before is not, or is, such

Some classes come from the shape of a token and not from a list: `number`, `dom` (1 to 31), `nth` (5th), `year` (1000 to
2199), `shortyear` ('92), `iso`, `isomonth` (2024-06 and 06/2024), `slash`, `stamp`, `clock`, `pair` (5-12), `yearpair`,
`quarter` (Q3), `half` (H1), `datedquarter`, `decade` (1990s), `shortdecade` (90s), `name` (a capitalised word in no
list), `word` (any other in no list), `capital` (begins with a capital), `edge` (punctuation, the end of the text, and
the words of that class).
"""

from __future__ import annotations

from collections.abc import Mapping
from re import Pattern
from typing import Any, Literal

from recollect.domain.dataclass import dataclass, field
from recollect.domain.periods import TimeRelation
from recollect.language.times.reckoning import Lean

Needs = Literal["not past", "a hint", "still going on"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what it means: the name of a function in `meanings.py`.

    `relation` is how the phrase bears on what is said; `if_ahead` replaces it for a period that has not begun.
    `lean` decides which year a phrase without one is in, whatever the text hints at; `default` when it does not
    hint. `needs` is what the rest of the sentence must say for the phrase to count.
    """

    pattern: str
    means: str = "same"
    value: Any = None
    relation: TimeRelation = TimeRelation.AT
    if_ahead: TimeRelation | None = None
    lean: Lean | None = None
    default: Lean | None = None
    needs: Needs | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language's words and patterns.

    Five of the phrases are looked for: TOP anywhere in a text, ALONE only as the whole of it, NOT to be passed over,
    CUE for what hints at "past" or "future" and LASTING for what says (True) or denies (False) that something goes on;
    the values of their rules say so. `weak` gives a word other classes when it is not capitalised: "may" is hardly
    ever the month. `endings` are the classes of words that are in no list, in the order they are tried.
    """

    name: str
    classes: Mapping[str, Mapping[str, Any]]
    phrases: Mapping[str, tuple[Rule, ...]]
    triggers: frozenset[str]  # without one of these words, or a digit, there is no time phrase
    endings: tuple[tuple[str, Pattern[str]], ...] = ()
    weak: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    never_after: str = ""  # a class of words that make any phrase a habit: "every Friday"
