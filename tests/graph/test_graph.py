"""The graph of a memory: what is related to what, since when, by which notes, and at another time."""

from __future__ import annotations

import json
from itertools import count
from typing import Any
from xml.etree import ElementTree

import pytest

from recollect import Memory
from recollect.domain.errors import NotFound
from recollect.graph.memory_graph import MemoryGraph
from recollect.graph.walks import _MOST_TRIES
from recollect.stores.sql_entities import SqlEntities
from tests.support.clock import SteadyClock
from tests.support.raw import database_of, store_of


def tell(memory: Memory) -> dict[str, str]:
    """A small world, and the ids of its notes by a word."""
    facts = {
        "alice": ("Alice's manager is Carol", "Alice", "manager", "Carol"),
        "carol": ("Carol lives in Oslo", "Carol", "location", "Oslo"),
        "acme": ("Alice works at Acme", "Alice", "employer", "Acme"),
        "bob": ("Bob works at ACME", "Bob", "employer", "ACME"),
        "age": ("Alice is 41 years old", "Alice", "age", "41"),
    }
    return {
        word: memory.save(text, subject=subject, attribute=attribute, value=value).id
        for word, (text, subject, attribute, value) in facts.items()
    }


def related(memory: Memory, name: str, **asked: object) -> list[tuple[str, str, str]]:
    found = memory.graph_show(name, **asked)  # type: ignore[arg-type]
    return [(each.subject.name, each.predicate, each.object.name) for each in found]


def test_facts_become_entities_with_types_attributes_and_relations(memory: Memory) -> None:
    ids = tell(memory)

    shown = memory.graph_show("alice")

    assert (shown.entity.name, shown.entity.type, shown.entity.attributes) == ("Alice", "Person", {"age": ("41",)})
    assert related(memory, "Alice") == [("Alice", "employer", "Acme"), ("Alice", "manager", "Carol")]
    assert [each.evidence for each in shown] == [(ids["acme"],), (ids["alice"],)]
    assert memory.graph_show("Acme").entity.type == "Organization"
    assert [each.name for each in memory.graph_list(type="Place")] == ["Oslo"]


def test_what_is_no_entity_is_not_found(memory: Memory) -> None:
    tell(memory)

    for name in ("41", "Zebedee"):
        with pytest.raises(NotFound) as refused:
            memory.graph_show(name)
        assert refused.value.code == "entity_not_found"


def test_a_relation_is_current_or_past_as_its_notes_are(memory: Memory, clock: SteadyClock) -> None:
    ids = tell(memory)
    before = clock.now()
    clock.advance(days=30)
    memory.supersede(ids["carol"], "Carol lives in Rome", value="Rome")

    assert related(memory, "Carol")[0] == ("Carol", "location", "Rome")
    assert ("Carol", "location", "Oslo") not in related(memory, "Carol")
    past = [each for each in memory.graph_show("Carol", ended=True) if each.object.name == "Oslo"]
    assert [(each.current, each.valid_to is not None) for each in past] == [(False, True)]
    assert ("Carol", "location", "Oslo") in related(memory, "Carol", as_of=before)
    assert ("Carol", "location", "Oslo") in related(memory, "Carol", known_at=before)


def test_what_had_not_begun_is_not_over(memory: Memory) -> None:
    for where, since, until in (("Oslo", "2020-01-01", "2022-01-01"), ("Rome", "2024-01-01", None)):
        memory.save(
            f"Ann lives in {where}",
            subject="Ann",
            attribute="location",
            value=where,
            valid_from=since,
            valid_until=until,
        )
    for asked, places in (("2023-01-01", ["Oslo"]), ("2019-01-01", []), ("2025-01-01", ["Rome", "Oslo"])):
        assert [each.object.name for each in memory.graph_show("Ann", ended=True, as_of=asked)] == places


def test_a_lesson_is_no_entity_and_a_shop_is_not_its_owner(memory: Memory) -> None:
    memory.add_lesson("Run the tests before a release")
    memory.save("Wendy's sells soup", subject="Wendy's", attribute="location", value="Oslo")
    memory.save("Wendy lives in Rome", subject="Wendy", attribute="location", value="Rome")
    assert [each.name for each in memory.graph_list()] == ["Oslo", "Rome", "Wendy", "Wendy's"]
    assert [each.object.name for each in memory.graph_show("Wendy’s")] == ["Oslo"]
    assert memory.graph_show("Rome's").entity.name == "Rome"


def test_a_denial_relates_nothing(memory: Memory) -> None:
    memory.add("I don't use Redis.")

    assert [each.id for each in memory.graph_list()] in ([], ["project"], ["user"])


def test_what_is_forgotten_or_retracted_is_gone_from_the_graph(memory: Memory) -> None:
    ids = tell(memory)
    memory.forget(ids["carol"])
    memory.retract(ids["bob"])

    with pytest.raises(NotFound):
        memory.graph_show("Oslo")
    with pytest.raises(NotFound):
        memory.graph_show("Bob")
    assert memory.doctor().healthy


def test_projects_tags_and_related_notes_are_relations_too(memory: Memory) -> None:
    one = memory.save("Ann leads the launch", subject="Ann", project="Aurora", tags=["launch"])
    other = memory.save("Ben reviews it", subject="Ben")
    memory.relate(one.id, other.id)

    assert set(related(memory, "Ann")) == {
        ("Ann", "part_of", "Aurora"),
        ("Ann", "tagged", "launch"),
        ("Ann", "related", "Ben"),
    }
    assert ("Ann", "related", "Ben") in related(memory, "Ben")


def test_the_entities_of_the_reference_server_have_their_types_and_relations(memory: Memory) -> None:
    lines = [
        '{"type":"entity","name":"Aurora","entityType":"Spacecraft","observations":["It is blue"]}',
        '{"type":"entity","name":"Dana","entityType":"Engineer","observations":[]}',
        '{"type":"relation","from":"Dana","to":"Aurora","relationType":"builds"}',
    ]
    memory.import_(lines)

    assert related(memory, "Aurora") == [("Dana", "builds", "Aurora")]
    assert memory.graph_show("Aurora").entity.type == "Spacecraft"
    assert [each.object.type for each in memory.graph_show("Dana")] == ["Spacecraft"]


def test_a_path_leads_through_what_two_have_in_common(memory: Memory) -> None:
    tell(memory)

    found = memory.graph_path("Bob", "Oslo")

    assert [each.name for each in found.entities] == ["Bob", "ACME", "Alice", "Carol", "Oslo"] or [
        each.id for each in found.entities
    ] == ["bob", "acme", "alice", "carol", "oslo"]
    assert all(each.evidence for each in found)
    memory.save("Zoe likes tea", subject="Zoe", attribute="likes", value="tea")
    with pytest.raises(NotFound) as refused:
        memory.graph_path("Bob", "Zoe")
    assert refused.value.code == "path_not_found"


def test_what_is_around_fits_the_budget_nearest_first(memory: Memory) -> None:
    tell(memory)

    small, large = memory.graph_around("Alice", budget=30), memory.graph_around("Alice", budget=500)

    assert small.tokens <= 30 and not small.whole and len(small) >= 1
    assert large.whole and {each.id for each in large.entities} == {"alice", "acme", "carol", "oslo", "bob"}
    assert list(small) == list(large)[: len(small)]


def test_a_timeline_begins_with_the_earliest(memory: Memory) -> None:
    memory.save("Carol lives in Rome", subject="Carol", attribute="location", value="Rome", valid_from="2024-03-01")
    memory.save("Carol comes from Oslo", subject="Carol", attribute="hometown", value="Oslo", valid_from="1980-01-01")

    assert [each.text for each in memory.graph_timeline("Carol")] == ["Carol comes from Oslo", "Carol lives in Rome"]


def test_a_merge_is_recorded_and_a_split_takes_it_back(memory: Memory, clock: SteadyClock) -> None:
    tell(memory)
    memory.save("Ali plays the oboe", subject="Ali", attribute="instruments", value="oboe")
    apart = clock.now()

    said = memory.graph_merge("Alice", "Ali")

    merged = memory.graph_show("ali").entity
    assert (merged.id, merged.name, merged.aliases) == ("alice", "Alice", ("Ali",))
    assert merged.attributes["instruments"] == ("oboe",)
    assert memory.graph_show("Ali", known_at=apart).entity.id == "ali"
    assert memory.graph_merge("Alice", "Ali").id == said.id
    memory.graph_split("Alice", "Ali")
    assert memory.graph_show("ali").entity.id == "ali"
    assert memory.get(said.id).state == "retracted"
    with pytest.raises(NotFound) as refused:
        memory.graph_split("Alice", "Ali")
    assert refused.value.code == "merge_not_found"


def test_an_alias_finds_an_entity_and_whoever_is_called_so_is_the_user(memory: Memory) -> None:
    tell(memory)
    memory.graph_alias("Acme", "The Company")
    memory.learn("user", "name", "Ines")

    assert memory.graph_show("the company").entity.id == "acme"
    assert memory.graph_show("Ines").entity.id == "user"


def test_a_link_is_a_step_though_a_note_that_names_both_ends_states_none(memory: Memory) -> None:
    memory.save("Alice is as old as Acme", subject="Alice", attribute="age", value="Acme")
    one = memory.save("Alice's manager is Carol", subject="Alice", attribute="manager", value="Carol")
    other = memory.save("Acme is in Oslo", subject="Acme", attribute="location", value="Oslo")
    memory.relate(one.id, other.id)

    found = memory.graph_path("Alice", "Acme")

    assert [each.predicate for each in found.relations] == ["related"]


def test_steps_that_notes_stated_once_do_not_hide_a_longer_path(memory: Memory) -> None:
    """More of them than there are tries by the index alone; each would be a shorter path."""
    for number in range(_MOST_TRIES + 2):
        changed = memory.save("Once", subject=f"Desk {number}", attribute="manager", value="Alice")
        memory.update(changed.id, value="Zoe")
        memory.save("Still", subject=f"Desk {number}", attribute="location", value="Oslo")
    memory.save("Alice knows Carol", subject="Carol", attribute="manager", value="Alice")
    memory.save("Carol knows Zoe", subject="Carol", attribute="partner", value="Zoe")

    found = memory.graph_path("Alice", "Oslo")

    assert [each.name for each in found.entities][:3] == ["Alice", "Carol", "Zoe"]
    assert len(found.relations) == 4


def test_a_likely_duplicate_is_told_and_not_merged(memory: Memory) -> None:
    tell(memory)
    memory.save("Alice Smith works at Acme", subject="Alice Smith", attribute="employer", value="Acme")

    shown = memory.graph_show("Alice")

    assert [each.name for each in shown.similar] == ["Alice Smith"]
    assert shown.entity.aliases == ()


def test_a_page_of_entities_goes_on_where_the_last_one_stopped(memory: Memory) -> None:
    tell(memory)

    first = memory.graph_list(limit=2)
    second = memory.graph_list(limit=10, cursor=first.next_cursor)

    assert [each.id for each in (*first, *second)] == ["acme", "alice", "bob", "carol", "oslo"]


def test_groups_and_the_most_central_are_found(memory: Memory) -> None:
    tell(memory)

    assert memory.graph_central(limit=1)[0].entity.id in ("alice", "acme", "carol")
    assert {each.id for group in memory.graph_communities() for each in group} == {
        "alice",
        "acme",
        "bob",
        "carol",
        "oslo",
    }


def test_every_text_of_an_export_is_escaped(memory: Memory) -> None:
    nasty = "O'Hara` \\ <b>&\"]}) DETACH DELETE n //"
    memory.save("x", subject=nasty, attribute=nasty, value="Acme's \\", tags=["relation"])

    graph = json.loads(memory.graph_export(format="json").text)
    xml = ElementTree.fromstring(memory.graph_export(format="graphml").text)
    cypher = memory.graph_export(format="cypher").text

    assert {each["name"] for each in graph["entities"]} >= {"Acme's \\"}
    assert len(xml.findall(".//{http://graphml.graphdrawing.org/xmlns}node")) == len(graph["entities"]) == 2
    assert cypher.count(";\n") + cypher.endswith(";") == 3
    assert "Acme\\'s \\\\" in cypher and "O\\'Hara" in cypher


def test_one_space_says_nothing_of_another(memory: Memory) -> None:
    tell(memory)

    with pytest.raises(NotFound):
        memory.graph_show("Alice", space="elsewhere")


def test_a_bound_reader_sees_the_graph_of_their_part(memory: Memory) -> None:
    memory.save("Ann's boss is Bo", subject="Ann", attribute="manager", value="Bo", user="ann")
    memory.save("Ann's boss is Cy", subject="Ann", attribute="manager", value="Cy", user="cy")

    assert related(memory.bound_to(user="ann"), "Ann") == [("Ann", "manager", "Bo")]
    assert [each.id for each in memory.bound_to(user="ann").graph_list()] == ["ann", "bo"]


def test_what_came_later_hides_nothing_of_what_was_known_before(memory: Memory, clock: SteadyClock) -> None:
    first = memory.save("Ida knows Jon.", subject="person:ida", attribute="knows", value="Jon", tags=["relation"])
    clock.advance(days=1)
    before = clock.now()
    clock.advance(days=1)
    for number in range(3):
        later = memory.save(f"Ida knows {number}.", subject="person:ida", attribute="knows", value=str(number))
        memory.retract(later.id)
    engine = memory._engine
    graph = MemoryGraph(engine.store, engine.entities, "default", now=clock.now())

    assert [each.id for each in graph.relations(subject="Ida", limit=2)] == [first.id]
    assert related(memory, "Ida", known_at=before) == [("Ida", "knows", "Jon")]


def test_a_page_of_relations_goes_on_past_notes_that_no_longer_name_the_entity(memory: Memory) -> None:
    knows: Any = {"subject": "Ana", "attribute": "friends"}
    kept = [memory.save(f"Ana knows {name}", value=name, **knows).id for name in ("Kim", "Kit", "Kay")]
    for number in range(5):
        moved = memory.save(f"Ana knows Lee {number}", value=f"Lee {number}", **knows)
        memory.update(moved.id, subject="Bob", text=f"Bob knows Lee {number}")
    engine = memory._engine
    graph = MemoryGraph(engine.store, engine.entities, "default", now=engine.clock.now())

    first = graph.relations(subject="Ana", limit=2)
    rest = graph.relations(subject="Ana", limit=2, before=first.next_cursor)

    assert first.next_cursor is not None and rest.next_cursor is None
    assert [each.evidence[0] for page in (first, rest) for each in page] == kept[::-1]


@pytest.mark.parametrize("is_target", [False, True], ids=["from", "to"])
def test_links_of_a_hub_leave_room_for_those_of_others(memory: Memory, is_target: bool) -> None:
    def linked(subject: str) -> tuple[str, str]:
        about = memory.save(f"{subject} {next(number)}", subject=subject, tags=[subject]).id  # named twice by one note
        other = memory.save(f"Something else {next(number)}").id
        pair = (other, about) if is_target else (about, other)
        memory.relate(*pair)
        return pair

    number = count()
    leaf, *hub = [linked(each) for each in ("leaf", "hub", "hub", "hub", "hub")]
    index = SqlEntities(database_of(store_of(memory)))

    found = index.related_naming(memory.spaces()[0].name, ["hub", "leaf"], limit=2)

    assert set(found) == {leaf, *hub[-2:]}
