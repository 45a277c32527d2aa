"""The tools of the reference knowledge-graph server, on our notes: the same names, shapes and habits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from tests.surfaces.http.client import Client
from tests.surfaces.mcp.speaking import Speaker, over_http
from tests.surfaces.shell import Shell

ALICE = {"name": "Alice", "entityType": "person", "observations": ["prefers tea", "works at Acme"]}
ACME = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Alice", "to": "Acme", "relationType": "works_at"}


@pytest.fixture
def graph(one_memory: Memory, anybody: Client) -> Iterator[Speaker]:
    secret = one_memory.access.issue(scope="write", name="tester").secret
    with over_http(anybody.port, secret, "?profile=server-memory") as opened:
        yield opened


def test_it_has_the_nine_tools_with_their_schemas(graph: Speaker) -> None:
    tools = {tool.name: tool for tool in graph.tools()}
    assert list(tools) == [
        "create_entities",
        "create_relations",
        "add_observations",
        "delete_entities",
        "delete_observations",
        "delete_relations",
        "read_graph",
        "search_nodes",
        "open_nodes",
    ]
    assert all(tool.output_schema for tool in tools.values())
    deleting = {name for name, tool in tools.items() if tool.annotations.destructive_hint}
    assert deleting == {name for name in tools if name.startswith("delete_")}
    reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert reading == {"read_graph", "search_nodes", "open_nodes"}


def test_a_graph_is_built_read_searched_and_taken_apart(graph: Speaker) -> None:
    assert graph.told("read_graph") == {"entities": [], "relations": []}
    assert graph.told("create_entities", entities=[ALICE, ACME]) == {"entities": [ALICE, ACME]}
    assert graph.told("create_entities", entities=[ALICE]) == {"entities": []}
    assert graph.told("create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    assert graph.told("create_relations", relations=[WORKS]) == {"relations": []}
    added = graph.told(
        "add_observations", observations=[{"entityName": "Alice", "contents": ["prefers tea", "speaks Dutch"]}]
    )
    assert added == {"results": [{"entityName": "Alice", "addedObservations": ["speaks Dutch"]}]}

    alice = {**ALICE, "observations": ["prefers tea", "works at Acme", "speaks Dutch"]}
    assert graph.told("read_graph") == {"entities": [alice, ACME], "relations": [WORKS]}
    assert graph.told("search_nodes", query="DUTCH") == {"entities": [alice], "relations": [WORKS]}
    assert graph.told("search_nodes", query="company")["entities"] == [ACME]
    assert graph.told("open_nodes", names=["Acme", "Nobody"]) == {"entities": [ACME], "relations": [WORKS]}

    told = graph.call("delete_observations", deletions=[{"entityName": "Alice", "observations": ["prefers tea"]}])
    assert told.content[0].text == "Observations deleted successfully"  # type: ignore[union-attr]
    assert graph.told("open_nodes", names=["Alice"])["entities"][0]["observations"] == ["works at Acme", "speaks Dutch"]
    assert graph.told("delete_relations", relations=[WORKS])["success"] is True
    assert graph.told("read_graph")["relations"] == []
    graph.told("create_relations", relations=[WORKS])
    graph.told("delete_entities", entityNames=["Alice", "Nobody"])
    assert graph.told("read_graph") == {"entities": [ACME], "relations": []}


def test_what_was_remembered_through_other_doors_is_in_the_graph(graph: Speaker, one_memory: Memory) -> None:
    one_memory.learn("user", "location", "Berlin")
    [user] = graph.told("read_graph")["entities"]
    assert (user["name"], user["observations"]) == ("user", ["User lives in Berlin."])
    typed = {"name": "user", "entityType": "person", "observations": ["User lives in Berlin."]}
    assert graph.told("create_entities", entities=[typed]) == {"entities": [typed]}
    assert graph.told("open_nodes", names=["user"])["entities"] == [typed]
    graph.told("add_observations", observations=[{"entityName": "user", "contents": ["likes trams"]}])
    assert one_memory.search("what does the user like").hits[0].text == "likes trams"


def test_an_entity_that_is_not_there_cannot_be_observed(graph: Speaker) -> None:
    told = graph.call("add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}])
    assert told.is_error
    assert "Entity with name Nobody not found" in told.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_entities", {}),
        ("create_entities", {"entities": "x"}),
        ("create_entities", {"entities": ["x"]}),
        ("create_entities", {"entities": [{"name": "x", "entityType": "y", "observations": [1]}]}),
        ("create_relations", {"relations": [{"from": "x"}]}),
        ("search_nodes", {"query": 1}),
        ("open_nodes", {"names": None}),
        ("delete_entities", {"entityNames": [{}]}),
    ],
)
def test_what_has_another_shape_is_refused(graph: Speaker, tool: str, arguments: dict[str, Any]) -> None:
    assert graph.call(tool, **arguments).is_error
    assert graph.told("read_graph") == {"entities": [], "relations": []}


def test_its_file_can_be_imported_and_what_was_forgotten_stays_so(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    records = [{"type": "entity", **ALICE}, {"type": "entity", **ACME}, {"type": "relation", **WORKS}]
    lines = [json.dumps(record) for record in records]
    file.write_text("\n".join([*lines, '{"type":"entity","name":"Broken"}', ""]))

    first = shell.run("import", str(file), "--json").json
    assert (first["imported"], first["unchanged"]) == (5, 0)
    assert [failure["line"] for failure in first["failures"]] == [4]
    found = shell.ok("search", "what does Alice prefer")["hits"][0]["note"]
    assert (found["text"], found["subject"]) == ("prefers tea", "Alice")

    shell.ok("forget", found["id"])
    again = shell.run("import", str(file), "--json").json
    assert (again["imported"], again["unchanged"], again["erased"]) == (0, 4, 1)


def test_a_tool_about_named_entities_reads_only_what_concerns_them(
    graph: Speaker, one_memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = {"name": "Bob", "entityType": "person", "observations": ["rides a bike"]}
    graph.told("create_entities", entities=[ALICE, ACME, bob])
    graph.told("create_relations", relations=[WORKS])
    one_memory.save("Nobody asks for this", subject="somebody else")
    read: set[str] = set()
    plain_list = Memory.list

    def watched(self: Memory, **which: Any) -> Any:
        page = plain_list(self, **which)
        read.update(note.subject or "" for note in page.items)
        return page

    monkeypatch.setattr(Memory, "list", watched)
    assert graph.told("open_nodes", names=["Acme"]) == {"entities": [ACME], "relations": [WORKS]}
    graph.told("add_observations", observations=[{"entityName": "Alice", "contents": ["speaks Dutch"]}])
    graph.told("delete_relations", relations=[WORKS])
    graph.told("delete_entities", entityNames=["Acme"])
    assert read == {"Alice", "Acme"}


def test_many_or_impossible_names_are_answered_as_well(graph: Speaker) -> None:
    graph.told("create_entities", entities=[ALICE])
    names = ["Alice", "", "x" * 2000, "line\nbreak"]
    assert graph.told("open_nodes", names=names) == {"entities": [ALICE], "relations": []}
    many = ["Alice", *(f"nobody {number}" for number in range(80))]
    assert graph.told("open_nodes", names=many) == {"entities": [ALICE], "relations": []}
    graph.told("delete_entities", entityNames=names)
    assert graph.told("read_graph") == {"entities": [], "relations": []}
