"""Two processes, say two coding agents, share one memory and see each other's changes at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Conflict
from tests.support.companion import Companion


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def mine(home: Path) -> Iterator[Memory]:
    with Memory(home=home, busy_timeout=20) as opened:
        yield opened


@pytest.fixture
def other(home: Path, mine: Memory) -> Iterator[Companion]:
    with Companion(home) as running:
        yield running


def test_each_sees_what_the_other_remembers(mine: Memory, other: Companion) -> None:
    for number in range(10):
        written = mine.save(f"Parrot number {number}, from here")
        assert other.ask("get", written.id)["text"] == written.text
        answer = other.ask("save", f"Parrot number {number}, from there")
        assert mine.get(answer["id"]).text == answer["text"]
        assert len(mine.search("parrot", limit=100).hits) == 2 * (number + 1)


def test_an_edit_made_elsewhere_is_not_overwritten(mine: Memory, other: Companion) -> None:
    note = mine.save("The meeting is on Monday")
    other.ask("update", note.id, text="The meeting is on Tuesday")

    with pytest.raises(Conflict):
        mine.update(note.id, text="The meeting is on Friday", expected_version=note.version)
    assert mine.update(note.id, title="Meeting").text == "The meeting is on Tuesday"
    assert other.ask("get", note.id)["version"] == 3


def test_a_request_sent_to_both_is_done_once(mine: Memory, other: Companion) -> None:
    here = mine.save("Alice prefers tea", idempotency_key="k")
    there = other.ask("save", "Alice prefers tea", idempotency_key="k")

    assert there["id"] == here.id
    assert other.ask("save", "Alice prefers coffee", idempotency_key="k") == "idempotency_key_reused"
    assert mine.list().items == (here,)


def test_what_one_forgets_the_other_does_not_find(mine: Memory, other: Companion) -> None:
    note = mine.save("A secret")
    assert len(other.ask("search", "secret")["hits"]) == 1
    assert mine.forget(note.id).residue is None

    assert other.ask("search", "secret")["hits"] == []
    assert other.ask("get", note.id) == "erased"


def test_a_space_deleted_elsewhere_is_gone_here(mine: Memory, other: Companion) -> None:
    mine.save("Alice prefers tea", space="alice")
    other.ask("delete_space", "alice")
    assert mine.list(space="alice").items == ()
    assert "alice" not in [space.name for space in mine.spaces()]


def test_one_can_go_and_come_back(home: Path, mine: Memory) -> None:
    for number in range(3):
        with Companion(home) as visitor:
            visitor.ask("save", f"Visit {number}")
        mine.save(f"After visit {number}")
    assert len(mine.list().items) == 6
    assert mine.doctor().healthy
