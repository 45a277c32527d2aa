"""A provider of language models on this machine: it speaks the wire formats of three vendors, as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from recollect.domain.chat.provider_settings import ProviderSettings
from recollect.domain.dataclass import dataclass, field

KEY = "test-5f1e0c9b7a3d4e6f8091a2b3c4d5e6f7"  # what the provider is asked with, and nobody else may see


@dataclass(frozen=True, slots=True)
class Says:
    """One answer. `usage` is input, of which from the cache, and output; `None` leaves it out.

    `body` are bytes in place of an answer, `truncated` ends it at its limit, and `hangs` never ends it.
    """

    text: str = "Hello."
    usage: tuple[Any, Any, Any] | None = (40, 0, 10)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    truncated: bool = False
    declined: bool = False
    tool: bool = False
    hangs: bool = False


class ModelServer(ThreadingHTTPServer):
    """A provider that keeps what it was asked. `script` is answered in turn, its last line again and again."""

    daemon_threads = True

    def __init__(self) -> None:
        self.reads: Callable[[dict[str, Any]], Says] | None = None  # answers by what is asked, instead of the script
        self.script: list[Says] = [Says()]
        self.asked: list[dict[str, Any]] = []
        self.heads: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.over = threading.Event()
        self.came = threading.Event()  # set with the first question
        self._turn = threading.Lock()
        server = self

        class Request(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
                with server._turn:
                    server.asked.append(body)
                    server.heads.append({name.lower(): value for name, value in self.headers.items()})
                    server.paths.append(self.path)
                    said = server.script.pop(0) if len(server.script) > 1 else server.script[0]
                server.came.set()
                server.answer(self, said if server.reads is None else server.reads(body), body)

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        super().__init__(("127.0.0.1", 0), Request)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def provider(self, kind: str = "openai", **changed: Any) -> ProviderSettings:
        """This server as a provider of the settings, spoken to by the client of a vendor."""
        url = f"{self.url}/v1" if kind == "openai" else self.url
        given = {"model": "small", "embedding_model": "little", "dimension": 4, "source": "test", "key": KEY, **changed}
        return ProviderSettings(given.pop("name", kind), kind, given.pop("url", url), **given)

    def answer(self, handler: BaseHTTPRequestHandler, said: Says, asked: dict[str, Any]) -> None:
        if said.hangs:
            self.over.wait()
            return
        if said.body is not None:
            payload = said.body
        elif said.status != 200:
            payload = json.dumps(
                {"error": {"message": f"Incorrect API key provided: {KEY}", "code": said.status}}
            ).encode()
        else:
            payload = json.dumps(_shaped(handler.path, said, asked)).encode()
        handler.send_response(said.status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(payload)),
            **said.headers,
        }.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(payload)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def _shaped(path: str, said: Says, asked: dict[str, Any]) -> dict[str, Any]:
    if path.endswith("/chat/completions"):
        return _like_openai(said)
    if path.endswith("/embeddings"):
        vectors = [
            {"object": "embedding", "index": place, "embedding": _vector(each)}
            for place, each in enumerate(asked["input"])
        ]
        used = {"prompt_tokens": said.usage[0], "total_tokens": said.usage[0]} if said.usage else None
        return {"object": "list", "model": asked["model"], "data": vectors[::-1], "usage": used}
    if path.endswith("/messages"):
        return _like_anthropic(said)
    if path.endswith(":batchEmbedContents"):
        texts = [each["content"]["parts"][0]["text"] for each in asked["requests"]]
        return {"embeddings": [{"values": _vector(each)} for each in texts]}
    return _like_gemini(said)


def _vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, float(text.count("e")), 0.5]


def _like_openai(said: Says) -> dict[str, Any]:
    ended = "length" if said.truncated else "content_filter" if said.declined else "stop"
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.tool:
        call = {"id": "call_1", "type": "function", "function": {"name": "delete_everything", "arguments": "{}"}}
        message["tool_calls"] = [call]
    found: dict[str, Any] = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": ended}],
    }  # fmt: skip
    if said.usage is not None:
        read, cached, written = said.usage
        found["usage"] = {
            "prompt_tokens": read, "completion_tokens": written, "total_tokens": 0,
            "prompt_tokens_details": {"cached_tokens": cached},
        }  # fmt: skip
    return found


def _like_anthropic(said: Says) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}]
    if said.tool:
        content.append({"type": "tool_use", "id": "t1", "name": "delete_everything", "input": {}})
    found: dict[str, Any] = {
        "id": "x", "type": "message", "role": "assistant", "model": "small", "content": content,
        "stop_reason": "max_tokens" if said.truncated else "refusal" if said.declined else "end_turn",
        "stop_sequence": None,
    }  # fmt: skip
    if said.usage is not None:
        read, cached, written = said.usage
        fresh = read - cached if isinstance(read, int) else read
        found["usage"] = {"input_tokens": fresh, "cache_read_input_tokens": cached, "output_tokens": written}
    return found


def _like_gemini(said: Says) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": said.text}]
    if said.tool:
        parts.append({"functionCall": {"name": "delete_everything", "args": {}}})
    ended = "MAX_TOKENS" if said.truncated else "SAFETY" if said.declined else "STOP"
    found: dict[str, Any] = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": ended, "index": 0}]
    }
    if said.usage is not None:
        read, cached, written = said.usage
        found["usageMetadata"] = {
            "promptTokenCount": read, "cachedContentTokenCount": cached, "candidatesTokenCount": written,
        }  # fmt: skip
    return found
