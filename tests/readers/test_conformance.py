"""Every reader reads the same labelled utterances, and reaches the figures written beside it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.domain.dataclass import replace
from recollect.domain.observations import Message
from recollect.domain.readings import Reader, Reading, ReadingContext, Statement
from recollect.inference.judge import OnnxJudge
from recollect.readers.choice import NoReader, ReaderStack
from recollect.readers.judged_reader import JudgedReader
from recollect.readers.rules.reader import RulesReader
from tests.inference.making import installed_judge
from tests.readers.measured import cases, scored

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)

# A reader, and the least precision and recall that it reaches on the labelled set.
FIGURES: list[tuple[Reader, float, float]] = [
    (RulesReader(), 0.99, 0.81),
    (NoReader(), 1.0, 0.0),
    (ReaderStack((NoReader(), RulesReader())), 0.99, 0.81),
    (JudgedReader(RulesReader(), OnnxJudge(installed_judge(), "judge")), 0.97, 0.80),  # what is doubted counts as wrong
]
every_reader = pytest.mark.parametrize(
    ("reader", "precision", "recall"), FIGURES, ids=["rules", "none", "none+rules", "judged rules"]
)


@every_reader
def test_what_is_read_is_right_and_little_is_missed(reader: Reader, precision: float, recall: float) -> None:
    overall = scored(cases(), reader).overall

    assert overall.precision >= precision
    assert overall.recall >= recall


@every_reader
def test_where_nothing_is_said_nothing_is_read(reader: Reader, precision: float, recall: float) -> None:
    noise = scored((case for case in cases() if not case.expect), reader).noise

    assert [(case.text, statements) for case, statements in noise] == []


@every_reader
def test_every_statement_and_every_skipped_sentence_says_where_it_stands(
    reader: Reader, precision: float, recall: float
) -> None:
    for case in cases()[::5]:
        reading = reader.read(Message("user", case.text, case.at), ReadingContext())
        for statement in reading.statements:
            assert 0 <= statement.start < statement.end <= len(case.text)
            assert statement.read_by
        for skipped in reading.passed_over:
            assert case.text[skipped.start : skipped.end].strip()


@every_reader
def test_only_what_people_say_is_read(reader: Reader, precision: float, recall: float) -> None:
    assert reader.read(Message("assistant", "I live in Porto.", NOON), ReadingContext()) == Reading()


def test_a_statement_says_which_readers_agree_on_it() -> None:
    class Second(RulesReader):
        name = "second"

        def read(self, message: Message, context: ReadingContext) -> Reading:
            reading = super().read(message, context)
            return Reading(tuple(_renamed(reading)), reading.standing, reading.passed_over)

    stack = ReaderStack((RulesReader(), Second(without=("copula",))))
    read = stack.read(Message("user", "I live in Porto. My dentist is Dr. Silva.", NOON), ReadingContext())

    agreed = {statement.value: [each.partition(":")[0] for each in statement.read_by] for statement in read.statements}
    assert agreed == {"Porto": ["rules", "second"], "Dr. Silva": ["rules"]}


def _renamed(reading: Reading) -> list[Statement]:
    return [
        replace(each, read_by=tuple(by.replace("rules", "second") for by in each.read_by))
        for each in reading.statements
    ]


def test_the_set_is_large_and_has_enough_that_must_yield_nothing() -> None:
    found = cases()

    assert len(found) >= 600
    assert sum(not case.expect for case in found) >= 100
