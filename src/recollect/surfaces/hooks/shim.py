"""`recollect hook EVENT --agent NAME`: carry what a host says to the server of this home, or leave it on disk, and go.

Whatever happens, it ends with 0 and in time: no agent may ever wait for memory, let alone stop for it. The server reads
what it is told; here it is not even looked at, unless it has to lie on disk. So next to nothing is loaded, and loading
is most of the time a hook takes; a test looks. The wire is spoken by hand for the same reason, and values are no
dataclasses: loading those takes longer than everything else here.
"""

from __future__ import annotations

import _socket  # `socket` makes several hundred numbers into words first
import _thread
import contextlib
import os
import select
import sys
import time
from pathlib import Path
from typing import NamedTuple

from recollect.domain.instants import new_key, now, seconds_since
from recollect.home import home_folder, said_of
from recollect.surfaces.resident.process import LOCAL_TOKEN, START, claim_start, running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from subprocess import Popen

PATH = "/v1/hook"

# Seconds for everything, starting a server included. The session waits for the first of them once; the others are
# in the middle of work.
_PATIENCE_AT_START = 6.0
_PATIENCE = 1.5
_AT_THE_LATEST = 2.0  # seconds more, and the process ends wherever it is
_TO_READ = 2.0  # seconds for a host to say what happened
_LONGEST_INPUT = 32_000_000  # bytes
_LONGEST_ANSWER = 1_000_000
_LOOK_EVERY = 0.03  # seconds, for a server that is starting
_STARTED_AGO = 10.0  # seconds in which no other start is tried: one may be under way, and what failed would fail again
_MOST_PATIENCE = 120.0  # seconds
_OPTIONS = ("--agent", "--home", "--space", "--patience")


class ShimOptions(NamedTuple):
    """The options typed after `recollect hook`; `None` for those that were not."""

    event: str
    agent: str
    home: str | None = None
    space: str | None = None
    patience: str | None = None

    def begins(self) -> bool:
        """Whether a session begins, which every host has nearly the same word for."""
        return self.event.replace("-", "").replace("_", "").lower() == "sessionstart"

    def only_asks(self) -> bool:
        """Whether the host wants to know something before a tool runs, and nothing is to be kept of it."""
        return self.event.replace("-", "").replace("_", "").lower() in ("pretooluse", "beforetool")

    def seconds(self) -> float:
        """How long a server is waited for; what is no number counts as not given."""
        with contextlib.suppress(ValueError):
            if self.patience:
                return min(max(float(self.patience), 0.0), _MOST_PATIENCE)
        return _PATIENCE_AT_START if self.begins() else _PATIENCE


class ShimAnswer(NamedTuple):
    """A host's message as it came; when, and the id by which it is known again where the host has none."""

    said: bytes
    at: str
    new_id: str
    space: str | None


def options_in(words: Sequence[str]) -> ShimOptions | None:
    """The options typed, read without the command line's own parser; `None` if they are not enough to go by.

    Unknown options are passed over: a hook that another version installed must not fail.
    """
    found: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, is_joined, value = word.partition("=")
        if not word.startswith("-") and "event" not in found:
            found["event"] = word
        elif name in _OPTIONS and (is_joined or left):
            found[name[2:]] = value if is_joined else left.pop(0)
    return ShimOptions(**found) if {"event", "agent"} <= set(found) else None


def run(options: ShimOptions) -> int:
    """Always 0, and always in time."""
    _thread.start_new_thread(_end_after, (_TO_READ + options.seconds() + _AT_THE_LATEST,))
    with contextlib.suppress(Exception, KeyboardInterrupt):
        said = read_input(sys.stdin.buffer.fileno())
        if said.strip():
            told = ShimAnswer(said, now(), new_key(), _space(options))
            answer = carried(options, told, time.monotonic() + options.seconds())
            if answer:
                os.write(sys.stdout.fileno(), answer)
    return 0


def carried(options: ShimOptions, told: ShimAnswer, deadline: float) -> bytes:
    """The answer to the host. If nobody could take what it said, that is on disk when this returns."""
    home = home_folder(options.home)
    with contextlib.suppress(Exception):
        answer = _asked(home, options, told, deadline)
        if answer is not None:
            return answer
    if options.only_asks():
        return b""
    from recollect.surfaces.hooks.departure import leave

    if leave(home, options.agent, options.event, told):
        with contextlib.suppress(Exception):
            if running(home) is None:
                _wake(home)  # so that what is on disk is taken in soon
    return b""


def _asked(home: Path, options: ShimOptions, told: ShimAnswer, deadline: float) -> bytes | None:
    """The server's answer; `None` if it has none for us, or none in time. Only a session that begins waits for one to
    start."""
    found = running(home)
    if found is None and options.begins():
        with _starting(home) as is_starting:
            while found is None and time.monotonic() < deadline and is_starting():
                time.sleep(_LOOK_EVERY)
                found = running(home)
    if found is None:
        return None
    try:
        token = (home / LOCAL_TOKEN).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    asked = {"agent": options.agent, "event": options.event, "at": told.at, "id": told.new_id, "space": told.space}
    query = "&".join(f"{name}={_escaped(value)}" for name, value in asked.items() if value)
    status, body = exchanged(found.url, f"{PATH}?{query}", token, told.said, deadline)
    return body if status == 200 else None


def exchanged(url: str, path: str, token: str, body: bytes, deadline: float) -> tuple[int, bytes]:
    """Status and body of the answer to one request. Raises `OSError` or `ValueError` where there is none in time."""
    place = url.partition("://")[2].rstrip("/")
    host, _, port = place.rpartition(":")
    head = [
        f"POST {path} HTTP/1.1",
        f"Host: {place}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *([f"Authorization: Bearer {token}"] if token else []),
    ]
    line = _connected(host.strip("[]"), int(port), deadline)
    try:
        line.sendall("\r\n".join([*head, "", ""]).encode("ascii") + body)
        answered = bytearray()
        while len(answered) < _LONGEST_ANSWER:
            line.settimeout(_left(deadline))
            piece = line.recv(65536)
            if not piece:
                break
            answered += piece
    finally:
        line.close()
    opening, _, rest = bytes(answered).partition(b"\r\n\r\n")
    return int(opening.split(b" ", 2)[1]), rest


def read_input(descriptor: int) -> bytes:
    """Everything on standard input, for as long and as much as a host may take."""
    deadline = time.monotonic() + _TO_READ
    pieces = bytearray()
    while len(pieces) <= _LONGEST_INPUT:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        piece = os.read(descriptor, 1 << 20) if ready else b""
        if not piece:
            break
        pieces += piece
    return bytes(pieces)


def _connected(host: str, port: int, deadline: float) -> _socket.socket:
    """A line to the first of the host's addresses that somebody listens at."""
    spelled = host.encode() if host.isascii() else host  # a text would load the tables of international names first
    for family, kind, protocol, _, address in _socket.getaddrinfo(spelled, port, 0, _socket.SOCK_STREAM):
        line = _socket.socket(family, kind, protocol)
        try:
            line.settimeout(_left(deadline))
            line.connect(address)
        except OSError:
            line.close()
            continue
        return line
    raise ConnectionError


def _space(options: ShimOptions) -> str | None:
    """The space that was named; `None` for the usual one of the home, which whoever takes it in knows."""
    named = options.space or said_of("SPACE")
    if named or not said_of("CONFIG"):
        return named
    from recollect.settings import load_settings

    return load_settings({"home": options.home})[0].space


def _escaped(value: str) -> str:
    return "".join(f"%{byte:02X}" for byte in value.encode("utf-8", "surrogateescape"))


def _end_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


@contextlib.contextmanager
def _starting(home: Path) -> Iterator[Callable[[], bool]]:
    """Have the server started; in here one can ask whether it may still be coming. One that failed is written down, so
    that nobody else waits for it."""
    tried, child = home / f"{START}ed", _wake(home)

    def is_starting() -> bool:
        return child.poll() is None if child is not None else _is_being_started(home)

    yield is_starting
    if child is not None and child.poll() is not None:
        with contextlib.suppress(OSError):
            tried.write_bytes(b"it ended")


def _wake(home: Path) -> Popen[bytes] | None:
    """Have the server started in a process of its own, unless somebody is at it or was a moment ago."""
    mine = None if _lately_tried(home) is not None else claim_start(home)
    if mine is None:
        return None
    from recollect.surfaces.resident.servers import start

    with mine:
        (home / f"{START}ed").write_bytes(b"")
        return start(home)


def _is_being_started(home: Path) -> bool:
    """Whether somebody else is at it: a hook, which has written that down, or the MCP server of the same agent, which
    has claimed the right to."""
    tried = _lately_tried(home)
    if tried is not None:
        return tried == 0
    mine = claim_start(home)
    if mine is not None:
        mine.close()
    return mine is None


def _lately_tried(home: Path) -> int | None:
    """How many bytes are written down about a start of a moment ago: none while it may succeed; `None` without one."""
    with contextlib.suppress(OSError):
        written = (home / f"{START}ed").stat()
        if 0 <= seconds_since(written.st_mtime) < _STARTED_AGO:
            return written.st_size
    return None


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
