"""How good a ranking is: what one answer scores.

A score is from 0 to 1; only tokens are counted. Right items count once, wherever they are found again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

TOP = 10  # places that count for the strict scores and for tokens
DEPTHS = (1, 5, 10, 20)

_TOKEN = re.compile(r"\w+|[^\w\s]")


def judged(found: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    """The scores of one ranking. `gold` must not be empty."""
    right = set(gold)
    places = [place for place, name in enumerate(dict.fromkeys(found), start=1) if name in right]
    within = {depth: sum(place <= depth for place in places) for depth in (*DEPTHS, TOP)}
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(right), TOP) + 1))
    gained = sum(1 / math.log2(place + 1) for place in places if place <= TOP)
    return {
        **{f"recall@{depth}": within[depth] / len(right) for depth in DEPTHS},
        f"all@{TOP}": float(within[TOP] == len(right)),
        f"any@{TOP}": float(within[TOP] > 0),
        "mrr": 1 / places[0] if places else 0.0,
        f"ndcg@{TOP}": gained / ideal,
    }


def tokens(texts: Sequence[str]) -> int:
    """About how many tokens a reader would be charged for: words and marks."""
    return sum(len(_TOKEN.findall(text)) for text in texts)
