"""Where the server is that the shim speaks to: the one of this home, started if there is none, or one far away.

The lock of the home is what is believed. A token is sent only to the process that holds it, never to whatever happens
to listen where a server once was.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Misconfigured, RecollectError, Unreachable
from recollect.surfaces.resident.process import LOCAL_TOKEN, claim_start, require_packages, running

if TYPE_CHECKING:
    from subprocess import Popen

LOG = "serve.log"
IDLE_MINUTES = 30  # after which a server that was started on demand ends: starting again takes two seconds

_PATIENCE = 60.0  # seconds for a server to start, on a machine that is busy
_LOOK_EVERY = 0.03  # seconds
_STARTS = 3  # of a server that ends at once; the first may only have met another one that was just ending
_SAID = 300  # characters of its last words
_TO_CONNECT = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server, and what to show at its door; no token in open mode."""

    url: str
    token: str | None


class FarServer:
    """A server at a given address. It is not ours to start."""

    def __init__(self, url: str, token_file: str | None) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise Misconfigured(f"`--url` is `{url}`; it must be the http or https address of a server.")
        self._url, self._file = url, token_file

    def place(self) -> ServerAddress:
        if self._file is None:
            return ServerAddress(self._url, None)
        try:
            return ServerAddress(self._url, Path(self._file).expanduser().read_text(encoding="ascii").strip())
        except (OSError, UnicodeDecodeError) as problem:
            raise Misconfigured(f"The token in {self._file} cannot be read: {problem}.") from None

    def lost(self, place: ServerAddress) -> None:
        """Nothing can be done about it but to try again."""

    def is_up(self) -> bool:
        """As far as we know."""
        return True

    def wake(self) -> None:
        """It is not ours to start."""


class HomeServer:
    """The server of a home. Several threads may ask; one of them starts it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._asking = threading.Lock()
        self._found: ServerAddress | None = None
        self._child: Popen[bytes] | None = None

    def place(self) -> ServerAddress:
        """Where it is. One that has ended is started again."""
        with self._asking:
            if self._found is None:
                self._found = self._reached()
            return self._found

    def lost(self, place: ServerAddress) -> None:
        """It did not answer there: look again before the next request."""
        with self._asking:
            if self._found == place:
                self._found = None

    def is_up(self) -> bool:
        """Whether there is one that can be asked now."""
        return self._found is not None or running(self.home) is not None

    def wake(self) -> None:
        """Have it started, without waiting for it."""

        def start() -> None:
            with contextlib.suppress(RecollectError):  # whoever asks for something is told
                self.place()

        threading.Thread(target=start, daemon=True).start()

    def _reached(self) -> ServerAddress:
        """Wait until it answers. Of several shims that find none, one starts it and the others wait as well."""
        deadline = time.monotonic() + _PATIENCE
        mine: IO[bytes] | None = None
        starts = 0
        try:
            while time.monotonic() < deadline:
                found = running(self.home)
                if found is not None and _answers(found.url):
                    return ServerAddress(found.url, self._token())
                if found is None and (self._child is None or self._child.poll() is not None):
                    mine = mine or claim_start(self.home)
                    if mine is not None and running(self.home) is None:
                        if starts == _STARTS:
                            raise self._cannot_start()
                        self._child = start(self.home)
                        starts += 1
                time.sleep(_LOOK_EVERY)
        finally:
            if mine is not None:
                mine.close()
        raise Unreachable(
            f"The server of {self.home} could not be reached.", hint=f"{self.home / LOG} says what went wrong."
        )

    def _cannot_start(self) -> Unreachable:
        """Why it ended, in its own last words."""
        try:
            said = (self.home / LOG).read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            said = []
        last = next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")
        return Unreachable(
            f"The server of {self.home} cannot be started: {last[:_SAID]}",
            code="server_cannot_start",
            hint=f"{self.home / LOG} says more; `recollect serve` shows it at once.",
        )

    def _token(self) -> str | None:
        try:
            return (self.home / LOCAL_TOKEN).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None


def start(home: Path) -> Popen[bytes]:
    """A server in a process of its own, which ends by itself when nobody needs it any more."""
    import subprocess

    require_packages()
    words = ["serve", "--home", str(home), "--port", "0", "--idle-stop", str(IDLE_MINUTES)]
    log = os.open(home / LOG, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        return subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", "recollect", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # where it is stands in the home; its first token in a file of its own
            stderr=log,
            cwd=home,
            start_new_session=True,  # it outlives whoever needed it first
        )
    finally:
        os.close(log)


def _answers(url: str) -> bool:
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "", address.port or 80), timeout=_TO_CONNECT).close()
    except OSError:
        return False
    return True
