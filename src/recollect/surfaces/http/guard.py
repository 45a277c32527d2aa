"""The outermost layer: who is there, may they, and is it worth listening to. Only then is the body read.

Nothing behind the guard sees a request that it has not let in. What it decided (the route, the space, in whose name)
is handed on as a `Visit`, and nobody behind it reads the path again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from recollect.domain.access import AccessToken
from recollect.domain.clock import Clock
from recollect.domain.errors import RecollectError
from recollect.domain.scopes import checked_space
from recollect.surfaces.http.limits import Buckets, Limits
from recollect.surfaces.http.problems import MEDIA_TYPE, Problem, body_of, headers_of, status_of, unexpected
from recollect.surfaces.http.routes import FOR_ANY_TOKEN, MCP, OPEN, Route, route_at
from recollect.surfaces.http.screening import (
    Head,
    bearer_in,
    declared_length,
    head_of,
    not_admitted,
    require_known_host,
    too_long,
)
from recollect.verbs.access import Access
from recollect.verbs.acting import no_space

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

VISIT = "recollect.visit"  # where in the scope of a request the guard leaves what it decided

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LOG = logging.getLogger("recollect.http")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was let in. `route` is `None` for what is not a verb; `token` is `None` in open mode."""

    request_id: str
    head: Head
    route: Route | None
    space: str | None
    token: AccessToken | None


class Guard:
    """An ASGI application around another."""

    def __init__(
        self, inner: Application, *, access: Access, clock: Clock, hosts: frozenset[str], limits: Limits, insecure: bool
    ) -> None:
        self._inner = inner
        self._access = access
        self._clock = clock
        self._hosts = hosts
        self._limits = limits
        self._insecure = insecure
        self._buckets = Buckets(limits)
        # Of their own, so that slow verbs cannot keep anybody waiting at the door.
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="recollect-guard")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            self._threads.shutdown()
        elif scope["type"] == "http":
            await self._guard(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = head_of(scope["method"], scope["path"], scope["headers"])
        request_id = self._request_id(head)
        answering = _with_headers(send, request_id)
        try:
            visit = await self._let_in(head, request_id)
            body = await self._body(head, receive)
        except RecollectError as problem:
            await _refuse(problem, request_id, answering, unread=_has_body(head))
            return
        except Exception:
            _LOG.exception("request %s failed at the guard", request_id)
            await _refuse(unexpected(), request_id, answering, unread=_has_body(head))
            return
        if body is None:
            return  # whoever asked has gone
        scope[VISIT] = visit
        await self._inner(scope, _replaying(body, receive), answering)

    async def _let_in(self, head: Head, request_id: str) -> Visit:
        """Every question that the head alone can answer, the cheapest first."""
        require_known_host(head, self._hosts)
        if head.path in OPEN:
            _require_method(head, ("GET",))
            return Visit(request_id, head, None, None, None)
        token = None if self._insecure else await self._admitted(bearer_in(head))
        wait = self._buckets.take(token.id if token else "", time.monotonic())
        if wait:
            raise Problem(
                429,
                "too_many_requests",
                "These are too many requests at once.",
                hint="Wait as long as `Retry-After` says.",
                headers={"Retry-After": str(math.ceil(wait))},
            )
        if head.path == MCP:
            # What may be done there is decided tool by tool, for only the body says which.
            _require_method(head, ("POST",))
            return Visit(request_id, head, None, None, token)
        if head.path in FOR_ANY_TOKEN:
            _require_method(head, ("GET",))
            return Visit(request_id, head, None, None, token)
        found = route_at(head.path)
        if found is None:
            raise Problem(404, "route_not_found", "There is nothing at this path.", hint="/v1/openapi.json lists them.")
        route, named = found
        space = None if named is None else checked_space(named)
        if token is not None:
            require_right(token, route, space)
        _require_method(head, route.methods)
        return Visit(request_id, head, route, space, token)

    async def _admitted(self, secret: str) -> AccessToken:
        loop = asyncio.get_running_loop()
        token = await loop.run_in_executor(self._threads, self._access.admit, secret)
        if token is None:
            raise not_admitted()
        return token

    async def _body(self, head: Head, receive: Receive) -> bytes | None:
        """The whole body within its limits; `None` if it broke off. A `GET` has none."""
        most = self._limits.body_bytes
        if head.method == "GET" or declared_length(head, most) == 0:
            return b""
        pieces = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    pieces += message.get("body", b"")
                    if len(pieces) > most:
                        raise too_long(most)
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Problem(408, "body_too_slow", "The body did not arrive in time.", hint="Try again.") from None
        return bytes(pieces)

    def _request_id(self, head: Head) -> str:
        """The id that the client gave, if it is a plain one; otherwise a new one."""
        [*_, given] = head.headers.get("x-request-id", ("",))
        return given if _REQUEST_ID.fullmatch(given) else self._clock.new_id()


def require_right(token: AccessToken, route: Route, space: str | None) -> None:
    """A token goes as far as a route, in this space; otherwise the refusal that every door gives."""
    if route.in_space and not token.covers(space):
        # The same answer whether the space is there or not.
        raise no_space(space or "")
    if route.everywhere and not token.covers(None):
        raise Problem(
            403, "token_bound", "This token is for one space, and this is about all of them.", hint="Use another token."
        )
    if not token.reaches(route.scope):
        raise Problem(
            403,
            "scope_too_small",
            f"This needs a token that may {route.scope.value}; this one may {token.scope.value}.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{route.scope.value}"'},
        )


def _require_method(head: Head, methods: tuple[str, ...]) -> None:
    if head.method not in methods:
        allowed = ", ".join(methods)
        raise Problem(405, "method_not_allowed", f"This path is asked by {allowed}.", headers={"Allow": allowed})


def _has_body(head: Head) -> bool:
    """Whether something follows the head. If not, the connection stays: clients of MCP that look for a stream by GET,
    and are told there is none, go on with it."""
    return "transfer-encoding" in head.headers or head.headers.get("content-length", ("0",)) != ("0",)


def _replaying(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, and then whatever comes."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return left.pop() if left else await receive()

    return replayed


def _with_headers(send: Send, request_id: str) -> Send:
    """Every answer carries the id of its request, and stays out of caches."""
    extra = [
        (b"x-request-id", request_id.encode("ascii")),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *extra]}
        await send(message)

    return sending


async def _refuse(problem: RecollectError, request_id: str, send: Send, *, unread: bool) -> None:
    body = body_of(problem, request_id)
    headers = [
        (b"content-type", MEDIA_TYPE.encode("ascii")),
        (b"content-length", str(len(body)).encode("ascii")),
        # What was sent after the head is not read, so the connection cannot be used again.
        *([(b"connection", b"close")] if unread else []),
        *((name.lower().encode("ascii"), value.encode("latin-1")) for name, value in headers_of(problem).items()),
    ]
    await send({"type": "http.response.start", "status": status_of(problem), "headers": headers})
    await send({"type": "http.response.body", "body": body})
