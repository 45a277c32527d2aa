"""Every data set becomes the same thing: dated items, and questions with the ids that answer them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.material import DataSet
from bench.sets.finding import SOURCES, load
from recollect import InvalidInput
from tests.bench.samples import write_all


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_all(tmp_path)
    return tmp_path


def only(sets: list[DataSet]) -> DataSet:
    [one] = sets
    return one


def test_locomo_turns_are_dated_and_keep_their_speaker_and_caption(folder: Path) -> None:
    first = only(load("locomo", folder)).corpora[0]
    assert [item.id for item in first.items] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert first.items[0].at == datetime(2023, 5, 8, 13, 5, tzinfo=UTC)
    assert first.items[2].at == datetime(2023, 6, 2, 0, 30, tzinfo=UTC)
    assert (first.items[2].speaker, first.items[2].text) == ("Tom", "Look at this. [shows a lighthouse at dusk]")
    assert [len(piece) for piece in first.sessions()] == [2, 2]


def test_locomo_labels_are_the_audited_ones_and_misspelled_ones_are_read(folder: Path) -> None:
    given = only(load("locomo", folder))
    assert [(asked.category, asked.gold) for asked in given.corpora[0].questions] == [
        ("single-hop", ("D1:1",)),
        ("multi-hop", ("D1:2",)),
        ("temporal", ("D2:1", "D1:2")),
        ("adversarial", ("D1:1",)),
    ]
    assert given.apart == {"adversarial"}
    assert given.dropped == 1


def test_realmem_asks_at_its_time_for_the_notes_that_a_reply_used(folder: Path) -> None:
    given = only(load("realmem", folder))
    [person] = given.corpora
    [question] = person.questions
    assert given.along_the_way
    assert all(item.is_note for item in person.items)
    assert question.gold == (person.items[0].id,)
    assert [item.at < question.now for item in person.items] == [True, True, False]
    assert given.dropped == 1


def test_any_persona_of_realmem_can_be_played(folder: Path) -> None:
    """Some have notes that are objects, sessions out of order, and sessions without notes."""
    note = {"session_uuid": "s2", "content": {"goal": "Run a marathon", "steps": ["buy shoes", "run"]}}
    query = {"content": "What do I need for my goal?", "is_query": True, "category_name": "plan"}
    late = {"current_time": "2025-03-01", "dialogue_turns": [query, {"content": "Shoes.", "memory_used": [note]}]}
    early = {"current_time": "2025-01-01", "dialogue_turns": [], "extracted_memory": [note]}
    (folder / "realmem" / "Bo_dialogues.json").write_text(json.dumps({"dialogues": [late, early]}), encoding="utf-8")

    bo = only(load("realmem", folder)).corpora[1]

    assert [item.text for item in bo.items] == ["goal Run a marathon, steps buy shoes; run"]
    assert [asked.gold for asked in bo.questions] == [(bo.items[0].id,)]
    assert bo.items[0].at < bo.questions[0].now


def test_nobody_is_asked_in_lifebench_about_what_has_not_happened_yet(folder: Path) -> None:
    given = only(load("lifebench", folder))

    assert given.along_the_way, "items of the future are told after the question"
    for person in given.corpora:
        told = {item.id: item.at for item in person.items}
        assert all(told[name] <= asked.now for asked in person.questions for name in asked.gold)


def test_beam_is_told_with_and_without_the_assistant(folder: Path) -> None:
    users, everyone = load("beam", folder)
    assert (users.name, everyone.name) == ("beam", "beam_all")
    assert [item.id for item in users.corpora[0].items] == ["0", "2"]
    assert [item.id for item in everyone.corpora[0].items] == ["0", "1", "2"]
    assert [asked.gold for asked in users.corpora[0].questions] == [("0", "2"), ("0", "2")]
    assert [asked.gold for asked in everyone.corpora[0].questions] == [("0", "2"), ("0", "1", "2"), ("1",)]
    assert (users.dropped, everyone.dropped) == (2, 1)


def test_beam_knows_which_message_was_updated_by_which(folder: Path) -> None:
    update = load("beam", folder)[0].corpora[0].questions[0]
    assert (update.older, update.newer) == (("0",), ("2",))
    assert load("beam", folder)[0].corpora[0].items[1].at.date().isoformat() == "2024-04-01"


def test_lifebench_says_chats_and_saves_everything_else(folder: Path) -> None:
    given = only(load("lifebench", folder))
    [person] = given.corpora
    shown = {item.id: (item.is_note, item.speaker, item.title, item.text) for item in person.items}
    assert shown["sms/1"] == (True, None, None, "From Plumber: The boiler is fixed.")
    assert shown["calendar/1"] == (True, None, "Dentist", "Checkup with Dr Lind")
    assert shown["call/4"] == (True, None, None, "call: contactName: Mum")
    assert shown["contact/2"] == (True, None, None, "contact: name: Mum, relation: mother")
    assert [item.role for item in person.items if item.id == "agent_chat/0"] == ["user", "assistant"]
    assert [item.at for item in person.items] == sorted(item.at for item in person.items)
    assert [asked.gold for asked in person.questions] == [("sms/1",)]
    assert [asked.now for asked in person.questions] == [datetime(2025, 4, 1, tzinfo=UTC)], "after the month it names"
    assert {item.session for item in person.items if item.is_note} == {""}, "a record is of no session"
    assert given.dropped == 1


def test_longmemeval_has_a_haystack_for_each_question_in_the_order_of_time(folder: Path) -> None:
    [haystack] = only(load("longmemeval", folder)).corpora
    assert [item.id for item in haystack.items] == ["early/0", "early/1", "late/0"]
    assert haystack.questions[0].gold == ("early/0",)
    assert haystack.questions[0].now == datetime(2023, 6, 1, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize("name", [name for name, source in SOURCES.items() if source.pattern])
def test_a_set_that_is_not_there_is_nothing(name: str, tmp_path: Path) -> None:
    assert load(name, tmp_path) == []
    assert load(name, None) == []


def test_functions_are_told_without_what_is_asked_of_them_and_need_no_data() -> None:
    functions = only(load("code", None)).corpora[0]
    told = {item.id: item.text for item in functions.items}
    assert len(told) == 1500 and len(functions.questions) == 300
    for asked in functions.questions:
        [own] = asked.gold
        assert "def " in told[own] and asked.text not in " ".join(told[own].split())


@pytest.mark.parametrize("content", ["{not json", "[{}]", '{"sample_id": 1}', "[1]"])
def test_a_file_of_another_shape_is_named_in_a_clear_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "locomo.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"locomo\.json cannot be read as the set `locomo`") as raised:
        load("locomo", tmp_path)
    assert raised.value.code == "data_unreadable"


def test_an_empty_folder_has_nothing_to_ask(tmp_path: Path) -> None:
    (tmp_path / "realmem").mkdir()
    assert load("realmem", tmp_path) == []


def test_a_quick_look_takes_the_first_of_everything(folder: Path) -> None:
    given = only(load("locomo", folder)).first(1)
    assert [corpus.name for corpus in given.corpora] == ["conv-1"]
    assert len(given.corpora[0].questions) == 1
    assert len(given.corpora[0].items) == 4
