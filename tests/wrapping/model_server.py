"""A server that speaks the wires of OpenAI, Anthropic and Gemini, says always the same, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REPLY = ("You live ", "in Porto, ", "as far as I know.")
PARSED = '{"city": "Porto"}'


class ModelServer(ThreadingHTTPServer):
    """Each request is kept as JSON. A model called `broken` fails, one called `cut` stops in the middle of a stream."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Wires)
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def model_server() -> Iterator[ModelServer]:
    server = ModelServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Wires(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(body)
        model = body.get("model") or self.path
        if "broken" in model:
            self._send(400, "application/json", json.dumps({"error": {"message": "no"}}).encode())
            return
        path = self.path.partition("?")[0]
        if path.endswith("/chat/completions"):
            answer = _chat(body)
        elif path.endswith("/responses"):
            answer = _response(body)
        elif path.endswith("/v1/messages"):
            answer = _message(body)
        else:
            answer = _gemini(body, streamed="stream" in path)
        if isinstance(answer, dict):
            self._send(200, "application/json", json.dumps(answer).encode())
            return
        if "cut" in model:
            answer = answer[: len(answer) // 2]
        self._send(200, "text/event-stream", "".join(answer).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.send_header("connection", "close")  # no connection outlives the loop of its call
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


def _wants_tool(body: dict[str, Any]) -> bool:
    """Whether a tool is to be called: there are some, and none has answered yet."""
    told = json.dumps(body)
    answered = ('"role": "tool"', "function_call_output", "tool_result", "functionResponse")
    return bool(body.get("tools")) and not any(each in told for each in answered)


def _words(body: dict[str, Any]) -> tuple[str, ...]:
    told = json.dumps(body)
    return (PARSED,) if '"city"' in told and "schema" in told.lower() else REPLY


def _event(data: Any, name: str = "") -> str:
    return f"{f'event: {name}' + chr(10) if name else ''}data: {json.dumps(data)}\n\n"


def _chat(body: dict[str, Any]) -> Any:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Porto"}'}}
    base: dict[str, Any] = {"id": "chatcmpl-1", "created": 1, "model": "m"}
    if not body.get("stream"):
        message: dict[str, Any] = {"role": "assistant", "content": "".join(_words(body)), "refusal": None}
        if _wants_tool(body):
            message = {"role": "assistant", "content": None, "tool_calls": [call], "refusal": None}
        choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": None}
        return {**base, "object": "chat.completion", "choices": [choice]}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"tool_calls": [{"index": 0, **call}]}] if _wants_tool(body) else [{"content": w} for w in _words(body)]
    chunks: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    made = [_event({**base, "object": "chat.completion.chunk", "choices": [chunk]}) for chunk in chunks]
    return [*made, "data: [DONE]\n\n"]


def _response(body: dict[str, Any]) -> Any:
    text = "".join(_words(body))
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    call = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "weather", "arguments": "{}"}
    output = [{**call, "status": "completed"}] if _wants_tool(body) else [message]
    whole = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": output,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0,
    }  # fmt: skip
    if not body.get("stream"):
        return whole
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    ]
    if _wants_tool(body):
        events.append({"type": "response.output_item.added", "output_index": 0, "item": output[0]})
    else:
        at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        events.append({"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}})
        events.append({"type": "response.content_part.added", **at, "part": {**part, "text": ""}})
        delta = {"type": "response.output_text.delta", **at, "logprobs": []}
        events += [{**delta, "delta": word} for word in _words(body)]
        events.append({"type": "response.output_text.done", **at, "text": text, "logprobs": []})
    events.append({"type": "response.completed", "response": whole})
    return [_event({**each, "sequence_number": number}, each["type"]) for number, each in enumerate(events)]


def _message(body: dict[str, Any]) -> Any:
    call = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
    text = {"type": "text", "text": "".join(_words(body))}
    base = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    if not body.get("stream"):
        content = [call] if _wants_tool(body) else [text]
        return {**base, "content": content, "stop_reason": "end_turn", "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**base, "content": [], "stop_reason": None, "usage": usage}}
    ]
    begun = call if _wants_tool(body) else {"type": "text", "text": ""}
    events.append({"type": "content_block_start", "index": 0, "content_block": begun})
    if not _wants_tool(body):
        for word in _words(body):
            delta = {"type": "text_delta", "text": word}
            events.append({"type": "content_block_delta", "index": 0, "delta": delta})
    events.append({"type": "content_block_stop", "index": 0})
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    events.append({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}})
    events.append({"type": "message_stop"})
    return [_event(each, each["type"]) for each in events]


def _gemini(body: dict[str, Any], *, streamed: bool) -> Any:
    def chunk(parts: list[dict[str, Any]]) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}], "modelVersion": "m"}

    if _wants_tool(body):
        called = chunk([{"functionCall": {"name": "weather", "args": {}}}])
        return [_event(called)] if streamed else called
    if not streamed:
        return chunk([{"text": "".join(_words(body))}])
    return [_event(chunk([{"text": word}])) for word in _words(body)]
