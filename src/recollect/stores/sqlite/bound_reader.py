"""A connection on which the tables are views of a part of a space.

Temporary views stand before tables of the same name, on this connection only. They ask a function what the reader is
bound to, so that one connection of a thread serves every part. It cannot write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from recollect.domain.scopes import BOUND_BY
from recollect.stores.bound.bound_database import settings_of, views

if TYPE_CHECKING:
    import apsw

    from recollect.domain.scopes import Scope
    from recollect.stores.database import Transaction

# The text indexes stay as they are: they give numbers of texts, which are then looked up in a view.
_TABLES = (
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " AND name NOT LIKE 'note\\_words%' ESCAPE '\\' AND name NOT LIKE 'observation\\_words%' ESCAPE '\\'"
    " AND name NOT LIKE 'note\\_forms%' ESCAPE '\\' AND name NOT LIKE 'observation\\_forms%' ESCAPE '\\'"
)
_SETTINGS = {name: f"bound('{name}')" for name in (*BOUND_BY, "part")}


class BoundReader:
    """The bound connection of one thread."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._within: Scope | None = None
        self._said: dict[str, str] = {}
        self._held: Transaction | None = None
        # What it says stays the same while a statement runs, which lets indexes be used.
        connection.create_scalar_function("bound", self._setting, 1, deterministic=True)
        connection.pragma("query_only", 0)
        tables = [row[0] for row in connection.execute(_TABLES)]
        for name, text in views(tables, main="main.", settings=_SETTINGS).items():
            connection.execute(f"CREATE TEMP VIEW {name} AS {text}")
        connection.pragma("query_only", 1)

    @contextmanager
    def reading(
        self, within: Scope, translated: AbstractContextManager[None], begun: Callable[[], Transaction]
    ) -> Iterator[Transaction]:
        """A transaction of one part; inside another of the same part it is the same."""
        if self._held is not None:
            if within != self._within:
                raise AssertionError("a thread reads one part of a space at a time")
            yield self._held
            return
        with translated:
            self._within, self._said = within, settings_of(within)
            try:
                self._held = begun()
                yield self._held
            finally:
                self._held, self._within, self._said = None, None, {}
            self.connection.execute("COMMIT")

    def _setting(self, *name: Any) -> str | None:
        return self._said.get(name[0]) or None
