"""MCP at `/mcp`: the official SDK speaks the protocol, in whatever revision a client knows; we answer.

There are no sessions. Each request stands alone with its token, so that there is no session id to steal, and the server
can be restarted under its clients.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, MutableMapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NoReturn, TypeAlias, TypeVar

import mcp_types as protocol
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.dialects.anamnesis.tools import anamnesis_tools
from recollect.dialects.anda.anda_tools import brain_tools
from recollect.dialects.anima.anima_tools import anima_tools
from recollect.dialects.server_memory.tools import graph_tools
from recollect.dialects.tool import Tool
from recollect.domain.dataclass import replace
from recollect.domain.errors import Erased, InvalidInput, NotFound, RecollectError
from recollect.memory import Memory
from recollect.surfaces.mcp import fact_card, resources
from recollect.surfaces.mcp.core import core_tools
from recollect.surfaces.mcp.known_answers import DESCRIPTION, INSTRUCTIONS, LISTS_HOLD, NAME, TITLE
from recollect.surfaces.mcp.tools import Toolset, ToolVisitor, answered, for_client, refused, verb_tools, visitor_of
from recollect.surfaces.reception.forms import json_in
from recollect.surfaces.reception.guard import VISIT, Receive, Send, Visit
from recollect.surfaces.reception.problems import unexpected
from recollect.surfaces.reception.tracing import Traced
from recollect.version import __version__

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
Extension: TypeAlias = Callable[[Server[Any]], None]

_TOOLS: dict[Toolset, Callable[[], tuple[Tool, ...]]] = {
    Toolset.CORE: core_tools,
    Toolset.FULL: verb_tools,
    Toolset.SERVER_MEMORY: graph_tools,
    Toolset.ANDA: brain_tools,
    Toolset.ANIMA: anima_tools,
    Toolset.ANAMNESIS: anamnesis_tools,
}
_NOT_THERE = -32002  # how revisions before 2026-07-28 say that there is no such resource
_AT_ONCE = 50_000  # bytes of a body that is read without a thread, which takes about a millisecond
_LOG = logging.getLogger("recollect.http")


class McpDoor:
    """An ASGI application for one path. Verbs run on the threads it is given.

    `extended` adds to what the server answers, as the conformance suite needs; it may answer in more than one piece.
    """

    def __init__(
        self, memory: Memory, threads: Executor, *, body_bytes: int, traced: Traced, extended: Extension | None = None
    ) -> None:
        self._memory = memory
        self._threads = threads
        self._traced = traced
        held = CacheHint(ttl_ms=LISTS_HOLD)
        server: Server[Any] = Server(
            NAME,
            version=__version__,
            title=TITLE,
            description=DESCRIPTION,
            instructions=INSTRUCTIONS,
            cache_hints={
                "server/discover": held,
                "tools/list": held,
                "prompts/list": held,
                "resources/list": held,
                "resources/templates/list": held,
            },
            get_tool_input_schema=lambda _: None,  # no parameter of ours travels in a header
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        server.middleware.clear()  # the spans of the SDK, which hold whatever name a client made up; ours do not
        if extended is not None:
            extended(server)
        # Where a request comes from was decided by the guard, for this path as for every other.
        self._sessions = StreamableHTTPSessionManager(
            server, json_response=extended is None, stateless=True, max_request_body_size=body_bytes
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Requests can be answered in here."""
        async with self._sessions.run():
            yield

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        message = await receive()
        try:
            body = message.get("body", b"") or b"{}"
            if len(body) > _AT_ONCE:
                await asyncio.get_running_loop().run_in_executor(self._threads, json_in, body)
            else:
                json_in(body)
        except InvalidInput as problem:
            await _refuse_body(problem, send)
            return
        except (ValueError, RecursionError):
            pass  # what is no JSON at all is answered as the protocol wants it
        await self._sessions.handle_request(scope, _first(message, receive), send)

    async def _list_tools(
        self, context: Context, _: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        visitor = self._visitor(context)
        seen = [tool for tool in _TOOLS[visitor.toolset]() if all(visitor.may(verb) for verb in tool.verbs)]
        if not fact_card.is_built():  # a host would ask for a page that is named
            seen = [replace(tool, page="") for tool in seen]
        return protocol.ListToolsResult(tools=[for_client(tool) for tool in seen])

    async def _call_tool(self, context: Context, params: protocol.CallToolRequestParams) -> protocol.CallToolResult:
        visitor = self._visitor(context)
        tool = next((each for each in _TOOLS[visitor.toolset]() if each.name == params.name), None)
        if tool is None:
            raise MCPError(protocol.INVALID_PARAMS, f"There is no tool `{params.name[:60]}`.", {"code": "unknown_tool"})
        try:
            work = partial(answered, tool, visitor, params.arguments or {})
            return await self._on_a_thread(context, f"tool {tool.name}", work)
        except Exception:
            _LOG.exception("request %s failed", _visit(context).request_id)
            return refused(unexpected())

    async def _list_resources(
        self, context: Context, _: protocol.PaginatedRequestParams | None
    ) -> protocol.ListResourcesResult:
        self._visitor(context)
        return protocol.ListResourcesResult(resources=list(resources.RESOURCES))

    async def _list_templates(
        self, context: Context, _: protocol.PaginatedRequestParams | None
    ) -> protocol.ListResourceTemplatesResult:
        self._visitor(context)
        return protocol.ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def _read_resource(
        self, context: Context, params: protocol.ReadResourceRequestParams
    ) -> protocol.ReadResourceResult:
        visitor = self._visitor(context)
        try:
            return await self._on_a_thread(context, "resource", partial(resources.read, visitor, str(params.uri)))
        except (NotFound, Erased) as problem:
            modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            _refuse(problem, protocol.INVALID_PARAMS if modern else _NOT_THERE, uri=str(params.uri))
        except RecollectError as problem:
            _refuse(problem)

    async def _list_prompts(
        self, context: Context, _: protocol.PaginatedRequestParams | None
    ) -> protocol.ListPromptsResult:
        self._visitor(context)
        return protocol.ListPromptsResult(prompts=list(resources.PROMPTS))

    async def _get_prompt(self, context: Context, params: protocol.GetPromptRequestParams) -> protocol.GetPromptResult:
        visitor = self._visitor(context)
        try:
            work = partial(resources.written, visitor, params.name, params.arguments or {})
            return await self._on_a_thread(context, "prompt", work)
        except RecollectError as problem:
            _refuse(problem)

    def _visitor(self, context: Context) -> ToolVisitor:
        """The visitor that the guard let in."""
        visit = _visit(context)
        asked = dict(context.request.query_params) if context.request else {}
        if visit.line is not None:  # of a dialect, whose path says which space and which tools are meant
            asked = {"space": visit.space or "", "profile": visit.line.path.profile}
        try:
            return visitor_of(self._memory, visit.token, asked)
        except RecollectError as problem:
            _refuse(problem)

    async def _on_a_thread(self, context: Context, name: str, work: Callable[[], T]) -> T:
        """Do it, in a span of that name where somebody traces."""

        def done() -> T:
            with self._traced(_visit(context), f"mcp {name}"):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._threads, done)


def _first(message: MutableMapping[str, Any], receive: Receive) -> Receive:
    """A message that was taken already, and then whatever comes."""
    left = [message]

    async def received() -> MutableMapping[str, Any]:
        return left.pop() if left else await receive()

    return received


async def _refuse_body(problem: RecollectError, send: Send) -> None:
    error = {"code": protocol.INVALID_REQUEST, "message": problem.message, "data": problem.as_dict()}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _visit(context: Context) -> Visit:
    """The guard's decision about the request that a message came in."""
    if context.request is None:
        raise AssertionError("a message came from nowhere")
    visit: Visit = context.request.scope[VISIT]
    return visit


def _refuse(problem: RecollectError, code: int = protocol.INVALID_PARAMS, **more: str) -> NoReturn:
    raise MCPError(code, problem.message, {**problem.as_dict(), **more}) from None
