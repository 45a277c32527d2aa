"""A BERT encoder as an ONNX file, run on this machine, and the embedder of texts made from it.

The runtime and the model are loaded when the first text comes. Texts are run one by one: an int8 model takes its
scales over a whole batch, so that in company the vector of a text would depend on its neighbours.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.domain.meanings import TOGETHER, Vector
from recollect.inference.models import Model, Pooling
from recollect.inference.prepared import MODEL, session_of
from recollect.inference.recent import TextsIntoVectors, digest_of
from recollect.inference.wordpiece import WordPiece, read_vocabulary

_MOST_THREADS = 4  # the rest of a machine is for whoever else is at work


def threads_of_machine() -> int:
    """Among how many threads many texts are shared out: as many as there are processors for us, up to a few."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(_MOST_THREADS, allowed)


def encoder_of(folder: Path, *, longest: int, keeps: bool) -> Encoder:
    """The encoder in a folder. Embedders that take different things from its states share it, and its last states."""
    try:
        known = (folder / MODEL).stat()
    except OSError:
        return Encoder(folder, longest=longest, keeps=keeps)  # the first text tells that there is none
    return _encoder_of(folder, longest, keeps, (known.st_size, known.st_mtime_ns))


@lru_cache(maxsize=2)
def _encoder_of(folder: Path, longest: int, keeps: bool, _: tuple[int, int]) -> Encoder:
    return Encoder(folder, longest=longest, keeps=keeps)


class Encoder:
    """Texts into the states of their pieces. Any number of threads may use it; its last states are remembered."""

    def __init__(self, folder: Path, *, longest: int, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self._folder = folder
        self._keeps = keeps
        self._longest = longest
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPiece | None = None
        self._last: OrderedDict[bytes, tuple[Sequence[int], Any]] = OrderedDict()  # by digest; 400 kB each at the most

    def states(self, text: str) -> tuple[Sequence[int], Any]:
        """The ids of a text's pieces, its start and end among them, and of each its state: one row for each."""
        key = digest_of(text)
        with self._lock:
            known = self._last.get(key)
        if known is None:
            known = self._made(text)
            with self._lock:
                self._last[key] = known
                while len(self._last) > TOGETHER:
                    self._last.popitem(last=False)
        return known

    def _made(self, text: str) -> tuple[Sequence[int], Any]:
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
        self._encoder = encoder_of(folder, longest=model.longest, keeps=bool(model.files))

    def _vector(self, text: str) -> Vector:
        import numpy as np

        _, states = self._encoder.states(text)
        vector = (states.mean(axis=0) if self._is_mean else states[0]).astype("<f4")
        vector /= max(float(np.linalg.norm(vector)), 1e-12)
        return bytes(vector.tobytes())
