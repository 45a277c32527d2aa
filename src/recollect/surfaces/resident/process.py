"""One server per home: a lock that the kernel holds and lets go when the process ends, however it ends.

The file beside the lock says where the server is. It is believed only while the lock is held, so that what a crashed
server left behind misleads nobody.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from recollect.domain.errors import Busy, Conflict, NotFound, StoreFailure, Unsupported
from recollect.locks import take_lock

LOCK = "serve.lock"
WHERE = "serve.json"
LOG = "serve.log"
FIRST_TOKEN = "admin.token"  # noqa: S105 - the name of a file
START = "start.lock"
LOCAL_TOKEN = "local.token"  # noqa: S105 - the name of the file with the token of this machine's shims
_PACKAGES = ("fastapi", "mcp", "uvicorn")  # what a server needs beyond the rest

_STOPPING_SECONDS = 30.0  # how long a stop waits for what is under way
_LOOK_EVERY = 0.05  # seconds
_LOOKS = 5  # at a lock that is held: somebody who only tries it has it for a moment, too


class Resident(NamedTuple):
    """A running server."""

    pid: int
    url: str
    version: str


def require_packages() -> None:
    """Refuse where the packages of a server are not installed; without loading any."""
    from importlib.util import find_spec  # hooks look for a server, and have no time to load this

    missing = [package for package in _PACKAGES if find_spec(package) is None]
    if missing:
        raise Unsupported(
            f"The server needs packages that are not installed: {', '.join(missing)}.",
            code="extra_missing",
            hint="Install them with: pip install 'recollect[server]'",
        )


@contextlib.contextmanager
def holding(home: Path) -> Iterator[None]:
    """Be the server of this home. Raises `Conflict` when another is."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _opened(home) as file:
        if not _lock(file):
            found = _said(home)
            raise Conflict(
                f"A server is running for {home}" + (f" at {found.url}." if found else "."),
                code="already_serving",
                hint="`recollect serve --status` shows it; `recollect serve --stop` ends it.",
            )
        try:
            yield
        finally:
            (home / WHERE).unlink(missing_ok=True)


def claim_start(home: Path) -> IO[bytes] | None:
    """The right to start the server of a home, until the file is closed; `None` while somebody else has it."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = _opened(home, START)
    if _try_lock(file):
        return file
    file.close()
    return None


def announce(home: Path, resident: Resident) -> None:
    """Say where the server is, for others on this machine. Only whoever holds the lock may."""
    draft = home / f".{WHERE}.{resident.pid}"
    draft.write_text(json.dumps(resident._asdict()), encoding="utf-8")
    draft.replace(home / WHERE)


def running(home: Path) -> Resident | None:
    """The server of this home, if there is one and it has said where it is."""
    return _said(home) if _is_held(home) else None


def stop(home: Path) -> Resident:
    """Ask the server to end, and wait until it has."""
    found = running(home)
    if found is None:
        raise NotFound(f"No server is running for {home}.", code="not_serving", hint="`recollect serve` starts one.")
    import signal

    with contextlib.suppress(ProcessLookupError):
        os.kill(found.pid, signal.SIGTERM)
    deadline = time.monotonic() + _STOPPING_SECONDS
    while _is_held(home):
        if time.monotonic() > deadline:
            raise Busy(
                f"The server {found.pid} is still finishing what was under way.",
                code="still_stopping",
                hint="Look again with `recollect serve --status`.",
            )
        time.sleep(_LOOK_EVERY)
    return found


def _said(home: Path) -> Resident | None:
    try:
        said: dict[str, Any] = json.loads((home / WHERE).read_text(encoding="utf-8"))
        return Resident(int(said["pid"]), str(said["url"]), str(said["version"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_held(home: Path) -> bool:
    if not (home / LOCK).exists():
        return False
    with _opened(home) as file:
        return not _try_lock(file)


def _lock(file: IO[bytes]) -> bool:
    for _ in range(_LOOKS):
        if _try_lock(file):
            return True
        time.sleep(_LOOK_EVERY)
    return False


def _opened(home: Path, name: str = LOCK) -> IO[bytes]:
    try:
        return os.fdopen(os.open(home / name, os.O_CREAT | os.O_RDWR, 0o600), "r+b")
    except OSError as problem:
        raise StoreFailure(
            f"{home / name} cannot be opened: {problem.strerror}.",
            code="not_writable",
            hint="Set RECOLLECT_HOME to a folder you can write to.",
        ) from None


def _try_lock(file: IO[bytes]) -> bool:
    return take_lock(file.fileno())
