"""Objections to a request from its head alone, decided before anything else is read.

A browser on this machine can send requests to a loopback address for any page it shows. So the name in `Host` must be
one of ours (DNS rebinding), and what a browser adds about where a request comes from must say: from here.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from urllib.parse import urlsplit

from recollect.domain.dataclass import dataclass
from recollect.surfaces.reception.problems import HttpProblem

DRY_RUN = "Dry-Run"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_PASSED_ON = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"})
_FROM_HERE = ("same-origin", "none")  # `none` is a person who typed the address
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="recollect"'}


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a request: headers by their name in lower case, each with all its values.

    `local` says that it came from this machine, to a name of this machine, and that no proxy says it passed it on.
    """

    method: str
    path: str
    headers: dict[str, tuple[str, ...]]
    query: str = ""
    local: bool = False

    def one(self, name: str) -> str | None:
        """The value of a header; `Problem` when it is there more than once, for then two readers may differ."""
        values = self.headers.get(name, ())
        if len(values) > 1:
            raise HttpProblem(400, "header_repeated", f"The header `{name}` is there {len(values)} times.")
        return values[0] if values else None


def head_of(
    method: str, path: str, raw: Iterable[tuple[bytes, bytes]], query: bytes = b"", *, loopback: bool = False
) -> Head:
    """The head of a request; `loopback` is whether it came by the loopback network."""
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in raw:
        key = name.decode("latin-1").lower()
        headers[key] = (*headers.get(key, ()), value.decode("latin-1").strip())
    local = loopback and _PASSED_ON.isdisjoint(headers) and _name_in(headers.get("host", ("",))[0]) in LOOPBACK
    return Head(method, path, headers, query.decode("latin-1"), local)


def require_known_host(
    head: Head, hosts: frozenset[str], origins: frozenset[str] = frozenset(), *, linked: bool = False
) -> None:
    """The name that was asked for is one of ours, and where a browser says the request comes from is here, or a page
    that may ask. A page of ours that is `linked` may be gone to from anywhere."""
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
    if site is not None and site.lower() not in _FROM_HERE and not (linked and _goes_there(head)):
        raise HttpProblem(403, "cross_site", "Pages of another site may not ask.")


def _goes_there(head: Head) -> bool:
    """Whether a person goes to a page, by a link or sent there, so that no other page sees the answer or holds it."""
    told = (head.one("sec-fetch-mode") or "").lower(), (head.one("sec-fetch-dest") or "").lower()
    return head.method == "GET" and told == ("navigate", "document")


def asks_for_page(head: Head) -> bool:
    """Whether a browser asks, and not a program that reads JSON at the same path."""
    return "text/html" in ",".join(head.headers.get("accept", ()))


def bearer_in(head: Head) -> str:
    """The secret that was sent along."""
    said = head.one("authorization")
    if said is None:
        raise token_missing()
    kind, _, secret = said.partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def name_and_password_in(head: Head) -> tuple[str, str] | None:
    """The name and the password of `Authorization: Basic`; `None` if something else was sent."""
    kind, _, encoded = (head.one("authorization") or "").partition(" ")
    if kind.lower() != "basic":
        return None
    try:
        name, _, password = base64.b64decode(encoded.strip(), validate=True).decode("utf-8").partition(":")
    except (ValueError, UnicodeDecodeError):
        return None
    return name, password


def no_dry_run() -> HttpProblem:
    """Only verbs can be tried: anything else would be done."""
    return HttpProblem(
        400, "header_not_supported", f"This path knows no `{DRY_RUN}`.", hint="Leave it out; nothing was done."
    )


def token_missing() -> HttpProblem:
    return HttpProblem(
        401,
        "token_missing",
        "This needs a token.",
        hint="Send `Authorization: Bearer TOKEN`; `recollect tokens create` makes one.",
        headers=_CHALLENGE,
    )


def not_admitted(dialect: str = "") -> HttpProblem:
    """The same words for a token that never was, is over, or was revoked."""
    made = f"; `recollect tokens create --dialect {dialect}` makes one" if dialect else ""
    return HttpProblem(
        401,
        "token_invalid",
        "This token opens nothing.",
        hint=f"It may be mistyped, over or revoked; `recollect tokens list` shows them{made}.",
        headers={"WWW-Authenticate": 'Bearer realm="recollect", error="invalid_token"'},
    )


def not_signed_in() -> HttpProblem:
    """The same words for a cookie that never was, is over, or was signed out."""
    return HttpProblem(401, "not_signed_in", "This browser is not signed in.", hint="Sign in, by a link or by a token.")


def not_recognised() -> HttpProblem:
    """The same words for a name that is not there, a wrong password, and an identity without an account."""
    return HttpProblem(
        401, "not_recognised", "This name and password open nothing.", hint="An administrator can make a link for you."
    )


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
