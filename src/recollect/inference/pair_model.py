"""A small ONNX model that reads one text or two side by side and answers with a few numbers, run on this machine.

Texts are read one row at a time: an int8 model takes its scales over a whole batch, so that in company an answer would
depend on its neighbours. The model is loaded when the first text comes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.inference.prepared import session_of
from recollect.inference.wordpiece import WordPiece, read_vocabulary

LONGEST = 128  # word pieces of a pair, as in training


class PairModel:
    """A folder with model.onnx and vocab.txt. Any number of threads may use it."""

    def __init__(self, folder: Path, *, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self._folder = folder
        self._keeps = keeps
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPiece | None = None

    @property
    def outputs(self) -> frozenset[str]:
        """The names of what the model can tell."""
        session, _ = self.loaded()
        return frozenset(each.name for each in session.get_outputs())

    def output(self, name: str, *texts: str) -> list[float]:
        """A named output of the model for one text or a pair, as it is."""
        return [float(value) for value in self.run([name], *texts)[0]]

    def run(self, names: Sequence[str], *texts: str) -> list[Any]:
        """Several outputs of one run, each an array."""
        import numpy as np

        session, pieces = self.loaded()
        ids, kinds = row_of(pieces, texts)
        row = np.array([ids], dtype=np.int64)
        given = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.array([kinds], dtype=np.int64),
        }
        return [found[0] for found in session.run(list(names), given)]

    def loaded(self) -> tuple[Any, WordPiece]:
        """The session and the pieces of words, loaded once."""
        with self._lock:
            if self._session is None or self._pieces is None:
                self._pieces = WordPiece(read_vocabulary(self._folder))
                self._session = session_of(self._folder, keeps=self._keeps)
            return self._session, self._pieces


def row_of(pieces: WordPiece, texts: Sequence[str]) -> tuple[list[int], list[int]]:
    """The ids of the pieces of one text or two, and to which of them each belongs. The longer one is cut."""
    bare = [pieces.bare_ids(text, most=LONGEST) for text in texts]
    while sum(map(len, bare)) > LONGEST - 1 - len(bare):
        max(bare, key=len).pop()
    ids, kinds = [pieces.start], [0]
    for number, part in enumerate(bare):
        ids += [*part, pieces.end]
        kinds += [number] * (len(part) + 1)
    return ids, kinds
