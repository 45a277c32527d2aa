"""Pure: the endings by which English words have forms, and two ways to see that two words are forms of one."""

from __future__ import annotations

from itertools import takewhile

SHORTEST_STEM = 3  # letters; a shorter word is its own stem
_CUT_OFF = "ingly edly ations ation ings ing ies ied ers er ed es ly s e".split()
_WITH_Y = frozenset(("ies", "ied"))
# What forms of one word end in, after what they share. `er` is not among them: a painter is no painting.
_FORMS = tuple(frozenset(each) for each in (("", "s", "ed", "ing"), ("e", "es", "ed", "ing"), ("y", "ies", "ied")))


def crude_stem(word: str) -> str:
    """A word without its ending: `deploys`, `deployed` and `deploying` become one, and some others too."""
    for ending in _CUT_OFF:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word + "y" if ending in _WITH_Y else word
    return word


def are_forms(one: str, other: str) -> bool:
    """Whether two words are one in two forms, such as `hikes` and `hiking`."""
    if one == other:
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= SHORTEST_STEM and any({one[shared:], other[shared:]} <= endings for endings in _FORMS)


def roots_of(word: str) -> set[str]:
    """The roots of a word's forms: `hik` and `hike` of `hikes`. Two forms of one word have one in common."""
    cut = {word[: len(word) - len(ending)] for endings in _FORMS for ending in endings if word.endswith(ending)}
    return {word, *(root for root in cut if len(root) >= SHORTEST_STEM)}
