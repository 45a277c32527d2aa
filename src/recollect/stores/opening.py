"""An address becomes a store, migrated and ready."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.clock import Clock
from recollect.domain.errors import Misconfigured, Unsupported
from recollect.stores.migrations import migrate
from recollect.stores.sql_store import SqlStore

if TYPE_CHECKING:
    from recollect.stores.postgres.database import PostgresDatabase


def file_of(address: str) -> Path | None:
    """The file that an address names, `~` spelled out; `None` for a store that is not a file."""
    scheme, separator, _ = address.partition("://")
    if is_in_memory(address) or (separator and scheme != "sqlite"):
        return None
    return Path(_named(address)).expanduser().absolute()


def is_in_memory(address: str) -> bool:
    """Whether a store is gone when it is closed."""
    return _named(address) == ":memory:"


def open_store(
    address: str, *, clock: Clock, busy_timeout: float, statement_timeout: float = 60.0, replica: str = ""
) -> SqlStore:
    """Open `sqlite:///path`, a bare path, `:memory:` or `postgresql://…`, with a replica of a server if it has one."""
    scheme, separator, _ = address.partition("://")
    if separator and scheme in ("postgresql", "postgres"):
        database = _postgres(address, busy_timeout, statement_timeout, replica)
        try:
            schema = migrate(database, clock.now())
            database.find_extension()
            return SqlStore(database, schema)
        except BaseException:
            database.close()
            raise
    if separator and scheme != "sqlite":
        raise Misconfigured(
            f"`{scheme}://` is not a store Recollect knows.",
            code="unknown_store",
            hint="Use a file path, sqlite:///path/to/file, :memory: or postgresql://user@host/database.",
        )
    from recollect.stores.sqlite.database import IN_MEMORY
    from recollect.stores.sqlite.store import SqliteStore

    file = file_of(address)
    return SqliteStore.open(IN_MEMORY if file is None else str(file), clock=clock, busy_timeout=busy_timeout)


def _postgres(address: str, busy_timeout: float, statement_timeout: float, replica: str) -> PostgresDatabase:
    try:
        from recollect.stores.postgres.database import PostgresDatabase
    except ImportError:
        raise extra_missing() from None
    limits = {"busy_timeout": busy_timeout, "statement_timeout": statement_timeout}
    return PostgresDatabase(address, **limits, replica=replica)


def extra_missing() -> Unsupported:
    """The error for whoever names a server without having its driver."""
    return Unsupported(
        "PostgreSQL needs a package that is not installed.",
        code="extra_missing",
        hint="Install it with: pip install 'recollect[postgres]'",
    )


def _named(address: str) -> str:
    """The path that an address names. sqlite:///relative and sqlite:////absolute, as elsewhere."""
    _, separator, rest = address.partition("://")
    return rest.removeprefix("/") if separator else address
