"""The reranker: a small ONNX model that reads a question and a text side by side and says whether it answers it.

The state in which it ends a pair is kept beside its answer, for the net that puts the hits in order.
"""

from __future__ import annotations

import json
import math
import struct
import threading
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from recollect.domain.errors import Misconfigured
from recollect.domain.meanings import Listed, Ordered
from recollect.inference.hit_order import FILE, HitOrder, OfAnotherRelease
from recollect.inference.pair_model import LONGEST, PairModel
from recollect.inference.recent import RecentVectors

CARD = "reranker.json"
_MARKS = 3  # pieces of a pair that are no words
_STATE = "pooled"  # the output that has it
_NUMBER = struct.Struct("<d")
_KEPT = 2_000_000  # bytes of what was made of pairs: a search, an answer and a recall often ask the same


class OnnxReranker:
    """See `Relevance`. Any number of threads may use it."""

    def __init__(self, folder: Path, model_id: str, *, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self.model_id = model_id
        self._folder = folder
        self._model = PairModel(folder, keeps=keeps)
        self._recent = RecentVectors(most=_KEPT)
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
            self._share(question, text) if len(pieces.bare_ids(text, most=LONGEST)) <= room else None for text in texts
        ]

    def ordered(self, question: str, listed: Sequence[Listed], *, several: bool = False) -> Ordered | None:
        """See `Relevance.ordered`. Of a long text the beginning is read."""
        if not listed or self._order is None:
            return None
        read = self.read(question, [each.text for each in listed])
        return self._order.ordered(listed, *read, several=several)

    def read(self, question: str, texts: Sequence[str]) -> tuple[list[float], Any]:
        """A number for each text beside the question, and the state of the model that it comes from."""
        import numpy as np

        made = [self._read(question, text) for text in texts]
        states = np.frombuffer(b"".join(each[_NUMBER.size :] for each in made), dtype="<f4")
        return [_logit(each) for each in made], states.reshape(len(made), -1)

    @cached_property
    def _order(self) -> HitOrder | None:
        """The nets in the folder, where there are some of this release and the model tells the states they want."""
        file = self._folder / FILE
        if not file.is_file() or _STATE not in self._model.outputs:
            return None
        try:
            return HitOrder(file)
        except OfAnotherRelease:
            return None
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as problem:
            raise Misconfigured(f"{file} cannot be read: {problem}.", hint="Install the model again.") from None

    def _share(self, question: str, text: str) -> float:
        return (1 + math.tanh(_logit(self._read(question, text)) / self._read_temperature() / 2)) / 2

    def _read(self, question: str, text: str) -> bytes:
        """Logit and state of a pair, which is read once for as long as it is remembered."""
        return self._recent.of(f"{question}\0{text}", lambda _: self._made(question, text))

    def _made(self, question: str, text: str) -> bytes:
        names = ["relevance", _STATE] if _STATE in self._model.outputs else ["relevance"]
        [value], *state = self._model.run(names, question, text)
        return _NUMBER.pack(value) + b"".join(each.astype("<f4").tobytes() for each in state)

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


def _logit(read: bytes) -> float:
    return float(_NUMBER.unpack_from(read)[0])
