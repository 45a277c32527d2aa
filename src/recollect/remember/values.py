"""Pure: whether two values say the same thing.

"Ovalis" and "Ovalis GmbH" do, "the Renault Zoe" and "Renault Zoe" do; "Austin" and "Boston", "Google" and
"Goldman", "3.11" and "3.12" do not, however alike they look. Words decide, never letters: what is merely similar
is kept apart, because merging two facts loses one of them. "Mountain hikes" are "hiking in the mountains", since only
the forms and the order of the words differ. Where some words differ, meaning decides, if it is told by a model: it has
to be all but the same, and no name, number or "over" may tell the two apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import TypeAlias

Likeness: TypeAlias = Callable[[str, str], float]  # of the meanings of two texts, at most 1

_TOKEN = re.compile(r"[^\W_]+(?:[.:'’/+#-][^\W_]+)*[+#]*")
_FILLER = frozenset(
    {"a", "an", "the", "my", "our", "your", "his", "her", "their", "in", "on", "at", "of", "to", "with", "and"}
)

# Words that make another thing of what they stand before: York is not New York, a vice president no president.
_CHANGING = frozenset(
    """new old north south east west northern southern eastern western san santa saint st los las el la port fort great
    upper lower non not no ex former vice deputy assistant associate senior junior lead head mini micro pre post anti
    half semi grand step""".split()
)

# Words whose two sides cannot be exchanged, or which turn what follows around.
_TURNING = frozenset(
    "over than before after instead against versus vs from into without except not no never less more".split()
)
# What forms of one word end in, after what they share. `er` is not among them: a painter is no painting.
_ENDINGS = tuple(frozenset(each) for each in (("", "s", "ed", "ing"), ("e", "es", "ed", "ing"), ("y", "ies", "ied")))
_SHORTEST_ROOT = 3  # letters
_ALL_BUT_THE_SAME = 0.96  # likeness; "running in the morning" and "in the evening" have 0.946
_MOST_MEASURED = 4  # values whose meaning is compared: each takes milliseconds, and somebody may like a thousand things


def normalised(value: str) -> str:
    """A value in the spelling in which it is compared: folded, without accents, articles and punctuation."""
    return " ".join(_tokens(value))


def same_value(one: str, other: str) -> bool:
    """Whether two values name the same thing: the same words, or one is the other with something left out."""
    first, second = _tokens(one), _tokens(other)
    if first == second:
        return True
    shorter, longer = sorted((first, second), key=len)
    # Left-out words must stand at one end, as in "Zoe" for "Renault Zoe" and "Ovalis" for "Ovalis GmbH", and may not
    # be ones that tell two things apart.
    if not shorter or len(longer) - len(shorter) > 2 or not any(len(token) > 3 for token in shorter):
        return False
    left_out = longer[len(shorter) :] if longer[: len(shorter)] == shorter else longer[: len(longer) - len(shorter)]
    at_an_end = longer[: len(shorter)] == shorter or longer[len(longer) - len(shorter) :] == shorter
    telling = any(token in _CHANGING or any(map(str.isdigit, token)) for token in left_out)
    return at_an_end and not telling


def known_wording(value: str, known: Iterable[str], likeness: Likeness | None = None) -> str:
    """A value in the wording that is known for it, if one of those known says the same in other words."""
    others = [other for other in dict.fromkeys(known) if other]
    if any(same_value(value, other) for other in others):
        return value
    resembling: list[tuple[int, str]] = []
    for other in others:
        shared = _shared_words(value, other)
        if shared == len(_tokens(value)) == len(_tokens(other)):
            return other
        if shared:
            resembling.append((shared, other))
    if likeness is None:
        return value
    nearest = sorted(resembling, key=lambda each: -each[0])[:_MOST_MEASURED]
    return next((other for _, other in nearest if likeness(value, other) >= _ALL_BUT_THE_SAME), value)


def _shared_words(one: str, other: str) -> int:
    """How many words two values share, in whatever form; none where something tells the two apart."""
    first, second = _tokens(one), _tokens(other)
    if not _TURNING.isdisjoint((*first, *second)) or _telling(one) != _telling(other):
        return 0
    unpaired = list(second)
    for token in first:
        form = next((each for each in unpaired if _are_forms(token, each)), None)
        if form is not None:
            unpaired.remove(form)
    return len(second) - len(unpaired)


def _telling(value: str) -> frozenset[str]:
    """The names and numbers in a value: what tells two things apart, however alike they sound."""
    found = _TOKEN.findall(value)
    return frozenset(token.casefold() for token in found if token[0].isupper() or any(map(str.isdigit, token)))


def _are_forms(one: str, other: str) -> bool:
    """Whether two words are one in two forms, such as `hikes` and `hiking`."""
    if one == other:
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= _SHORTEST_ROOT and any({one[shared:], other[shared:]} <= endings for endings in _ENDINGS)


def _tokens(value: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", value.casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    found = _TOKEN.findall(plain)
    return [token for token in found if token not in _FILLER] or found
