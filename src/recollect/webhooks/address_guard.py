"""The addresses that a delivery may go to: looked up once, checked, and then connected to as they were found.

A name can be looked up to a harmless address first and to an inner one a moment later, so nothing is looked up twice.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from typing import TypeAlias

from recollect.domain.errors import NotAllowed, Unreachable

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
