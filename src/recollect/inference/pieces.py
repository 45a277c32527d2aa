"""Texts into the vectors of their pieces, so that a question can be compared with a text word by word.

A model gives every piece 384 numbers. They are turned into the 96 directions in which pieces of English differ most and
kept as bytes: a sixteenth of the size, and nothing that could be measured is lost (`python -m
recollect.inference.narrowing` makes the directions anew). What a text says it does not say with its commas and
articles, so those are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.domain.meanings import Vector
from recollect.inference.encoder import Encoder, threads_of_machine
from recollect.inference.models import Model
from recollect.inference.narrowing import read_directions
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import read_vocabulary
from recollect.products import with_all

_LARGEST = 127
_QUESTION = "?\0"  # before what is kept of a question: of the same words in a text less is kept
_SAYS_LITTLE = frozenset(
    """
    a an the this that these those and or but if then so as of to in on at by for from with about into over under up
    down out off is are was were be been being am do does did have has had will would can could shall should may might
    must i you he she it we they me him her us them my your his its our their mine yours there here what which who whom
    s t d ll re ve m just very too also
    """.split()
)


class PieceEmbedder(TextsIntoVectors):
    """Of each text the vectors of its pieces, one after the other: `dimension` bytes each, with a sign.

    Only their directions mean anything; each is as long as bytes allow.
    """

    def __init__(self, model: Model, folder: Path) -> None:
        super().__init__(threads=threads_of_machine())
        self.model_id = model.id
        self.dimension = model.dimension
        self._folder = folder
        self._encoder = Encoder(folder, longest=model.longest, keeps=bool(model.files))
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
                piece.startswith("##") or (piece[0].isalnum() and piece not in _SAYS_LITTLE)
                for piece in read_vocabulary(self._folder)
            ]
        return self._telling
