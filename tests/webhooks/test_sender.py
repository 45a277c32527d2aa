"""One delivery over the network: to public addresses only, looked up once, bounded, and never led elsewhere."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from recollect.domain.errors import NotAllowed
from recollect.domain.jobs.webhook import EVENTS, Endpoint, Webhook, host_of
from recollect.domain.scopes import ANYWHERE
from recollect.webhooks.sender import Patience, safe_address, send
from recollect.webhooks.signature import is_genuine, new_signing_secret, signed
from tests.support.receiver import nobody, receiving, saying, says

NOW = datetime(2026, 3, 1, tzinfo=UTC)
QUICK = Patience(connect=1.0, whole=0.2)
PUBLIC = "93.184.216.34"


def endpoint(url: str, *, allow_private: bool = True) -> Endpoint:
    webhook = Webhook("id", "alice", "ops", host_of(url), EVENTS, False, allow_private, True, False, ANYWHERE, NOW)
    return Endpoint(webhook, url, new_signing_secret())


def test_a_receiver_can_tell_who_signed_and_when() -> None:
    secret, body = new_signing_secret(), b'{"id":"alice:1"}'
    headers = signed(secret, "alice:1", NOW, body)
    assert is_genuine(secret, headers, body, NOW + timedelta(minutes=4))
    assert not is_genuine(new_signing_secret(), headers, body, NOW)
    assert not is_genuine(secret, headers, body + b" ", NOW)
    assert not is_genuine(secret, {**headers, "webhook-id": "alice:2"}, body, NOW)
    assert not is_genuine(secret, headers, body, NOW + timedelta(minutes=6))
    assert not is_genuine(secret, {}, body, NOW)


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of the Standard Webhooks specification, as its own libraries check it."""
    headers = signed(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        datetime.fromtimestamp(1614265330, UTC),
        b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_redirect_is_not_followed() -> None:
    with receiving() as inner, receiving(says(307, Location=inner.url)) as outer:
        attempt = send(endpoint(outer.url), {}, b"{}")
    assert (attempt.status, attempt.code, inner.came) == (307, "webhook_redirect", [])


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 99999 x\r\n\r\n",
        b"\x00" * 300_000,
        b"HTTP/1.1 \r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK",
    ],
    ids=["nothing", "no HTTP", "no status", "too much", "no number", "half a head", "half a line"],
)
def test_a_receiver_that_lies_is_a_failed_attempt(said: bytes) -> None:
    with saying(said) as url:
        attempt = send(endpoint(url), {}, b"{}")
    assert not attempt.succeeded and attempt.status == 0


def test_the_body_of_an_answer_is_not_read() -> None:
    """A receiver that would send without end has told its status, and is hung up on."""
    with saying(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n" + b"x" * 100_000) as url:
        assert send(endpoint(url), {}, b"{}").succeeded


def test_a_receiver_that_never_answers_is_given_up() -> None:
    with saying(None) as url:
        attempt = send(endpoint(url), {}, b"{}", patience=QUICK)
    assert (attempt.status, attempt.code) == (0, "webhook_timeout")


def test_a_receiver_that_is_down_cannot_be_reached() -> None:
    attempt = send(endpoint(nobody()), {}, b"{}")
    assert (attempt.status, attempt.code) == (0, "webhook_unreachable")


def test_a_receiver_that_cannot_prove_who_it_is_is_told_nothing() -> None:
    with receiving() as plain:
        attempt = send(endpoint(plain.url.replace("http:", "https:")), {}, b"{}")
    assert (attempt.status, attempt.code, plain.came) == (0, "webhook_unreachable", [])


INNER = [
    "127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "64:ff9b:1::a9fe:a9fe", "fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe", "nonsense",
]  # fmt: skip


@pytest.mark.parametrize("address", INNER)
def test_no_inner_address_is_connected_to_whatever_name_leads_there(address: str) -> None:
    def resolve(_host: str, _port: int) -> Sequence[str]:
        return [PUBLIC, address]  # a public one beside it does not help

    with pytest.raises(NotAllowed) as refused:
        safe_address("hooks.example", 443, allow_private=False, resolve=resolve)
    assert refused.value.code == "webhook_address"
    attempt = send(endpoint("https://hooks.example/", allow_private=False), {}, b"{}", resolve=resolve)
    assert (attempt.status, attempt.code) == (0, "webhook_address")


@pytest.mark.parametrize("spelled", ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "localhost"])
def test_no_spelling_of_this_machine_is_connected_to(spelled: str) -> None:
    attempt = send(endpoint(f"https://{spelled}/", allow_private=False), {}, b"{}")
    assert attempt.code in ("webhook_address", "webhook_unreachable") and attempt.status == 0


def test_a_name_that_turns_private_is_looked_up_once_and_connected_to_as_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The machine's own lookup is out of the way: a second one would find the inner address."""
    asked: list[str] = []

    def resolve(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    connected: list[str] = []

    def connect(address: tuple[str, int], _timeout: float) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    first = send(endpoint("https://hooks.example/", allow_private=False), {}, b"{}", resolve=resolve)
    assert (first.code, asked, connected) == ("webhook_unreachable", ["hooks.example"], [PUBLIC])
    second = send(endpoint("https://hooks.example/", allow_private=False), {}, b"{}", resolve=resolve)
    assert (second.code, connected) == ("webhook_address", [PUBLIC])
