"""A memory is served: a port is taken, the first token is made, and requests are answered until somebody says stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import uvicorn

from recollect.dialects.registry import chosen
from recollect.dialects.table import Dialect
from recollect.domain.access import AccessScope
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Conflict, InvalidInput, StoreFailure
from recollect.memory import Memory
from recollect.redaction.clean_records import clean
from recollect.surfaces.hooks.intake import attendant_of
from recollect.surfaces.mcp.door import Extension
from recollect.surfaces.reception.guard import Application
from recollect.surfaces.reception.issuer import issuer_of
from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.reception.records import REQUESTS
from recollect.surfaces.reception.screening import LOOPBACK
from recollect.surfaces.resident.process import FIRST_TOKEN, LOCAL_TOKEN, LOG, Resident, announce, holding
from recollect.surfaces.server.application import application
from recollect.surfaces.server.lifetime import Ceiling, PatientProtocol, Watched, ended_when_idle, handed_over
from recollect.surfaces.server.supervisor import PAGES, membership, supervise
from recollect.surfaces.server.vault_watch import watching
from recollect.verbs.access import Access
from recollect.version import __version__

PORT = 7077

_HEAD_BYTES = 64 * 1024  # of a request line and headers; a query with a long question fits
_KEEP_ALIVE = 30  # seconds that an idle connection is kept
_STOPPING = 20  # seconds for what is under way when the server is told to stop
_BACKLOG = 256
_LAST_WORDS = 0.1  # seconds for those who have just connected to say what they want
_LOG_BYTES, _LOGS_KEPT = 5_000_000, 2  # of the file of requests, and how many older ones stay
# Seconds after which a thread at work lets another one run, a fifth of what Python sets. A health check takes some ten
# turns, from its connection to its answer.
_TURN = 0.001
_MESSAGE_BYTES = 4096  # that a WebSocket may be sent at once; nobody has anything to tell us there


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
    origins: tuple[str, ...] = (),
    log: Path | None = None,
    ceiling: Ceiling | None = None,
    limits: Limits | None = None,
    idle_minutes: int | None = None,
    extended: Extension | None = None,
    ready: Callable[[Served], None],
) -> socket.socket | None:
    """Answer until a signal says stop; `ready` is called once requests are taken. A write under way is finished.

    A socket comes back when the ceiling was reached: the caller closes the memory and hands it to `begin_anew`.

    Each request is a line in `log`, which is a file in the home folder unless another is named; `-` is standard error.
    """
    dialects = chosen(memory.settings.dialects, loopback=host.lower() in LOOPBACK)
    allowed = _allowed(host, origins, dialects, insecure=insecure)
    home = memory.settings.home
    given, anew = handed_over() or (None, False)
    member = membership()  # one of several: the supervisor holds the home and the port, and has said where they are
    with contextlib.nullcontext() if member else holding(home), _port(given, host, port) as taken:
        open_logs(_log_of(log or home / LOG, member.number if member else None))
        named = LOOPBACK | {host.lower(), *(name.lower() for name in hosts)}
        attendant = attendant_of(memory, home)
        app = application(
            memory,
            hosts=named,
            limits=limits,
            insecure=insecure,
            attendant=attendant,
            extended=extended,
            origins=allowed,
            issuer=issuer_of(memory.settings),
            dialects=dialects,
        )
        if not member:
            _tell(memory, taken, ready if not anew else None, insecure=insecure)
        watched = Watched(app)
        running = server(watched, app.ending)
        gc.freeze()  # a full collection stops every thread: it need not go through what stays as long as the process
        if member:
            member.when_orphaned(lambda: setattr(running, "should_exit", True))
        alone = member is None or member.is_first
        with (
            watching(memory) if alone else contextlib.nullcontext(),
            attendant.watching() if alone else contextlib.nullcontext(),
            memory.runner.started(),
            ended_when_idle(running, watched, idle_minutes and idle_minutes * 60),
        ):
            return _answered_until_stopped(running, taken, ceiling)


def serve_together(
    memory: Memory,
    processes: int,
    arguments: Sequence[str],
    *,
    host: str,
    port: int,
    insecure: bool,
    origins: tuple[str, ...] = (),
    log: Path | None = None,
    ready: Callable[[Served], None],
) -> None:
    """Answer with several processes on one port, each started with the arguments, until a signal says stop.

    What each of them would refuse is refused here, before the port is taken.
    """
    dialects = chosen(memory.settings.dialects, loopback=host.lower() in LOOPBACK)
    _allowed(host, origins, dialects, insecure=insecure)
    for number in range(processes):
        _require_writable(_log_of(log or memory.settings.home / LOG, number))
    with holding(memory.settings.home), listening(host, port) as taken:
        open_logs(None)
        shutil.rmtree(memory.settings.home / PAGES, ignore_errors=True)  # of processes that are no more
        _tell(memory, taken, ready, insecure=insecure)
        supervise(taken, processes, arguments)


def _allowed(host: str, origins: Sequence[str], dialects: Sequence[Dialect], *, insecure: bool) -> frozenset[str]:
    """The origins that pages may come from, if that and the host can be."""
    if insecure and not is_loopback(host):
        raise InvalidInput(
            f"`--insecure` lets everybody in, and {host} is not a loopback address.",
            code="insecure_host",
            hint="Leave out `--insecure`, or `--host`.",
        )
    theirs = (checked_origin(*each) for dialect in dialects for each in dialect.origins().items())
    return frozenset((*map(checked_origin, origins), *theirs))


def _log_of(file: Path, number: int | None) -> Path:
    """The file of requests of one process: each of several has its own, since a file is turned over by one alone."""
    return file if number is None or str(file) == "-" else file.with_stem(f"{file.stem}-{number}")


def _require_writable(file: Path) -> None:
    if str(file) == "-":
        return
    try:
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as problem:
        raise StoreFailure(
            f"{file} cannot be written: {problem.strerror}.", code="not_writable", hint="Name another with `--log`."
        ) from None


def _port(given: socket.socket | None, host: str, port: int) -> socket.socket:
    member = membership()
    return given or (member.socket() if member else listening(host, port))


def _tell(memory: Memory, taken: socket.socket, ready: Callable[[Served], None] | None, *, insecure: bool) -> None:
    """See to the tokens, say where the server is, and that it is ready."""
    home = memory.settings.home
    file = home / FIRST_TOKEN
    secret = None
    if not insecure:
        secret = first_token(memory.access, file)
        local_token(memory.access, home / LOCAL_TOKEN, memory.settings.principal)
    url = address_of(taken)
    announce(home, Resident(os.getpid(), url, __version__))
    if ready is not None:
        ready(Served(url, secret, file))


def _answered_until_stopped(
    running: uvicorn.Server, taken: socket.socket, ceiling: Ceiling | None
) -> socket.socket | None:
    """The port, still open, if the server ended only to begin anew."""
    # Whether a call waits is a mark of the port itself, which processes share: a copy that waits, for the moment until
    # it serves, would hold up another process in the middle of taking connections.
    taken.setblocking(False)
    kept = taken.dup() if ceiling else None  # the server closes its own
    too_large = threading.Event()

    def begin_anew_soon() -> None:
        too_large.set()
        running.should_exit = True

    with contextlib.ExitStack() as around:
        stopped = around.enter_context(_stopped_by_signals(running))
        if ceiling is not None:
            around.enter_context(ceiling.watched(begin_anew_soon))
        running.run(sockets=[taken])
    if kept is None or (too_large.is_set() and not stopped.is_set()):
        return kept
    kept.close()
    return None


def open_logs(file: Path | None) -> None:
    """Log unexpected errors to standard error, with the id of their request, and every request as a line of JSON to a
    file that only its owner can read, and that does not grow without end; to none, where nothing is answered."""
    lines = logging.StreamHandler()
    lines.setFormatter(_CleanLines("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name in ("recollect.http", "recollect.remember", "recollect.jobs", "recollect.vectors"):
        log = logging.getLogger(name)
        log.addHandler(lines)
        log.propagate = False
    if file is None:
        return
    _require_writable(file)
    requests: logging.Handler = logging.StreamHandler()
    if str(file) != "-":
        requests = RotatingFileHandler(file, maxBytes=_LOG_BYTES, backupCount=_LOGS_KEPT, encoding="utf-8")
    each = logging.getLogger(REQUESTS)
    each.addHandler(requests)
    each.setLevel(logging.INFO)
    each.propagate = False


class _CleanLines(logging.Formatter):
    """Lines without secrets: what went wrong may quote what was sent, and standard error is often kept in a file."""

    def format(self, record: logging.LogRecord) -> str:
        return clean(super().format(record))


@contextlib.contextmanager
def _stopped_by_signals(running: uvicorn.Server) -> Iterator[threading.Event]:
    """From here on a signal only asks the server to stop. Uvicorn raises it again at the end, and by then it must not
    end the process: there is still a store to close. What is given is set once somebody asked."""
    asked = threading.Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        asked.set()
        running.should_exit = True

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, former in before.items():
            signal.signal(number, former)


class _Server(uvicorn.Server):
    """A server that lets no long request starve the others, and says goodbye to those who watch before it waits for
    what is under way."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._ending = ending

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        former = sys.getswitchinterval()
        sys.setswitchinterval(_TURN)
        try:
            super().run(sockets)
        finally:
            sys.setswitchinterval(former)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for taking in self.servers:
            taking.close()
        await asyncio.sleep(_LAST_WORDS)
        await self._ending()
        await super().shutdown(sockets)


def server(app: Application, ending: Callable[[], Awaitable[None]]) -> uvicorn.Server:
    """The server around an application, set up the way ours runs."""
    return _Server(
        uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="websockets-sansio",
            ws_max_size=_MESSAGE_BYTES,
            ws_per_message_deflate=False,
            lifespan="on",
            log_config=None,
            log_level="error",  # what strangers send is not worth a line
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_STOPPING,
            h11_max_incomplete_event_size=_HEAD_BYTES,
        ),
        ending,
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


def checked_origin(origin: str, variable: str = "") -> str:
    """An origin as browsers send it: a scheme and a host, in lower case, and nothing after them. An error says which
    variable of the environment it came from, if it did."""
    try:
        parts = urlsplit(origin)
    except ValueError:  # a bracket that is never closed
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or origin.lower() != f"{parts.scheme}://{parts.netloc}".lower():
        raise InvalidInput(
            f"`{origin}`{f' in {variable}' if variable else ''} is not an origin.",
            code="invalid_origin",
            hint="Write it as in https://app.example.com:8443"
            + (f", several divided by commas, or leave {variable} out." if variable else "."),
        )
    return origin.lower()


def first_token(access: Access, file: Path) -> str | None:
    """Make a token for whoever set the server up, unless there is one that may do everything."""
    if access.has_live(AccessScope.ADMIN):
        return None
    return _kept(access, file, "admin")


def local_token(access: Access, file: Path, principal: str) -> None:
    """See to it that the shims of this home can come in: the token in the file lives, or it gets a new one."""
    try:
        kept = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        kept = ""
    if access.admit(kept) is None:
        _kept(access, file, principal or "local")


def _kept(access: Access, file: Path, name: str) -> str:
    """A new token that may do everything, in a file that only its owner can read."""
    issued = access.issue(scope=AccessScope.ADMIN.value, name=name)
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
