"""Questions that a space should be able to answer, the runs that asked them, and the port to where both are kept.

A question quotes memory, so it goes with the note it is about. A run holds ids and figures only.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Protocol

from recollect.domain.answers.recollections import Usage
from recollect.domain.dataclass import dataclass, field
from recollect.domain.values import Series, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_QUESTIONS = 1000  # of a space
MOST_RUNS = 200  # of a space; of more, the newest are kept
DEPTH = 20  # hits that are looked at for each question


@dataclass(frozen=True, slots=True, repr=False)
class EvaluationQuestion(Value):
    """A question and the note that answers it. `made_by` is `template`, `person`, or the model that worded it."""

    id: str
    space: str
    note_id: str
    text: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class EvaluationRun(Value):
    """The scores of a space in one run.

    `scores` are means over the questions: recall at 1, 5, 10 and 20 hits, `mrr`, and `tokens@10`, the size of what a
    reader has to go through. `places` has the place of the answer for each question; 0 if it was not among the hits.
    `stale` counts questions whose note does not hold any more, which were not asked. `changed` names the settings that
    an experiment was run with.
    """

    id: str
    at: datetime
    questions: int
    scores: Mapping[str, float]
    stale: int = 0
    changed: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class Experiment(Value):
    """Two runs with the same questions: as memory is set now, and a copy of it with other settings.

    `lost` are questions whose answer was among the first ten and is no more, `won` the others. It `regressed` if recall
    at 10 or the reciprocal rank fell by more than a fiftieth.
    """

    baseline: EvaluationRun
    run: EvaluationRun
    regressed: bool
    lost: tuple[str, ...] = ()
    won: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class QuestionsBuilt(Series[EvaluationQuestion]):
    """The questions that were made. `fallback` is why a model that was asked for them gave none."""

    _held: ClassVar[str] = "questions"
    questions: tuple[EvaluationQuestion, ...]
    model: str = ""
    fallback: str = ""
    usage: Usage = field(default_factory=Usage)


class Evaluations(Protocol):
    """The questions and runs of spaces, kept beside memory and never part of it."""

    def questions(self, space: str) -> Sequence[EvaluationQuestion]:
        """All questions of a space, oldest first."""
        ...

    def keep_questions(self, questions: Sequence[EvaluationQuestion]) -> Sequence[EvaluationQuestion]:
        """Keep questions, each in place of the one with its id; those whose notes are still there, which are told."""
        ...

    def drop_question(self, space: str, question_id: str) -> bool:
        """Whether there was such a question; it is gone."""
        ...

    def keep_run(self, space: str, run: EvaluationRun) -> None:
        """Keep a run, and drop the oldest beyond the most that are kept."""
        ...

    def runs(self, space: str, *, limit: int) -> Sequence[EvaluationRun]:
        """Runs, the newest first."""
        ...
