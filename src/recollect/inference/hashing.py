"""Texts into vectors with no model at all: words and pieces of words, each thrown by its digest into a place.

What it finds beside the words themselves is other forms and misspellings of them. It knows no meaning: two texts
without a common piece of a word have nothing to do with each other here. On conversations it found no more than words
did, so it is used only where it is asked for.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from recollect.domain.meanings import Vector
from recollect.inference.recent import TextsIntoVectors

NAME = "hashed"
_DIMENSION = 512
_VERSION = 1  # of the features; vectors of another are not compared
_WORD = re.compile(r"\w+")
_PIECE = 4  # letters
_OF_PIECES = 0.6  # what all pieces of a word weigh together, beside 1 for the word
_KNOWN_WORDS = 65_536

# Words that say how something is said, and so are in every other text.
_SMALL = frozenset(
    """
    a about all also am an and any are as at be because been but by can could did do does for from had has have he her
    him his how i if in into is it its just like me more my no not now of on one or our out she should so some than
    that the their them then there these they this to up us was we were what when where which who why will with would
    you your
    """.split()
)


class HashedEmbedder(TextsIntoVectors):
    """Features of the spelling of a text. The same text has the same vector on every machine, for good."""

    model_id = f"{NAME}/{_DIMENSION}/{_VERSION}"
    dimension = _DIMENSION

    def _vector(self, text: str) -> Vector:
        return _vector(text)


def _vector(text: str) -> Vector:
    import numpy as np

    vector = np.zeros(_DIMENSION, dtype="<f4")
    for word, times in Counter(_words(text)).items():
        often = 1.0 + np.log(times)
        for place, weight in _features(word):
            vector[place] += often * weight
    vector /= max(float(np.linalg.norm(vector)), 1e-12)
    return bytes(vector.tobytes())


def _words(text: str) -> Iterator[str]:
    apart = unicodedata.normalize("NFKD", text.lower())
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    found = _WORD.findall(bare)
    telling = [word for word in found if word not in _SMALL and len(word) > 1]
    yield from telling or found


@lru_cache(maxsize=_KNOWN_WORDS)
def _features(word: str) -> tuple[tuple[int, float], ...]:
    """The places of a word and of its pieces, with the weight and sign each has there."""
    marked = f"<{word}>"
    pieces = {marked[start : start + _PIECE] for start in range(len(marked) - _PIECE + 1)} - {marked}
    features = [
        (f"word {word}", 1.0),
        *((f"piece {piece}", _OF_PIECES / len(pieces) ** 0.5) for piece in sorted(pieces)),
    ]
    return tuple(_thrown(feature, weight) for feature, weight in features)


def _thrown(feature: str, weight: float) -> tuple[int, float]:
    number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "little")
    return (number >> 1) % _DIMENSION, weight if number & 1 else -weight
