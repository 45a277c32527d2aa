"""Memory as agent frameworks want it, without the frameworks: values under keys, conversations, tools."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from recollect import InvalidInput, Memory
from recollect.adapters.agents_session import AgentsSession
from recollect.adapters.keyed_values import KeyedValues, matches, spelled_minutes, words_in
from recollect.adapters.pydantic_toolset import agent_tools
from recollect.dialects.library import InProcess

ANA, BO = ("users", "ana"), ("users", "bo")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(store=":memory:") as opened:
        yield opened


@pytest.fixture
def values(memory: Memory) -> KeyedValues:
    return KeyedValues(InProcess.of_agent(memory, "tester"))


def _keys(found: list[Any]) -> list[str]:
    return [each.key for each in found]


def test_a_value_is_kept_as_it_is_replaced_and_deleted(values: KeyedValues, memory: Memory) -> None:
    said: dict[str, Any] = {"food": "pizza", "n": 1.5, "deep": {"a": [1, None, {"b": True}]}}
    values.put(ANA, "k", said)
    first = values.get(ANA, "k")
    assert first is not None
    assert (first.value, first.namespace, first.key) == (said, ANA, "k")
    values.put(ANA, "k", {"food": "soup"})
    second = values.get(ANA, "k")
    assert second is not None
    assert second.value == {"food": "soup"}
    assert (second.created_at, second.updated_at > first.updated_at) == (first.created_at, True)
    assert values.get(BO, "k") is None
    [note] = memory.list()
    assert (note.text, note.authority) == ("soup", "quoted")
    values.delete(ANA, "k")
    values.delete(ANA, "k")
    assert values.get(ANA, "k") is None


@pytest.mark.parametrize("key", ["", " spaced ", "two\nlines", "x" * 2000, "a..b", "ключ"])
def test_any_text_can_be_a_key(values: KeyedValues, key: str) -> None:
    values.put(("a",), key, {"x": 1})
    found = values.get(("a",), key)
    assert found is not None
    assert found.key == key


def test_values_are_found_below_a_namespace_by_words_and_by_filters(values: KeyedValues) -> None:
    values.put(ANA, "tea", {"text": "Ana drinks green tea", "rank": 3})
    values.put(ANA, "car", {"text": "Ana drives a red car", "rank": 5})
    values.put(BO, "tea", {"text": "Bo drinks black tea", "rank": 9})
    values.put(ANA, "quiet", {"text": "Ana hides her tea", "rank": 1}, index=False)
    assert _keys(values.search(ANA)) == ["quiet", "car", "tea"]
    assert _keys(values.search(ANA, limit=1, offset=1)) == ["car"]
    found = values.search(("users",), query="who drinks tea")
    assert {(each.namespace, each.key) for each in found} == {(ANA, "tea"), (BO, "tea")}
    assert all(each.score for each in found)
    assert _keys(values.search(("users",), matching={"rank": {"$gte": 4, "$lt": 9}})) == ["car"]
    assert values.search(("user",)) == []
    assert values.namespaces() == [ANA, BO]


def test_a_value_with_an_end_lives_as_long_again_when_it_is_read(values: KeyedValues, memory: Memory) -> None:
    values.put(ANA, "k", {"x": "y"}, minutes=10)
    [before] = memory.list()
    assert values.get(ANA, "k", refresh=False) is not None
    [same] = memory.list()
    assert (same.erase_at, same.version) == (before.erase_at, 1)
    assert values.get(ANA, "k") is not None
    [after] = memory.list()
    assert before.erase_at
    assert after.erase_at
    assert after.erase_at > before.erase_at
    values.put(ANA, "k", {"x": "z"})
    assert memory.list()[0].erase_at is None


def test_what_is_not_json_is_refused_and_nothing_is_kept(values: KeyedValues, memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        values.put(ANA, "k", {"x": object()})
    values.put(ANA, "k", {"x": 1})
    with pytest.raises(InvalidInput):
        values.search(ANA, matching={"x": {"$like": 1}})
    assert len(memory.list().items) == 1


@pytest.mark.parametrize(
    ("value", "wanted", "met"),
    [
        ({"a": 1}, {}, True),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": {"$ne": 1}}, False),
        ({"a": {"b": 2}}, {"a": {"b": {"$gt": 1}}}, True),
        ({"a": [1, 2]}, {"a": [1, 2]}, True),
        ({"a": "x"}, {"a": {"$gt": 1}}, False),
        ({}, {"a": None}, True),
    ],
)
def test_a_filter_means_what_it_means_to_langgraph(value: Any, wanted: Any, met: bool) -> None:
    assert matches(value, wanted) is met


def test_the_words_of_a_value_are_those_of_the_fields_that_are_named() -> None:
    value = {"a": "one", "b": [{"c": "two"}, {"c": "three"}], "d": 4}
    assert words_in(value) == "one\ntwo\nthree\n4"
    assert (words_in(value, ["b[*].c"]), words_in(value, ["b[1].c", "z"]), words_in(value, False)) == (
        "two\nthree",
        "three",
        "",
    )
    assert [spelled_minutes(each) for each in (0.001, 1.5, 60 * 24 * 365)] == ["1s", "90s", "525600m"]


USER = {"role": "user", "content": "I live in Porto"}
CALL = {"type": "function_call", "name": "weather", "call_id": "c", "arguments": '{"city": "Porto"}'}
LONG = {"role": "assistant", "content": [{"type": "output_text", "text": "rain " * 20_000}], "id": "m"}


def test_a_session_gives_back_every_item_in_order_and_learns_what_the_person_said(memory: Memory) -> None:
    async def talked() -> None:
        session = AgentsSession("s1", memory, user="ana")
        assert (await session.get_items(), await session.pop_item()) == ([], None)
        await session.add_items([USER, CALL])
        await session.add_items([LONG])
        assert await session.get_items() == [USER, CALL, LONG]
        assert await session.get_items(limit=2) == [CALL, LONG]
        assert await AgentsSession("s2", memory).get_items() == []
        assert [note.text for note in memory.list(user="ana")] == ["User lives in Porto."]
        assert (await session.pop_item(), await session.pop_item()) == (LONG, CALL)
        await session.clear_session()
        assert await session.get_items() == []
        await session.add_items([USER, USER])
        assert await session.pop_item() == USER
        assert await session.get_items() == [USER]

    asyncio.run(talked())


def test_an_item_that_is_not_json_is_refused_with_all_that_came_with_it(memory: Memory) -> None:
    async def talked() -> None:
        session = AgentsSession("s1", memory)
        with pytest.raises(InvalidInput):
            await session.add_items([USER, {"role": "user", "content": object()}])
        assert await session.get_items() == []

    asyncio.run(talked())


def test_the_tools_of_an_agent_look_up_remember_and_forget(memory: Memory) -> None:
    search, save, forget = agent_tools(InProcess.of_agent(memory, "tester"), {"user": "ana"})
    assert search("what does Ana drink") == "Nothing is known about that."
    told = save("Ana drinks green tea")
    note_id = told.removeprefix("Remembered as ").rstrip(".")
    assert "green tea" in search("what does Ana drink")
    assert memory.get(note_id).scope.user == "ana"
    assert forget(note_id) == "Forgotten: 1 record."
    assert "is not a note id" in forget("nonsense")
