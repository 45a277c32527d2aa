"""Texts into vectors by looking their pieces up in a table: no model is run, so a text takes a tenth of a millisecond.

The table is a file in the safetensors format: the length of a header, the header as JSON, the numbers. It is mapped
into memory, and only the rows of words that are met are ever read.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from recollect.domain.errors import Damaged
from recollect.domain.meanings import Vector
from recollect.inference.models import Model
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import WordPiece, read_vocabulary

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
