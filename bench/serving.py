"""The server under load: how many requests a second, how long each takes, and what it costs the processor."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from bench.card import Row, Table
from bench.load import NOT_INSTALLED, Ask, Server, ask_all, asking, fill, is_installed, served
from bench.measuring import say, spread
from bench.places import Places

FULL_SIZES, QUICK_SIZES = (10_000, 100_000), (10_000,)
CLIENTS = (1, 8, 32)

_REQUESTS = {True: 300, False: 1_000}  # for each verb and number of clients, by whether it has to be quick


def run(places: Places, *, sizes: Sequence[int], quick: bool, seed: int, embedding: str) -> list[Table]:
    """A row for each verb, size and number of clients. Every request has a text of its own."""
    if not is_installed():
        return [Table("serving", (), skipped=NOT_INSTALLED)]
    rates: list[Row] = []
    for size in sizes:
        say(f"serving: filling a store with {size:,} notes")
        fill(places, f"served-{size}", size, seed, embedding)
        with served(places, f"served-{size}", embedding) as server:
            requests = _REQUESTS[quick]
            asked = asking(server.space, seed, different=sum(clients + requests for clients in CLIENTS))
            for verb in ("search", "add"):
                begin = 0
                for clients in CLIENTS:
                    say(f"serving: {verb}, {clients} clients, {size:,} notes")
                    rates.append(_rate(server, verb, _from(begin, asked[verb]), clients, requests, size))
                    begin += clients + requests
    return [Table("serving", rates)]


def figures(tables: Sequence[Table]) -> dict[str, Any]:
    """For programs: `search.10000.8` is the verb, the notes and the clients."""
    found: dict[str, Any] = {}
    for table in tables:
        for row in table.rows:
            by_size = found.setdefault(str(row["serving"]), {}).setdefault(str(row["notes"]), {})
            by_size[str(row["clients"])] = {
                name: row[name] for name in ("per_second", "p50_ms", "p99_ms", "cpu_ms_each")
            }
    return found


def _from(begin: int, ask: Ask) -> Ask:
    """The same, from another number on: nothing is asked twice, and no vector is known from before."""
    return lambda number: ask(begin + number)


def _rate(server: Server, verb: str, ask: Ask, clients: int, requests: int, size: int) -> Row:
    ask_all(server, ask, clients, lambda number: number < clients)  # not counted: it opens connections and the index
    began, busy = time.perf_counter(), server.processor_seconds()
    seconds, statuses = ask_all(server, _from(clients, ask), clients, lambda number: number < requests)
    took, spent = time.perf_counter() - began, server.processor_seconds() - busy
    return {
        "serving": verb,
        "notes": size,
        "clients": clients,
        "per_second": statuses[200] / took,
        **spread(seconds),
        "cpu_ms_each": 1000 * spent / len(seconds),
        "sent_away": sum(statuses.values()) - statuses[200],
    }
