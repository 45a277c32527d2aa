"""Which kind of answer a question wants: a linear head on the encoder's vector of the question.

`answer_kinds-encoder.f4` has a row of weights for each kind, with a constant at its end; `training/answer_kinds.py`
makes it. It belongs to one encoder, and with any other the words of a question have to tell.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recollect.domain.meanings import AnswerKind, Vector
from recollect.inference.models import ENCODER

FILE = Path(__file__).with_name("answer_kinds-encoder.f4")


class AnswerKindHead:
    """The weights of a file."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def shares(self, question: Vector) -> dict[AnswerKind, float]:
        """How likely each kind is, by a question's vector."""
        import numpy as np

        scores = self._rows[:, :-1] @ np.frombuffer(question, dtype="<f4") + self._rows[:, -1]
        shares = np.exp(scores - scores.max())
        return dict(zip(AnswerKind, (shares / shares.sum()).tolist(), strict=True))


def kind_head(model_id: str, dimension: int) -> AnswerKindHead | None:
    """The head for the vectors of a model, where there is one."""
    import numpy as np

    if model_id != ENCODER.id:
        return None
    return AnswerKindHead(np.fromfile(FILE, dtype="<f4").reshape(len(AnswerKind), dimension + 1))
