"""`recollect hook EVENT --agent NAME`: hand what happened to the server of this home, or leave it on disk, and be gone.

Whatever happens, it ends with 0 and in time: no agent may ever wait for memory, let alone stop for it. Standard library
only, and of ours only what needs nothing else; a test looks. The wire is spoken by hand, because the library for it
takes longer to load than everything else here.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from recollect.surfaces.hooks.hosts import HOSTS, Moment, moment_named
from recollect.surfaces.hooks.noticing import Notice, answer, noticed
from recollect.surfaces.http.resident import LOCAL_TOKEN, START, claim_start, running

if TYPE_CHECKING:
    from subprocess import Popen

PATH = "/v1/hook"

# Seconds for everything, starting a server included. The session waits for the first of them once; the others are
# in the middle of work.
PATIENCE = {Moment.SESSION_START: 6.0, Moment.PROMPT: 1.5}
_PATIENCE = 1.0
_AT_THE_LATEST = 2.0  # seconds more, and the process ends wherever it is
_TO_READ = 2.0  # seconds for a host to say what happened
_LONGEST_INPUT = 32_000_000  # bytes
_LONGEST_ANSWER = 1_000_000
_LOOK_EVERY = 0.03  # seconds, for a server that is starting
_STARTED_AGO = 10.0  # seconds in which no other start is tried: one may be under way, and what failed would fail again
_MOST_PATIENCE = 120.0  # seconds
_OPTIONS = ("--agent", "--home", "--space", "--patience")


@dataclass(frozen=True, slots=True)
class Options:
    """What was typed after `recollect hook`; `None` for what was not."""

    event: str
    agent: str
    home: str | None = None
    space: str | None = None
    patience: str | None = None

    def seconds(self, moment: Moment) -> float:
        """How long a server is waited for; what is no number counts as not given."""
        with contextlib.suppress(ValueError):
            if self.patience:
                return min(max(float(self.patience), 0.0), _MOST_PATIENCE)
        return PATIENCE.get(moment, _PATIENCE)


def options_in(words: Sequence[str]) -> Options | None:
    """What was typed, read without the command line's own parser; `None` if it is not enough to go by.

    What is not known is passed over: a hook that another version installed must not fail.
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
    return Options(**found) if {"event", "agent"} <= set(found) else None


def run(options: Options) -> int:
    """Always 0, and always in time."""
    host = HOSTS.get(options.agent)
    moment = moment_named(host, options.event) if host else None
    if host is None or moment is None:
        with contextlib.suppress(OSError):
            os.write(2, f"recollect hook: there is no `{options.event}` of `{options.agent}`.\n".encode())
        return 0
    patience = options.seconds(moment)
    over = threading.Timer(_TO_READ + patience + _AT_THE_LATEST, os._exit, (0,))
    over.daemon = True
    over.start()
    with contextlib.suppress(Exception, KeyboardInterrupt):
        payload = payload_in(read_input(sys.stdin.buffer.fileno()))
        if payload is not None:
            from recollect.domain.clock import SystemClock, format_time

            clock = SystemClock()
            at, new_id = format_time(clock.now()), clock.new_id()
            notice = noticed(host, moment, payload, at=at, new_id=new_id)
            if notice is not None:
                said = answer(host, moment, told(options, notice, time.monotonic() + patience))
                if said:
                    os.write(sys.stdout.fileno(), said.encode("utf-8"))
    over.cancel()
    return 0


def told(options: Options, notice: Notice, deadline: float) -> str:
    """What memory has to say to a notice. If nobody could take it, it is on disk when this returns."""
    from recollect.settings import load_settings

    settings, _ = load_settings({"home": options.home, "space": options.space})
    notice = replace(notice, space=settings.space)
    with contextlib.suppress(Exception):
        context = _asked(settings.home, notice, deadline)
        if context is not None:
            return context
    leave(settings.home, replace(notice, untold=notice.moment is Moment.SESSION_START))
    with contextlib.suppress(Exception):
        if running(settings.home) is None:
            _wake(settings.home)  # so that what is on disk is taken in soon
    return ""


def leave(home: Path, notice: Notice) -> None:
    """Put a notice on disk, without its secrets, and with what its folder says now."""
    from recollect.surfaces.hooks.leaving import ready_to_lie
    from recollect.surfaces.hooks.spool import append

    append(home, ready_to_lie(notice).as_line())


def _asked(home: Path, notice: Notice, deadline: float) -> str | None:
    """The server's answer; `None` if it has none for us, or none in time. Only a session that begins waits for one to
    start."""
    found = running(home)
    if found is None and notice.moment is Moment.SESSION_START:
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
    status, body = exchanged(found.url, token, notice.as_line(), deadline)
    said = json.loads(body) if status == 200 else None
    context = said.get("context") if isinstance(said, dict) else None
    return context if isinstance(context, str) else None


def exchanged(url: str, token: str, body: bytes, deadline: float) -> tuple[int, bytes]:
    """Status and body of the answer to one request. Raises `OSError` or `ValueError` where there is none in time."""
    address = urlsplit(url)
    host, port = address.hostname or "", address.port or 80
    head = [
        f"POST {PATH} HTTP/1.1",
        f"Host: {address.netloc}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *([f"Authorization: Bearer {token}"] if token else []),
    ]
    with socket.create_connection((host, port), timeout=_left(deadline)) as line:
        line.settimeout(_left(deadline))
        line.sendall("\r\n".join([*head, "", ""]).encode("ascii") + body)
        answered = bytearray()
        while len(answered) < _LONGEST_ANSWER:
            line.settimeout(_left(deadline))
            piece = line.recv(65536)
            if not piece:
                break
            answered += piece
    opening, _, rest = bytes(answered).partition(b"\r\n\r\n")
    return int(opening.split(b" ", 2)[1]), rest


def payload_in(data: bytes) -> Mapping[str, Any] | None:
    """The object a host wrote; `None` for anything else."""
    try:
        found = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


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
    from recollect.surfaces.mcp.reaching import start

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
    from recollect.domain.clock import SystemClock

    with contextlib.suppress(OSError):
        written = (home / f"{START}ed").stat()
        if 0 <= SystemClock().now().timestamp() - written.st_mtime < _STARTED_AGO:
            return written.st_size
    return None


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
