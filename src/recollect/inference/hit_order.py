"""The net that puts the first hits of a question in order, each seen beside the others: some 70,000 numbers, in NumPy.

A reranker reads one text at a time, and cannot know that another hit tells a newer value. Here every hit looks at all
others: what the reranker saw in each, which is newer, what replaced what. `order.npz` holds nets of three sorts, and
the scores of those of one sort are averaged. They were taught alike, but for the price of something outdated high up:
those that choose the `first` hit were taught to find the answer, those that help to order the others `behind` it to
keep the outdated away, and those for `several` answers to keep all of them together. `training/hit_order.py` makes the
file; names and shapes are the same there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from recollect.domain.meanings import Listed, Ordered

FILE = "order.npz"
FIRST, BEHIND, SEVERAL = SORTS = ("first", "behind", "several")
HEADS = 4
# The share of the careful nets in the order of the others: with more, fewer outdated hits are among the first five, and
# fewer right ones.
_CARE = 0.65
_SIGNS = 33  # of each hit: those of `read_signs`, and `Listed.signs`
_BESIDE = 7  # of each two: a row of `Listed.beside`
_STATES = 768  # of the reranker
_LOGITS = 4.0  # by which a logit is divided, so that it is of the size of the other signs


class OfAnotherRelease(ValueError):
    """The nets were taught with other signs than these."""


class HitOrder:
    """The nets of a file. Any number of threads may use it."""

    def __init__(self, file: Path) -> None:
        import numpy as np

        if not is_zipfile(file):
            raise ValueError("it is cut off, or of another kind")
        nets: dict[tuple[str, str], dict[str, Any]] = {}
        with np.load(file, allow_pickle=False) as stored:
            for name in stored.files:
                sort, _, rest = name.partition("/")
                number, _, part = rest.partition("/")
                nets.setdefault((sort, number), {})[part] = stored[name].astype("f4")
        self._nets = {each: [_Net(nets[key]) for key in sorted(nets) if key[0] == each] for each in SORTS}
        if not all(self._nets.values()):
            raise OfAnotherRelease("it lacks nets of some sort")
        try:
            for each in SORTS:
                self.scores(np.zeros((2, _SIGNS)), np.zeros((2, 2, _BESIDE)), np.zeros((2, _STATES)), each)
        except (KeyError, ValueError, TypeError, IndexError):
            raise OfAnotherRelease("it is of another release") from None

    def ordered(self, listed: Sequence[Listed], logits: Sequence[float], states: Any, *, several: bool) -> Ordered:
        """The scores of the hits. `logits` and `states` are what the reranker made of each beside the question."""
        import numpy as np

        signs = np.array(
            [(*read, *each.signs) for read, each in zip(read_signs(listed, logits), listed, strict=True)], "f4"
        )
        beside = np.array([each.beside for each in listed], "f4")
        average = self.scores(signs, beside, states, SEVERAL if several else FIRST)
        shares = np.exp(average - average.max())
        scores = average[:-1] if several else led(average[:-1], self.scores(signs, beside, states, BEHIND)[:-1])
        return Ordered(tuple(map(float, scores)), float(shares[-1] / shares.sum()))

    def scores(self, signs: Any, beside: Any, states: Any, sort: str) -> Any:
        """The mean of what the nets of a sort give each hit, and after them of what they give "none of these"."""
        import numpy as np

        return np.mean([net.scores(signs, beside, states) for net in self._nets[sort]], axis=0)


def led(first: Any, behind: Any) -> Any:
    """The scores by which hits stand behind, but for the one that belongs first: it is as far ahead as it was there."""
    best = int(first.argmax())
    others = [place for place in range(len(first)) if place != best]
    scores = (1 - _CARE) * first + _CARE * behind
    if others:
        scores[best] = scores[others].max() + first[best] - first[others].max()
    return scores


def read_signs(listed: Sequence[Listed], logits: Sequence[float]) -> list[tuple[float, float, float, float]]:
    """The reranker's numbers as signs of each hit: by itself, beside the best, and of the best that is newer."""
    most = max(logits)
    likely = [1 / (1 + math.exp(-max(-30.0, min(30.0, each)))) for each in logits]
    return [
        (
            logit / _LOGITS,
            (logit - most) / _LOGITS,
            share,
            max((other for other, near in zip(likely, listed, strict=True) if near.age < each.age), default=0.0),
        )
        for each, logit, share in zip(listed, logits, likely, strict=True)
    ]


class _Net:
    """Two layers of attention over the hits of one question; `beside` says how each stands to each other."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._of = arrays
        self._layers = sorted({name.split(".")[1] for name in arrays if name.startswith("layers.")})

    def scores(self, signs: Any, beside: Any, states: Any) -> Any:
        """A score for each hit, and after them one for "none of them answers"."""
        import numpy as np

        told = np.where(np.isnan(signs), self._of["mean"], signs)  # a sign that was not measured is like most
        known = (told - self._of["mean"]) * self._of["scale"] + self._of["shift"]
        seen = np.tanh(self._product("state", states))
        hits = self._product("in2", _gelu(self._product("in1", np.concatenate([known, seen], axis=1))))
        for layer in self._layers:
            hits = hits + self._attended(f"layers.{layer}", hits, beside)
            between = self._product(f"layers.{layer}.f1", self._normed(f"layers.{layer}.n2", hits))
            hits = hits + self._product(f"layers.{layer}.f2", _gelu(between))
        scores = (self._product("out", hits) + self._product("plain", known))[:, 0]
        none = self._product("none", np.concatenate([hits.mean(axis=0), hits.max(axis=0)])[None])[0]
        return np.concatenate([scores, none])

    def _attended(self, layer: str, hits: Any, beside: Any) -> Any:
        import numpy as np

        many, width = hits.shape
        normed = self._normed(f"{layer}.n1", hits)
        asks, offers, gives = (
            self._product(f"{layer}.{name}", normed).reshape(many, HEADS, -1).transpose(1, 0, 2) for name in "qkv"
        )
        near = asks @ offers.transpose(0, 2, 1) / np.sqrt(width // HEADS)
        near = near + self._product(f"{layer}.b2", _gelu(self._product(f"{layer}.b1", beside))).transpose(2, 0, 1)
        near = np.exp(near - near.max(axis=-1, keepdims=True))
        near /= near.sum(axis=-1, keepdims=True)
        told = (near @ gives).transpose(1, 0, 2).reshape(many, width)
        between = self._product(f"{layer}.p", beside).reshape(many, many, HEADS, -1)
        told = told + np.einsum("hij,ijhd->ihd", near, between).reshape(many, width)
        return self._product(f"{layer}.o", told)

    def _product(self, name: str, rows: Any) -> Any:
        return rows @ self._of[f"{name}.weight"] + self._of[f"{name}.bias"]

    def _normed(self, name: str, rows: Any) -> Any:
        import numpy as np

        centred = rows - rows.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)
        return centred / spread * self._of[f"{name}.weight"] + self._of[f"{name}.bias"]


def _gelu(rows: Any) -> Any:
    """x Φ(x), with Φ by Abramowitz and Stegun 7.1.26, whose error is below what these numbers are rounded to."""
    import numpy as np

    size = np.abs(rows) / np.sqrt(2.0)
    t = 1 / (1 + 0.3275911 * size)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(rows) * (1 - tail * np.exp(-size * size))
    return 0.5 * rows * (1 + error)
