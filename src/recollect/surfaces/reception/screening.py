"""Objections to a request from its head alone, decided before anything else is read.

A browser on this machine can send requests to a loopback address for any page it shows. So the name in `Host` must be
one of ours (DNS rebinding), and what a browser adds about where a request comes from must say: from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from recollect.domain.dataclass import dataclass
from recollect.surfaces.reception.problems import HttpProblem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_FROM_HERE = ("same-origin", "none")  # `none` is a person who typed the address
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="recollect"'}


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a request: headers by their name in lower case, each with all its values."""

    method: str
    path: str
    headers: dict[str, tuple[str, ...]]

    def one(self, name: str) -> str | None:
        """The value of a header; `Problem` when it is there more than once, for then two readers may differ."""
        values = self.headers.get(name, ())
        if len(values) > 1:
            raise HttpProblem(400, "header_repeated", f"The header `{name}` is there {len(values)} times.")
        return values[0] if values else None


def head_of(method: str, path: str, raw: Iterable[tuple[bytes, bytes]]) -> Head:
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in raw:
        key = name.decode("latin-1").lower()
        headers[key] = (*headers.get(key, ()), value.decode("latin-1").strip())
    return Head(method, path, headers)


def require_known_host(head: Head, hosts: frozenset[str], origins: frozenset[str] = frozenset()) -> None:
    """The name that was asked for is one of ours, and where a browser says the request comes from is here, or a page
    that may ask."""
    host = head.one("host") or ""
    if _name_in(host) not in hosts:
        raise HttpProblem(
            421,
            "host_not_allowed",
            "The server does not answer to this host name.",
            hint="Start it with `--allow-host NAME` if it should.",
        )
    origin = head.one("origin")
    if origin is not None and origin.lower() in origins:
        return
    if origin is not None and (urlsplit(origin).netloc.lower() != host.lower() or not host):
        raise HttpProblem(403, "origin_not_allowed", "Pages of another origin may not ask.")
    site = head.one("sec-fetch-site")
    if site is not None and site.lower() not in _FROM_HERE:
        raise HttpProblem(403, "cross_site", "Pages of another site may not ask.")


def bearer_in(head: Head) -> str:
    """The secret that was sent along."""
    said = head.one("authorization")
    if said is None:
        raise token_missing()
    kind, _, secret = said.partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def token_missing() -> HttpProblem:
    return HttpProblem(
        401,
        "token_missing",
        "This needs a token.",
        hint="Send `Authorization: Bearer TOKEN`; `recollect tokens create` makes one.",
        headers=_CHALLENGE,
    )


def not_admitted() -> HttpProblem:
    """The same words for a token that never was, is over, or was revoked."""
    return HttpProblem(
        401,
        "token_invalid",
        "This token opens nothing.",
        hint="It may be mistyped, over or revoked; `recollect tokens list` shows them.",
        headers={"WWW-Authenticate": 'Bearer realm="recollect", error="invalid_token"'},
    )


def not_signed_in() -> HttpProblem:
    """The same words for a cookie that never was, is over, or was signed out."""
    return HttpProblem(401, "not_signed_in", "This browser is not signed in.", hint="Sign in, by a link or by a token.")


def declared_length(head: Head, most: int) -> int | None:
    """How long the body says it is; `None` if it does not. It must not be packed or too long."""
    said = head.one("content-length")
    if said is not None and not (said.isascii() and said.isdigit()):
        raise HttpProblem(400, "invalid_length", "`Content-Length` is not a number.")
    length = None if said is None else int(said[:20])
    if length == 0 or (length is None and "transfer-encoding" not in head.headers):
        return 0
    if head.headers.get("content-encoding", ("identity",)) != ("identity",):
        raise HttpProblem(415, "encoding_not_allowed", "The body is encoded.", hint="Send it as it is.")
    if length is not None and length > most:
        raise too_long(most)
    return length


def too_long(most: int) -> HttpProblem:
    return HttpProblem(413, "too_large", f"The body is over {most:,} bytes.", hint="Send it in pieces.")


def _name_in(host: str) -> str:
    """The name in a `Host` header, without its port and without brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
