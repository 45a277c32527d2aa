"""A BERT encoder as an ONNX file, run on this machine, and the embedder of texts made from it.

The runtime and the model are loaded when the first text comes. Texts are run one by one: an int8 model takes its
scales over a whole batch, so that in company the vector of a text would depend on its neighbours.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.domain.meanings import Vector
from recollect.inference.models import Model, Pooling
from recollect.inference.prepared import session_of
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import WordPiece, read_vocabulary

_MOST_THREADS = 4  # the rest of a machine is for whoever else is at work


def threads_of_machine() -> int:
    """Among how many threads many texts are shared out: as many as there are processors for us, up to a few."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(_MOST_THREADS, allowed)


class Encoder:
    """Texts into the states of their pieces. One for each model; any number of threads may use it."""

    def __init__(self, folder: Path, *, longest: int, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self._folder = folder
        self._keeps = keeps
        self._longest = longest
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPiece | None = None

    def states(self, text: str) -> tuple[Sequence[int], Any]:
        """The ids of a text's pieces, its start and end among them, and of each its state: one row for each."""
        import numpy as np

        session, pieces = self._loaded()
        ids = pieces.ids(text, most=self._longest)
        row = np.array([ids], dtype=np.int64)
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        [states, *_] = session.run(None, {each.name: given[each.name] for each in session.get_inputs()})
        return ids, states[0]

    def _loaded(self) -> tuple[Any, WordPiece]:
        with self._lock:
            if self._session is None or self._pieces is None:
                self._pieces = WordPiece(read_vocabulary(self._folder))
                self._session = session_of(self._folder, keeps=self._keeps)
            return self._session, self._pieces


class OnnxEmbedder(TextsIntoVectors):
    """One vector for each text, of length one."""

    def __init__(self, model: Model, folder: Path) -> None:
        super().__init__(query_prefix=model.query_prefix, threads=threads_of_machine())
        self.model_id = model.id
        self.dimension = model.dimension
        self._is_mean = model.pooling is Pooling.MEAN
        self._encoder = Encoder(folder, longest=model.longest, keeps=bool(model.files))

    def _vector(self, text: str) -> Vector:
        import numpy as np

        _, states = self._encoder.states(text)
        vector = (states.mean(axis=0) if self._is_mean else states[0]).astype("<f4")
        vector /= max(float(np.linalg.norm(vector)), 1e-12)
        return bytes(vector.tobytes())
