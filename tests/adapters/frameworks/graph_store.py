"""LangGraph's own operations on our store and on its `InMemoryStore`: the same answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, InvalidNamespaceError
from langgraph.store.memory import InMemoryStore

from recollect import Memory
from recollect.adapters.langgraph_store import langgraph_store

NAMESPACES = st.sampled_from([("a",), ("a", "b"), ("a", "b", "c"), ("b", "b")])
KEYS = st.sampled_from(["k", "l", " m\n"])
VALUES = st.fixed_dictionaries({"n": st.integers(0, 3), "text": st.sampled_from(["tea", "", "red car"])})
STEPS = st.one_of(
    st.tuples(st.just("put"), NAMESPACES, KEYS, VALUES),
    st.tuples(st.just("delete"), NAMESPACES, KEYS),
    st.tuples(st.just("get"), NAMESPACES, KEYS),
    st.tuples(st.just("search"), NAMESPACES, st.sampled_from([None, {"n": 1}, {"n": {"$gte": 2}}, {"n": {"$ne": 0}}])),
    st.tuples(st.just("names"), st.sampled_from([{}, {"max_depth": 1}, {"prefix": ("a", "*")}, {"suffix": ("b",)}])),
)


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(store=":memory:") as opened:
        yield opened


SPACES = iter(f"store-{number}" for number in range(10_000))


@settings(max_examples=30, deadline=None)
@given(steps=st.lists(STEPS, max_size=20))
def test_it_answers_as_the_reference_does(memory: Memory, steps: list[Any]) -> None:
    ours, theirs = langgraph_store(memory, space=next(SPACES)), InMemoryStore()
    for step in steps:
        assert _done(ours, *step) == _done(theirs, *step), step


def _done(store: BaseStore, what: str, *given: Any) -> Any:
    match what:
        case "put":
            return store.put(*given)
        case "delete":
            return store.delete(*given)
        case "get":
            found = store.get(*given)
            return found and (found.namespace, found.key, found.value)
        case "search":
            some = store.search(given[0], filter=given[1], limit=100)
            return sorted((each.namespace, each.key, str(sorted(each.value.items()))) for each in some)
        case _:
            # The reference lists namespaces that were emptied, too; only those with something in them are compared.
            named = store.list_namespaces(**given[0])
            depth = given[0].get("max_depth", 9)
            held = {each.namespace[:depth] for each in store.search((), limit=100)}
            return sorted(each for each in named if each in held)


def test_namespaces_are_checked_and_the_awaited_methods_are_the_same(memory: Memory) -> None:
    store = langgraph_store(memory, space="awaited")
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {"x": 1})

    async def awaited() -> None:
        await store.aput(("users", "ana"), "k", {"text": "Ana drinks green tea"}, ttl=5)
        found = await store.asearch(("users",), query="what does Ana drink")
        assert [(each.key, bool(each.score)) for each in found] == [("k", True)]

    asyncio.run(awaited())


def test_a_graph_remembers_from_one_run_to_the_next(memory: Memory) -> None:
    def noted(state: dict[str, Any], *, store: BaseStore) -> dict[str, Any]:
        before = len(store.search(("notes",)))
        store.put(("notes",), str(before), {"text": state["said"]})
        return {"said": f"{before} before"}

    graph = StateGraph(dict)
    graph.add_node("noted", noted)
    graph.add_edge(START, "noted")
    graph.add_edge("noted", END)
    for expected in ("0 before", "1 before"):
        compiled = graph.compile(store=langgraph_store(memory, space="graph"))
        assert compiled.invoke({"said": "Ana drinks tea"})["said"] == expected
    assert {note.text for note in memory.list(space="graph")} == {"Ana drinks tea"}
