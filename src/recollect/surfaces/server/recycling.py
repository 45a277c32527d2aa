"""A server that has grown too large ends what is under way and begins anew, on the same port and as the same process.

The port stays open all the while: who connects in between waits in its queue for a moment and is answered. Connections
that were open and idle are closed, as by any server that stops. The port is handed to the new beginning the way systemd
hands over sockets.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from recollect.domain.dataclass import dataclass

MEGABYTES = 2000  # that a server may take by default; with a model and 10,000 notes one took 520, mapped files included

_FIRST_FD = 3  # where systemd puts the first socket it hands over
_ANEW = "recollect-anew"  # what a socket is called that we handed to ourselves
_STATUS = Path("/proc/self/status")
_LOG = logging.getLogger("recollect.http")


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How much memory a server may take, and how it is watched; times are in seconds.

    `rest` is how long a new beginning is left alone: one that is too large from the start would never do anything else.
    """

    most: int  # bytes
    every: float = 5.0
    rest: float = 600.0

    @contextlib.contextmanager
    def watched(self, reached: Callable[[], None]) -> Iterator[None]:
        """Call `reached` once, when it is, from a thread that ends with this."""
        over = threading.Event()

        def watch() -> None:
            began = time.monotonic()
            while not over.wait(self.every):
                taken = own_bytes()
                if taken is not None and taken > self.most and time.monotonic() - began >= self.rest:
                    _LOG.warning("the server takes %d MB and begins anew", taken // 1_000_000)
                    reached()
                    return

        thread = threading.Thread(target=watch, name="recollect-ceiling", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def own_bytes() -> int | None:
    """The memory that is this process's own; files that are only mapped do not count. `None` where nobody says."""
    try:
        lines = _STATUS.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:")), None)


def begin_anew(port: socket.socket, arguments: Sequence[str]) -> NoReturn:
    """Become a new process with the same arguments, which goes on listening where this one did."""
    os.dup2(port.fileno(), _FIRST_FD, inheritable=True)
    environment = {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": _ANEW}
    os.execve(sys.executable, [sys.executable, *arguments], environment)  # noqa: S606 - ourselves, with what we were given


def handed_over() -> tuple[socket.socket, bool] | None:
    """The port that this process was given to listen on, and whether it has begun anew; `None` if it was given none."""
    meant = os.environ.get("LISTEN_PID") == str(os.getpid())
    given = (os.environ.pop("LISTEN_FDS", ""), os.environ.pop("LISTEN_FDNAMES", ""))
    os.environ.pop("LISTEN_PID", None)
    if not meant or given[0] != "1":
        return None
    os.set_inheritable(_FIRST_FD, False)
    return socket.socket(fileno=_FIRST_FD), given[1] == _ANEW
