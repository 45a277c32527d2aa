"""Browsers: the cookie of one that is signed in, which pages may use it, and which foreign pages may ask at all.

A cookie goes with every request that a browser makes to us, whoever's page asked for it. So it counts only where the
browser says that the page is ours, and never for a page of another origin. Such a page may ask, with a token, if the
server was started with its origin.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from recollect.surfaces.reception.problems import HttpProblem
from recollect.surfaces.reception.screening import Head

_COOKIE, _SECURE_COOKIE = "recollect_session", "__Host-recollect_session"
_SENT = "Authorization, Content-Type, Dry-Run, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
_SHOWN = "ETag, Retry-After, X-Request-Id"
_HELD = "600"  # seconds for which a browser need not ask again


def cookie_in(head: Head) -> str | None:
    """The cookie of a browser that is signed in; `None` for a page of another origin, whose cookies do not count."""
    if _is_foreign(head):
        return None
    found = [
        value
        for said in head.headers.get("cookie", ())
        for name, _, value in (part.strip().partition("=") for part in said.split(";"))
        if name in (_COOKIE, _SECURE_COOKIE)
    ]
    if len(found) > 1:
        # Another page of this host may have put one beside ours.
        raise HttpProblem(
            400, "cookie_repeated", "There is more than one cookie of ours.", hint="Delete them, and sign in."
        )
    return found[0] if found else None


def require_own_page(head: Head) -> None:
    """The browser says that the page which asks is ours. It need not for a mere look, which no other page can read."""
    is_look = head.method == "GET" and "upgrade" not in head.headers
    if not is_look and head.one("origin") is None and head.one("sec-fetch-site") != "same-origin":
        raise HttpProblem(
            403,
            "page_unknown",
            "The browser does not say that this was asked by a page of ours.",
            hint="Send `Origin`, or a token in place of the cookie.",
        )


def cookie_for(head: Head, secret: str, seconds: int, *, secure: bool = False) -> str:
    """The header that gives a browser its cookie; an empty secret takes it away."""
    secure = secure or (head.one("origin") or "").startswith("https://")
    name = _SECURE_COOKIE if secure else _COOKIE
    kept = seconds if secret else 0
    return f"{name}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={kept}{'; Secure' * secure}"


def signed_out(head: Head) -> list[str]:
    """The headers that take every cookie of ours away."""
    name = "; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
    return [f"{_COOKIE}={name}", f"{_SECURE_COOKIE}={name}; Secure"] if head.headers.get("cookie") else []


def welcome(head: Head, origins: frozenset[str]) -> str | None:
    """The origin of a foreign page, if the server was started with it."""
    origin = head.one("origin")
    return origin if origin is not None and origin.lower() in origins else None


def shared_with(origin: str) -> list[tuple[bytes, bytes]]:
    """The headers by which a browser lets a page of another origin read an answer. Cookies are never shared."""
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", _SHOWN.encode("ascii")),
        (b"vary", b"Origin"),
    ]


def is_preflight(head: Head) -> bool:
    """Whether a browser asks, before a request, if it may send it."""
    return head.method == "OPTIONS" and "access-control-request-method" in head.headers


def preflight_of(origin: str) -> list[tuple[bytes, bytes]]:
    """The answer to that: which methods and headers such a page may use."""
    return [
        *shared_with(origin),
        (b"access-control-allow-methods", b"GET, POST"),
        (b"access-control-allow-headers", _SENT.encode("ascii")),
        (b"access-control-max-age", _HELD.encode("ascii")),
    ]


def _is_foreign(head: Head) -> bool:
    origin = head.one("origin")
    return origin is not None and urlsplit(origin).netloc.lower() != (head.one("host") or "").lower()
