"""Pure: messages of the protocol as lines, for the shim, which understands no more of them than it must.

A line is one message. What is no message is answered here; everything else is the server's to judge. Only the standard
library is needed, as in everything the shim loads.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.domain.dataclass import dataclass

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603

_VERSION_IN_META = "io.modelcontextprotocol/protocolVersion"


@dataclass(frozen=True, slots=True)
class ProtocolFrame:
    """A message that can be sent on. `id` is `None` for one that wants no answer."""

    method: str
    id: str | int | None
    params: Mapping[str, Any]
    body: bytes


class Broken(ValueError):
    """A line that is no message; `answer` says so to whoever sent it."""

    def __init__(self, code: int, message: str, id_: Any = None) -> None:
        super().__init__(message)
        self.answer = error_line(id_, code, message)


def frame_in(line: bytes) -> ProtocolFrame | None:
    """The message in a line; `None` for an empty line and for answers, of which the server expects none."""
    if not line.strip():
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Broken(PARSE_ERROR, "This is not JSON.") from None
    if not isinstance(found, dict):
        raise Broken(INVALID_REQUEST, "A message is one JSON object.")
    id_ = found.get("id")
    known = id_ if isinstance(id_, str | int) and not isinstance(id_, bool) else None
    method, params = found.get("method"), found.get("params", {})
    if "method" not in found and ("result" in found or "error" in found):
        return None
    if found.get("jsonrpc") != "2.0" or not isinstance(method, str) or not isinstance(params, dict):
        raise Broken(INVALID_REQUEST, "This is no JSON-RPC 2.0 request with named parameters.", known)
    if "id" in found and known is None:
        raise Broken(INVALID_REQUEST, "`id` must be text or a whole number.")
    return ProtocolFrame(method, known, params, line.strip())


def headers_for(frame: ProtocolFrame, negotiated: str | None) -> dict[str, str]:
    """The headers that the revision of a message wants on its request, beside its body."""
    meta = frame.params.get("_meta")
    said = meta.get(_VERSION_IN_META) if isinstance(meta, dict) else None
    if not isinstance(said, str):
        return {} if negotiated is None or frame.method == "initialize" else {"MCP-Protocol-Version": negotiated}
    headers = {"MCP-Protocol-Version": _sendable(said), "Mcp-Method": _sendable(frame.method)}
    name = frame.params.get("uri" if frame.method.startswith("resources/") else "name")
    if isinstance(name, str):
        headers["Mcp-Name"] = _sendable(name)
    return headers


def version_in(answer: bytes) -> str | None:
    """The revision that the answer to `initialize` settles on."""
    try:
        version = json.loads(answer)["result"]["protocolVersion"]
    except (ValueError, KeyError, TypeError):
        return None
    return version if isinstance(version, str) else None


def lines_in(kind: str, body: bytes) -> Iterator[bytes]:
    """The messages in the body of an answer: one, or those of an event stream."""
    if kind.startswith("text/event-stream"):
        for event in body.replace(b"\r\n", b"\n").split(b"\n\n"):
            data = b"\n".join(line[5:].lstrip() for line in event.split(b"\n") if line.startswith(b"data:"))
            if data:
                yield _one_line(data)
    elif body.strip():
        yield _one_line(body)


def refusal_line(frame: ProtocolFrame, status: int, body: bytes) -> bytes:
    """A server's refusal of a message, as the answer to that message."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        said = {}
    if isinstance(said, dict) and said.get("jsonrpc") == "2.0":
        return json.dumps({**said, "id": frame.id if said.get("id") is None else said["id"]}).encode()
    problem = said if isinstance(said, dict) else {}
    words = [str(problem[name]) for name in ("detail", "hint") if problem.get(name)]
    told = {name: problem[name] for name in ("code", "hint", "retryable", "request_id") if name in problem}
    return error_line(frame.id, INTERNAL_ERROR, " ".join(words) or f"The server answered with {status}.", told)


def error_line(id_: Any, code: int, message: str, data: Mapping[str, Any] | None = None) -> bytes:
    error = {"code": code, "message": message, **({"data": dict(data)} if data else {})}
    return json.dumps({"jsonrpc": "2.0", "id": id_, "error": error}).encode()


def _one_line(body: bytes) -> bytes:
    return body.strip() if b"\n" not in body.strip() else json.dumps(json.loads(body)).encode()


def _sendable(value: str) -> str:
    """A value as a header can carry it: as it is, or marked as base64."""
    plain = value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?base64?")
    return value if plain else f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}?="
