"""A model API that is only as clever as a test needs: it runs a command, asks our memory, and then says it is done.

It speaks what each agent speaks, as `dialects` has it. Every request is kept, so that a test can look what the model
was told.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.agents.dialects import Call, Dialect, Heard, Reply, dialect_at

ASKED = "Please run the tests of the checkout"
COMMAND = "echo the tests pass"
QUESTION = "what do the checkout tests need"
DONE = "I ran it, and the tests pass."

# What agents call the tool that runs a command, and what it calls the command.
_SHELLS = {
    "Bash": "command",
    "bash": "command",
    "exec": "command",
    "exec_command": "cmd",
    "run_shell_command": "command",
    "shell_command": "command",
}
_OUR_PLUGIN = "recollect_recall"


@dataclass(slots=True)
class Model:
    """Where it is, and what it was asked."""

    url: str
    requests: list[Heard] = field(default_factory=list)

    def told(self) -> list[str]:
        """The requests of the agent itself, as text; programs also ask for titles and the like, without tools."""
        return [each.text for each in self.requests if each.tools]


@contextmanager
def model() -> Iterator[Model]:
    """A model on a free port of this machine."""

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            dialect = dialect_at(self.path)
            if dialect is None:
                self._send(b'{"input_tokens": 10, "totalTokens": 10}', "application/json")
                return
            heard = dialect.heard(body)
            here.requests.append(heard)
            self._send(*_spoken(dialect, reply_to(heard), is_stream=dialect.is_stream(self.path, body)))

        def do_GET(self) -> None:
            self._send(b'{"data": [], "models": []}', "application/json")

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


def reply_to(heard: Heard) -> Reply:
    """A command first, then a question to our memory, each if there is a tool for it; and then the end."""
    shell = next((Call(name, {_SHELLS[name]: COMMAND}) for name in heard.tools if name in _SHELLS), None)
    steps = [step for step in (shell, _question(heard)) if step]
    is_asked = "run the tests" in heard.text
    return steps[heard.results] if is_asked and heard.results < len(steps) else DONE


def _question(heard: Heard) -> Call | None:
    """How our memory is asked: by a tool of ours, or by one that stands before all others, as in OpenClaw."""
    search = next((name for name in heard.tools if "recollect" in name and name.endswith("search")), None)
    if search:
        return Call(search, {"query": QUESTION})
    if "tool_call" in heard.tools and _OUR_PLUGIN in heard.text:
        return Call("tool_call", {"id": _OUR_PLUGIN, "args": {"query": QUESTION}})
    return None


def _spoken(dialect: Dialect, reply: Reply, *, is_stream: bool) -> tuple[bytes, str]:
    """An answer in the words of a dialect, and what sort of text it is."""
    if not is_stream:
        return json.dumps(dialect.whole(reply)).encode(), "application/json"
    return "".join(_event(each) for each in dialect.events(reply)).encode(), "text/event-stream"


def _event(event: dict[str, Any] | str) -> str:
    if isinstance(event, str):
        return f"data: {event}\n\n"
    named = f"event: {event['type']}\n" if "type" in event else ""
    return f"{named}data: {json.dumps(event)}\n\n"
