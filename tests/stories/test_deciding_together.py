"""Several at once decide about the same thing: what holds for all of them is decided where it is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput
from tests.support.companion import Companion
from tests.support.together import at_once

ROUNDS = 5
MANY = 4


@pytest.fixture
def memory(store_address: str, tmp_path: Path) -> Iterator[Memory]:
    """With the machine's own clock, which may be asked by many."""
    with Memory(store=store_address, home=tmp_path / "home", principal="tester", busy_timeout=30) as opened:
        yield opened


def test_a_lesson_that_several_learn_at_once_is_one_lesson(memory: Memory) -> None:
    for number in range(ROUNDS):
        words, space = f"Run the migrations before the tests, {number}", f"new-{number}"
        said = at_once([partial(memory.add_lesson, words, project="shop", space=space)] * MANY)
        assert sorted(each.value.action for each in said) == ["added"] + ["reinforced"] * (MANY - 1)
        [lesson] = memory.lessons(space=space).items
        assert lesson.reinforcements == MANY - 1, "each of them counts"


def test_two_that_wait_for_each_other_at_once_are_not_both_written(memory: Memory) -> None:
    for _ in range(ROUNDS):
        first, second = memory.add_action("Write it"), memory.add_action("Ship it")
        done = at_once(
            [
                partial(memory.update_action, first.id, depends_on=[second.id]),
                partial(memory.update_action, second.id, depends_on=[first.id]),
            ]
        )
        refused = [each.error for each in done if each.error is not None]
        assert [getattr(error, "code", error) for error in refused] == ["circular_dependency"]
        assert isinstance(refused[0], InvalidInput)
        assert {each.id for each in memory.frontier().items} & {first.id, second.id}, "one of them can be started"
        for each in (first, second):
            memory.update_action(each.id, status="done")


def test_two_processes_that_learn_the_same_have_one_lesson(tmp_path: Path) -> None:
    with Memory(home=tmp_path, busy_timeout=30) as mine, Companion(tmp_path) as other:
        for number in range(ROUNDS):
            words = f"Close the files, {number}"
            at_once([partial(mine.add_lesson, words), partial(other.ask, "add_lesson", words)])
        lessons = mine.lessons().items
        assert [each.reinforcements for each in lessons] == [1] * ROUNDS


def test_a_space_that_was_deleted_can_be_learned_in_again(memory: Memory) -> None:
    memory.add_lesson("Close the files", space="old")
    memory.delete_space("old")
    assert memory.add_lesson("Close the files", space="old").action == "added"
    assert memory.add_lesson("Close the files", space="old").action == "reinforced"
