"""Every reader reads the same labelled utterances, and reaches the figures written beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.chat.chat_model import ModelTask
from recollect.domain.chat.spend import SpendCaps, SpendSettings
from recollect.domain.dataclass import replace
from recollect.domain.observations import Message
from recollect.domain.readings import Reader, Reading, ReadingContext, Statement
from recollect.inference.judge import OnnxJudge
from recollect.providers.configured_models import ConfiguredModels
from recollect.readers.choice import JudgedReader, NoReader, ReaderStack
from recollect.readers.model.model_reader import ModelReader
from recollect.readers.rules.reader import RulesReader
from recollect.settings import Settings
from recollect.stores.opening import open_store
from tests.inference.making import installed_judge
from tests.readers.measured import cases, scored
from tests.support.clock import SteadyClock
from tests.support.model_server import model_server
from tests.support.scripted_reader import ScriptedReader

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)

# A reader, and the least precision and recall that it reaches on the labelled set.
FIGURES: list[tuple[Reader, float, float]] = [
    (RulesReader(), 0.99, 0.77),
    (NoReader(), 1.0, 0.0),
    (ReaderStack((NoReader(), RulesReader())), 0.99, 0.77),
    (JudgedReader(RulesReader(), OnnxJudge(installed_judge(), "judge")), 0.97, 0.76),  # what is doubted counts as wrong
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


@pytest.fixture(scope="module")
def perfect() -> Iterator[Reader]:
    """A model that knows the labelled set by heart, asked through the client of a vendor."""
    with model_server() as server:
        labels: dict[str, list[dict[str, Any]]] = {}
        for case in cases():
            labels.setdefault(case.text, []).extend(dict(each) for each in case.expect)
        server.reads = ScriptedReader(labels)
        store = open_store(":memory:", clock=SteadyClock(), busy_timeout=5)
        spend = SpendSettings(SpendCaps(day_tokens=10**9, space_tokens=10**9))
        settings = Settings(
            Path(), ":memory:", providers=(server.provider(),), tasks={"read": server.provider().name}, spend=spend
        )
        model = ConfiguredModels(settings, store.spend, SteadyClock()).for_task(ModelTask.READ, space="team")
        assert model is not None
        yield ModelReader(model)
        store.close()


def test_a_perfect_model_is_read_right_and_nothing_of_it_is_lost(perfect: Reader) -> None:
    some = cases()[::4]
    found = scored(some, perfect)

    assert found.overall.precision >= 0.99
    assert found.overall.recall >= 0.98
    assert found.noise == []


def test_a_model_says_where_its_statements_stand_and_reads_only_people(perfect: Reader) -> None:
    for case in cases()[::40]:
        for statement in perfect.read(Message("user", case.text, case.at), ReadingContext()).statements:
            assert case.text[statement.start : statement.end] == statement.quote
            assert statement.read_by == ("model:openai:small read/1",)
    assert perfect.read(Message("assistant", "I live in Porto.", NOON), ReadingContext()) == Reading()


def test_the_set_is_large_and_has_enough_that_must_yield_nothing() -> None:
    found = cases()

    assert len(found) >= 600
    assert sum(not case.expect for case in found) >= 100
