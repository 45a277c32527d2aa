"""Texts into vectors with an ONNX model on this machine.

The runtime and the model are loaded when the first text comes. Texts are sorted by length and run in small batches:
a batch is as slow as its longest text, and a large one takes a gigabyte.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.domain.ports import Vector
from recollect.inference.models import Model
from recollect.inference.wordpiece import WordPiece

_BATCH = 16
_PIECES_PER_BATCH = 2048
_KEPT = 4096  # vectors of texts embedded lately


class OnnxEmbedder:
    """A BERT encoder: the vector of a text is that of its first piece, at length one."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.model_id = model.name
        self.dimension = model.dimension
        self._model = model
        self._folder = folder
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPiece | None = None
        self._recent: OrderedDict[str, Vector] = OrderedDict()

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of things to be found."""
        found = {text: self._recent[text] for text in texts if text in self._recent}
        missing = sorted({text for text in texts if text not in found}, key=len)
        for batch in self._batches(missing):
            for text, vector in zip(batch, self._run(batch), strict=True):
                found[text] = self._keep(text, vector)
        return [found[text] for text in texts]

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        return self.passages([self._model.query_prefix + text])[0]

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        batches: list[list[str]] = []
        for text in texts:
            size = min(len(text) // 3 + 2, self._model.longest)
            if batches and len(batches[-1]) < _BATCH and (len(batches[-1]) + 1) * size <= _PIECES_PER_BATCH:
                batches[-1].append(text)
            else:
                batches.append([text])
        return batches

    def _run(self, texts: Sequence[str]) -> list[Vector]:
        import numpy as np

        session, pieces = self._loaded()
        rows = [pieces.ids(text, most=self._model.longest) for text in texts]
        width = max(map(len, rows))
        ids = np.full((len(rows), width), pieces.pad, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        [states, *_] = session.run(None, {each.name: given[each.name] for each in session.get_inputs()})
        vectors = states[:, 0].astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return [vector.tobytes() for vector in vectors]

    def _loaded(self) -> tuple[Any, WordPiece]:
        with self._lock:
            if self._session is None or self._pieces is None:
                import onnxruntime

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1  # a short text gains nothing from a second thread
                options.enable_cpu_mem_arena = False  # it never gives memory back
                options.log_severity_level = 3
                vocabulary = (self._folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
                self._pieces = WordPiece([piece for piece in vocabulary if piece])
                self._session = onnxruntime.InferenceSession(
                    str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
                )
            return self._session, self._pieces

    def _keep(self, text: str, vector: Vector) -> Vector:
        self._recent[text] = vector
        while len(self._recent) > _KEPT:
            self._recent.popitem(last=False)
        return vector
