"""Texts into vectors with an ONNX model on this machine."""

from __future__ import annotations

from pathlib import Path

from recollect.domain.meanings import Vector
from recollect.inference.encoder import Encoder, threads_of_machine
from recollect.inference.models import Model, Pooling
from recollect.inference.recent import TextsIntoVectors


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
