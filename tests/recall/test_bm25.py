"""Counting the asked words of a text gives what counting word by word gives, whatever the text is written in."""

from __future__ import annotations

import random

import pytest

from recollect.recall.bm25 import Wanted, counted
from recollect.recall.words import stem, words_of

ASKED = ("deploy", "go", "garden", "gardening", "e2e", "naïve", "walls")
PIECES = (
    "deploys", "Deployed", "deploy", "go", "going", "goes", "got", "gardens", "gard", "GARDEN!", "e2e", "e2", "walls",
    "wall", "swallow", "redeploy", "go-go", "x", "naïve", "naive", "Straße", "(deploying)", "a_deploy", "…", "\n", "'s",
)  # fmt: skip


def _by_hand(text: str, roots: list[str]) -> tuple[tuple[int, ...], int]:
    words = words_of(text)
    found = [stem(word) for word in words]
    return tuple(found.count(root) for root in roots), max(1, len(words))


@pytest.mark.parametrize("asked", [ASKED[:1], ASKED[:2], ASKED[:5], ASKED, ("go",), ()], ids=str)
def test_a_text_is_counted_as_it_is_word_by_word(asked: tuple[str, ...]) -> None:
    chance = random.Random(11)
    roots = list(dict.fromkeys(map(stem, asked)))
    wanted = Wanted(roots)
    for _ in range(300):
        text = " ".join(chance.choices(PIECES, k=chance.randrange(8)))
        assert tuple(counted(text, wanted)) == _by_hand(text, roots), text
