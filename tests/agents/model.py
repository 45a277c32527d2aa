"""A model API that is only as clever as a test needs: it runs one command when it is told to, and then says it is done.

It speaks what Claude Code speaks: messages, as a stream of events. Every request is kept, so that a test can look what
the model was told.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMAND = "echo the tests pass"
DONE = "I ran it, and the tests pass."


@dataclass(slots=True)
class Model:
    """Where it is, and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)

    def asked_with_tools(self) -> list[str]:
        """The requests of the agent itself, as text; programs also ask for titles and the like."""
        return [json.dumps(each, ensure_ascii=False) for each in self.requests if each.get("tools")]


@contextmanager
def model() -> Iterator[Model]:
    """A model on a free port of this machine."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            if "messages" not in body or "count_tokens" in self.path:
                self._send(b'{"input_tokens": 10}', "application/json")
                return
            here.requests.append(body)
            block = _reply(body)
            if body.get("stream"):
                events = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in _events(block))
                self._send(events.encode(), "text/event-stream")
            else:
                self._send(json.dumps(_message([block])).encode(), "application/json")

        def do_GET(self) -> None:
            self._send(b"{}", "application/json")

        def do_HEAD(self) -> None:
            self.do_GET()

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    here = Model(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _reply(body: dict[str, Any]) -> dict[str, Any]:
    """A command for the first request of an agent that has a shell, and the end for everything else."""
    names = [tool.get("name") for tool in body.get("tools") or ()]
    last = json.dumps(body["messages"][-1]) if body["messages"] else ""
    if "Bash" in names and "tool_result" not in last and "run the tests" in json.dumps(body["messages"]):
        return {"type": "tool_use", "id": "toolu_01mock", "name": "Bash", "input": {"command": COMMAND}}
    return {"type": "text", "text": DONE}


def _message(content: list[dict[str, Any]]) -> dict[str, Any]:
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_mock",
        "type": "message",
        "role": "assistant",
        "model": "mock",
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def _events(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    whole = _message([block])
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
    if block["type"] == "text":
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        yield {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": 10},
    }
    yield {"type": "message_stop"}
