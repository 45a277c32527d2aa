"""Texts as the vectors of their pieces, and the directions in which pieces differ most.

A model gives every piece 384 numbers. They are turned into the 96 directions in which pieces of English differ most and
kept as bytes: a sixteenth of the size, and nothing that could be measured is lost (`python -m
recollect.inference.pieces` makes the directions anew). What a text says it does not say with its commas and
articles, so those are not kept.

    python -m recollect.inference.pieces MODEL_FOLDER TEXT_FILE...

writes them beside this file. They belong to the vectors that were made with them: whoever makes them anew gives the
model another name, so that new and old are never compared.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.domain.meanings import Vector
from recollect.inference.encoder import encoder_of, threads_of_machine
from recollect.inference.models import Model
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import read_vocabulary
from recollect.language.english.small_words import UNKEPT_PIECES
from recollect.products import with_all

_WIDTH = 384  # numbers of a piece before it is narrowed
_SENTENCE = re.compile(r"\n\n|(?<=[.!?])\s|[\"|`]")
_SHORTEST = 15  # characters; less is no sentence
_LONGEST = 600


def read_directions(dimension: int) -> Any:
    """A matrix with one column for each direction, the one in which most is told first."""
    import numpy as np

    return np.fromfile(_file(dimension), dtype="<f2").reshape(_WIDTH, dimension).astype("<f4")


def find_directions(states: Any, dimension: int) -> Any:
    """The directions in which the states of many pieces, each of length one, are longest."""
    import numpy as np

    rows = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)
    turned, _, _ = np.linalg.svd(rows.T @ rows)
    return turned[:, :dimension].astype("<f2")


def sentences_of(text: str) -> list[str]:
    """The sentences of a page, without those that are too short or too long."""
    return [part for each in _SENTENCE.split(text) if _SHORTEST < len(part := each.strip()) < _LONGEST]


def main(arguments: list[str]) -> None:
    """Find the directions in the texts of some files, and keep them."""
    import numpy as np

    from recollect.inference.models import PIECES

    encoder = encoder_of(Path(arguments[0]), longest=PIECES.longest, keeps=False)
    sentences = [each for name in arguments[1:] for each in sentences_of(Path(name).read_text(encoding="utf-8"))]
    states = np.concatenate([encoder.states(each)[1][1:-1] for each in dict.fromkeys(sentences)])
    find_directions(states, PIECES.dimension).tofile(_file(PIECES.dimension))


def _file(dimension: int) -> Path:
    return Path(__file__).with_name(f"directions-{dimension}.f2")


if __name__ == "__main__":
    main(sys.argv[1:])


_LARGEST = 127
_QUESTION = "?\0"  # before what is kept of a question: of the same words in a text less is kept


class PieceEmbedder(TextsIntoVectors):
    """Of each text the vectors of its pieces, one after the other: `dimension` bytes each, with a sign.

    Only their directions mean anything; each is as long as bytes allow.
    """

    def __init__(self, model: Model, folder: Path) -> None:
        super().__init__(threads=threads_of_machine())
        self.model_id = model.id
        self.dimension = model.dimension
        self._folder = folder
        self._encoder = encoder_of(folder, longest=model.longest, keeps=bool(model.files))
        self._directions: Any = None
        self._telling: Sequence[bool] = ()

    def query(self, text: str) -> Vector:
        """The vectors of all pieces of a question."""
        return self._recent.of(_QUESTION + text, lambda _: self._narrowed(self._encoder.states(text)[1][1:-1]))

    def _vector(self, text: str) -> Vector:
        ids, states = self._encoder.states(text)
        telling = self._which_tell()
        kept = [place for place in range(1, len(ids) - 1) if telling[ids[place]]]
        return self._narrowed(states[kept] if kept else states[1:-1])

    def _narrowed(self, states: Any) -> Vector:
        import numpy as np

        if self._directions is None:
            self._directions = read_directions(self.dimension).T
        rows = with_all(states, self._directions)
        rows *= _LARGEST / np.maximum(np.abs(rows).max(axis=1, keepdims=True, initial=0.0), 1e-12)
        return bytes(np.rint(rows).astype(np.int8).tobytes())

    def _which_tell(self) -> Sequence[bool]:
        """Of every piece of the vocabulary whether it says anything by itself."""
        if not self._telling:
            self._telling = [
                piece.startswith("##") or (piece[0].isalnum() and piece not in UNKEPT_PIECES)
                for piece in read_vocabulary(self._folder)
            ]
        return self._telling
