"""Clients of MCP for tests: the official one behind plain calls, and one that says exactly what it is told to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client as OfficialClient
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.surfaces.http.client import Answer
from tests.surfaces.http.client import Client as HttpClient

LIMIT = 240  # seconds that any one call may take, on a machine that is busy with other things
HEADERS = {"Accept": "application/json, text/event-stream"}


class Speaker:
    """The official client, one call after the other."""

    def __init__(self, portal: BlockingPortal, client: OfficialClient) -> None:
        self._portal, self._client = portal, client

    @property
    def version(self) -> str:
        return str(self._client.protocol_version)

    def tools(self) -> list[Any]:
        return list(self._portal.call(self._client.list_tools).tools)

    def call(self, tool: str, /, **arguments: Any) -> CallToolResult:
        return self._portal.call(lambda: self._client.call_tool(tool, arguments))

    def told(self, tool: str, /, **arguments: Any) -> Any:
        """The object that a tool answers with, if it does not refuse."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        return result.structured_content

    def read(self, uri: str) -> Any:
        return json.loads(self.contents(uri).text)

    def contents(self, uri: str) -> Any:
        """The one content of a resource, as the client has it."""
        [content] = self._portal.call(lambda: self._client.read_resource(uri)).contents
        return content

    def resources(self) -> list[str]:
        return [str(each.uri) for each in self._portal.call(self._client.list_resources).resources]

    def prompt(self, name: str, **arguments: str) -> str:
        [message] = self._portal.call(lambda: self._client.get_prompt(name, arguments)).messages
        return str(message.content.text)  # type: ignore[union-attr]


@contextmanager
def over_http(port: int, secret: str, query: str = "", *, mode: str = "auto") -> Iterator[Speaker]:
    """A client of the endpoint at `/mcp`. `legacy` is the handshake of the revisions up to 2025-11-25."""
    headers = {"Authorization": f"Bearer {secret}"}
    url = f"http://127.0.0.1:{port}/mcp{query}"
    with start_blocking_portal() as portal:
        http = httpx2.AsyncClient(headers=headers, timeout=LIMIT)
        client = OfficialClient(streamable_http_client(url, http_client=http), mode=mode)
        with portal.wrap_async_context_manager(http), portal.wrap_async_context_manager(client) as opened:
            yield Speaker(portal, opened)


@contextmanager
def over_stdio(command: str, *argv: str, environment: dict[str, str], mode: str = "auto") -> Iterator[Speaker]:
    """A client that starts a program and speaks with it."""
    parameters = StdioServerParameters(command=command, args=list(argv), env=environment)
    with start_blocking_portal() as portal:
        client = OfficialClient(parameters, mode=mode)
        with portal.wrap_async_context_manager(client) as opened:
            yield Speaker(portal, opened)


def said(client: HttpClient, method: str, params: dict[str, Any] | None = None, *, query: str = "") -> Answer:
    """One message by hand, as a client of 2025-06-18 would send it after its handshake."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    return client.post(f"/mcp{query}", message, **HEADERS, MCP_Protocol_Version="2025-06-18")


def called(client: HttpClient, tool: str, arguments: dict[str, Any], *, query: str = "") -> dict[str, Any]:
    """The result of one call by hand."""
    answer = said(client, "tools/call", {"name": tool, "arguments": arguments}, query=query)
    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.json["result"]
    return found
