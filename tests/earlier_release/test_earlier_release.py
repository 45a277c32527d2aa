"""A database, a vault and a spool that an earlier release wrote open, and answer as they answered then."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.hooks.intake import Attendant
from tests.earlier_release.asking import SPACE, answers, files
from tests.earlier_release.making import ASKED_AT, HERE, MADE_IN, moved
from tests.support.clock import SteadyClock

GIVEN: dict[str, Any] = json.loads((HERE / "answers.json").read_text("utf-8"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of the earlier release, in another place."""
    with tarfile.open(HERE / "home.tar.gz") as packed:
        packed.extractall(tmp_path, filter="data")
    moved(tmp_path / "home", MADE_IN, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with Memory(home=home, principal="alice", space=SPACE, clock=SteadyClock(ASKED_AT), embedding="off") as memory:
        yield memory


@pytest.mark.parametrize("verb", list(GIVEN["before"]))
def test_a_database_of_an_earlier_release_answers_as_before(memory: Memory, verb: str) -> None:
    assert json.loads(json.dumps(answers(memory)))[verb] == GIVEN["before"][verb]


def test_a_vault_of_an_earlier_release_is_in_step_and_keeps_its_bytes(memory: Memory, home: Path) -> None:
    report = memory.scan_vault(space=SPACE)

    assert (report.problems, report.held) == ((), ())
    assert files(home / "vault" / SPACE) == GIVEN["files"]


def test_a_page_of_an_earlier_vault_is_taken_in_when_it_is_edited(memory: Memory, home: Path) -> None:
    [page] = (home / "vault" / SPACE).rglob("*on-tuesdays*.md")
    page.write_text(page.read_text("utf-8").replace("on Tuesdays\n", "on Fridays\n"), "utf-8")

    memory.scan_vault(space=SPACE)

    assert "on Fridays" in memory.search("How do we release?", space=SPACE)[0].text


def test_a_spool_of_an_earlier_release_is_taken_in_whole(memory: Memory, home: Path) -> None:
    drained = Attendant(memory.acting_as(Caller(Channel.HOOK, "alice")), home).drain(wait=True)

    known = answers(memory)
    assert {"taken": drained.taken, "sessions": known["sessions"], "messages": known["messages"]} == GIVEN["after"]
    assert (drained.unreadable, drained.refused, drained.left) == (0, 0, False)


def test_a_home_of_an_earlier_release_goes_on(memory: Memory) -> None:
    memory.add("I moved to Lisbon.", at="2026-09-30", space=SPACE)

    steps = memory.history(subject="user", attribute="location", space=SPACE).steps
    assert [step.note.value for step in steps] == [*GIVEN["before"]["history"], "Lisbon"]
