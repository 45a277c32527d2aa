"""KQL on a small pharmacy: each query with the columns it gives."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.dialects.kip.errors import TIMEOUT, KipError
from tests.kip.kip_world import KipWorld, cases, pharmacy


@pytest.fixture(scope="module")
def world() -> KipWorld:
    return pharmacy()


@pytest.mark.parametrize(("query", "columns"), cases("queries"))
def test_a_query_gives_its_columns(world: KipWorld, query: str, columns: Any) -> None:
    assert world.run(query, names=["Aspirin", "Nothing"], two=2) == columns


@pytest.mark.parametrize(("query", "code"), cases("refused_queries"))
def test_a_query_that_cannot_be_answered_says_why(world: KipWorld, query: str, code: str) -> None:
    with pytest.raises(KipError) as refusal:
        world.run(query)
    assert refusal.value.code == code


def test_a_wrong_capital_is_pointed_out(world: KipWorld) -> None:
    with pytest.raises(KipError) as refusal:
        world.run('FIND(?d) WHERE { ?d {type: "drug"} }')
    assert "`Drug`" in refusal.value.hint


def test_pages_follow_each_other_without_gap_or_repetition(world: KipWorld) -> None:
    query = 'FIND(?d.name) WHERE { ?d {type: "Drug"} } ORDER BY ?d.attributes.risk_level DESC LIMIT 1'
    found, cursor = world.page(query)
    names = list(found)
    while cursor is not None:
        found, cursor = world.page(f"{query} CURSOR :cursor", cursor=cursor)
        names += found
    assert names == ["Codeine", "Ibuprofen", "Aspirin", "Vitamin C"]


def test_a_page_goes_on_after_a_row_that_is_gone() -> None:
    world = pharmacy()
    query = 'FIND(?d.name) WHERE { ?d {type: "Drug"} } ORDER BY ?d.name LIMIT 2'
    found, cursor = world.page(query)
    world.run('DELETE CONCEPT ?d DETACH WHERE { ?d {type: "Drug", name: "Codeine"} }')
    assert (found, world.run(f"{query} CURSOR :c", c=cursor)) == (["Aspirin", "Codeine"], ["Ibuprofen", "Vitamin C"])


def test_a_command_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(KipError) as refusal:
        pharmacy(seconds=-1.0).run("FIND(?a) WHERE { (?a, ?p, ?b) (?c, ?q, ?d) }")
    assert refusal.value.code == "KIP_4001"


def test_a_count_that_takes_too_long_says_why_and_what_to_ask_instead() -> None:
    with pytest.raises(KipError) as refused:
        pharmacy(seconds=-1.0).run('FIND(COUNT(?a)) WHERE { ?a {type: "Drug"} }')
    assert refused.value.code == TIMEOUT
    assert "all of it is read" in str(refused.value.hint) and "LIMIT" in str(refused.value.hint)


def test_an_element_is_shown_whole(world: KipWorld) -> None:
    [found] = world.run('FIND(?d) WHERE { ?d {type: "Drug", name: "Codeine"} }')
    assert found == {
        "id": "C:Drug:Codeine",
        "type": "Drug",
        "name": "Codeine",
        "attributes": {"risk_level": 5, "otc": False},
        "metadata": {"source": "leaflet", "_version": 1, "_updated_at": "2026-01-01T00:00:00Z"},
    }


def test_the_schema_is_described(world: KipWorld) -> None:
    primer = world.run("DESCRIBE PRIMER")
    assert primer["identity"]["kip_version"] == "1.0-RC9"
    assert primer["total_domains"] == len(primer["domain_map"]) == 3
    assert world.run("DESCRIBE DOMAINS") == ["Archived", "CoreSchema", "Unsorted"]
    assert {"Drug", "Person", "SleepTask", "$ConceptType"} <= set(world.run("DESCRIBE CONCEPT TYPES"))
    assert {"treats", "belongs_to_domain", "owed_to"} <= set(world.run("DESCRIBE PROPOSITION TYPES"))
    assert world.run('DESCRIBE CONCEPT TYPE "Drug"')["attributes"] == {"description": "A medicine"}
    assert world.run('DESCRIBE PROPOSITION TYPE "treats"')["type"] == "$PropositionType"
    some, cursor = world.page("DESCRIBE CONCEPT TYPES LIMIT 5")
    more, _ = world.page("DESCRIBE CONCEPT TYPES LIMIT 50 CURSOR :c", c=cursor)
    assert [*some, *more] == world.run("DESCRIBE CONCEPT TYPES")


def test_a_hit_carries_its_score(world: KipWorld) -> None:
    [hit] = world.run('SEARCH CONCEPT "aspirin" MODE "hybrid" LIMIT 5')
    assert (hit["name"], hit["metadata"]["_score"]) == ("Aspirin", 1.0)
    assert world.run('SEARCH PROPOSITION "stated" THRESHOLD 0.6') == []
    assert len(world.run('SEARCH PROPOSITION "treats" WITH TYPE "treats" LIMIT 2')) == 2


def test_a_type_is_told_page_by_page_over_a_graph_that_cannot_list(world: KipWorld) -> None:
    query = 'FIND(?d.name) WHERE { ?d {type: "Drug"} } LIMIT 3'
    some, cursor = world.page(query)
    more, end = world.page(f"{query} CURSOR :c", c=cursor)

    assert ([*some, *more], end) == (["Aspirin", "Codeine", "Ibuprofen", "Vitamin C"], None)
    assert "Archived" in world.run('FIND(?d.name) WHERE { ?d {type: "Domain"} } LIMIT 10')
