"""Receivers of webhooks: a real server on this machine that answers as it is told to, and one that says any bytes."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from recollect import Memory
from recollect.domain.jobs.webhook import NewWebhook

Answer: TypeAlias = Callable[[BaseHTTPRequestHandler], None]


class Receiver(ThreadingHTTPServer):
    """A receiver that keeps what came. `answer` can be changed while it runs."""

    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.came: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Request(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                receiver.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
                receiver.answer(self)

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        super().__init__(("127.0.0.1", 0), Request)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/in?x=1"

    @property
    def told(self) -> list[Any]:
        """The bodies that came."""
        return [json.loads(body) for _, body in self.came]

    def added_to(self, memory: Memory, name: str = "ops", **options: Any) -> NewWebhook:
        """A webhook of a memory that leads here. Its space is made first, so that this is not told."""
        memory.create_space(options.get("space", "default"))
        return memory.add_webhook(name, self.url, allow_private=True, allow_http=True, **options)


@contextmanager
def receiving(answer: Answer | None = None) -> Iterator[Receiver]:
    with Receiver(answer or says(204)) as receiver:
        thread = threading.Thread(target=receiver.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()


def says(status: int, **headers: str) -> Answer:
    """An answer of a status, without a body."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


@contextmanager
def saying(said: bytes | None) -> Iterator[str]:
    """The address of a receiver that says these bytes and hangs up; with `None` it says nothing and hangs on."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as taken:

        def answer() -> None:
            came, _ = taken.accept()
            with came:
                came.recv(65_536)
                if said is None:
                    over.wait()
                else:
                    came.sendall(said)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"http://127.0.0.1:{taken.getsockname()[1]}/"
        finally:
            over.set()
            thread.join()


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/"
