"""Pure: the endings by which English words have forms."""

from __future__ import annotations

SHORTEST_STEM = 3  # letters; a shorter word is its own stem
_CUT_OFF = "ingly edly ations ation ings ing ies ied ers er ed es ly s e".split()
_WITH_Y = frozenset(("ies", "ied"))
# What forms of one word end in, after what they share. `er` is not among them: a painter is no painting.
FORMS = tuple(frozenset(each) for each in (("", "s", "ed", "ing"), ("e", "es", "ed", "ing"), ("y", "ies", "ied")))


def crude_stem(word: str) -> str:
    """A word without its ending: `deploys`, `deployed` and `deploying` become one, and some others too."""
    for ending in _CUT_OFF:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word + "y" if ending in _WITH_Y else word
    return word
