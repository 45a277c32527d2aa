"""One delivery over the network: to a checked address, without redirects, bounded in time and in what is read back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import RecollectError
from recollect.webhooks.address_guard import Resolve, resolved, safe_address

if TYPE_CHECKING:
    import http.client
    from collections.abc import Mapping

    from recollect.webhooks.endpoints import WebhookEndpoint

_PATIENCE = 10.0  # seconds for a whole delivery
_STEP = 3.0  # seconds for a connection to be made, or for something to come back
_HEAD_BYTES = 65_536  # that are read of an answer at most, a piece at a time; its body is not read at all


@dataclass(frozen=True, slots=True)
class Attempt:
    """How one attempt ended. `status` is 0 when there was no answer; `code` says why, and is empty for success."""

    status: int
    code: str
    seconds: float

    @property
    def succeeded(self) -> bool:
        return not self.code


def send(endpoint: WebhookEndpoint, headers: Mapping[str, str], body: bytes, *, resolve: Resolve = resolved) -> Attempt:
    """Send a body to an endpoint. Nothing is raised: whatever goes wrong is in the attempt."""
    began = time.monotonic()
    try:
        status = _status(endpoint, headers, body, resolve)
    except RecollectError as problem:
        return Attempt(0, problem.code, time.monotonic() - began)
    except TimeoutError:
        return Attempt(0, "webhook_timeout", time.monotonic() - began)
    except Exception as problem:  # a receiver can send anything, and none of it is a bug of ours
        return Attempt(0, f"webhook_{type(problem).__name__.lower()}", time.monotonic() - began)
    code = "" if 200 <= status < 300 else "webhook_redirect" if 300 <= status < 400 else "webhook_refused"
    return Attempt(status, code, time.monotonic() - began)


def _status(endpoint: WebhookEndpoint, headers: Mapping[str, str], body: bytes, resolve: Resolve) -> int:
    parts = urlsplit(endpoint.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    address = safe_address(host, port, allow_private=endpoint.allow_private, resolve=resolve)
    connection = _connected(parts.scheme, address, port, host)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        sent = {"Content-Type": "application/json", "User-Agent": "Recollect", "Host": parts.netloc, **headers}
        connection.request("POST", path, body, sent)
        return _status_in_time(connection)
    finally:
        connection.close()


def _connected(scheme: str, address: str, port: int, host: str) -> http.client.HTTPConnection:
    """A connection to an address, which over TLS has to prove that it is the host."""
    import http.client
    import socket

    plain = socket.create_connection((address, port), _STEP)
    connection = http.client.HTTPConnection(host, port, timeout=_STEP)
    if scheme == "https":
        import ssl

        plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    connection.sock = plain
    return connection


def _status_in_time(connection: http.client.HTTPConnection) -> int:
    """The status of the answer. A receiver that sends a byte now and then is cut off when its time is over."""
    until = time.monotonic() + _PATIENCE
    line = bytearray()
    while b"\n" not in line:
        if time.monotonic() > until or len(line) > _HEAD_BYTES:
            raise TimeoutError
        piece = connection.sock.recv(1024)
        if not piece:
            break
        line += piece
    first = bytes(line).split(b"\n", 1)[0].split()
    if len(first) < 2 or not first[0].startswith(b"HTTP/1.") or not first[1].isdigit() or len(first[1]) != 3:
        raise ValueError("this is not an answer")
    return int(first[1])
