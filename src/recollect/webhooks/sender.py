"""One delivery over the network: to a checked address, without redirects, bounded in time and in what is read back.

An address is checked when it is resolved, and the connection goes to the address that was checked.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import NotAllowed, RecollectError, Unreachable

if TYPE_CHECKING:
    import http.client
    import socket
    from collections.abc import Mapping

    from recollect.domain.jobs.webhook import Endpoint

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]  # a name and a port become addresses


def resolved(host: str, port: int) -> list[str]:
    """The addresses of a name, as the machine looks them up."""
    import socket

    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable("The name of its host cannot be looked up.", code="webhook_unreachable") from None
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def safe_address(host: str, port: int, *, allow_private: bool, resolve: Resolve = resolved) -> str:
    """The address to connect to. One that is not public refuses the whole name, unless it is allowed."""
    found = resolve(host, port)
    if not found:
        raise Unreachable("The name of its host has no address.", code="webhook_unreachable")
    if not allow_private and not all(map(_is_public, found)):
        raise NotAllowed(
            "Its host is at an address that is not public.",
            code="webhook_address",
            hint="`allow_private` is for receivers on this machine or network.",
        )
    return found[0]


_PUBLIC = ipaddress.ip_network("2000::/3")  # everything else of IPv6 is local, reserved, or leads to an older address


def _is_public(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1] or _translated(found)
        if inner is not None and not inner.is_global:
            return False
        if inner is None and found not in _PUBLIC:
            return False
    return found.is_global and not found.is_multicast


def _translated(found: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The address that a translator to IPv4 (NAT64) would connect to."""
    if found in ipaddress.ip_network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return None


_HEAD_BYTES = 65_536  # of an answer that are read at most; its body is not read at all


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a receiver is waited for, in seconds: to accept a connection, and for everything together."""

    connect: float = 3.0
    whole: float = 10.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """How one attempt ended. `status` is 0 if there was no answer; `code` says why, and is empty for success."""

    status: int
    code: str
    seconds: float

    @property
    def succeeded(self) -> bool:
        return not self.code

    @property
    def was_refused(self) -> bool:
        """Whether the receiver understood, and did not want this one: another try gets the same answer."""
        return is_refusal(self.status)


def is_refusal(status: int) -> bool:
    """Whether a status says that this very change is not wanted, and not that somebody has to mend something."""
    return 400 <= status < 500 and status not in (401, 403, 404, 407, 408, 425, 429)


def send(
    endpoint: Endpoint,
    headers: Mapping[str, str],
    body: bytes,
    *,
    resolve: Resolve = resolved,
    patience: Patience | None = None,
) -> Attempt:
    """Send a body to an endpoint. Nothing is raised: whatever goes wrong is in the attempt."""
    began = time.monotonic()
    try:
        status = _status(endpoint, headers, body, resolve, patience or Patience())
    except RecollectError as problem:
        return Attempt(0, problem.code, time.monotonic() - began)
    except TimeoutError:
        return Attempt(0, "webhook_timeout", time.monotonic() - began)
    except OSError as problem:
        import ssl

        untrusted = isinstance(problem, ssl.SSLCertVerificationError)
        return Attempt(0, "webhook_untrusted" if untrusted else "webhook_unreachable", time.monotonic() - began)
    except Exception:  # a receiver can send anything, and none of it is a bug of ours
        return Attempt(0, "webhook_nonsense", time.monotonic() - began)
    code = "" if 200 <= status < 300 else "webhook_redirect" if 300 <= status < 400 else "webhook_refused"
    return Attempt(status, code, time.monotonic() - began)


def _status(endpoint: Endpoint, headers: Mapping[str, str], body: bytes, resolve: Resolve, patience: Patience) -> int:
    until = time.monotonic() + patience.whole
    parts = urlsplit(endpoint.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    address = safe_address(host, port, allow_private=endpoint.webhook.allow_private, resolve=resolve)
    connection = _connected(parts.scheme, address, port, host, patience.connect, until)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        about = {"Content-Type": "application/json", "User-Agent": "Recollect", "Connection": "close"}
        connection.request("POST", path, body, {**about, **headers})
        return _status_in_time(connection.sock, until)
    finally:
        connection.close()


def _connected(
    scheme: str, address: str, port: int, host: str, connect: float, until: float
) -> http.client.HTTPConnection:
    """A connection to an address, which over TLS has to prove that it is the host."""
    import http.client
    import socket

    plain = socket.create_connection((address, port), connect)
    try:
        plain.settimeout(_left(until))
        if scheme == "https":
            import ssl

            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
            plain.settimeout(_left(until))
    except BaseException:
        plain.close()
        raise
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port)  # for the name in its headers; it does not connect by itself any more
    connection.sock = plain
    return connection


def _status_in_time(sock: socket.socket, until: float) -> int:
    """The status of the answer, once its head is whole. A receiver that sends a byte now and then is cut off."""
    head = bytearray()
    while b"\r\n\r\n" not in head and b"\n\n" not in head:
        sock.settimeout(_left(until))
        piece = sock.recv(4096)
        if not piece or len(head) > _HEAD_BYTES:
            raise ValueError("this is no whole answer")
        head += piece
    first = bytes(head).split(b"\n", 1)[0].split()
    if len(first) < 2 or not first[0].startswith(b"HTTP/1.") or not first[1].isdigit() or len(first[1]) != 3:
        raise ValueError("this is not an answer")
    return int(first[1])


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
