"""Texts into vectors with an ONNX model on this machine.

The runtime and the model are loaded when the first text comes. Texts are run one by one: an int8 model takes its
scales over a whole batch, so that in company the vector of a text would depend on its neighbours.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from recollect.domain.ports import Vector
from recollect.inference.models import Model, Pooling
from recollect.inference.recent import TextsIntoVectors
from recollect.inference.wordpiece import WordPiece, read_vocabulary


class OnnxEmbedder(TextsIntoVectors):
    """A BERT encoder. The vector of a text has length one."""

    def __init__(self, model: Model, folder: Path) -> None:
        super().__init__(query_prefix=model.query_prefix)
        self.model_id = model.id
        self.dimension = model.dimension
        self._model = model
        self._folder = folder
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPiece | None = None

    def _vector(self, text: str) -> Vector:
        import numpy as np

        session, pieces = self._loaded()
        ids = np.array([pieces.ids(text, most=self._model.longest)], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        [states, *_] = session.run(None, {each.name: given[each.name] for each in session.get_inputs()})
        pooled = states[0].mean(axis=0) if self._model.pooling is Pooling.MEAN else states[0, 0]
        vector = pooled.astype("<f4")
        vector /= max(float(np.linalg.norm(vector)), 1e-12)
        return bytes(vector.tobytes())

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
