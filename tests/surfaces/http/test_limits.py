"""Too much: of one token, about one space, at once, too slowly. Who is sent away is told when to come back."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Busy
from recollect.domain.notes import Note
from recollect.domain.selections import Page
from recollect.surfaces.reception.guard import _address
from recollect.surfaces.reception.limits import Buckets, Limits, Load
from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.server import lifetime
from tests.surfaces.http.client import LIMIT, Client, served


def test_a_bucket_gives_its_burst_and_then_steadily() -> None:
    bucket = Buckets(per_second=2, burst=3)
    assert [bucket.take("a", 10.0) for _ in range(3)] == [0, 0, 0]
    assert bucket.take("a", 10.0) == pytest.approx(0.5)
    assert bucket.take("b", 10.0) == 0
    assert bucket.take("a", 10.5) == 0
    assert bucket.take("a", 10.5) > 0
    assert [bucket.take("a", 1000.0) for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]


def test_buckets_of_names_that_were_made_up_do_not_pile_up() -> None:
    bucket = Buckets(per_second=1000, burst=1)
    for number in range(50_000):
        bucket.take(f"made up {number}", number / 1000)
    assert len(bucket._left) <= 10_000


def test_a_space_has_a_bucket_of_its_own_whoever_asks(one_memory: Memory) -> None:
    one_memory.save("something", space="alice")
    one_memory.save("something", space="bob")
    with served(one_memory, limits=Limits(space_per_second=0.01, space_burst=3)) as anybody:
        many = [anybody.with_token(one_memory.access.issue().secret) for _ in range(5)]
        answers = [each.get("/v1/spaces/alice/list") for each in many]
        assert [each.status for each in answers] == [200, 200, 200, 429, 429]
        assert answers[-1].json["code"] == "too_many_requests"
        assert int(answers[-1].headers["retry-after"]) > 1
        assert many[0].get("/v1/spaces/bob/list").status == 200
        assert many[0].get("/v1/status").status == 200


def test_who_would_wait_too_long_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    # Held still, because between two looks at the clock of a busy machine any time may pass.
    monkeypatch.setattr("recollect.surfaces.reception.limits.time.monotonic", lambda: 100.0)
    load = Load(Limits(wait_seconds=2.0), places=4)
    for _ in range(4):
        load.come()
    load.require_room()  # nobody knows yet how long anything takes
    for _ in range(100):
        load.done(99.0)
    assert load.expected_wait() == pytest.approx(0.25, rel=0.01)
    load.require_room()
    for _ in range(8):
        load.come()
    with pytest.raises(HttpProblem) as refused:
        load.require_room()
    assert (refused.value.status, refused.value.code) == (503, "overloaded")
    assert int(refused.value.headers["Retry-After"]) >= 2
    for _ in range(6):
        load.leave()
    load.require_room()


def test_there_is_an_end_to_how_many_may_wait() -> None:
    load = Load(Limits(waiting=3), places=1)
    for _ in range(4):
        load.require_room()
        load.come()
    with pytest.raises(HttpProblem):
        load.require_room()


def test_what_waited_far_too_long_is_not_begun() -> None:
    load = Load(Limits(wait_seconds=1.0), places=1)
    with pytest.raises(HttpProblem) as refused:
        load.turn(time.monotonic() - 3.0)
    assert refused.value.code == "overloaded"


class Slow(Memory):
    """A memory in which one verb takes as long as the test wants."""

    go: threading.Event

    def list(self, **which: object) -> object:  # type: ignore[override]
        assert self.go.wait(LIMIT)
        return super().list(**which)  # type: ignore[arg-type]


@pytest.fixture
def slow() -> Iterator[Slow]:
    with Slow(store=":memory:", principal="tester") as memory:
        Slow.go = threading.Event()
        memory.save("something", space="alice")
        yield memory
        Slow.go.set()


def test_under_load_some_are_sent_away_at_once_and_health_still_answers(slow: Slow) -> None:
    secret = slow.access.issue().secret
    with served(slow, limits=Limits(waiting=2)) as anybody, ThreadPoolExecutor(40) as askers:
        client = anybody.with_token(secret)
        asked = [askers.submit(client.get, "/v1/spaces/alice/list") for _ in range(30)]
        _until(lambda: sum(each.done() for each in asked) >= 30 - 18)
        assert anybody.get("/readyz").status == 200
        assert client.get("/v1/info").status == 200
        refused = client.get("/v1/spaces/alice/list")
        assert (refused.status, refused.json["code"], refused.json["retryable"]) == (503, "overloaded", True)
        assert refused.headers["retry-after"] == "1"
        slow.go.set()
        statuses = sorted(each.result(LIMIT).status for each in asked)
        assert statuses == [200] * 18 + [503] * 12
        assert client.get("/v1/spaces/alice/list").status == 200


def test_a_read_that_takes_too_long_is_not_waited_for(slow: Slow) -> None:
    with served(slow, limits=Limits(read_seconds=0.05)) as anybody:
        client = anybody.with_token(slow.access.issue(scope="write").secret)
        late = client.get("/v1/spaces/alice/list")
        assert (late.status, late.json["code"], late.json["retryable"]) == (504, "too_slow", True)
        assert client.post("/v1/spaces/alice/save", {"text": "others go on"}).status == 200
        slow.go.set()


def test_a_read_that_nobody_waits_for_any_more_gives_up(tmp_path: Path) -> None:
    gave_up = threading.Event()

    class Endless(Memory):
        def list(self, **_: object) -> Page[Note]:
            try:
                while True:
                    self._engine.store.spaces()
            except Busy:
                gave_up.set()
                raise

    with Endless(home=tmp_path) as memory:
        memory.save("something", space="alice")
        with served(memory, limits=Limits(read_seconds=0.05)) as anybody:
            client = anybody.with_token(memory.access.issue().secret)
            late = client.get("/v1/spaces/alice/list")
            assert (late.status, late.json["code"], late.json["retryable"]) == (504, "too_slow", True)
            assert gave_up.wait(LIMIT)


def test_a_head_that_never_ends_is_not_waited_for(one_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifetime.PatientProtocol, "head_seconds", 0.2)
    whole = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for begun in (b"", b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", whole + b"GET /li"):
        with socket.create_connection(("127.0.0.1", one_client.port), LIMIT) as raw:
            raw.sendall(begun)
            came = b""
            while piece := raw.recv(65536):
                came += piece
            assert came.count(b"HTTP/1.1 200") == begun.count(whole)


def _until(true: object) -> None:
    assert callable(true)
    deadline = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        threading.Event().wait(0.01)


def test_a_token_that_asks_steadily_too_often_is_told_so_by_default() -> None:
    limits = Limits()
    bucket = Buckets(limits.per_second, limits.burst)
    waits = [bucket.take("one token", number / 40) for number in range(40 * 60)]  # forty a second for a minute
    assert sum(wait > 0 for wait in waits) > 1000
    calm = [bucket.take("another token", number / 10) for number in range(600)]
    assert sum(wait > 0 for wait in calm) == 0


def test_buckets_that_are_never_full_do_not_pile_up_either() -> None:
    bucket = Buckets(per_second=0.0001, burst=10)
    for number in range(30_000):
        bucket.take(f"address {number}", number / 1000)
    assert len(bucket._left) <= 10_000


def test_bad_tokens_from_one_address_are_slowed_down_and_good_ones_are_not(one_memory: Memory) -> None:
    good = one_memory.access.issue().secret
    with served(one_memory, limits=Limits(refused_per_second=0.001, refused_burst=5)) as anybody:
        stranger = anybody.with_token("rcl_nonsense")
        statuses = [stranger.get("/v1/info").status for _ in range(10)]
        answer = stranger.get("/v1/info")

        assert statuses == [401] * 5 + [429] * 5
        assert (answer.json["code"], int(answer.headers["retry-after"]) > 1) == ("too_many_requests", True)
        assert [anybody.with_token(good).get("/v1/info").status for _ in range(10)] == [200] * 10
        assert anybody.get("/livez").status == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:0:0:2", True),
        ("2001:db8::1", "2001:0db8:0:0:1:2:3:4", True),
        ("2001:db8:0:1::1", "2001:db8::1", False),
        ("::1", "::2", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "testclient", True),
        ("testclient", "", False),
    ],
)
def test_addresses_of_one_ipv6_network_count_as_one(one: str, other: str, same: bool) -> None:
    first, second = (_address({"type": "http", "client": (host, 1)}) for host in (one, other))
    assert (first == second) == same
