"""A memory is served: a port is taken, the first token is made, and requests are answered until somebody says stop."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from recollect.domain.access import AccessScope
from recollect.domain.errors import Conflict, InvalidInput, StoreFailure
from recollect.memory import Memory
from recollect.surfaces.http.application import application
from recollect.surfaces.http.guard import Guard
from recollect.surfaces.http.resident import Resident, announce, holding
from recollect.surfaces.http.screening import LOOPBACK
from recollect.surfaces.http.watching import watching
from recollect.verbs.access import Access
from recollect.version import __version__

FIRST_TOKEN = "admin.token"  # noqa: S105 - the name of a file
PORT = 7077

_HEAD_BYTES = 64 * 1024  # of a request line and headers; a query with a long question fits
_KEEP_ALIVE = 30  # seconds that an idle connection is kept
_STOPPING = 20  # seconds for what is under way when the server is told to stop
_BACKLOG = 256


@dataclass(frozen=True, slots=True)
class Served:
    """Where a server is, and the token that was just made; `secret` is `None` if none was."""

    url: str
    secret: str | None
    secret_file: Path


def serve(
    memory: Memory,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    insecure: bool = False,
    hosts: tuple[str, ...] = (),
    ready: Callable[[Served], None],
) -> None:
    """Answer until a signal says stop; `ready` is called once requests are taken. A write under way is finished."""
    if insecure and not is_loopback(host):
        raise InvalidInput(
            f"`--insecure` lets everybody in, and {host} is not a loopback address.",
            code="insecure_host",
            hint="Leave out `--insecure`, or `--host`.",
        )
    home = memory.settings.home
    _log_to_stderr()
    with holding(home), listening(host, port) as taken:
        app = application(memory, hosts=LOOPBACK | {host.lower(), *(name.lower() for name in hosts)}, insecure=insecure)
        file = home / FIRST_TOKEN
        secret = None if insecure else first_token(memory.access, file)
        url = address_of(taken)
        announce(home, Resident(os.getpid(), url, __version__))
        ready(Served(url, secret, file))
        running = server(app)
        with watching(memory), _stopped_by_signals(running):
            running.run(sockets=[taken])


def _log_to_stderr() -> None:
    """What goes wrong unexpectedly is written down, with the id of its request; what is asked and answered is not."""
    lines = logging.StreamHandler()
    lines.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log = logging.getLogger("recollect.http")
    log.addHandler(lines)
    log.propagate = False


@contextlib.contextmanager
def _stopped_by_signals(running: uvicorn.Server) -> Iterator[None]:
    """From here on a signal only asks the server to stop. Uvicorn raises it again at the end, and by then it must not
    end the process: there is still a store to close."""

    def ask(_signal: int, _frame: FrameType | None) -> None:
        running.should_exit = True

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def server(app: Guard) -> uvicorn.Server:
    """The server around an application, set up the way ours runs."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # what strangers send is not worth a line
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_STOPPING,
            h11_max_incomplete_event_size=_HEAD_BYTES,
        )
    )


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes any that is free."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        taken = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as problem:
        raise Conflict(
            f"The server cannot listen on {host}, port {port}: {getattr(problem, 'strerror', None) or problem}.",
            code="port_taken",
            hint="`--port 0` takes any port that is free.",
        ) from None
    # Head and body of an answer go out one after the other; without this the second waits 40 ms for the first to be
    # acknowledged. Connections inherit it from here, and the event loop does not set it for sockets it did not make.
    taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return taken


def address_of(taken: socket.socket) -> str:
    host, port = taken.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def first_token(access: Access, file: Path) -> str | None:
    """Make a token for whoever set the server up, unless there is one that may do everything. It is kept in a file
    that only its owner can read."""
    if access.has_live(AccessScope.ADMIN):
        return None
    issued = access.issue(scope=AccessScope.ADMIN.value, name="admin")
    try:
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as writer:
            writer.write(issued.secret + "\n")
    except OSError as problem:
        access.revoke(issued.token.id)
        raise StoreFailure(
            f"{file} cannot be written: {problem.strerror}.", code="not_writable", hint="Check who owns the folder."
        ) from None
    return issued.secret
