"""A note goes by a key that its caller chose: saved again it is the same note, with every version of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, State
from recollect.domain.clock import SystemClock, uuid_of
from recollect.domain.errors import Conflict, Erased, NotFound, RecollectError
from recollect.domain.origin import Caller, Channel
from tests.support.clock import SteadyClock
from tests.support.together import at_once


@pytest.fixture
def live(store_address: str, tmp_path: Path) -> Iterator[Memory]:
    """A memory with the machine's own clock, which threads can share."""
    with Memory(store=store_address, home=tmp_path / "home", clock=SystemClock()) as opened:
        yield opened


def test_the_first_save_makes_a_note_and_the_next_a_version_of_it(memory: Memory) -> None:
    first = memory.save("The invoice is open", key="invoice-17", tags=["billing"], pinned=True)
    paid = memory.save("The invoice is paid", key="invoice-17")

    assert (paid.id, paid.version, paid.key) == (first.id, 2, "invoice-17")
    assert (paid.tags, paid.pinned) == (("billing",), True), "what is not said stays"
    assert [each.text for each in memory.list()] == ["The invoice is paid"]
    assert memory.get("key:invoice-17") == paid


def test_the_same_words_again_change_nothing(memory: Memory) -> None:
    first = memory.save("The invoice is open", key="invoice-17", metadata={"amount": 12})
    before = memory.describe_space("default").changes

    again = memory.save("The invoice is open", key="invoice-17", metadata={"amount": 12})

    assert again == first, "the note comes back at the version it had"
    assert memory.describe_space("default").changes == before
    assert memory.save("The invoice is open", key="invoice-17", metadata={"amount": 13}).version == 2


def test_a_key_is_one_of_its_space_and_scope(memory: Memory) -> None:
    scopes: list[dict[str, Any]] = [
        {},
        {"user": "ana"},
        {"agent": "bot"},
        {"project": "shop"},
        {"user": "ana", "project": "shop"},
    ]
    saved = [memory.save(f"Profile {number}", key="profile", **scope) for number, scope in enumerate(scopes)]
    elsewhere = memory.save("Profile of another space", key="profile", space="other")

    assert len({note.id for note in (*saved, elsewhere)}) == 6
    for note, scope in zip(saved, scopes, strict=True):
        assert memory.get("key:profile", **scope).id == note.id
        assert memory.save("Changed", key="profile", **scope).id == note.id
    with pytest.raises(NotFound) as refusal:
        memory.get("key:profile", user="bo")
    assert refusal.value.code == "note_not_found"


def test_writers_who_race_for_one_key_end_with_one_note(live: Memory) -> None:
    texts = [f"State {number}" for number in range(8)]
    outcomes = at_once([partial(live.save, text, key="state", user="ana") for text in texts])

    assert {outcome.value.id for outcome in outcomes} == {live.get("key:state", user="ana").id}
    [note] = live.list(where={"key": "state"}).items
    assert note.version == 8
    assert note.text in texts


def test_every_verb_about_a_note_takes_its_key(memory: Memory) -> None:
    note = memory.save("Deploy with make", key="deploy")
    other = memory.save("Test with make", key="test")

    assert memory.update("key:deploy", title="Deploying").title == "Deploying"
    assert memory.pin("key:deploy").pinned
    assert memory.relate("key:deploy", "key:test").related == (other.id,)
    assert {step.note.id for step in memory.history("key:deploy")} == {note.id}
    assert memory.feedback("key:deploy", "useful").id == note.id
    assert memory.get(uuid_of(note.id)).id == note.id
    assert memory.forget("key:deploy").note_ids == (note.id,)
    with pytest.raises(NotFound):
        memory.get("key:deploy")


def test_a_forgotten_key_is_free_again(memory: Memory) -> None:
    gone = memory.save("The code is 4711", key="door", user="ana")
    assert memory.forget("key:door", user="ana").note_ids == (gone.id,)

    anew = memory.save("The code is 1234", key="door", user="ana")

    assert (anew.id != gone.id, anew.version) == (True, 1)
    with pytest.raises(Erased):
        memory.get(gone.id)


def test_a_newer_note_takes_the_key_over(memory: Memory, clock: SteadyClock) -> None:
    old = memory.save("Ana lives in Rome", key="home")
    clock.advance(days=1)
    new = memory.supersede("key:home", "Ana lives in Oslo")

    assert memory.get("key:home").id == new.id
    assert memory.get(old.id).key is None


def test_what_was_taken_back_holds_again_when_it_is_saved_again(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("The shop is open", key="shop")
    memory.retract(note.id)
    clock.advance(days=1)

    again = memory.save("The shop is open", key="shop")

    assert (again.id, again.state, again.version) == (note.id, State.ACTIVE, 3)
    assert [each.id for each in memory.list()] == [note.id]


def test_no_other_note_can_take_a_key_that_is_given(memory: Memory) -> None:
    memory.save("One", key="k")
    other = memory.save("Other")
    with pytest.raises(Conflict) as refusal:
        memory.update(other.id, key="k")
    assert refusal.value.code == "key_taken"
    assert memory.get(other.id) == other

    elsewhere = memory.save("Ana's", key="k", user="ana")
    with pytest.raises(Conflict):
        memory.update(elsewhere.id, clear=["user"])
    assert memory.update("key:k", clear=["key"]).key is None
    assert memory.update(other.id, key="k").key == "k"


def test_an_agent_proposes_a_change_to_what_a_person_saved(memory: Memory) -> None:
    mine = memory.save("We deploy on Mondays", key="deploy", authority="instruction")
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))

    proposal = agent.save("We deploy on Fridays", key="deploy")

    assert (proposal.id != mine.id, proposal.state, proposal.key) == (True, State.DISPUTED, None)
    assert memory.get("key:deploy") == mine
    assert memory.settle(proposal.id, "accept").text == "We deploy on Fridays"
    assert memory.get("key:deploy").text == "We deploy on Fridays"


@pytest.mark.parametrize("verb", ["update", "supersede", "save"])
def test_what_takes_a_place_by_a_proposal_keeps_to_the_rules_of_that_place(memory: Memory, verb: str) -> None:
    about: dict[str, Any] = {"metadata": {"team": "web"}, "ttl": "30d", "when": ["before:deploy"]}
    mine = memory.save("We deploy on Mondays", key="deploy", authority="instruction", **about)
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    match verb:
        case "update":
            proposal = agent.update(mine.id, text="We deploy on Fridays")
        case "supersede":
            proposal = agent.supersede(mine.id, "We deploy on Fridays")
        case _:
            proposal = agent.save("We deploy on Fridays", key="deploy", ttl="1d", metadata={"team": "ops"})
    assert (proposal.key, memory.get("key:deploy").text) == (None, "We deploy on Mondays")

    memory.settle(proposal.id, "accept")

    held = memory.get("key:deploy")
    assert (held.text, held.metadata["when"]) == ("We deploy on Fridays", ["before:deploy"])
    if verb == "save":
        assert held.metadata["team"] == "ops" and held.erase_at == proposal.erase_at, "it was said with the change"
    else:
        assert held.erase_at == mine.erase_at, "a change of words does not make it last longer"


@pytest.mark.parametrize(
    ("key", "code"),
    [("k" * 513, "too_large"), ("a\x00b", "invalid_text"), ("a\nb", "invalid_text"), (7, "invalid_text"),
     ("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "secret_in_name")],
)  # fmt: skip
def test_a_key_that_cannot_be_kept_is_refused_and_nothing_is_written(memory: Memory, key: str, code: str) -> None:
    with pytest.raises(RecollectError) as refusal:
        memory.save("Something", key=key)
    assert refusal.value.code == code
    assert memory.count().total == 0


def test_a_key_stays_with_its_note_through_an_export(memory: Memory, tmp_path: Path) -> None:
    memory.save("Old words", key="page/1", user="ana")
    note = memory.save("New words", key="page/1", user="ana")
    lines = memory.export().records

    with Memory(store=":memory:", home=tmp_path / "other") as other:
        import json

        other.import_([json.dumps(line) for line in lines], trust=True)
        assert other.get("key:page/1", user="ana").text == "New words"
        assert other.save("Newest words", key="page/1", user="ana").id == note.id


def test_lists_and_counts_are_filtered_by_key(memory: Memory) -> None:
    for key in ("a/1", "a/2", None):
        memory.save(f"Note {key}", key=key)
    assert memory.count(where={"key": {"contains": "a/"}}).total == 2
    assert memory.count(where={"key": {"exists": False}}).total == 1
    assert [note.key for note in memory.list(where={"key": ["a/2", "b"]})] == ["a/2"]


def test_whoever_is_bound_to_a_part_has_the_keys_of_that_part(memory: Memory) -> None:
    ana, bo = memory.bound_to(user="ana"), memory.bound_to(user="bo")
    hers = ana.save("Ana likes tea", key="drink")
    his = bo.save("Bo likes coffee", key="drink")

    assert (ana.get("key:drink").id, bo.get("key:drink").id) == (hers.id, his.id)
    assert ana.save("Ana likes chai", key="drink").id == hers.id
    with pytest.raises(NotFound):
        memory.get("key:drink")
    with pytest.raises(NotFound):
        ana.get("key:drink", user="bo")
    assert memory.get("key:drink", user="bo").text == "Bo likes coffee"


def test_a_key_is_written_into_the_file_of_a_note_and_read_from_it(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    memory.save("The shop opens at nine", key="shop/hours", ttl="4w")
    memory.open_vault(folder)
    [file] = (each for each in folder.rglob("*.md") if "The shop opens at nine" in each.read_text(encoding="utf-8"))
    page = file.read_text(encoding="utf-8")
    assert "external_key: shop/hours" in page
    assert "erase_at: " in page

    file.write_text(page.replace("at nine", "at ten"), encoding="utf-8")
    memory.scan_vault()

    note = memory.get("key:shop/hours")
    assert (note.text, note.version, note.erase_at is not None) == ("The shop opens at ten", 2, True)


def test_notes_under_two_keys_stay_two_notes_though_they_say_the_same(memory: Memory) -> None:
    for key in ("one", "two", None, None):
        memory.save("Closed", key=key)
    assert len(memory.dedup(apply=True).note_ids) == 2
    assert [memory.get(f"key:{key}").state for key in ("one", "two")] == [State.ACTIVE, State.ACTIVE]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("key:", "invalid_id"),
        ("key:a\x00b", "invalid_text"),
        ("key:\ud800", "invalid_text"),
        ("key:none", "note_not_found"),
    ],
)
def test_a_key_that_cannot_be_looked_up_is_refused_clearly(memory: Memory, wrong: str, code: str) -> None:
    for asked in (memory.get, memory.forget, memory.pin, memory.history):
        with pytest.raises(RecollectError) as refusal:
            asked(wrong)
        assert refusal.value.code == code
