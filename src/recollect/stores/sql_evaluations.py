"""Questions and runs of evaluation, in any SQL database: kept beside memory, and erased with what they quote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from recollect.domain.answers.evaluations import MOST_RUNS, EvaluationQuestion, EvaluationRun
from recollect.domain.clock import format_time
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, SqlPart, Value


class SqlEvaluations(SqlPart):
    """The questions and runs of each space."""

    def questions(self, space: str) -> Sequence[EvaluationQuestion]:
        return [_question(row) for row in self._read(space, "evaluation_questions")]

    def keep_questions(self, questions: Sequence[EvaluationQuestion]) -> Sequence[EvaluationQuestion]:
        if not questions:
            return ()
        with self._database.writing(questions[0].space) as transaction:
            transaction.rows(
                "lock_space", space=questions[0].space
            )  # no note is erased between a look and its question
            return [each for each in questions if transaction.rows("insert_evaluation_question", **_values(each))]

    def drop_question(self, space: str, question_id: str) -> bool:
        with self._database.writing(space) as transaction:
            return bool(transaction.rows("drop_evaluation_question", space=space, id=question_id))

    def keep_run(self, space: str, run: EvaluationRun) -> None:
        figures = {
            "questions": run.questions,
            "scores": dict(run.scores),
            "stale": run.stale,
            "changed": dict(run.changed),
            "places": dict(run.places),
        }
        with self._database.writing(space) as transaction:
            at = format_time(run.at)
            transaction.rows("insert_evaluation_run", space=space, id=run.id, at=at, figures=json.dumps(figures))
            transaction.rows("drop_old_evaluation_runs", space=space, most=MOST_RUNS)

    def runs(self, space: str, *, limit: int) -> Sequence[EvaluationRun]:
        return [_run(row) for row in self._read(space, "evaluation_runs", limit=limit)]


def _values(question: EvaluationQuestion) -> dict[str, Value]:
    return {
        "space": question.space,
        "id": question.id,
        "note_id": question.note_id,
        "text": question.text,
        "made_by": question.made_by,
        "made_at": format_time(question.made_at),
    }


@reads("evaluation_question", ("id", "space", "note_id", "text", "made_by", "made_at"))
def _question(row: Row) -> EvaluationQuestion:
    question_id, space, note_id, text, made_by, made_at = row
    return EvaluationQuestion(question_id, space, note_id, text, made_by, datetime.fromisoformat(made_at))


@reads("evaluation_run", ("id", "at", "figures"))
def _run(row: Row) -> EvaluationRun:
    run_id, at, figures = row
    return EvaluationRun(run_id, datetime.fromisoformat(at), **json.loads(figures))
