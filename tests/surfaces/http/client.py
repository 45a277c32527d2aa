"""A server in this process, on a free port, and a client that says exactly what it is told to."""

from __future__ import annotations

import gzip
import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from recollect import Memory
from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifespan import listening, server

LIMIT = 240  # seconds that any one request may take, on a machine that is busy with other things
# A test that asks often is not about how often one may ask, and must not depend on how fast the machine is.
UNLIMITED = Limits(
    per_second=1e9,
    burst=10**9,
    space_per_second=1e9,
    space_burst=10**9,
    refused_per_second=1e9,
    refused_burst=10**9,
    head_seconds=LIMIT,
    body_seconds=LIMIT,
    read_seconds=LIMIT,
    wait_seconds=LIMIT,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body)


@dataclass(frozen=True, slots=True)
class Client:
    """Speaks to one server. `headers` go with every request."""

    port: int
    headers: Mapping[str, str]

    def with_token(self, secret: str) -> Client:
        return replace(self, headers={**self.headers, "Authorization": f"Bearer {secret}"})

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.send("POST", path, body, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Bytes go out as they are, anything else as JSON. `content_type` is spelled `Content-Type`."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body is not None:
            sent = {"Content-Type": "application/json", **sent}
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            connection.putrequest(method, path, skip_host="Host" in sent, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if content is not None and not {"Content-Length", "Transfer-Encoding"} & set(sent):
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            came = connection.getresponse()
            found = {name.lower(): value for name, value in came.getheaders()}
            return Answer(came.status, found, came.read())
        finally:
            connection.close()


@contextmanager
def served(memory: Memory, *, limits: Limits = UNLIMITED, **options: Any) -> Iterator[Client]:
    """A memory behind a real server, which is gone afterwards. No token is sent until one is given."""
    with listening("127.0.0.1", 0) as taken:
        app = application(memory, limits=limits, **options)
        running = server(app, app.ending)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [taken]})
        thread.start()
        try:
            yield Client(taken.getsockname()[1], {})
        finally:
            running.should_exit = True
            thread.join(LIMIT)
            assert not thread.is_alive(), "the server did not stop"
