"""No text makes a reader fail; and if one ever does, the message is kept, the fault is counted, and `doctor` shows it.

`RECOLLECT_FUZZ_CHAT` is how many messages are made up; `make fuzz` asks for many more.
"""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import UNREADABLE
from recollect.domain.errors import Busy
from recollect.domain.observations import Message
from recollect.domain.readings import Reading, ReadingContext
from recollect.language.english.directions import asked_to_remember
from recollect.readers.rules.reader import RulesReader
from recollect.remember import pipeline
from tests.remember.chat import messages

NUMBER = int(os.environ.get("RECOLLECT_FUZZ_CHAT", "1500"))
SEED = int(os.environ.get("RECOLLECT_FUZZ_SEED", "13"))
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def read(text: str) -> Reading:
    return RulesReader().read(Message("user", text, NOW), ReadingContext())


@pytest.mark.parametrize(
    "text",
    [
        "Deploy: The, not the old one",
        "Deploy: , not the old one",
        "Name: A, not B",
        "Port: the",
        ": not",
        "not",
        "The, not the",
        "user: that had, not or",
    ],
)
def test_a_label_whose_value_is_no_value_is_read(text: str) -> None:
    read(text)


def test_made_up_chat_is_read_without_a_fault() -> None:
    for text in messages(NUMBER, SEED):
        try:
            read(text)
            asked_to_remember(text)
        except Exception as fault:
            raise AssertionError(f"A reader failed on {text!r} (seed {SEED}).") from fault


def test_made_up_chat_is_added_without_a_fault(memory: Memory) -> None:
    for start in range(0, min(NUMBER, 2_000), 100):
        told = messages(100, SEED + 1 + start)
        added = memory.add([{"role": "user", "content": text} for text in told])
        assert [each.quote for each in added.passed_over if each.reason == UNREADABLE] == []
        if NUMBER <= 2_000:
            break


def test_a_message_that_a_reader_fails_on_is_kept_and_counted(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(reader: RulesReader, message: Message, context: ReadingContext) -> Reading:
        if "purple" in message.text:
            raise IndexError("purple elephants")
        return reading(reader, message, context)

    reading = RulesReader.read
    monkeypatch.setattr(RulesReader, "read", failing)
    caplog.set_level(logging.ERROR, logger="recollect.remember")
    added = memory.add([{"content": "I live in Berlin."}, {"content": "The purple one."}, {"content": "I like tea."}])

    assert len(added.observation_ids) == 3
    assert [each.note.value for each in added.learned if each.note] == ["Berlin", "tea"]
    assert ("The purple one.", UNREADABLE) in [(each.quote, each.reason) for each in added.passed_over]
    assert [check.detail for check in memory.doctor().checks if check.name == "reading of default"] == [
        "1 time a message could not be read; all are kept word for word"
    ]
    assert memory.doctor().healthy
    assert memory.status().spaces[0].verdicts[UNREADABLE] == 1
    assert "IndexError" in caplog.text
    assert "purple" not in caplog.text, "no memory texts in logs"


def test_a_store_that_cannot_answer_is_no_fault_of_a_reader(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> object:
        raise Busy("Another process kept the database locked for too long; nothing was written.")

    monkeypatch.setattr(pipeline, "reconcile", busy)
    with pytest.raises(Busy):
        memory.add("I live in Berlin.")
    assert memory.status().notes == 0
