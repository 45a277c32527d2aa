"""A filter filters, and nothing else: what was said within a scope is found there, by words and by meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.receipts import SearchStep
from tests.support.clock import SteadyClock

PARTS = ("user", "agent", "project", "machine")


@pytest.fixture(params=["off", "hashed"])
def memory(request: pytest.FixtureRequest, store_address: str, clock: SteadyClock, tmp_path: Path) -> Iterator[Memory]:
    """A memory on each kind of store, with and without vectors."""
    with Memory(store=store_address, home=tmp_path, principal="tester", clock=clock, embedding=request.param) as opened:
        yield opened


def texts(memory: Memory, query: str, **which: str) -> list[str]:
    return [hit.text for hit in memory.search(query, **which).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize("part", PARTS)
def test_a_message_is_found_within_the_scope_it_was_told_in(memory: Memory, part: str) -> None:
    said = "We deploy with make release, never from CI."
    memory.add(said, extract=False, **{part: "one"})  # type: ignore[arg-type]
    memory.add("We deploy by hand on Fridays.", extract=False, **{part: "other"})  # type: ignore[arg-type]
    memory.add("We deploy whenever we like.", extract=False)

    assert texts(memory, "how do we deploy", **{part: "one"}) == [said]
    assert said in memory.recall("how do we deploy", **{part: "one"}).block  # type: ignore[arg-type]
    assert said in memory.brief("how do we deploy", **{part: "one"}).block  # type: ignore[arg-type]
    assert len(texts(memory, "how do we deploy")) == 3
    assert texts(memory, "how do we deploy", **{part: "nobody"}) == []


def test_every_part_of_a_scope_narrows(memory: Memory) -> None:
    memory.add("The spare key is under the pot.", extract=False, user="ana", project="house")
    memory.add("The spare key is with Bo.", extract=False, user="ana", project="shed")
    assert texts(memory, "spare key", user="ana", project="shed") == ["The spare key is with Bo."]
    assert texts(memory, "spare key", user="bob", project="shed") == []


def test_what_a_message_does_not_say_of_its_scope_its_session_says(memory: Memory) -> None:
    memory.start_session("s1", project="shopx", agent="builder")
    memory.add("The till opens with a blue key.", extract=False, session="s1")
    memory.add("The till opens with a red key.", extract=False, session="s1", project="other")
    assert texts(memory, "till key", project="shopx") == ["The till opens with a blue key."]
    assert texts(memory, "till key", project="other", agent="builder") == ["The till opens with a red key."]
    assert texts(memory, "till key", project="other", session="s1") == ["The till opens with a red key."]


def test_what_was_said_around_a_hit_in_another_scope_stays_out(memory: Memory) -> None:
    for project, said in (
        ("a", "Ana asked about the harbour."),
        ("b", "The swordfish is for the cook."),
        ("a", "Fine."),
    ):
        memory.add(said, extract=False, session="s1", project=project)
    briefing = memory.recall("what did Ana ask about the harbour", project="a")
    assert "harbour" in briefing.block
    assert "swordfish" not in briefing.block
    found = memory.search("what did Ana ask about the harbour", project="a", explain=True)
    assert "swordfish" not in str([each.evidence for each in found.explained])


@pytest.mark.parametrize("narrowed", [{"kind": "semantic"}, {"tag": "x"}, {"subject": "user"}, {"pinned": True}])
def test_a_filter_on_what_only_notes_have_means_notes(memory: Memory, narrowed: dict[str, str]) -> None:
    memory.add("The till opens with a blue key.", extract=False, project="shopx")
    assert texts(memory, "till key", project="shopx", **narrowed) == []


def test_facts_that_were_read_from_a_message_are_found_where_it_is(memory: Memory) -> None:
    memory.add("I live in Lisbon.", project="a")
    memory.add("I live in Porto.", project="b", user="bob")
    assert "Lisbon" in " ".join(texts(memory, "where do I live", project="a"))
    assert "Porto" not in " ".join(texts(memory, "where do I live", project="a"))
    assert "Lisbon" not in " ".join(texts(memory, "where do I live", user="bob"))


def test_why_not_names_the_scope_that_a_message_is_not_in(memory: Memory) -> None:
    told = memory.add("The till opens with a blue key.", extract=False, project="shopx")
    [said] = told.observation_ids
    lost = memory.why_not(said, "till key", project="other")
    assert (lost.step, lost.reason) == (SearchStep.OUT_OF_SCOPE, "It does not have the project that was asked for.")
    assert memory.why_not(said, "till key", project="shopx").step is SearchStep.NOT_LOST
    assert memory.why_not(said, "till key", kind="semantic").step is SearchStep.OUT_OF_SCOPE


def test_the_same_question_can_be_asked_again_of_a_scope(memory: Memory) -> None:
    memory.add("The till opens with a blue key.", extract=False, project="shopx")
    receipt = memory.recall("till key", project="shopx").receipt
    assert receipt
    why = memory.why(receipt)
    assert why.same
    assert [hit.text for hit in why.again] == ["The till opens with a blue key."]


def test_a_scope_travels_with_an_export(memory: Memory, tmp_path: Path, clock: SteadyClock) -> None:
    memory.start_session("s1", project="shopx")
    memory.add("The till opens with a blue key.", extract=False, session="s1", user="ana")
    records = [dict(record) for record in memory.export().records]
    lines = [json.dumps(record) for record in records]
    for record in records:
        if record.get("type") == "observation":
            del record["scope"]  # as exports were before messages had one
    with Memory(store=":memory:", home=tmp_path, principal="tester", clock=clock) as other:
        assert other.import_(lines).failures == ()
        assert texts(other, "till key", user="ana", project="shopx") == ["The till opens with a blue key."]
        again = other.import_([json.dumps(record) for record in records])
        assert (again.imported, again.failures) == (0, ())
    with Memory(store=":memory:", home=tmp_path, principal="tester", clock=clock) as older:
        assert older.import_([json.dumps(record) for record in records]).failures == ()
        assert texts(older, "till key", project="shopx") == ["The till opens with a blue key."]


def test_meaning_finds_messages_within_a_scope_among_many_others(memory: Memory) -> None:
    memory.add([{"role": "user", "content": f"Parcel {n} went to the depot."} for n in range(300)], extract=False)
    memory.add("Parcels for the castle go by boat.", extract=False, project="castle")
    assert texts(memory, "how do parcels travel", project="castle") == ["Parcels for the castle go by boat."]
