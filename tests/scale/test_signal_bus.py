"""Processes of one store wake each other through Redis. It may forget everything at any moment; nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured
from recollect.settings import load_settings
from recollect.signal_bus import SignalBus
from recollect.surfaces.http import live_stream
from recollect.surfaces.reception.guard import Visit
from recollect.surfaces.reception.limits import Buckets, Limits
from recollect.surfaces.reception.screening import Head
from tests.support.valkey import Valkey, running_valkey
from tests.surfaces.http.client import LIMIT, served
from tests.surfaces.http.test_stream import PATH, events

SLOWLY = 0.000_001  # of a bucket: nothing comes back while a test runs


@pytest.fixture
def valkey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Valkey]:
    with running_valkey(tmp_path) as server:
        monkeypatch.setenv("RECOLLECT_REDIS", server.url)
        yield server


@pytest.fixture
def buses(valkey: Valkey) -> Iterator[Callable[[str], SignalBus]]:
    """Buses of several processes, each named by its store; they listen before they are handed out."""
    with ExitStack() as opened:

        def bus(store: str = "one") -> SignalBus:
            made = SignalBus(valkey.url, store)
            opened.callback(made.close)
            made.listen(lambda _word, _times: None)
            eventually(lambda: made.is_up)
            return made

        yield bus


def eventually(look: Callable[[], Any]) -> Any:
    until = time.monotonic() + LIMIT
    while not (found := look()):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)
    return found


def memory_on(folder: Path, name: str) -> Memory:
    return Memory(store=str(folder / "memory.db"), home=folder / name, principal="tester")


@pytest.mark.usefixtures("valkey")
def test_a_job_that_one_process_queues_wakes_the_runner_of_another(tmp_path: Path) -> None:
    with memory_on(tmp_path, "a") as one, memory_on(tmp_path, "b") as other:
        woken = threading.Event()
        bus = other._engine.bell.bus
        assert bus is not None
        with other._engine.bell.attended():
            eventually(lambda: bus.is_up)
            bus.listen(lambda word, _times: woken.set() if word == "jobs" else None)
            one.reindex(background=True)
            assert woken.wait(LIMIT)


@pytest.mark.usefixtures("valkey")
def test_a_stream_hears_at_once_what_another_process_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_stream, "_LOOK_UNTOLD", 10 * LIMIT)  # looking by itself would come too late
    with memory_on(tmp_path, "a") as one, memory_on(tmp_path, "b") as other:
        one.save("the first", space="alice")
        with served(other, insecure=True) as client, events(client, f"{PATH}?after=0") as heard:
            assert heard.next()["event"]
            bus = other._engine.bell.bus
            assert bus is not None
            eventually(lambda: bus.is_up)
            assert b"recollect_redis_up 1.0" in client.get("/metrics").body
            note = one.save("Alice prefers tea", space="alice")
            while (event := heard.next())["data"]["record_id"] != note.id:
                assert event


@pytest.mark.usefixtures("valkey")
def test_only_what_somebody_watches_is_listened_for(tmp_path: Path) -> None:
    with memory_on(tmp_path, "a") as memory:
        bus = memory._engine.bell.bus
        assert bus is not None
        streams = live_stream.Streams(memory, Limits())
        alice, bob = (bus.word_for("space", name) for name in ("alice", "bob"))
        with streams.reading(Visit("one", Head("GET", PATH, {}), None, "alice", None)):
            streams._changed.clear()
            bus.tell(alice)
            bus.tell(bob)
            assert streams._changed == {alice}
        assert not streams._changed and not streams._watched
        streams.close()


@pytest.mark.usefixtures("valkey")
def test_runners_that_come_and_go_listen_once(tmp_path: Path) -> None:
    with memory_on(tmp_path, "a") as memory:
        bell = memory._engine.bell
        assert bell.bus is not None
        for _ in range(3):
            with bell.attended():
                pass
        assert bell.bus._listeners.count(bell._hear) == 1


def test_a_limit_holds_for_all_processes_together(buses: Callable[[str], SignalBus]) -> None:
    one, other, stranger = buses("one"), buses("one"), buses("another store")
    first, second, third = (Buckets(SLOWLY, 5, kind="token", bus=bus) for bus in (one, other, stranger))
    assert [first.take("alice", time.monotonic()) for _ in range(5)] == [0.0] * 5

    eventually(lambda: second.take("alice", time.monotonic()) > 0)
    assert second.take("bob", time.monotonic()) == 0
    assert third.take("alice", time.monotonic()) == 0


def test_nothing_is_kept_there_and_no_name_goes_there(valkey: Valkey, tmp_path: Path) -> None:
    with valkey.client() as client, client.pubsub() as heard:
        heard.psubscribe("*")
        with memory_on(tmp_path, "a") as memory:
            memory.save("Alice prefers tea", space="alice")
            memory.reindex(background=True)
        said = []
        while message := heard.get_message(timeout=2):
            said.append(str(message))
        assert any('"jobs"' in each for each in said)
        assert not any("alice" in each.lower() or "memory.db" in each for each in said)
        assert client.keys("*") == []


def test_without_redis_everything_works_and_it_is_found_again(
    valkey: Valkey, buses: Callable[[str], SignalBus], tmp_path: Path
) -> None:
    bus = buses("one")
    valkey.kill()
    eventually(lambda: not bus.is_up)
    with memory_on(tmp_path, "a") as memory:
        memory.save("Alice prefers tea")
        memory.reindex(background=True)
        assert memory.run_jobs().done >= 1
    valkey.start()
    eventually(lambda: bus.is_up)
    with valkey.client() as client:
        client.flushall()
    heard = threading.Event()
    bus.listen(lambda word, _times: heard.set() if word == "jobs" else None)
    other = buses("one")
    other.tell("jobs")
    assert heard.wait(LIMIT)


def test_what_others_say_on_the_channel_harms_nobody(valkey: Valkey, buses: Callable[[str], SignalBus]) -> None:
    bus = buses("one")
    heard: list[str] = []
    bus.listen(lambda word, _times: heard.append(word))
    with valkey.client() as client:
        for nonsense in ("", "[]", "{}", "7", '{"from": 1, "words": [2]}', '{"from": 1, "words": {"x": "y"}}'):
            client.publish(bus._channel, nonsense)
        client.publish(bus._channel, '{"from": "somebody", "words": {"jobs": 1}}')
    eventually(lambda: "jobs" in heard)
    assert bus.is_up


def test_an_address_is_checked_and_its_password_is_never_shown() -> None:
    _, found = load_settings({}, environment={"RECOLLECT_REDIS": "redis://user:swordfish@host/0"})
    assert [each.value for each in found if each.name == "redis"] == ["redis://user:***@host/0"]
    for wrong in (
        "http://user:swordfish@host",
        "redis://user:swordfish",
        "redis://host:swordfish",
        "redis://[swordfish",
    ):
        with pytest.raises(Misconfigured) as refused:
            load_settings({}, environment={"RECOLLECT_REDIS": wrong})
        assert "swordfish" not in str(refused.value)
    for wrong in ("redis://host?socket_timeout=swordfish", "redis://host?password_=swordfish"):
        with pytest.raises(Misconfigured) as refused:
            SignalBus(wrong, "one")
        assert "swordfish" not in str(refused.value)
