"""The reranker: a small ONNX model that reads a question and a text side by side and says whether it answers it."""

from __future__ import annotations

import json
import math
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from recollect.domain.errors import Misconfigured
from recollect.inference.pair_model import LONGEST, PairModel
from recollect.inference.recent import RecentVectors

CARD = "reranker.json"
_MARKS = 3  # pieces of a pair that are no words
_NUMBER = struct.Struct("<d")
_PAIRS = 10_000  # whose shares are remembered: a search, an answer and a recall often ask the same


class OnnxReranker:
    """See `Relevance`. Any number of threads may use it."""

    def __init__(self, folder: Path, model_id: str, *, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self.model_id = model_id
        self._folder = folder
        self._model = PairModel(folder, keeps=keeps)
        self._recent = RecentVectors(most=_PAIRS * _NUMBER.size)
        self._temperature: float | None = None
        self._begun = False

    def prepare(self) -> None:
        """See `Relevance.prepare`."""
        if not self._begun:
            self._begun = True
            # No daemon: a process that ends while a model is being loaded waits that long, and ends well.
            threading.Thread(target=self._load, name="recollect reranker").start()

    def answers(self, question: str, texts: Sequence[str]) -> list[float | None]:
        """See `Relevance.answers`."""
        _, pieces = self._model.loaded()
        room = LONGEST - _MARKS - len(pieces.bare_ids(question, most=LONGEST))
        return [
            self._known_share(question, text) if len(pieces.bare_ids(text, most=LONGEST)) <= room else None
            for text in texts
        ]

    def _known_share(self, question: str, text: str) -> float:
        """The share of a pair, which is read once for as long as it is remembered."""
        kept = self._recent.of(f"{question}\0{text}", lambda _: _NUMBER.pack(self._share(question, text)))
        return float(_NUMBER.unpack(kept)[0])

    def _share(self, question: str, text: str) -> float:
        [value] = self._model.output("relevance", question, text)
        return (1 + math.tanh(value / self._read_temperature() / 2)) / 2

    def _read_temperature(self) -> float:
        """By how much the model is too sure of itself; a folder that does not say is believed as it is."""
        if self._temperature is None:
            file = self._folder / CARD
            try:
                said = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
                self._temperature = float(said.get("temperature", 1.0))
                if not 0 < self._temperature < math.inf:
                    raise ValueError("a temperature is above 0")
            except (OSError, ValueError, TypeError, AttributeError) as problem:
                raise Misconfigured(f"{file} cannot be read: {problem}.", hint="Install the model again.") from None
        return self._temperature

    def _load(self) -> None:
        with suppress(Exception):  # whoever asks is told
            self._model.loaded()
