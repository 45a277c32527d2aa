"""A space that is not there is an error to read, and is made by the first write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput, NotFound

AN_ID = "01HZZZZZZZZZZZZZZZZZZZZZZZ"

READS: dict[str, Callable[[Memory], object]] = {
    "get": lambda memory: memory.get(AN_ID, space="nobody"),
    "list": lambda memory: memory.list(space="nobody"),
    "search": lambda memory: memory.search("tea", space="nobody"),
    "history": lambda memory: memory.history(AN_ID, space="nobody"),
    "export": lambda memory: memory.export(space="nobody"),
    "audit": lambda memory: memory.audit(space="nobody"),
    "describe_space": lambda memory: memory.describe_space("nobody"),
}

CHANGES: dict[str, Callable[[Memory], object]] = {
    "update": lambda memory: memory.update(AN_ID, text="x", space="nobody"),
    "supersede": lambda memory: memory.supersede(AN_ID, "x", space="nobody"),
    "retract": lambda memory: memory.retract(AN_ID, space="nobody"),
    "pin": lambda memory: memory.pin(AN_ID, space="nobody"),
    "unpin": lambda memory: memory.unpin(AN_ID, space="nobody"),
    "forget": lambda memory: memory.forget(AN_ID, space="nobody"),
    "delete_space": lambda memory: memory.delete_space("nobody"),
}


@pytest.mark.parametrize("verb", [*READS, *CHANGES])
def test_a_space_that_is_not_there_is_not_found(memory: Memory, verb: str) -> None:
    with pytest.raises(NotFound, match="There is no space `nobody`") as refusal:
        (READS | CHANGES)[verb](memory)

    assert refusal.value.code == "space_not_found"
    assert "spaces list" in refusal.value.hint
    assert memory.spaces().items == ()


def test_a_deleted_space_is_not_there_either(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="nobody")
    memory.delete_space("nobody")
    for read in READS.values():
        with pytest.raises(NotFound):
            read(memory)


def test_the_default_space_is_there_before_its_first_note(memory: Memory) -> None:
    assert memory.list().items == ()
    assert memory.search("tea").hits == ()
    assert memory.describe_space("default").notes == 0
    assert memory.audit().whole
    assert len(memory.export(space="default").records) == 1
    with pytest.raises(NotFound) as refusal:
        memory.get(AN_ID)
    assert refusal.value.code == "note_not_found"


def test_the_first_note_makes_its_space(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    assert [space.name for space in memory.spaces().items] == ["alice"]


def test_a_first_note_that_is_refused_makes_no_space(memory: Memory) -> None:
    for broken in (
        {"confidence": 7.0},
        {"attribute": "mood"},
        {"valid_from": "2026-01-02", "valid_until": "2026-01-01"},
    ):
        with pytest.raises(InvalidInput):
            memory.save("Alice prefers tea", space="alice", **broken)
    assert memory.spaces().items == ()


def test_a_space_can_be_made_described_and_described_anew(memory: Memory) -> None:
    made = memory.create_space("alice", description="Alice's own")
    memory.save("Alice prefers tea", space="alice")
    again = memory.create_space("alice", description="What Alice said")

    assert (made.name, made.description, made.notes) == ("alice", "Alice's own", 0)
    assert (again.description, again.notes) == ("What Alice said", 1)
    assert memory.describe_space("alice") == again


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a/b", "../x", "*", "-a", "_a", ".a", "a" * 128, "ä", "a\n", "a\x00", "a'b"]
)
def test_a_name_that_no_space_can_have_is_refused(memory: Memory, name: str) -> None:
    for attempt in (
        lambda: memory.save("x", space=name),
        lambda: memory.list(space=name),
        lambda: memory.create_space(name),
        lambda: memory.delete_space(name),
    ):
        with pytest.raises(InvalidInput) as refusal:
            attempt()
        assert refusal.value.code == "invalid_space"
