"""Webhooks: signed, sent to public addresses only, written down, and tried again until they are given up."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from recollect.domain.changes import ChangeKind
from recollect.domain.errors import InvalidInput, Misconfigured, NotAllowed, RecollectError
from recollect.stores.sql_store import SqlStore
from recollect.webhooks.address_guard import safe_address
from recollect.webhooks.delivery import Delivery, Webhooks
from recollect.webhooks.endpoints import WebhookEndpoint, endpoints_of
from recollect.webhooks.sender import Attempt, send
from recollect.webhooks.signature import is_genuine, signed
from tests.support.clock import SteadyClock

SECRET = "a-secret-that-is-long-enough"


class Receiver(HTTPServer):
    """A receiver that answers as it is told to, and keeps what came."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        self.came: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Request(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                receiver.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
                answer(self)

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        super().__init__(("127.0.0.1", 0), Request)

    @property
    def endpoint(self) -> WebhookEndpoint:
        return WebhookEndpoint("here", f"http://127.0.0.1:{self.server_port}/in?x=1", SECRET, allow_private=True)


@contextmanager
def receiving(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[Receiver]:
    with Receiver(answer) as receiver:
        thread = threading.Thread(target=receiver.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()


def says(status: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


class Queue:
    """Runs nothing by itself: the test does."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Delivery, datetime]] = []

    def deliver(self, delivery: Delivery, at: datetime) -> None:
        self.waiting.append((delivery, at))


def a_delivery(clock: SteadyClock) -> Delivery:
    return Delivery(clock.new_id(), "here", "alice", "written", {"note_id": "01J"})


def test_a_delivery_is_signed_and_a_receiver_can_tell(store: SqlStore, clock: SteadyClock) -> None:
    queue = Queue()
    with receiving(says(204)) as receiver:
        webhooks = Webhooks([receiver.endpoint], clock, queue, store.deliveries)
        attempt = webhooks.deliver(a_delivery(clock))
    assert attempt is not None and attempt.succeeded
    [(headers, body)] = receiver.came
    assert json.loads(body)["data"] == {"note_id": "01J"}
    now = clock.now()
    assert is_genuine(SECRET, headers, body, now)
    assert not is_genuine("another-secret-long-enough", headers, body, now)
    assert not is_genuine(SECRET, headers, body + b" ", now)
    assert not is_genuine(SECRET, {**headers, "webhook-id": "other"}, body, now)
    assert not is_genuine(SECRET, headers, body, now + timedelta(minutes=6))
    assert not is_genuine(SECRET, {}, body, now)
    [record] = store.deliveries.records(limit=10)
    assert (record.status, record.code, record.retry_at, record.space) == (204, "", None, "alice")
    assert not queue.waiting


def test_a_receiver_that_is_down_is_tried_again_with_the_same_id_and_then_given_up(
    store: SqlStore, clock: SteadyClock
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    queue = Queue()
    nobody = WebhookEndpoint("here", f"http://127.0.0.1:{port}/", SECRET, allow_private=True)
    webhooks = Webhooks([nobody], clock, queue, store.deliveries)
    first = a_delivery(clock)
    webhooks.deliver(first)
    while queue.waiting:
        [(delivery, at)] = queue.waiting
        queue.waiting.clear()
        assert delivery.id == first.id and at > clock.now()
        webhooks.deliver(delivery)
    records = store.deliveries.records(endpoint="here", limit=100)
    assert [record.attempt for record in records] == [7, 6, 5, 4, 3, 2, 1]
    assert [record.retry_at is None for record in records] == [True] + [False] * 6
    assert {record.code for record in records} == {"webhook_connectionrefusederror"}
    assert not store.deliveries.records(endpoint="other", limit=10)


def test_a_redirect_is_not_followed() -> None:
    with receiving(says(200)) as inner, receiving(says(307, Location=inner.endpoint.url)) as outer:
        attempt = send(outer.endpoint, {}, b"{}")
    assert (attempt.status, attempt.code) == (307, "webhook_redirect")
    assert not inner.came


@pytest.mark.parametrize(
    "said",
    [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 99999 x\r\n\r\n", b"\x00" * 70_000, b"HTTP/1.1 \r\n"],
    ids=["nothing", "no HTTP", "no status", "too much", "half"],
)
def test_a_receiver_that_lies_is_a_failed_attempt(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:

        def answer() -> None:
            came, _ = taken.accept()
            with came:
                came.recv(65_536)
                came.sendall(said)

        thread = threading.Thread(target=answer)
        thread.start()
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        attempt = send(WebhookEndpoint("here", url, SECRET, allow_private=True), {}, b"{}")
        thread.join()
    assert not attempt.succeeded and attempt.status == 0


def test_a_receiver_that_never_answers_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.webhooks.sender._STEP", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        attempt = send(WebhookEndpoint("here", url, SECRET, allow_private=True), {}, b"{}")
    assert attempt.code == "webhook_timeout"


INNER = [
    "127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe", "nonsense",
]  # fmt: skip


@pytest.mark.parametrize("address", INNER)
def test_no_inner_address_is_connected_to_whatever_name_leads_there(address: str) -> None:
    def resolve(_host: str, _port: int) -> Sequence[str]:
        return ["93.184.216.34", address]  # one that is public beside it does not help

    with pytest.raises(NotAllowed) as refused:
        safe_address("hooks.example", 443, allow_private=False, resolve=resolve)
    assert refused.value.code == "webhook_address"
    attempt = send(WebhookEndpoint("x", "https://hooks.example/", SECRET), {}, b"{}", resolve=resolve)
    assert (attempt.status, attempt.code) == (0, "webhook_address")


def test_a_name_is_looked_up_once_so_it_cannot_change_in_between() -> None:
    asked: list[str] = []

    def resolve(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) > 1 else ["93.184.216.34"]

    assert safe_address("hooks.example", 443, allow_private=False, resolve=resolve) == "93.184.216.34"
    with receiving(says(200)) as receiver:
        attempt = send(receiver.endpoint, {}, b"{}", resolve=lambda *_: ["127.0.0.1"])
    assert attempt.succeeded and asked == ["hooks.example"]


def test_an_endpoint_that_is_no_longer_configured_gets_nothing(store: SqlStore, clock: SteadyClock) -> None:
    queue = Queue()

    def sent(*_: Any) -> Attempt:
        raise AssertionError("it was sent")

    assert Webhooks([], clock, queue, store.deliveries, sent).deliver(a_delivery(clock)) is None
    assert not queue.waiting


def test_endpoints_are_configured_and_say_what_they_want() -> None:
    [one] = endpoints_of(
        {"ops": {"url": "https://hooks.example/in", "secret": SECRET, "events": ["written"], "space": "alice"}}
    )
    assert one.wants("alice", ChangeKind.WRITTEN)
    assert not one.wants("bob", ChangeKind.WRITTEN) and not one.wants("alice", ChangeKind.ERASED)
    assert SECRET not in repr(one)


@pytest.mark.parametrize(
    "wrong",
    [
        "https://hooks.example",
        {"url": "ftp://hooks.example", "secret": SECRET},
        {"url": "https://user:pass@hooks.example", "secret": SECRET},
        {"url": "https://hooks.example:port", "secret": SECRET},
        {"url": "https://hooks.example", "secret": "short"},
        {"url": "https://hooks.example"},
        {"url": "https://hooks.example", "secret": SECRET, "events": "written"},
        {"url": "https://hooks.example", "secret": SECRET, "events": ["nonsense"]},
        {"url": "https://hooks.example", "secret": SECRET, "allow_private": "yes"},
        {"url": "https://hooks.example", "secret": SECRET, "header": "x"},
    ],
    ids=str,
)
def test_an_endpoint_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(RecollectError) as refused:
        endpoints_of({"ops": wrong})
    assert isinstance(refused.value, Misconfigured | InvalidInput)


def test_the_log_keeps_the_newest_attempts(store: SqlStore, clock: SteadyClock) -> None:
    queue = Queue()
    webhooks = Webhooks(
        [WebhookEndpoint("here", "https://hooks.example", SECRET)],
        clock,
        queue,
        store.deliveries,
        lambda *_: Attempt(200, "", 0.01),
    )
    ids = [a_delivery(clock) for _ in range(5)]
    for delivery in ids:
        webhooks.deliver(delivery)
    kept = store.deliveries.records(limit=3)
    assert [record.delivery_id for record in kept] == [each.id for each in reversed(ids[-3:])]
    assert signed(SECRET, "x", clock.now(), b"")["webhook-signature"].startswith("v1,")
