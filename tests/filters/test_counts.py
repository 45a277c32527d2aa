"""Notes are counted by a filter, in all and by one field after the other, alike on every store."""

from __future__ import annotations

from collections import Counter

import pytest

from recollect import InvalidInput, Memory
from recollect.domain.selections import MOST_VALUES
from tests.support.clock import SteadyClock


def filled(memory: Memory) -> None:
    memory.save("one", kind="lesson", tags=["a", "b"], user="ana", project="shop", metadata={"n": 1})
    memory.save("two", tags=["a"], user="ana", metadata={"n": 2})
    memory.save("three", user="Bo", metadata={"n": 3})
    gone = memory.save("four", tags=["b"])
    memory.retract(gone.id)


def test_a_count_agrees_with_the_list(memory: Memory) -> None:
    filled(memory)
    for where in (
        {},
        {"tag": "a"},
        {"metadata.n": {"gt": 1}},
        {"state": "retracted"},
        {"user": ["ana", "Bo"], "not": {"tag": "b"}},
    ):
        found = memory.list(limit=100, where=where, total=True)
        count = memory.count(where=where, by=["kind", "state", "tag", "user", "project"])
        assert count.total == found.total == len(found)
        assert count.by["kind"] == Counter(note.kind.value for note in found)
        assert count.by["state"] == Counter(note.state.value for note in found)
        assert count.by["tag"] == Counter(tag for note in found for tag in note.tags or ("",))
        assert count.by["user"] == Counter(note.scope.user or "" for note in found)
        assert count.by["project"] == Counter(note.scope.project or "" for note in found)


def test_metadata_is_sound_in_whatever_order_its_keys_were_given(memory: Memory) -> None:
    memory.save("The kettle whistles", metadata={"room": "kitchen", "by": {"who": "Ana", "at": "noon"}, "age": 3})
    [check] = [each for each in memory.doctor().checks if each.name.startswith("metadata")]
    assert (check.ok, check.detail) == (True, "equal to the notes")


def test_the_total_is_that_of_all_pages_and_only_told_when_asked_for(memory: Memory) -> None:
    filled(memory)
    first = memory.list(limit=2, total=True)
    assert (len(first), first.total) == (2, 3)
    assert memory.list(limit=2, total=True, cursor=first.next_cursor).total == 3
    assert memory.list(limit=2).total is None
    assert memory.count(space="nobody").total == 0


def test_days_come_in_their_order_and_the_common_values_first(memory: Memory, clock: SteadyClock) -> None:
    filled(memory)
    clock.advance(days=2)
    memory.save("five", user="Cy", tags=["b"])
    count = memory.count(by=["day", "user", "tag"])
    assert list(count.by["day"]) == sorted(count.by["day"])
    assert list(count.by["day"].values()) == [3, 1]
    assert list(count.by["user"].items()) == [("ana", 2), ("Bo", 1), ("Cy", 1)]
    assert list(count.by["tag"].items()) == [("a", 2), ("b", 2), ("", 1)]
    assert count.others == {}


def test_of_many_values_the_most_common_are_told(memory: Memory) -> None:
    for number in range(MOST_VALUES + 5):
        memory.save(f"note {number}", subject=f"s{number:03}")
    memory.save("again", subject="s104")
    count = memory.count(by=["subject"])
    assert next(iter(count.by["subject"].items())) == ("s104", 2)
    assert len(count.by["subject"]) == MOST_VALUES
    assert count.others == {"subject": 5}


def test_a_field_that_cannot_be_counted_by_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.count(by=["colour"])
    assert caught.value.code == "unknown_by"
    assert "kind" in caught.value.hint
