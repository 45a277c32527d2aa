"""A real server that speaks S3, in a process of its own: moto's."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

ACCESS = {
    "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_DEFAULT_REGION": "us-east-1",
}
_EVERYTHING = 10**9  # requests


@dataclass(frozen=True, slots=True)
class BucketServer:
    """Where it listens. It believes any key until it is told to ask for one it knows, and it knows none."""

    endpoint: str

    def make(self, bucket: str) -> None:
        self._ask("PUT", f"/{bucket}", b"")

    def believe_nobody(self) -> None:
        self._ask("POST", "/moto-api/reset-auth", b"0")

    def believe_everybody(self) -> None:
        self._ask("POST", "/moto-api/reset-auth", str(_EVERYTHING).encode())

    def _ask(self, method: str, path: str, body: bytes) -> None:
        headers = {"Content-Type": "application/octet-stream", "Authorization": _signed_for_moto(path)}
        request = urllib.request.Request(self.endpoint + path, data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            answer.read()


def _signed_for_moto(path: str) -> str:
    """It looks at which service a request is for, and not at the signature."""
    return "" if path.startswith("/moto-api") else "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request"


@contextmanager
def running_bucket_server() -> Iterator[BucketServer]:
    """Start it on a free port, and stop it at the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**_environment(), "INITIAL_NO_AUTH_ACTION_COUNT": str(_EVERYTHING)},
    ) as process:
        try:
            assert process.stderr is not None
            said: list[str] = []
            for line in process.stderr:
                said.append(line)
                found = re.search(r"Running on (http://127\.0\.0\.1:\d+)", line)
                if found:
                    break
            else:
                raise AssertionError(f"the server did not start: {said}")
            draining = threading.Thread(target=process.stderr.read, daemon=True)  # it must never wait for us
            draining.start()
            yield BucketServer(found[1])
            process.kill()
            draining.join()
        finally:
            process.kill()


def _environment() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
