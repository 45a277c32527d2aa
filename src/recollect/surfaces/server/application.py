"""The application: a route for each verb, and behind each the same few steps.

Read what was sent, call the verb in the visitor's name, answer in the plain form every door uses. Verbs run on
threads, because the core is synchronous; reading and writing JSON happens there too, so that a long body does not
hold up others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from fastapi import FastAPI, Request, Response, WebSocket
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from recollect.dialects.table import Dialect, DialectLine
from recollect.domain.access import AccessScope
from recollect.domain.answers.kip import KIP_VERSION
from recollect.domain.attachments.attachment import AttachmentContent
from recollect.domain.clock import TOO_SLOW, Clock, SystemClock, due_in, format_time, stale_within
from recollect.domain.errors import InvalidInput, RecollectError
from recollect.domain.notes import Note
from recollect.domain.origin import Caller, Channel
from recollect.domain.scopes import BOUND_BY
from recollect.domain.values import to_plain
from recollect.memory import Memory
from recollect.operations import Effect
from recollect.surfaces.catalogue import routes
from recollect.surfaces.catalogue.arguments import arguments_in_body, arguments_in_query, require_all
from recollect.surfaces.catalogue.routes import Route, all_routes, routes_of
from recollect.surfaces.hooks.intake import Attendant, attendant_of
from recollect.surfaces.hooks.notice import heard
from recollect.surfaces.http.conditions import (
    TAG_HINT,
    Condition,
    accepted_staleness,
    condition_in,
    is_rehearsed,
    told_of_rehearsal,
)
from recollect.surfaces.http.dialect_answers import answer_in_dialect
from recollect.surfaces.http.file_answers import DashboardFiles, file_answer
from recollect.surfaces.http.issuer_pages import HEADERS, PAGE, IssuerPages
from recollect.surfaces.http.live_stream import EventStream, Streams, over_websocket
from recollect.surfaces.http.metrics import MEDIA_TYPE as METRICS_TYPE
from recollect.surfaces.http.metrics import Metrics, ProcessPages
from recollect.surfaces.http.openapi import described, operation_of, rights_operation, stream_operation
from recollect.surfaces.http.rights_desk import RightsDesk
from recollect.surfaces.mcp.door import Extension, McpDoor
from recollect.surfaces.reception.dialect_gate import refusal
from recollect.surfaces.reception.forms import Form, body_form, object_in, written
from recollect.surfaces.reception.guard import VISIT, Guard, Visit, refuse_socket
from recollect.surfaces.reception.issuer import Issuer
from recollect.surfaces.reception.limits import Limits, Load
from recollect.surfaces.reception.problems import HttpProblem, unexpected
from recollect.surfaces.reception.records import RequestRecord, write_down
from recollect.surfaces.reception.screening import DRY_RUN, LOOPBACK, Head
from recollect.surfaces.reception.tracing import traced_if_configured
from recollect.surfaces.reception.visitor import memory_of, without_texts
from recollect.surfaces.server.lifetime import collected_between_verbs
from recollect.surfaces.server.supervisor import PAGES, membership
from recollect.version import __version__

T = TypeVar("T")

_THREADS = 16  # verbs under way at once; more wait their turn
_WORTH_PACKING, _PACKED_AT = 1000, 5  # bytes; and of 9 the level with most of the gain at a third of the time
_LOG = logging.getLogger("recollect.http")


def application(
    memory: Memory,
    *,
    hosts: frozenset[str] = LOOPBACK,
    limits: Limits | None = None,
    clock: Clock | None = None,
    insecure: bool = False,
    attendant: Attendant | None = None,
    extended: Extension | None = None,
    dialects: Sequence[Dialect] = (),
    origins: frozenset[str] = frozenset(),
    issuer: Issuer | None = None,
) -> Guard:
    """The whole door on one memory, the guard outermost. It does not close the memory.

    `attendant` takes in what hooks tell; the spool of a home is for whoever serves that home. `extended` adds to
    what is answered over MCP.
    """
    limits = limits or Limits()
    told_by = clock or SystemClock()
    desk = _Desk(memory, limits, told_by, attendant or attendant_of(memory), extended=extended)
    app = FastAPI(
        title="Recollect",
        version=__version__,
        summary="Long-term memory for AI agents.",
        openapi_url=routes.OPENAPI,
        docs_url=None,  # such pages load scripts from elsewhere
        redoc_url=None,
        lifespan=desk.lifespan,
        # Its own spans would hold what comes after `?`, which is what people ask. Ours are in `tracing`.
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
    )
    for route in all_routes().values():
        for method in route.methods:
            app.add_api_route(
                route.path,
                _described_only,
                methods=[method],
                response_model=None,
                tags=[route.operation.name.partition(".")[0]],
                **operation_of(route, method),
            )
    app.add_api_route(
        routes.ALIVE, _alive, methods=["GET"], response_model=None, summary="The process runs.", tags=["health"]
    )
    app.add_api_route(
        routes.READY, desk.ready, methods=["GET"], response_model=None, summary="The store answers.", tags=["health"]
    )
    app.add_api_route(
        routes.INFO, desk.info, methods=["GET"], response_model=None, summary="The version, and what your token may do."
    )
    for path, methods in {**routes.ABOUT_TOKENS, **routes.ABOUT_SESSION}.items():
        for method in methods:
            said = rights_operation(path, method)
            app.add_api_route(path, desk.rights, methods=[method], response_model=None, **said)
    pages = IssuerPages(issuer, memory.access)
    for path, page in {routes.SIGN_IN: _sign_in_page, **pages.at}.items():
        app.router.routes.append(StarletteRoute(path, endpoint=page, methods=["GET"], include_in_schema=False))
    for path in ("/", f"{routes.DASHBOARD}{{rest:path}}"):
        app.router.routes.append(StarletteRoute(path, endpoint=desk.page, methods=["GET"], include_in_schema=False))
    app.add_api_route(
        routes.METRICS, desk.measured, methods=["GET"], response_model=None, summary="Figures for Prometheus."
    )
    app.add_api_route(routes.LIVE, desk.stream, methods=["GET"], response_model=None, **stream_operation())
    app.add_api_websocket_route(routes.LIVE, desk.socket)
    app.router.routes.append(StarletteRoute(routes.HOOK, endpoint=desk.hook, methods=["POST"], include_in_schema=False))
    app.router.routes.append(StarletteRoute(routes.MCP, endpoint=desk.mcp, include_in_schema=False))
    described(app)

    def answered(record: RequestRecord) -> None:
        desk.metrics.count(record)
        write_down(record, told_by)

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        """The guard has found the verb of a request already; to look for its route again would cost more than it."""
        visit: Visit | None = scope.get(VISIT) if scope["type"] == "http" else None
        live: Visit | None = scope.get(VISIT) if scope["type"] == "websocket" else None
        if live is not None and live.line is not None:
            await desk.socket(WebSocket(scope, receive, send))
        elif visit is not None and visit.line is not None and visit.line.path.profile:
            await desk.mcp(scope, receive, send)
        elif visit is not None and visit.line is not None:
            response = await desk.speak(visit, visit.line, Request(scope, receive))
            await response(scope, receive, send)
        elif visit is None or visit.route is None:
            await app(scope, receive, send)
        else:
            response = await desk.answer(visit, visit.route, Request(scope, receive))
            await response(scope, receive, send)

    packed = GZipMiddleware(answering, minimum_size=_WORTH_PACKING, compresslevel=_PACKED_AT)
    return Guard(
        packed,
        access=memory.access,
        clock=told_by,
        hosts=hosts,
        limits=limits,
        insecure=insecure,
        load=desk.load,
        answered=answered,
        bus=memory.following.bus,
        ending=desk.streams.end,
        dialects=dialects,
        default_space=memory.settings.space,
        origins=origins,
        issuer=issuer,
    )


class _Desk:
    """Where requests that were let in are answered."""

    def __init__(
        self, memory: Memory, limits: Limits, clock: Clock, attendant: Attendant, *, extended: Extension | None
    ) -> None:
        self._memory = memory
        self._limits = limits
        self.load = Load(limits, _THREADS)
        self.streams = Streams(memory, limits)
        self._rights = RightsDesk(memory.access)
        self._dashboard = DashboardFiles()
        member = membership()
        pages = ProcessPages(memory.settings.home / PAGES, member.number) if member else None
        self.metrics = Metrics(memory.measuring, self.load, self.streams, pages)
        self._traced = traced_if_configured()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="recollect-http")
        self.mcp = McpDoor(memory, self._threads, body_bytes=limits.body_bytes, traced=self._traced, extended=extended)
        self._clock = clock
        self._attendant = attendant

    @contextlib.asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Ends when what is under way is done: a write that has begun is finished."""
        with collected_between_verbs(lambda: self.load.under_way):
            async with self.mcp.running():
                yield
                await self.streams.end()
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self.streams.close()

    async def answer(self, visit: Visit, route: Route, request: Request) -> Response:
        query = request.query_params.multi_items()
        body = await request.body()
        # What can be asked by GET only looks; a backup changes nothing either, and takes as long as its way is.
        is_read = "GET" in route.methods
        return await self._told(
            visit,
            partial(self._done, visit, route, query, body),
            seconds=self._limits.read_seconds if is_read else None,
        )

    async def speak(self, visit: Visit, line: DialectLine, request: Request) -> Response:
        """Answer a path of a dialect: in its words, by verbs of ours, each of which is asked for its right again."""
        body = await request.body()

        def spoken() -> Response:
            return Response(*answer_in_dialect(self._memory, self._limits.depth, self._clock, visit, line, body))

        is_read = routes_of(line.path.verb)[0].operation.effect is Effect.READ
        return await self._told(visit, spoken, seconds=self._limits.read_seconds if is_read else None)

    async def hook(self, request: Request) -> Response:
        """Take in what an agent's hook says in its own words, and answer in its own form; often with nothing."""
        visit: Visit = request.scope[VISIT]
        asked = request.query_params
        body = await request.body()

        def attended() -> Response:
            at = asked.get("at") or format_time(self._clock.now())
            new_id = asked.get("id") or self._clock.new_id()
            space = asked.get("space") or None
            said = heard(asked.get("agent", ""), asked.get("event", ""), body, at=at, new_id=new_id, space=space)
            return Response(self._attendant.answer(said), media_type=Form.JSON.value)

        return await self._told(visit, attended, seconds=None)

    async def rights(self, request: Request) -> Response:
        """Answer what is asked about tokens, or about the session of a browser."""
        visit: Visit = request.scope[VISIT]
        if request.query_params:
            return _problem(InvalidInput("Nothing stands after `?` here.", code="unknown_field"), visit)
        body = await request.body()

        def answered() -> Response:
            form = body_form(visit.head) if body else Form.JSON
            plain, cookies = self._rights.answer(visit, object_in(body, self._limits.depth, form))
            said = _said(plain, visit.form, visit.verb)
            for cookie in cookies:
                said.headers.append("Set-Cookie", cookie)
            return said

        return await self._told(visit, answered, seconds=None)

    async def ready(self, request: Request) -> Response:
        visit: Visit = request.scope[VISIT]

        try:
            # Beside the threads of the verbs: being busy is not being down.
            await asyncio.get_running_loop().run_in_executor(None, self._memory.access.tokens)
        except RecollectError as problem:
            return _problem(problem, visit)
        return _said({"ready": True}, visit.form, "ready")

    async def info(self, request: Request) -> Response:
        visit: Visit = request.scope[VISIT]
        token = visit.token
        return _said(
            {
                "name": "recollect",
                "version": __version__,
                "api": routes.VERSION,
                "kip": KIP_VERSION,
                "scope": token.scope if token else "admin",
                "scopes": [each.value for each in AccessScope if token is None or token.reaches(each)],
                "space": token.space if token else None,
                **{name: getattr(token.within, name) if token else None for name in BOUND_BY},
                "expires_at": to_plain(token.expires_at) if token else None,
                "limits": to_plain(self._limits),
            },
            visit.form,
            "info",
        )

    async def page(self, request: Request) -> Response:
        visit: Visit = request.scope[VISIT]
        try:
            return self._dashboard.answer(visit.head.path)
        except RecollectError as problem:
            return _problem(problem, visit)

    async def measured(self, _: Request) -> Response:
        page = await asyncio.get_running_loop().run_in_executor(None, self.metrics.page)
        return Response(page, headers={"Content-Type": METRICS_TYPE})

    async def stream(self, request: Request) -> Response:
        visit: Visit = request.scope[VISIT]
        try:
            return EventStream(self.streams, visit, await self._followed_from(visit, request))
        except RecollectError as problem:
            return _problem(problem, visit)

    async def socket(self, socket: WebSocket) -> None:
        visit: Visit = socket.scope[VISIT]
        try:
            seq = await self._followed_from(visit, socket)
        except RecollectError as problem:
            await refuse_socket(problem, visit.request_id, socket.send)
            return
        await over_websocket(self.streams, visit, socket, seq)

    async def _followed_from(self, visit: Visit, asked: HTTPConnection) -> int:
        query = asked.query_params.multi_items() if visit.line is None else []  # that of a dialect was read already
        if len(query) > 1 or (query and query[0][0] != "after"):
            raise InvalidInput("A stream is asked with `after`, once, and nothing else.", code="unknown_field")
        return await self.streams.start(visit, query[0][1] if query else None)

    async def _told(self, visit: Visit, work: Callable[[], Response], *, seconds: float | None) -> Response:
        """Do it on a thread, and answer; whatever goes wrong is told as a problem. `seconds` is how long it is waited
        for; after that the work gives up at its next look into the store, so this is only for what changes nothing."""
        came = self.load.come()
        stale = accepted_staleness(visit.head) if seconds is not None else 0.0

        def in_turn() -> Response:
            try:
                began = self.load.turn(came)
                try:
                    with self._traced(visit, visit.verb), due_in(seconds), stale_within(stale):
                        return work()
                finally:
                    self.load.done(began)
            finally:
                self.load.leave()

        doing = asyncio.get_running_loop().run_in_executor(self._threads, in_turn)
        doing.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # heard, even if nobody waits
        try:
            return await asyncio.wait_for(asyncio.shield(doing), seconds)
        except TimeoutError:
            error: RecollectError = _too_slow()
        except RecollectError as problem:
            error = _too_slow() if problem.code == TOO_SLOW else problem
        except Exception:
            _LOG.exception("request %s failed", visit.request_id)
            error = unexpected()
        return _problem(error, visit)

    def _done(self, visit: Visit, route: Route, query: list[tuple[str, str]], body: bytes) -> Response:
        """Read, call, answer."""
        if visit.head.method == "GET":
            arguments = arguments_in_query(route, query)
        elif query:
            raise InvalidInput(
                "A POST has its fields in the body.", code="invalid_field", hint="Leave out what follows `?`."
            )
        else:
            form = body_form(visit.head) if body else Form.JSON
            arguments = arguments_in_body(route, object_in(body, self._limits.depth, form))
        _add_key(visit.head, route, arguments)
        require_all(route, arguments)
        if visit.space is not None:
            arguments["space"] = visit.space
        memory = memory_of(self._memory, visit.token, self._caller(visit))
        rehearsed = is_rehearsed(visit.head, route)
        if rehearsed:
            memory = memory.dry_run()
        condition = condition_in(visit.head)
        if condition is not None:
            _add_condition(condition, route, arguments, memory)
        try:
            result = getattr(memory, route.operation.method)(**arguments)
        except RecollectError as problem:
            if condition is not None and condition.is_failed_by(problem):
                raise HttpProblem(412, problem.code, problem.message, hint=problem.hint) from None
            raise told_of_rehearsal(problem, rehearsed=rehearsed) from None
        if visit.token is not None and not visit.token.reaches(AccessScope.READ):
            return _said(without_texts(to_plain(result)), visit.form, route.operation.name)
        if isinstance(result, AttachmentContent) and visit.head.method == "GET":
            return file_answer(result, visit.head)
        etag = f'"{result.version}"' if isinstance(result, Note) else None
        if etag and visit.head.method == "GET" and visit.head.one("if-none-match") == etag:
            return Response(status_code=304, headers={"ETag": etag})
        told = {"ETag": etag} if etag else {}
        return _said(
            to_plain(result), visit.form, route.operation.name, told | ({DRY_RUN: "true"} if rehearsed else {})
        )

    def _caller(self, visit: Visit) -> Caller:
        """In whose name a verb is called. A person who signed in speaks for themselves."""
        token, sign_in = visit.token, visit.sign_in
        if token is None:
            return Caller(Channel.HTTP, self._memory.settings.principal, admin=True, everywhere=True)
        personal = sign_in is not None and sign_in.personal
        return Caller(
            Channel.DASHBOARD if personal else Channel.HTTP,
            token.name,
            reads_only=not token.reaches(AccessScope.WRITE),
            admin=token.reaches(AccessScope.ADMIN),
            everywhere=token.is_everywhere,
            fresh=sign_in is None or self._memory.access.is_fresh(sign_in),
        )


async def _sign_in_page(_: Request) -> Response:
    return Response(PAGE, headers=HEADERS, media_type="text/html")


async def _described_only() -> None:
    """Stands for a verb in the description. Nobody comes here: the guard leads past it."""
    raise AssertionError("a verb was looked for by its path")


async def _alive(request: Request) -> Response:
    return _said({"alive": True}, request.scope[VISIT].form, "alive")


def _too_slow() -> HttpProblem:
    return HttpProblem(
        504, TOO_SLOW, "This took too long, and is no longer waited for.", hint="Ask for less, or try again."
    )


def _add_key(head: Head, route: Route, arguments: dict[str, Any]) -> None:
    key = head.one("idempotency-key")
    if key is not None:
        _add(route, arguments, "idempotency_key", key, "Idempotency-Key")


def _add_condition(condition: Condition, route: Route, arguments: dict[str, Any], memory: Memory) -> None:
    """The version that `If-Match` asks for; of several, the one that the note has."""
    if "expected_version" not in route.takes:
        _add(route, arguments, "expected_version", 0, "If-Match")
    if condition.any_version:
        return
    versions = condition.versions
    if len(versions) > 1:
        now = memory.get(arguments["note_id"], space=arguments.get("space")).version
        versions = (now,) if now in versions else versions
    if not versions:
        raise HttpProblem(412, "stale_version", "No tag in `If-Match` is that of a version.", hint=TAG_HINT)
    _add(route, arguments, "expected_version", versions[0], "If-Match")


def _add(route: Route, arguments: dict[str, Any], name: str, value: T, header: str) -> None:
    if name not in route.takes:
        # To ignore it would promise what is not done.
        raise InvalidInput(
            f"`{route.operation.name}` knows no `{header}`.", code="header_not_supported", hint="Leave it out."
        )
    if arguments.setdefault(name, value) != value:
        raise InvalidInput(f"`{header}` and `{name}` say different things.", code="invalid_field", hint="Send one.")


def _problem(error: RecollectError, visit: Visit) -> Response:
    visit.problems.append(error.code)
    return Response(*refusal(error, visit.request_id, visit.line))


def _said(plain: Any, form: Form, title: str, headers: dict[str, str] | None = None) -> Response:
    return Response(written(plain, form, title), headers={"Vary": "Accept", **(headers or {})}, media_type=form.value)
