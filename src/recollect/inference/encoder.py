"""A BERT encoder as an ONNX file, run on this machine.

The runtime and the model are loaded when the first text comes. Texts are run one by one: an int8 model takes its
scales over a whole batch, so that in company the vector of a text would depend on its neighbours.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.inference.wordpiece import WordPiece, read_vocabulary


class Encoder:
    """Texts into the states of their pieces. One for each model; any number of threads may use it."""

    def __init__(self, folder: Path, *, longest: int) -> None:
        self._folder = folder
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
                import onnxruntime

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1  # a short text gains nothing from a second thread
                options.enable_cpu_mem_arena = False  # it never gives memory back
                options.log_severity_level = 3
                self._pieces = WordPiece(read_vocabulary(self._folder))
                self._session = onnxruntime.InferenceSession(
                    str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
                )
            return self._session, self._pieces
