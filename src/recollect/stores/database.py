"""The interface of a database for the store: named statements inside a transaction, and a few words of its own.

SQL is kept in `.sql` files, and code calls it by name. A file is a run of blocks `-- name: what_it_does`, each with a
comment that says what it is for. `{note}` stands for the columns of a note in the order `records.py` reads them,
`{observation}`, `{session}`, `{slot}`, `{action}`, `{job}`, `{webhook}` and `{link}` likewise. Parameters are written
`:name` everywhere; the PostgreSQL driver is given its own spelling of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from os import scandir
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from recollect.domain.late import Late

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.domain.meanings import Cache, ServedVectors
    from recollect.domain.scopes import Scope

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | float | bytes | None
# One way to look for words: what the statements that look for them bind, which each database has of its own.
Search: TypeAlias = dict[str, Value]


class Transaction(Protocol):
    """An open transaction. Statements are named, see `statements/`; parameters are always bound, never pasted."""

    def rows(self, statement: str, **values: Value) -> list[Row]:
        """Run a statement and return what it yields."""
        ...

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        """Run a statement that yields nothing once with each of the values, prepared once for all of them."""
        ...

    def query(self, sql: str, **values: Value) -> list[Row]:
        """Run a statement the store put together from named ones."""
        ...

    def script(self, sql: str) -> None:
        """Run the text of a migration: several statements, no parameters."""
        ...


class Database(Protocol):
    """A database that is open."""

    @property
    def dialect(self) -> str: ...

    @property
    def location(self) -> str: ...

    @property
    def cache(self) -> Cache | None:
        """Where files that can be made anew may be kept."""
        ...

    @property
    def vector_search(self) -> str:
        """Where vectors are compared, in words; empty if nobody would ask."""
        ...

    def served_vectors(self, model_id: str, dimension: int) -> ServedVectors | None:
        """The vectors of a model, compared by the database; `None` if it cannot."""
        ...

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        """A consistent view of one space; `None` sees the list of spaces and nothing in them, and the access tokens.

        Within another one of the same space, by the same thread, it is the same view. Raises `Busy` once the deadline
        of the thread has passed.
        """
        ...

    def reading_within(self, space: str, within: Scope) -> AbstractContextManager[Transaction]:
        """A consistent view of the part of a space that a scope includes, under the names of the tables; see `bound/`.

        Within another one of the same part, by the same thread, it is the same view.
        """
        ...

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        """A transaction that holds the right to write from its first moment; a rehearsal is always rolled back.

        Raises `Conflict` with the code `space_moved` for a space that another store serves.
        """
        ...

    def jotting(self, space: str | None) -> AbstractContextManager[Transaction]:
        """A transaction for what is no memory: it never waits for another writer, and need not survive a power cut.

        Raises `Busy` at once when somebody else is writing; only another jot of the same process is waited for.
        """
        ...

    def moving(self, space: str) -> AbstractContextManager[Transaction]:
        """A writing transaction that holds a space alone, whichever store serves it: nobody else writes in it."""
        ...

    def migrating(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that one process at a time can have."""
        ...

    def build(self, script: str) -> bool:
        """Run a statement that others need not wait for, outside of any transaction; false if another process does so
        just now, or this one may not."""
        ...

    def has_table(self, transaction: Transaction, name: str) -> bool: ...

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        """Any of the words in texts of a space, in the database's own query language."""
        ...

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        """Ways to look for any of the words, or for words with such `beginnings`, in a text index.

        The quick ones come first, and the last one leaves nothing out.
        """
        ...

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        """The parameters of the condition `tagged`, which the notes with a tag meet, and few others; `None` where it is
        of no use, because so many have the tag or the text index cannot tell.
        """
        ...

    def clean_residue(self) -> str | None: ...

    def check(self) -> Sequence[Check]: ...

    def rebuild(self) -> None: ...

    def size(self) -> int | None: ...

    def close(self) -> None: ...


# -- the columns of records -------------------------------------------------------------------------------------------

NOTE_FIELDS = (
    "id", "space", "version", "kind", "subject", "attribute", "value",
    "scope_user", "scope_agent", "scope_project", "scope_session", "scope_machine",
    "state", "confidence", "importance", "pinned", "channel", "principal", "session", "source", "authority",
    "recorded_at", "updated_at", "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at",
    "last_seen_at", "verified_at", "supersedes", "derived_from", "depends_on", "related", "review", "metadata",
    "key", "erase_at",
)  # fmt: skip

NOTE_COLUMNS = ", ".join(f"note.{name}" for name in NOTE_FIELDS) + ", words.title, words.text, words.tags"
NOTE_WIDTH = len(NOTE_FIELDS) + 3

SESSION_COLUMNS = (
    "id, space, started_at, ended_at, title, scope_user, scope_agent, scope_project, scope_session, scope_machine,"
    " channel, principal, session, source, branch, folder, commits, reflected, read_to"
)

OBSERVATION_COLUMNS = (
    "observation.id, observation.space, observation.session_id, observation.position, observation.kind, words.text,"
    " observation.observed_at, observation.recorded_at, observation.role, words.speaker, words.title,"
    " observation.standing,"
    " observation.channel, observation.principal, observation.session, observation.source,"
    " observation.activity, observation.files,"
    " observation.scope_user, observation.scope_agent, observation.scope_project, observation.scope_machine,"
    " observation.metadata, observation.erase_at,"
    " observation.attachments"
)

SLOT_COLUMNS = (
    "id, space, label, project, text, description, size_limit, pinned, version, updated_at,"
    " authority, channel, principal, session, source"
)
ACTION_COLUMNS = (
    "id, space, version, text, status, priority, depends_on, project, created_at, updated_at,"
    " authority, channel, principal, session, source"
)

LINK_COLUMNS = (
    "older, newer, relation, score, model_id, judged_at, refuted_at, refuted_by,"
    " settled_as, settled_by, settled_because, settled_at"
)

JOB_COLUMNS = (
    "id, space, seq, kind, payload, unique_key, lane, priority, stage, due_at, attempts, max_attempts, generation,"
    " worker, claimed_at, phase, done, total, failure, detail, created_at, settled_at, channel, principal"
)

WEBHOOK_COLUMNS = (
    "id, space, name, host, events, content, allow_private, allow_http, configured, scope_user, scope_agent,"
    " scope_project, created_at, channel, principal, seq, url, secret"
)


def names_in(columns: str) -> tuple[str, ...]:
    """The bare names in a list of columns."""
    return tuple(name.strip().rpartition(".")[2] for name in columns.split(","))


# -- named statements -------------------------------------------------------------------------------------------------

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


class Statements(dict[str, str]):
    """Statements by name, each made ready when it is first asked for: a short command runs few of them."""

    def __init__(self, blocks: Mapping[str, str]) -> None:
        super().__init__()
        self.blocks = blocks  # of every statement

    def __missing__(self, name: str) -> str:
        ready = self[name] = _with_columns(_without_comments(self.blocks[name]))
        return ready


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
