"""The plain baseline that every figure of ours stands beside: BM25 over all messages, all of their words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

_K1, _B = 1.2, 0.75  # the usual ones: how soon repetition stops counting, how much length does
_WORD = re.compile(r"\w+")


class WordsOnly:
    """Texts by their id, ranked for a question. Nothing is left out as too common, nothing is stemmed."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {name: Counter(_words(text)) for name, text in texts.items()}
        self._average = sum(count.total() for count in self._counts.values()) / max(1, len(self._counts))
        self._holders: dict[str, list[str]] = {}
        for name, count in self._counts.items():
            for word in count:
                self._holders.setdefault(word, []).append(name)

    def ranked(self, question: str, *, limit: int) -> list[str]:
        """The ids of texts that share a word with the question, best first; of equals the earlier one."""
        scores: dict[str, float] = {}
        for word in dict.fromkeys(_words(question)):
            holders = self._holders.get(word, ())
            rarity = math.log(1 + (len(self._counts) - len(holders) + 0.5) / (len(holders) + 0.5))
            for name in holders:
                count = self._counts[name]
                times, length = count[word], count.total() / self._average
                scores[name] = scores.get(name, 0.0) + rarity * times * (_K1 + 1) / (
                    times + _K1 * (1 - _B + _B * length)
                )
        place = {name: number for number, name in enumerate(self._counts)}
        return sorted(scores, key=lambda name: (-scores[name], place[name]))[:limit]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
