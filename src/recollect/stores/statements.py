"""Named statements: SQL is kept in `.sql` files, and code calls it by name.

A file is a run of blocks `-- name: what_it_does`, each with a comment that says what it is for. `{note}` stands
for the columns of a note in the order `records.py` reads them, `{observation}`, `{session}`, `{slot}`, `{action}`,
`{job}`, `{webhook}` and `{link}` likewise. Parameters are written `:name` everywhere; the PostgreSQL driver is given
its own spelling of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from os import scandir
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.late import Late
from recollect.stores.records import (
    ACTION_COLUMNS,
    JOB_COLUMNS,
    LINK_COLUMNS,
    NOTE_COLUMNS,
    OBSERVATION_COLUMNS,
    SESSION_COLUMNS,
    SLOT_COLUMNS,
    WEBHOOK_COLUMNS,
)

if TYPE_CHECKING:
    from recollect.stores.database import Database, Row, Value

_BLOCK = "-- name: "
_PARAMETER = Late(r"(?<![:\w]):([a-z_][a-z_0-9]*)")
_COLUMNS = {
    "{note}": NOTE_COLUMNS,
    "{observation}": OBSERVATION_COLUMNS,
    "{session}": SESSION_COLUMNS,
    "{slot}": SLOT_COLUMNS,
    "{action}": ACTION_COLUMNS,
    "{job}": JOB_COLUMNS,
    "{webhook}": WEBHOOK_COLUMNS,
    "{link}": LINK_COLUMNS,
}


class Statements(Mapping[str, str]):
    """Statements by name, each made ready when it is first asked for: a short command runs few of them."""

    def __init__(self, blocks: Mapping[str, str]) -> None:
        self._blocks = blocks
        self._ready: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._ready:
            self._ready[name] = _with_columns(_without_comments(self._blocks[name]))
        return self._ready[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)


@cache
def statements(dialect: str) -> Statements:
    """Every statement of a dialect by its name: the shared ones and its own."""
    # Every command waits for all of them: each is read whole, as bytes.
    folders = [scandir(Path(__file__).with_name(name)) for name in ("statements", dialect)]
    files = [Path(file.path) for folder in folders for file in folder if file.name.endswith(".sql")]
    texts = [file.read_bytes().decode("utf-8").replace("\r\n", "\n") for file in files]
    found: dict[str, str] = {}
    for text in texts:
        for block in f"\n{text}".split(f"\n{_BLOCK}")[1:]:
            name, _, sql = block.partition("\n")
            found[name] = sql
    return Statements(found)


class SqlPart:
    """A part of a store in any SQL database, with the named statements of its dialect."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = statements(database.dialect)

    def _read(self, space: str, statement: str, **values: Value) -> list[Row]:
        """The rows of one space that a named statement yields."""
        with self._database.reading(space) as transaction:
            return transaction.rows(statement, space=space, **values)


def with_percent_parameters(sql: str) -> str:
    """The same statement in the spelling of the PostgreSQL driver."""
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


def _with_columns(sql: str) -> str:
    for mark, names in _COLUMNS.items():
        sql = sql.replace(mark, names)
    return sql


def _without_comments(sql: str) -> str:
    return "\n".join(line for line in sql.splitlines() if not line.lstrip().startswith("--")).strip()
