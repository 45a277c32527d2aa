"""A process is killed while it judges: no half of a judgement is kept, no message is lost, the rest is done later."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.changes import Changes, QueueJob
from recollect.domain.origin import Origin
from tests.chaos.children import Child
from tests.links.test_judged_writes import links
from tests.links.tiny_judge import TinyJudge
from tests.support.postgres import Server
from tests.support.raw import rows, store_of

THINGS = 16
KILLED_AT = (1, 9, 12, 3)  # comparisons of each life: two in the first batch of texts, two in the second


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "memory.db")
        return
    server: Server = request.getfixturevalue("postgres_server")
    with server.database() as url:
        yield url


def test_a_job_that_is_killed_leaves_whole_judgements_and_goes_on(address: str, tmp_path: Path) -> None:
    with Memory(store=address, home=tmp_path) as memory:
        engine = memory._engine
        start = engine.clock.now() - timedelta(days=99)
        batch = [
            {
                "role": "user",
                "content": f"My thing{each % THINGS} is {each}",
                "at": (start + timedelta(hours=each)).isoformat(),
            }
            for each in range(2 * THINGS)
        ]
        memory.add(batch, extract=False)
        job = QueueJob(memory._judging_of("default"))
        engine.store.apply(Changes("default", "test", engine.clock.now(), Origin(), (job,)))
        model = TinyJudge().model_id
        for hours, at in enumerate(KILLED_AT, start=1):
            with Child("dying_judge", "jobs", address, tmp_path, hours, at) as dying:
                assert dying.outcome() == -signal.SIGKILL
            assert_whole(memory)
            assert len(rows(store_of(memory), "SELECT id FROM observation")) == 2 * THINGS
        assert engine.links.waiting("default", model) > 0
        with Child("dying_judge", "jobs", address, tmp_path, len(KILLED_AT) + 1, 0) as last:
            assert last.outcome() == 0
        assert (engine.links.waiting("default", model), len(links(memory))) == (0, THINGS)


def test_a_write_that_is_killed_while_judging_leaves_nothing_of_it(address: str, tmp_path: Path) -> None:
    with Memory(store=address, home=tmp_path) as memory:
        for life, at in enumerate((1, 2, 5), start=1):
            with Child("dying_judge", "write", address, tmp_path, life, at) as dying:
                assert dying.outcome() == -signal.SIGKILL
                kept = {fact["kept"] for fact in dying.heard}
            here = {row[0] for row in rows(store_of(memory), "SELECT id FROM observation")}
            assert kept <= here
            assert {row[0] for row in rows(store_of(memory), "SELECT record_id FROM judgement")} == here
            assert_whole(memory)


def assert_whole(memory: Memory) -> None:
    """Every record that is judged has the link to each older one it replaces, and no other has any."""
    store = store_of(memory)
    said = store.archive.those("default", [row[0] for row in rows(store, "SELECT id FROM observation")])
    judged = {row[0] for row in rows(store, "SELECT record_id FROM judgement")}
    found = {(link.older, link.newer) for link in links(memory)}
    assert {newer for _, newer in found} <= judged
    for newer in judged:
        thing = said[newer].text.split(" is ")[0]
        older = [
            each.id
            for each in said.values()
            if each.text.split(" is ")[0] == thing and (each.observed_at, each.id) < (said[newer].observed_at, newer)
        ]
        assert {(each, newer) for each in older} <= found
