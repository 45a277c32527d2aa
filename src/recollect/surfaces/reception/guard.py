"""The outermost layer: who is there, may they, and is it worth listening to. Only then is the body read.

Nothing behind the guard sees a request that it has not let in. What it decided (the route, the space, in whose name)
is handed on as a `Visit`, and nobody behind it reads the path again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from recollect.dialects.table import ANY, Dialect, DialectLine
from recollect.domain.access import AccessScope, AccessToken, SignIn
from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import RecollectError
from recollect.domain.scopes import DEFAULT_SPACE, checked_space
from recollect.redaction.clean_records import holds_secret
from recollect.surfaces.catalogue import routes
from recollect.surfaces.catalogue.routes import Route
from recollect.surfaces.reception.admission import Admission, require_drop
from recollect.surfaces.reception.browser import is_preflight, preflight_of, shared_with, welcome
from recollect.surfaces.reception.dialect_gate import DialectGate, knock_of, refusal
from recollect.surfaces.reception.forms import Form, answer_form, body_form, require_events
from recollect.surfaces.reception.issuer import Issuer
from recollect.surfaces.reception.limits import Buckets, Limits, Load
from recollect.surfaces.reception.problems import HttpProblem, unexpected
from recollect.surfaces.reception.records import RequestRecord
from recollect.surfaces.reception.screening import (
    DRY_RUN,
    Head,
    asks_for_page,
    declared_length,
    head_of,
    no_dry_run,
    not_admitted,
    require_known_host,
    too_long,
)
from recollect.surfaces.reception.visitor import require_right, require_scope
from recollect.verbs.access import Access, SignedIn

if TYPE_CHECKING:
    from recollect.signal_bus import SignalBus

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

VISIT = "recollect.visit"  # where in the scope of a request the guard leaves what it decided

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_GONE = 499  # what servers write down for one who left before there was an answer
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LOG = logging.getLogger("recollect.http")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was let in.

    `route` is `None` for what is not a verb, which is a stream if there is a space; `token` is `None` in open mode.
    """

    request_id: str
    head: Head
    route: Route | None
    space: str | None
    token: AccessToken | None
    form: Form = Form.JSON  # of the answer
    line: DialectLine | None = None  # of a dialect, whose path this is
    sign_in: SignIn | None = None  # of a browser, which showed a cookie in place of a token
    signed_in: SignedIn | None = None  # just now, by this request
    problems: list[str] = field(default_factory=list)  # codes of what went wrong behind the guard

    @property
    def verb(self) -> str:
        """The name of the request for metrics and logs: a verb, or the last word of a path that is ours."""
        if self.line is not None:
            return self.line.path.verb
        if self.route is not None:
            return self.route.operation.name
        if routes.is_dashboard(self.head.path):
            return "dashboard"
        return "stream" if self.space is not None else self.head.path.rpartition("/")[2].partition(".")[0]


class Guard:
    """An ASGI application around another."""

    def __init__(
        self,
        inner: Application,
        *,
        access: Access,
        clock: Clock,
        hosts: frozenset[str],
        limits: Limits,
        insecure: bool,
        load: Load,
        answered: Callable[[RequestRecord], None],
        ending: Callable[[], Awaitable[None]],
        dialects: Sequence[Dialect] = (),
        default_space: str = DEFAULT_SPACE,
        origins: frozenset[str] = frozenset(),
        bus: SignalBus | None = None,
        issuer: Issuer | None = None,
    ) -> None:
        """`origins` are those of foreign pages that may ask, with a token and never with a cookie."""
        self._inner = inner
        self._gate = DialectGate(dialects, default_space, limits.body_bytes)
        self._origins = origins
        self.ending = ending  # what has no end of its own ends with this, when the server stops
        self._clock = clock
        self._hosts = hosts
        self._limits = limits
        self._insecure = insecure
        self._load = load
        self._answered = answered
        self._tokens = Buckets(limits.per_second, limits.burst, kind="token", bus=bus)
        self._spaces = Buckets(limits.space_per_second, limits.space_burst, kind="asked", bus=bus)
        refused = Buckets(limits.refused_per_second, limits.refused_burst, kind="refused", bus=bus)
        self._admission = Admission(access, refused, issuer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            self._admission.close()
        elif scope["type"] == "http":
            await self._guard(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._guard_socket(scope, receive, send)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope.get("query_string", b"")
        head = head_of(scope["method"], scope["path"], scope["headers"], query, loopback=_is_loopback(scope))
        request_id = self._request_id(head)
        watched = _Watched(send, head, request_id, self._answered)
        answering = _with_headers(watched, request_id)
        try:
            origin = welcome(head, self._origins)
            if origin is not None:
                answering = _with_headers(watched, request_id, shared_with(origin))
                if is_preflight(head):
                    require_known_host(head, self._hosts, self._origins)
                    await _answer_empty(_with_headers(watched, request_id, preflight_of(origin)))
                    return
            watched.visit = visit = await self._let_in(head, request_id, _address(scope))
            body = await self._body(head, receive, any_form=visit.line is not None and ANY in visit.line.path.reads)
            if body is None:
                return  # whoever asked has gone
            scope[VISIT] = visit
            await self._inner(scope, _replaying(body, receive), answering)
        except RecollectError as problem:
            watched.code = problem.code
            line = next(iter(self._gate.lines(head.path)), None)
            await _refuse(problem, request_id, answering, unread=_has_body(head), line=line)
        except Exception:
            watched.code = "unexpected"
            _LOG.exception("request %s failed at the guard", request_id)
            if not watched.status:
                await _refuse(unexpected(), request_id, answering, unread=_has_body(head))
        finally:
            watched.over()

    async def _guard_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket begins as a request with a head, and is asked the same. Only a stream is one."""
        head = head_of("GET", scope["path"], scope["headers"], scope.get("query_string", b""))
        request_id = self._request_id(head)
        watched = _Watched(send, head, request_id, self._answered)
        try:
            watched.visit = visit = await self._let_in(head, request_id, _address(scope))
            framed = visit.line is None or visit.line.path.frames is not None
            if visit.space is None or visit.route is not None or not framed:
                raise HttpProblem(
                    400, "not_a_stream", "This path is no stream.", hint="`/v1/spaces/{space}/stream` is one."
                )
            scope[VISIT] = visit
            await self._inner(scope, receive, watched)
        except RecollectError as problem:
            watched.code = problem.code
            await refuse_socket(problem, request_id, watched)
        finally:
            watched.over()

    async def _let_in(self, head: Head, request_id: str, address: str) -> Visit:
        """Every question that the head alone can answer, the cheapest first."""
        # A link of ours may stand in a mail, and an issuer of identities sends a browser back.
        linked = head.path in routes.SIGN_IN_PAGES or routes.is_dashboard(head.path)
        require_known_host(head, self._hosts, self._origins, linked=linked)
        if DRY_RUN.lower() in head.headers and routes.route_at(head.path) is None:
            raise no_dry_run()
        if head.path in routes.OPEN or head.path in routes.SIGN_IN_PAGES:
            _require_method(head, ("GET",))
            form = Form.JSON if head.path in routes.SIGN_IN_PAGES else answer_form(head)
            return Visit(request_id, head, None, None, None, form)
        spoken = self._gate.lines(head.path)
        if head.method == "GET" and routes.is_dashboard(head.path) and not (spoken and not asks_for_page(head)):
            return Visit(request_id, head, None, None, None)
        if spoken:
            return await self._let_in_to(spoken, head, request_id, address)
        if head.path == routes.SESSION and head.method == "POST" and not self._insecure:
            signed_in = await self._admission.signed_in(head, address)
            require_drop(self._tokens.take(signed_in.token.id, time.monotonic()), "of one token")
            return Visit(request_id, head, None, None, signed_in.token, answer_form(head), signed_in=signed_in)
        token, sign_in = (None, None) if self._insecure else await self._admission.admitted(head, address)
        require_drop(self._tokens.take(token.id if token else "", time.monotonic()), "of one token")
        visit = self._let_in_beside(head, request_id, token, sign_in)
        return visit or replace(self._let_in_to_memory(head, request_id, token), sign_in=sign_in)

    def _let_in_beside(
        self, head: Head, request_id: str, token: AccessToken | None, sign_in: SignIn | None
    ) -> Visit | None:
        """Admit to what is neither a verb nor a stream; `None` if the path is something else."""
        methods = routes.ABOUT_TOKENS.get(head.path) or routes.ABOUT_SESSION.get(head.path)
        if methods is not None:
            # There is nobody in open mode to whom a token or a session could belong.
            if token is None or (head.path in routes.ABOUT_SESSION and sign_in is None):
                raise not_admitted()
            if head.path in routes.ABOUT_TOKENS:
                require_scope(token, AccessScope.ADMIN, None)
            _require_method(head, methods)
            return Visit(request_id, head, None, None, token, answer_form(head), sign_in=sign_in)
        if head.path == routes.MCP:
            # What may be done there is decided tool by tool, for only the body says which.
            _require_method(head, ("POST",))
            require_scope(token, AccessScope.READ, None)  # for tools quote what they change
            self._load.require_room()
            return Visit(request_id, head, None, None, token, sign_in=sign_in)
        if head.path == routes.HOOK:
            # What comes this way counts as what a person said, and names folders of this machine: not in open mode,
            # and not from a browser.
            if token is None or sign_in is not None:
                raise not_admitted()
            require_scope(token, AccessScope.ADMIN, None, everywhere=True)
            _require_method(head, ("POST",))
            self._load.require_room()
            return Visit(request_id, head, None, None, token)
        if head.path in routes.FOR_ANY_TOKEN:
            _require_method(head, ("GET",))
            return Visit(request_id, head, None, None, token, answer_form(head), sign_in=sign_in)
        if head.path == routes.METRICS:
            # They speak of all spaces, if only in numbers.
            require_scope(token, AccessScope.READ, None, everywhere=True)
            _require_method(head, ("GET",))
            return Visit(request_id, head, None, None, token)
        return None

    def _let_in_to_memory(self, head: Head, request_id: str, token: AccessToken | None) -> Visit:
        """Admit to a verb, or to the stream of a space."""
        watched = routes.live_at(head.path)
        if watched is not None:
            require_scope(token, AccessScope.READ, checked_space(watched))
            _require_method(head, ("GET",))
            if "upgrade" not in head.headers:
                require_events(head)
            require_drop(self._spaces.take(watched, time.monotonic()), "about one space")
            return Visit(request_id, head, None, watched, token)
        found = routes.route_at(head.path)
        if found is None:
            raise HttpProblem(
                404, "route_not_found", "There is nothing at this path.", hint="/v1/openapi.json lists them."
            )
        route, named = found
        space = None if named is None else checked_space(named)
        if token is not None:
            require_right(token, route, space)
        _require_method(head, route.methods)
        visit = Visit(request_id, head, route, space, token, answer_form(head))
        if space is not None:
            require_drop(self._spaces.take(space, time.monotonic()), "about one space")
        self._load.require_room()
        return visit

    async def _let_in_to(self, spoken: list[DialectLine], head: Head, request_id: str, address: str) -> Visit:
        """Admit to a path of a dialect, by its line of the table."""
        line = self._gate.line(spoken, head.method)
        needs_none = self._insecure or line.path.open
        token = None if needs_none else await self._admission.admitted_to(line, knock_of(line, head), address)
        require_drop(self._tokens.take(token.id if token else "", time.monotonic()), "of one token")
        space = self._gate.space(line, head, token)
        if space is not None:
            require_drop(self._spaces.take(space, time.monotonic()), "about one space")
        self._load.require_room()
        return Visit(request_id, head, None, space, token, line=line)

    async def _body(self, head: Head, receive: Receive, *, any_form: bool = False) -> bytes | None:
        """The whole body within its limits; `None` if it broke off. A `GET` has none."""
        most = self._limits.body_bytes
        if head.method == "GET" or declared_length(head, most) == 0:
            return b""
        if not any_form:
            body_form(head)
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
            raise HttpProblem(408, "body_too_slow", "The body did not arrive in time.", hint="Try again.") from None
        return bytes(pieces)

    def _request_id(self, head: Head) -> str:
        """The id that the client gave, if it is a plain one and no secret; otherwise a new one."""
        [*_, given] = head.headers.get("x-request-id", ("",))
        return given if _REQUEST_ID.fullmatch(given) and not holds_secret(given) else self._clock.new_id()


def _is_loopback(scope: Scope) -> bool:
    """Whether a request came by the loopback network."""
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(str(client[0])).is_loopback
    except ValueError:
        return False


def _address(scope: Scope) -> str:
    """Where a request comes from; all of one IPv6 network count as one, for nobody has a single address there."""
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    # An IPv6 socket tells of a caller by IPv4 in this form; a network of them would be everybody.
    return str(address.ipv4_mapped or ipaddress.ip_network((int(address), 64), strict=False))


def _require_method(head: Head, methods: tuple[str, ...]) -> None:
    if head.method not in methods:
        allowed = ", ".join(methods)
        raise HttpProblem(405, "method_not_allowed", f"This path is asked by {allowed}.", headers={"Allow": allowed})


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


async def _answer_empty(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _with_headers(send: Send, request_id: str, shared: Sequence[tuple[bytes, bytes]] = ()) -> Send:
    """Every answer has the id of its request, is kept by no cache unless it says so, and may be `shared` with a
    foreign page."""
    extra = [
        *shared,
        (b"x-request-id", request_id.encode("ascii")),
        (b"x-content-type-options", b"nosniff"),
    ]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *extra]
            if all(name != b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return sending


class _Watched:
    """Sends on, and hands in a record when the end of the answer goes out, or nobody waits for it any more."""

    def __init__(self, send: Send, head: Head, request_id: str, hand_in: Callable[[RequestRecord], None]) -> None:
        self._send, self._head, self._request_id, self._hand_in = send, head, request_id, hand_in
        self._began = time.monotonic()
        self._bytes = 0
        self._over = False
        self.visit: Visit | None = None  # once it was let in
        self.code = ""  # of what went wrong at the guard
        self.status = 0  # until an answer begins

    async def __call__(self, message: Message) -> None:
        kind = message["type"].removeprefix("websocket.")
        if kind == "http.response.start":
            self.status = message["status"]
        elif kind == "accept":
            self.status = 101
        self._bytes += len(message.get("body") or message.get("text") or b"")
        if kind == "http.response.body" and not message.get("more_body", False):
            self.over()
        await self._send(message)

    def over(self) -> None:
        """There is nothing more to come. Said twice, it counts once."""
        if self._over:
            return
        self._over = True
        visit = self.visit
        problems = visit.problems if visit else []
        line = visit.line if visit else None
        self._hand_in(
            RequestRecord(
                request_id=self._request_id,
                method=self._head.method if self._head.method in _METHODS else "other",
                verb=visit.verb if visit else "",
                space=visit.space if visit else None,
                token=visit.token.id if visit and visit.token else None,
                status=self.status or _GONE,
                code=self.code or next(iter(problems), ""),
                seconds=time.monotonic() - self._began,
                sent=self._bytes,
                figures=line.dialect.figures if line else "",
                path=line.path.path if line else "",
            )
        )


async def refuse_socket(problem: RecollectError, request_id: str, send: Send) -> None:
    """Refuse before the handshake is over, with a status and a body as for any other request."""

    async def sending(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    await _refuse(problem, request_id, _with_headers(sending, request_id), unread=False)


async def _refuse(
    problem: RecollectError, request_id: str, send: Send, *, unread: bool, line: DialectLine | None = None
) -> None:
    body, status, said = refusal(problem, request_id, line)
    headers = [
        (b"content-length", str(len(body)).encode("ascii")),
        # What was sent after the head is not read, so the connection cannot be used again.
        *([(b"connection", b"close")] if unread else []),
        *((name.lower().encode("ascii"), value.encode("latin-1")) for name, value in said.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
