"""KML on a small pharmacy: answers, what changed, and refusals that change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.dialects.kip.errors import KipError
from tests.kip.kip_world import SCHEMA, KipWorld, cases, pharmacy

ASPIRIN = 'FIND(?d.attributes, ?d.metadata._version) WHERE { ?d {type: "Drug", name: "Aspirin"} }'


def attributes(world: KipWorld, name: str = "Aspirin") -> Any:
    return world.run("FIND(?d.attributes) WHERE { ?d {name: :name} }", name=name)[0]


def test_an_upsert_tells_what_it_wrote() -> None:
    world = KipWorld(SCHEMA)
    told = world.run(
        'UPSERT { CONCEPT ?s { {type: "Symptom", name: "Cough"} } CONCEPT ?d { {type: "Drug", name: "Honey"} '
        'SET PROPOSITIONS { ("treats", ?s) } } }'
    )
    assert told == {
        "blocks": 2,
        "upsert_concept_nodes": ["C:Symptom:Cough", "C:Drug:Honey"],
        "upsert_proposition_links": ["P:1"],
    }


def test_an_upsert_merges_key_by_key_and_overwrites_values_whole() -> None:
    world = pharmacy()
    world.run(
        'UPSERT { CONCEPT ?d { {type: "Drug", name: "Aspirin"} SET ATTRIBUTES { risk_level: 1, form: {a: 1} } } }'
    )
    assert attributes(world) == {
        "risk_level": 1, "otc": True, "aliases": ["ASA"], "form": {"a": 1}, "since": "1899-03-06",
    }  # fmt: skip


def test_the_same_upsert_twice_changes_nothing_the_second_time() -> None:
    world = pharmacy()
    command = (
        'UPSERT { CONCEPT ?d { {type: "Drug", name: "Zinc"} SET ATTRIBUTES {a: 1} SET PROPOSITIONS { '
        '("treats", {type: "Symptom", name: "Fever"}) } } }'
    )
    first, told = world.run(command), world.told()
    assert world.run(command) == first
    assert world.told() == told
    assert world.run('FIND(?d.metadata._version) WHERE { ?d {name: "Zinc"} }') == [1]


def test_inner_metadata_overrides_outer_key_by_key() -> None:
    world = KipWorld(SCHEMA)
    world.run(
        'UPSERT { CONCEPT ?s { {type: "Symptom", name: "S"} } WITH METADATA { source: "inner", author: null } '
        'CONCEPT ?d { {type: "Drug", name: "D"} SET PROPOSITIONS { ("treats", ?s) WITH METADATA { '
        "confidence: 0.5 } } } "
        "WITH METADATA { confidence: 0.9 } } "
        'WITH METADATA { source: "outer", author: "me" }'
    )
    [symptom] = world.run('FIND(?s.metadata) WHERE { ?s {type: "Symptom"} }')
    [link] = world.run('FIND(?l.metadata) WHERE { ?l (?d, "treats", ?s) }')
    assert (symptom["source"], symptom["author"]) == ("inner", None)
    assert (link["source"], link["author"], link["confidence"]) == ("outer", "me", 0.5)


def test_a_version_guards_a_write() -> None:
    world = pharmacy()
    guarded = (
        'UPSERT { CONCEPT ?d { {type: "Drug", name: "Aspirin"} EXPECT VERSION :v SET ATTRIBUTES { risk_level: :n } } }'
    )
    world.run(guarded, v=1, n=8)
    with pytest.raises(KipError) as refusal:
        world.run(guarded, v=1, n=9)
    assert refusal.value.code == "KIP_3005"
    assert world.run(ASPIRIN)[1] == [2] and attributes(world)["risk_level"] == 8


@pytest.mark.parametrize(("command", "code"), cases("refused_writes"))
def test_a_refused_write_changes_nothing(command: str, code: str) -> None:
    world = pharmacy()
    before = world.told()
    with pytest.raises(KipError) as refusal:
        world.run(command)
    assert refusal.value.code == code
    assert world.told() == before


def test_directives_of_an_actor_are_written_once() -> None:
    world = pharmacy()
    command = (
        'UPSERT { CONCEPT ?s { {type: "Person", name: "$self"} SET ATTRIBUTES { core_directives: [:a], '
        "persona: :a } } }"
    )
    world.run(command, a="one")
    with pytest.raises(KipError) as refusal:
        world.run(command, a="two")
    assert refusal.value.code == "KIP_3004"
    world.run('UPSERT { CONCEPT ?s { {type: "Person", name: "$self"} SET ATTRIBUTES { persona: "grown" } } }')
    assert attributes(world, "$self")["persona"] == "grown"


def test_an_update_computes_from_what_each_element_has() -> None:
    world = pharmacy()
    told = world.run(
        "UPDATE ?d SET ATTRIBUTES { risk_level: CLAMP(MUL(?d.attributes.risk_level, 2), 0, 6), "
        "seen: ADD(COALESCE(?d.attributes.seen, 0), 1) } SET METADATA { swept: true } "
        'WHERE { ?d {type: "Drug"} }'
    )
    assert told == {"updated": 4}
    rows = world.run('FIND(?d.attributes.risk_level, ?d.attributes.seen) WHERE { ?d {type: "Drug"} } ORDER BY ?d.name')
    assert rows == [[4, 6, 6, None], [1, 1, 1, 1]]


def test_an_update_without_a_number_is_matched_and_not_made() -> None:
    world = pharmacy()
    told = world.run('UPDATE ?d SET ATTRIBUTES { note: ADD(?d.name, 1) } WHERE { ?d {type: "Drug"} } LIMIT 3')
    assert told == {"updated": 0, "matched": 3}


def test_an_update_of_links_by_a_predicate_that_varies() -> None:
    world = pharmacy()
    told = world.run(
        "UPDATE ?l SET METADATA { confidence: MUL(?l.metadata.confidence, 0.5) } "
        'WHERE { ?l ({type: "Drug", name: "Aspirin"}, ?p, ?o) FILTER(?l.metadata.confidence > 0.85) }'
    )
    assert told == {"updated": 1}
    assert world.run(
        'FIND(?l.metadata.confidence) WHERE { ?l (?d, "treats", ?s) '
        "FILTER(IS_NOT_NULL(?l.metadata.confidence)) } ORDER BY ?l.metadata.confidence"
    ) == [0.45, 0.8]


def test_a_merge_hands_over_links_attributes_and_the_name() -> None:
    world = pharmacy()
    world.run(
        'UPSERT { CONCEPT ?n { {type: "Symptom", name: "Pain"} } CONCEPT ?d { {type: "Drug", name: '
        '"Acetylsalicylic acid"} '
        'SET ATTRIBUTES { risk_level: 9, maker: "Bayer", aliases: ["ASA", "Acid"] } '
        'SET PROPOSITIONS { ("treats", ?n) ("treats", {type: "Symptom", name: "Fever"}) WITH METADATA { '
        'dose: "low" } } } '
        'PROPOSITION ?f { (?d, "treats", {type: "Symptom", name: "Fever"}) } '
        'PROPOSITION { ({type: "Person", name: "John"}, "stated", ?f) } }'
    )
    command = (
        'MERGE CONCEPT ?a INTO ?b WHERE { ?a {type: "Drug", name: "Acetylsalicylic acid"} ?b {type: '
        '"Drug", name: "Aspirin"} }'
    )
    # The stated one is handed to the link that stays.
    assert world.run(command) == {
        "merged": True, "links_repointed": 2, "links_deduplicated": 1, "attributes_filled": 1,
    }  # fmt: skip
    merged = attributes(world)
    assert (merged["risk_level"], merged["maker"]) == (2, "Bayer")
    assert merged["aliases"] == ["ASA", "Acid", "Acetylsalicylic acid"]
    assert world.run('FIND(?s.name) WHERE { ({name: "Aspirin"}, "treats", ?s) } ORDER BY ?s.name') == [
        "Fever",
        "Headache",
        "Pain",
    ]
    assert world.run('FIND(?l.metadata.dose) WHERE { ?l ({name: "Aspirin"}, "treats", {name: "Fever"}) }') == ["low"]
    assert world.run('FIND(?s.name) WHERE { (?p, "stated", (?d, "treats", ?s)) } ORDER BY ?s.name') == [
        "Fever",
        "Headache",
    ]
    assert world.run('FIND(?d.metadata._merged_from) WHERE { ?d {name: "Aspirin"} }') == [["Drug:Acetylsalicylic acid"]]
    with pytest.raises(KipError) as refusal:
        world.run(command)
    assert refusal.value.code == "KIP_3002"


def test_a_merge_into_itself_does_nothing() -> None:
    world = pharmacy()
    before = world.told()
    told = world.run(
        'MERGE CONCEPT ?a INTO ?b WHERE { ?a {type: "Drug", name: "Codeine"} ?b {type: "Drug", name: "Codeine"} }'
    )
    assert told["merged"] and told["links_repointed"] == 0
    assert world.told() == before


def test_deleting_takes_links_on_links_along() -> None:
    world = pharmacy()
    told = world.run('DELETE CONCEPT ?d DETACH WHERE { ?d {type: "Drug", name: "Aspirin"} }')
    assert told == {"deleted_concepts": 1, "deleted_propositions": 5}
    assert world.run('FIND(?l) WHERE { ?l (?p, "stated", ?f) }') == []
    assert world.run('DELETE CONCEPT ?d DETACH WHERE { ?d {type: "Drug", name: "Aspirin"} }')["deleted_concepts"] == 0


def test_deleting_links_and_keys() -> None:
    world = pharmacy()
    assert world.run('DELETE PROPOSITIONS ?l WHERE { ?l (?d, "treats", {name: "Headache"}) }') == {
        "deleted_propositions": 4
    }
    assert world.run('DELETE ATTRIBUTES {"otc", "since", "none"} FROM ?d WHERE { ?d {type: "Drug"} }') == {
        "updated": 4, "deleted_attributes": 6,
    }  # fmt: skip
    assert world.run('DELETE METADATA {"source"} FROM ?d WHERE { ?d {name: "Codeine"} }') == {
        "updated": 1,
        "deleted_metadata": 1,
    }
    assert attributes(world, "Vitamin C") == {"note": None}


def test_a_batch_stops_at_a_write_that_fails_and_at_nothing_else() -> None:
    world = pharmacy()
    answers = world.batch(
        "DESCRIBE DOMAINS",
        "oops",
        'FIND(?d) WHERE { ?d {type: "Medicine"} }',
        ('UPSERT { CONCEPT ?a { {type: "Drug", name: :name} } }', {"name": "Zinc"}),
        'UPSERT { CONCEPT ?a { {type: "Medicine", name: "x"} } }',
        'FIND(?d) WHERE { ?d {type: "Drug"} }',
    )
    assert [each.get("error", {}).get("code") for each in answers] == [None, "KIP_1001", "KIP_2001", None, "KIP_2001"]
    assert answers[1]["error"]["data"] == {"line": 1, "column": 1}
    assert answers[3]["result"]["upsert_concept_nodes"] == ["C:Drug:Zinc"]


def test_a_dry_run_plans_one_command_on_the_other_and_writes_nothing() -> None:
    world = pharmacy(dry_run=True)
    before = world.told()
    answers = world.batch(
        'UPSERT { CONCEPT ?a { {type: "$ConceptType", name: "Herb"} } }',
        'UPSERT { CONCEPT ?a { {type: "Herb", name: "Mint"} } }',
        'FIND(?h.name) WHERE { ?h {type: "Herb"} }',
    )
    assert answers[2] == {"result": ["Mint"]}
    assert world.told() == before


def test_a_door_that_only_reads_refuses_to_write() -> None:
    world = pharmacy(reads_only=True)
    with pytest.raises(KipError) as refusal:
        world.run('DELETE CONCEPT ?d DETACH WHERE { ?d {type: "Drug"} }')
    assert refusal.value.code == "KIP_3004"
    assert world.run('EXPORT ?d WHERE { ?d {type: "Drug"} }')["concepts"] == 4


def test_a_capsule_makes_the_same_graph_elsewhere() -> None:
    world = pharmacy()
    everything = (
        'EXPORT ?x WHERE { ?x {type: "$ConceptType"} UNION { ?x {type: "$PropositionType"} } UNION { ?x '
        '{type: "Drug"} } UNION { ?x {type: "Symptom"} } UNION { ?x {type: "DrugClass"} } UNION { ?x '
        '{type: "Person", name: "John"} } UNION { ?x (?s, "treats" | "has_side_effect" | '
        '"belongs_to_class" | "is_subclass_of" | "stated", ?o) } }'
    )
    told = world.run(everything)
    other = KipWorld(told["capsule"])
    assert other.run(everything)["capsule"] == told["capsule"]
    assert (told["concepts"], told["propositions"]) == (38, 11)


def test_an_end_outside_a_capsule_has_to_be_there() -> None:
    capsule = pharmacy().run('EXPORT ?l WHERE { ?l (?p, "stated", ?f) }')["capsule"]
    assert '({"type": "Drug", "name": "Aspirin"}, "treats", {"type": "Symptom", "name": "Headache"})' in capsule
    with pytest.raises(KipError) as refusal:
        KipWorld(SCHEMA, capsule)
    assert refusal.value.code == "KIP_3002"
    assert pharmacy().run('EXPORT ?l WHERE { ?l ({name: "Codeine"}, "stated", ?f) }')["capsule"] == ""
