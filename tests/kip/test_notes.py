"""KIP on memory: what other verbs wrote can be asked for, and what KIP writes is notes as any other. On every store."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Memory
from recollect.dialects.kip.errors import KipError
from recollect.domain.notes import State
from recollect.domain.origin import Caller, Channel
from tests.kip.kip_world import PHARMACY, SCHEMA

EVERYTHING = """
EXPORT ?x WHERE {
  ?x {type: "Drug"} UNION { ?x {type: "Symptom"} } UNION { ?x {type: "DrugClass"} }
  UNION { ?x {type: "Person", name: "John"} }
  UNION { ?x (?s, "treats" | "has_side_effect" | "belongs_to_class" | "is_subclass_of" | "stated", ?o) }
}
"""


def ask(memory: Memory, statement: str, **parameters: Any) -> Any:
    return memory.kip(statement, parameters=parameters).result


def refused(memory: Memory, statement: str, **options: Any) -> str:
    with pytest.raises(KipError) as refusal:
        memory.kip(statement, **options)
    return refusal.value.code


def test_facts_that_were_told_are_concepts_and_propositions(memory: Memory) -> None:
    memory.add("My sister Ana works at Acme and lives in Lisbon.")
    memory.save("Bob works at Acme", subject="Bob", attribute="employer", value="Acme")
    memory.save("Bob's favourite colour is green", subject="Bob", attribute="favorite_color", value="green")
    at_acme = 'FIND(?p.name) WHERE { ?p {type:"Person"} (?p,"works_at",{type:"Organization",name:"Acme"}) }'
    assert ask(memory, at_acme) == ["Ana", "Bob"]
    assert ask(memory, at_acme.replace("works_at", "employer")) == ["Ana", "Bob"]
    assert ask(memory, "FIND(?o.type) WHERE { ?o {name: :n} }", n="Lisbon") == ["Place"]
    assert ask(memory, 'FIND(?b.attributes.favorite_color) WHERE { ?b {type: "Person", name: "Bob"} }') == ["green"]
    # Two hops from a name, without reading the rest of the space.
    near = 'FIND(?o.name) WHERE { (?a, "employer", {type: "Organization", name: "Acme"}) (?a, "location", ?o) }'
    assert ask(memory, near) == ["Lisbon"]
    assert "Organization" in ask(memory, "DESCRIBE CONCEPT TYPES")
    assert "works_at" in ask(memory, "DESCRIBE PROPOSITION TYPES")


def test_what_no_longer_holds_is_found_at_its_time(memory: Memory, clock: Any) -> None:
    first = memory.save("Bob works at Acme", subject="Bob", attribute="employer", value="Acme")
    then = clock.now()
    clock.advance(days=30)
    memory.supersede(first.id, "Bob works at Globex", value="Globex")
    employer = 'FIND(?o.name) WHERE { ({type: "Person", name: "Bob"}, "employer", ?o) }'
    assert ask(memory, employer) == ["Globex"]
    assert memory.kip(employer, as_of=then).result == ["Acme"]
    assert refused(memory, 'UPSERT { CONCEPT ?a { {type: "Person", name: "Bob"} } }', as_of=then) == "KIP_3004"


def test_every_way_of_asking_answers_from_what_was_known_then(memory: Memory, clock: Any) -> None:
    written = 'UPSERT { CONCEPT ?a { {type: "Person", name: "Ann"} SET ATTRIBUTES { town: "%s" } } }'
    memory.kip(written % "Rome")
    before = clock.now()
    clock.advance(days=1)
    memory.kip(written % "Oslo")

    for where in ('?a {type: "Person", name: "Ann"}', '?a {type: "Person"} FILTER(?a.name == "Ann")'):
        asked = f"FIND(?a.attributes.town) WHERE {{ {where} }}"
        assert memory.kip(asked).result == ["Oslo"]
        assert memory.kip(asked, known_at=before).result == ["Rome"]
    assert [each["name"] for each in memory.kip('SEARCH CONCEPT "rome"', known_at=before).result] == ["Ann"]


def test_a_user_is_found_by_the_name_that_lists_show(memory: Memory) -> None:
    memory.learn("user", "name", "Zoe")
    memory.learn("user", "employer", "Nordwind")

    found = memory.kip('FIND(?o.name) WHERE { ?z {type: "Person", name: "Zoe"} (?z, "employer", ?o) }')

    assert found.result == ["Nordwind"]


def test_a_command_writes_notes_with_their_origin_that_every_other_verb_finds(memory: Memory) -> None:
    ask(memory, SCHEMA)
    ask(memory, PHARMACY)
    notes = {(each.subject, each.attribute): each for each in memory.list(limit=200).items}
    risk = notes["Aspirin", "risk_level"]
    assert (risk.text, risk.value) == ("Aspirin, risk level: 2", "2")
    assert (risk.origin.channel, risk.origin.principal, risk.authority.value) == (Channel.LIBRARY, "tester", "fact")
    assert notes["Codeine", "treats"].text == "Codeine treats Headache"
    assert any("Aspirin" in (hit.text or "") for hit in memory.search("What does Aspirin treat?").hits)
    names = [each.object.name for each in memory.graph_show("Codeine").relations]
    assert names == ["Headache"]


def test_what_was_written_is_read_back_as_it_was(memory: Memory) -> None:
    ask(memory, SCHEMA)
    ask(memory, PHARMACY)
    capsule = ask(memory, EVERYTHING)
    assert (capsule["concepts"], capsule["propositions"]) == (11, 11)
    memory.kip(SCHEMA, space="copy")
    memory.kip(capsule["capsule"], space="copy")
    assert sorted(memory.kip(EVERYTHING, space="copy").result["capsule"].split("\n")[0:1]) == ["UPSERT {"]
    for query in (
        'FIND(?d.name, ?d.attributes, ?d.metadata.source) WHERE { ?d {type: "Drug"} } ORDER BY ?d.name',
        'FIND(?l.attributes, ?l.metadata.confidence) WHERE { ?l (?d, "treats", ?s) } ORDER BY ?d.name, ?s.name',
        'FIND(?p.name, ?d.name, ?l.metadata.confidence) WHERE { ?l (?p, "stated", (?d, "treats", ?s)) }',
        'FIND(?c.name) WHERE { ({type: "DrugClass", name: "Salicylate"}, "is_subclass_of"{1,}, ?c) } ORDER BY ?c.name',
    ):
        here = memory.kip(query).result
        assert here[0]
        assert memory.kip(query, space="copy").result == here


def test_a_value_of_any_kind_keeps_its_kind(memory: Memory) -> None:
    values = {
        "a": 1,
        "b": 1.5,
        "c": True,
        "d": None,
        "e": "",
        "f": "  x\n",
        "g": [1, {"h": None}],
        "type": "t",
        "i": "2",
    }
    ask(memory, 'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} SET ATTRIBUTES :values } }', values=values)
    assert ask(memory, 'FIND(?x.attributes, ?x.type) WHERE { ?x {name: "Box"} }') == [[values], ["Thing"]]


def test_a_new_value_is_a_new_version_and_a_deletion_is_taken_back(memory: Memory) -> None:
    ask(memory, 'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} SET ATTRIBUTES {size: 1} } }')
    ask(memory, 'UPDATE ?x SET ATTRIBUTES {size: ADD(?x.attributes.size, 1)} WHERE { ?x {type: "Thing"} }')
    [note] = memory.list(attribute="size").items
    assert (note.version, note.value) == (2, "2")
    assert ask(memory, 'FIND(?x.metadata._version) WHERE { ?x {name: "Box"} }') == [2]
    ask(memory, 'DELETE CONCEPT ?x DETACH WHERE { ?x {type: "Thing", name: "Box"} }')
    assert ask(memory, 'FIND(?x) WHERE { ?x {name: "Box"} }') == []
    assert memory.get(note.id).state is State.RETRACTED


def test_forgetting_a_note_takes_it_out_of_the_graph(memory: Memory) -> None:
    ask(memory, 'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} SET ATTRIBUTES {size: 1, color: "red"} } }')
    [note] = memory.list(attribute="color").items
    memory.forget(note.id)
    assert ask(memory, 'FIND(?x.attributes) WHERE { ?x {name: "Box"} }') == [{"size": 1}]


def test_one_name_can_be_of_two_types(memory: Memory) -> None:
    ask(
        memory,
        (
            'UPSERT { CONCEPT ?t { {type: "$ConceptType", name: "Planet"} } CONCEPT ?e { {type: '
            '"$ConceptType", name: "Metal"} } CONCEPT ?a { {type: "Planet", name: "Mercury"} SET ATTRIBUTES '
            '{days: 88} } CONCEPT ?b { {type: "Metal", name: "Mercury"} SET ATTRIBUTES {number: 80} } }'
        ),
    )
    assert ask(memory, 'FIND(?x.type, ?x.attributes) WHERE { ?x {name: "Mercury"} } ORDER BY ?x.type') == [
        ["Metal", "Planet"],
        [{"number": 80}, {"days": 88}],
    ]
    assert refused(memory, 'UPSERT { CONCEPT ?a { {type: "Planet", name: "MERCURY"} } }') == "KIP_3003"


def test_a_type_given_to_somebody_who_is_known_keeps_what_is_known(memory: Memory) -> None:
    memory.save("Zed likes tea", subject="Zed")
    ask(memory, 'UPSERT { CONCEPT ?a { {type: "Animal", name: "Zed"} SET ATTRIBUTES {legs: 4} } }')
    assert ask(memory, 'FIND(?a.attributes.legs) WHERE { ?a {type: "Animal", name: "Zed"} }') == [4]
    assert len(memory.list(subject="Zed").items) == 3


def test_a_merge_takes_other_notes_along(memory: Memory) -> None:
    note = memory.save("JS was made in ten days", subject="JS")
    ask(
        memory,
        (
            'UPSERT { CONCEPT ?a { {type: "Product", name: "JS"} SET ATTRIBUTES {year: 1995} } CONCEPT ?b { '
            '{type: "Product", name: "JavaScript"} } }'
        ),
    )
    told = ask(
        memory,
        (
            'MERGE CONCEPT ?a INTO ?b WHERE { ?a {type: "Product", name: "JS"} ?b {type: "Product", name: '
            '"JavaScript"} }'
        ),
    )
    assert told["attributes_filled"] == 1
    assert memory.get(note.id).subject == "JavaScript"
    assert ask(memory, 'FIND(?b.attributes.year, ?b.attributes.aliases) WHERE { ?b {type: "Product"} }') == [
        [1995],
        [["JS"]],
    ]


def test_a_guarded_write_that_came_too_late_changes_nothing(memory: Memory) -> None:
    guarded = (
        'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} EXPECT VERSION :v SET ATTRIBUTES {n: :v} } '
        'CONCEPT ?y { {type: "Thing", name: :other} } }'
    )
    memory.kip(guarded, parameters={"v": 0, "other": "One"})
    assert refused(memory, guarded, parameters={"v": 0, "other": "Two"}) == "KIP_3005"
    assert ask(memory, 'FIND(?y) WHERE { ?y {name: "Two"} }') == []


def test_a_dry_run_makes_every_check_and_writes_nothing(memory: Memory) -> None:
    write = 'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} } }'
    assert memory.kip(write, dry_run=True).result["upsert_concept_nodes"] == ["C:Thing:Box"]
    assert refused(memory, write.replace("Box", "x" * 200), dry_run=True) == "KIP_2002"
    assert memory.list().items == ()


@pytest.mark.parametrize("channel", [Channel.HTTP, Channel.MCP])
def test_other_doors_only_read(memory: Memory, channel: Channel) -> None:
    outside = memory.acting_as(Caller(channel, "someone"))
    assert refused(outside, 'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} } }') == "KIP_3004"
    assert outside.kip("DESCRIBE DOMAINS").result == ["Archived", "CoreSchema", "Unsorted"]


def test_several_commands_have_an_answer_each(memory: Memory) -> None:
    told = memory.kip(
        'UPSERT { CONCEPT ?x { {type: "Thing", name: :n} } }',
        statements=["FIND(?x.type) WHERE { ?x {name: :n} }", "oops"],
        parameters={"n": "Box"},
    )
    assert told.result[1] == {"result": ["Thing"]}
    assert told.result[2]["error"]["code"] == "KIP_1001"


def test_a_search_finds_by_words(memory: Memory) -> None:
    ask(memory, SCHEMA)
    ask(memory, PHARMACY)
    hits = ask(memory, 'SEARCH CONCEPT "aspirin tablet" MODE "keyword" WITH TYPE "Drug"')
    assert [hit["name"] for hit in hits] == ["Aspirin"]
    assert hits[0]["metadata"]["_score"] == 1.0
    links = ask(memory, 'SEARCH PROPOSITION "treats fever" LIMIT 1')
    assert [(hit["subject"], hit["object"]) for hit in links] == [("C:Drug:Aspirin", "C:Symptom:Fever")]
    assert ask(memory, 'SEARCH CONCEPT "zebra"') == []


def test_looking_up_and_reading_everything_come_to_the_same(memory: Memory) -> None:
    memory.add("My sister Ana works at Acme and lives in Lisbon.")
    memory.save("Bob works at Acme", subject="Bob", attribute="employer", value="Acme", tags=["staff"], project="Shop")
    ask(memory, SCHEMA)
    ask(memory, PHARMACY)
    looked_up, whole = (memory._kip_nexus("default", None, None) for _ in range(2))
    everything = list(whole.concepts())
    links = list(whole.propositions())
    assert len(links) > 15
    for each in everything:
        assert looked_up.element(each.id) == each
    for each in everything[::5]:
        assert each in list(looked_up.concepts(name=each.name))
    for link in links:
        assert looked_up.element(link.id) == link
        assert link in list(looked_up.propositions(subject=link.subject))
        assert link in list(looked_up.propositions(object=link.object, predicate=link.predicate))
    for type in ("Drug", "Symptom", "$PropositionType"):
        assert {each.id for each in looked_up.concepts(type=type)} == {each.id for each in whole.concepts(type=type)}
    fresh = memory._kip_nexus("default", None, None)
    assert {each.id for each in fresh.propositions(predicate="treats")} == {
        each.id for each in links if each.predicate == "treats"
    }
    assert fresh._whole is None


def test_a_secret_is_taken_out_of_what_kip_writes(memory: Memory) -> None:
    secret = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    ask(
        memory,
        (
            'UPSERT { CONCEPT ?x { {type: "Thing", name: "Box"} SET ATTRIBUTES {a: :s, b: [:s]} } WITH '
            "METADATA {c: :s} }"
        ),
        s=secret,
    )
    assert secret not in str(ask(memory, 'FIND(?x) WHERE { ?x {name: "Box"} }'))
    assert all(secret not in str(note) for note in memory.list(subject="Box").items)
