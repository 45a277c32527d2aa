"""Embedders that run no model: a table of word pieces, and pieces of words hashed by their digest.

The table is a file in the safetensors format: the length of a header, the header as JSON, the numbers. It is mapped
into memory, and only the rows of words that are met are ever read.

What it finds beside the words themselves is other forms and misspellings of them. It knows no meaning: two texts
without a common piece of a word have nothing to do with each other here. On conversations it found no more than words
did, so it is used only where it is asked for.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.domain.errors import Damaged
from recollect.domain.meanings import Vector
from recollect.inference.models import Model
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import WordPiece, read_vocabulary
from recollect.language.english.small_words import UNHASHED

_TABLE = "embeddings"
_LONGEST_HEADER = 1_000_000  # bytes; a longer one is no header


class StaticEmbedder(TextsIntoVectors):
    """A table of vectors for word pieces. That of a text is their mean, at length one; a text without any has none."""

    def __init__(self, model: Model, folder: Path) -> None:
        super().__init__(query_prefix=model.query_prefix)
        self.model_id = model.id
        self.dimension = model.dimension
        self._model = model
        self._folder = folder
        self._lock = threading.Lock()
        self._table: Any = None
        self._pieces: WordPiece | None = None

    def _vector(self, text: str) -> Vector:
        import numpy as np

        table, pieces = self._loaded()
        known = [each for each in pieces.bare_ids(text, most=self._model.longest) if each != pieces.unknown]
        vector = table[known].mean(axis=0) if known else np.zeros(self.dimension, dtype="<f4")
        vector /= max(float(np.linalg.norm(vector)), 1e-12)
        return bytes(vector.astype("<f4").tobytes())

    def _loaded(self) -> tuple[Any, WordPiece]:
        with self._lock:
            if self._table is None or self._pieces is None:
                self._pieces = WordPiece(read_vocabulary(self._folder))
                self._table = table_in(self._folder / "model.safetensors")
            return self._table, self._pieces


def table_in(path: Path) -> Any:
    """The table of a file, mapped."""
    import numpy as np

    try:
        with path.open("rb") as reader:
            length = int.from_bytes(reader.read(8), "little")
            header = json.loads(reader.read(min(length, _LONGEST_HEADER)))
        table = header[_TABLE]
        begin, end = table["data_offsets"]
        rows, width = table["shape"]
        if table["dtype"] != "F32" or end - begin != 4 * rows * width:
            raise ValueError("it is not a table of 32-bit numbers")
        return np.memmap(path, dtype="<f4", mode="r", offset=8 + length + begin, shape=(rows, width))
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise Damaged(
            f"{path} cannot be read as a table of vectors: {problem}.",
            code="model_damaged",
            hint="Delete the folder and run `recollect models install` again.",
        ) from problem


NAME = "hashed"
_DIMENSION = 512
_VERSION = 1  # of the features; vectors of another are not compared
_WORD = re.compile(r"\w+")
_PIECE = 4  # letters
_OF_PIECES = 0.6  # what all pieces of a word weigh together, beside 1 for the word
_KNOWN_WORDS = 65_536


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
    telling = [word for word in found if word not in UNHASHED and len(word) > 1]
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
