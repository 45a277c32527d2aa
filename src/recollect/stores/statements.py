"""Named statements: SQL is kept in `.sql` files, and code calls it by name.

A file is a run of blocks `-- name: what_it_does`, each with a comment that says what it is for. `{note}` stands
for the columns of a note in the order `records.py` reads them, `{observation}`, `{session}`, `{slot}` and `{action}`
likewise. Parameters are written `:name` everywhere; the PostgreSQL driver is given its own spelling of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from recollect.stores.desk_records import ACTION_COLUMNS, SLOT_COLUMNS
from recollect.stores.records import NOTE_COLUMNS, OBSERVATION_COLUMNS, SESSION_COLUMNS

_BLOCK = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_][a-z_0-9]*)")


@cache
def statements(dialect: str) -> dict[str, str]:
    """Every statement of a dialect by its name: the shared ones and its own."""
    package = Path(__file__).parent
    sources = sorted((package / "statements").iterdir(), key=lambda file: file.name)
    texts = [file.read_text(encoding="utf-8") for file in sources if file.name.endswith(".sql")]
    texts.append((package / dialect / "search.sql").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for text in texts:
        _, *blocks = _BLOCK.split(text)
        for name, sql in zip(blocks[::2], blocks[1::2], strict=True):
            found[name] = _with_columns(_without_comments(sql))
    return found


def with_percent_parameters(sql: str) -> str:
    """The same statement in the spelling of the PostgreSQL driver."""
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


def _with_columns(sql: str) -> str:
    columns = {
        "{note}": NOTE_COLUMNS,
        "{observation}": OBSERVATION_COLUMNS,
        "{session}": SESSION_COLUMNS,
        "{slot}": SLOT_COLUMNS,
        "{action}": ACTION_COLUMNS,
    }
    for mark, names in columns.items():
        sql = sql.replace(mark, names)
    return sql


def _without_comments(sql: str) -> str:
    return "\n".join(line for line in sql.splitlines() if not line.lstrip().startswith("--")).strip()
