"""Pure: whether two values say the same thing.

"Ovalis" and "Ovalis GmbH" do, "the Renault Zoe" and "Renault Zoe" do; "Austin" and "Boston", "Google" and
"Goldman", "3.11" and "3.12" do not, however alike they look. Words decide, never letters: what is merely similar
is kept apart, because merging two facts loses one of them.
"""

from __future__ import annotations

import re
import unicodedata

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


def _tokens(value: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", value.casefold())
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    found = _TOKEN.findall(plain)
    return [token for token in found if token not in _FILLER] or found
