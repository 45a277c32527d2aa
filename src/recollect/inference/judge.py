"""The judge: a small ONNX model that tells how a message is meant and how two of them relate, run on this machine.

A folder has model.onnx, vocab.txt and judge.json, which says the order of the classes and by how much the model is too
sure of itself. The stance of a text is remembered for a while: whoever reads a message and whoever links it ask for
the same one.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Misconfigured
from recollect.domain.links.statement_link import Stance, StatementRelation
from recollect.inference.pair_model import PairModel
from recollect.inference.recent import RecentVectors

CARD = "judge.json"

C = TypeVar("C", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """How the outputs of a judge are read: the order of its classes, and a temperature for each output."""

    version: str = "0"
    relations: tuple[StatementRelation, ...] = tuple(StatementRelation)
    stances: tuple[Stance, ...] = tuple(Stance)
    temperatures: Mapping[str, float] = field(default_factory=dict)


def card_in(folder: Path) -> JudgeCard:
    """The card of the judge in a folder; one that has none is read as it was trained."""
    file = folder / CARD
    if not file.is_file():
        return JudgeCard()
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        temperatures = {str(name): float(value) for name, value in said.get("temperatures", {}).items()}
        if any(not 0 < value < math.inf for value in temperatures.values()):
            raise ValueError("a temperature is above 0")
        return JudgeCard(
            str(said.get("version", "0")),
            _classes(StatementRelation, said.get("relations")),
            _classes(Stance, said.get("stances")),
            temperatures,
        )
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        raise Misconfigured(f"{file} cannot be read: {problem}.", hint="Install the model again.") from None


class OnnxJudge:
    """See `Judge`. Any number of threads may use it."""

    def __init__(self, folder: Path, model_id: str, *, keeps: bool = False) -> None:
        """`keeps` says that the folder is ours, and what is made of the model may be kept in it."""
        self.model_id = model_id
        self._folder = folder
        self._model = PairModel(folder, keeps=keeps)
        self._card: JudgeCard | None = None
        self._recent = RecentVectors()

    def stances(self, text: str) -> dict[Stance, float]:
        """See `Judge.stances`."""
        classes = self._read_card().stances
        return dict(zip(classes, memoryview(self._recent.of(text, self._stances)).cast("d"), strict=True))

    def _stances(self, text: str) -> bytes:
        return array("d", self._shares("stance", text)).tobytes()

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        """See `Judge.relations`."""
        return dict(zip(self._read_card().relations, self._shares("relation", older, newer), strict=True))

    def _shares(self, output: str, *texts: str) -> list[float]:
        """Probabilities from the numbers of an output, which add up to one."""
        temperature = self._read_card().temperatures.get(output, 1.0)
        values = [value / temperature for value in self._model.output(output, *texts)]
        highest = max(values)
        parts = [math.exp(value - highest) for value in values]
        return [part / math.fsum(parts) for part in parts]

    def _read_card(self) -> JudgeCard:
        """The card, read with the first text: a damaged one is a failure of the judge, and of nothing else."""
        if self._card is None:
            self._card = card_in(self._folder)
        return self._card


def _classes(kind: type[C], named: Any) -> tuple[C, ...]:
    """The classes of an output in their order; all of them, each once."""
    if named is None:
        return tuple(kind)
    classes = tuple(kind(name) for name in named)
    if sorted(classes) != sorted(kind):
        raise ValueError(f"it must name each of {', '.join(kind)} once")
    return classes
