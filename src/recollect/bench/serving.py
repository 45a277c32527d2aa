"""The server under load: how many requests a second, how long each takes, and whether it grows.

It is the real one, in a process of its own; those who ask are threads of this one, each with a connection that stays
open and a token of its own. Both share the machine, so the figures are of a machine that does both.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from recollect.bench import corpus
from recollect.bench.card import Row, Table
from recollect.bench.measuring import say, spread
from recollect.bench.places import Places, take_in
from recollect.bench.vectors import give_vectors

FULL_SIZES, QUICK_SIZES = (10_000, 100_000), (10_000,)
CLIENTS = (1, 8, 32)

_REQUESTS = {True: 300, False: 1_500}  # for each verb and number of clients, by whether it has to be quick
_SOAK = {True: 60.0, False: 600.0}  # seconds of mixed load
_SOAK_CLIENTS = 8
_SETTLED = 1 / 3  # of the soak after which the memory counts: caches are full by then
_RATE = 1_000_000  # requests a second that are allowed: limits are not what is measured
_PATIENCE = 60.0  # seconds for one answer, and for the server to begin or end

Ask = Callable[[int], tuple[str, str, Any]]  # the method, path and body of a request, by its number


@dataclass(frozen=True, slots=True)
class _Server:
    port: int
    pid: int
    tokens: tuple[str, ...]
    space: str


def run(places: Places, *, sizes: Sequence[int], quick: bool, seed: int, embedding: str) -> list[Table]:
    """One table of rates, one of how the memory of the server developed."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        return [Table("serving", (), skipped="The server is not installed: pip install 'recollect[server]'.")]
    rates: list[Row] = []
    soaks: list[Row] = []
    for size in sizes:
        say(f"serving: filling a store with {size:,} notes")
        _fill(places, size, seed, embedding)
        with _served(places, size, embedding) as server:
            asking = _asking(server.space, seed)
            for verb in ("search", "add"):
                for clients in CLIENTS:
                    say(f"serving: {verb}, {clients} clients, {size:,} notes")
                    rates.append(_rate(server, verb, asking[verb], clients, _REQUESTS[quick], size))
            if size == min(sizes):
                say(f"serving: mixed load for {_SOAK[quick]:.0f} seconds")
                soaks.append(_soak(server, asking, _SOAK[quick], size))
    return [Table("serving", rates), Table("soak", soaks)]


def figures(tables: Sequence[Table]) -> dict[str, Any]:
    """For programs: `search.10000.8` is the verb, the notes and the clients."""
    found: dict[str, Any] = {}
    for table in tables:
        for row in table.rows:
            if table.title == "serving":
                by_size = found.setdefault(str(row["serving"]), {}).setdefault(str(row["notes"]), {})
                by_size[str(row["clients"])] = {name: row[name] for name in ("per_second", "p50_ms", "p99_ms")}
            else:
                found["soak"] = {name: value for name, value in row.items() if name != "soak"}
    return found


def _fill(places: Places, size: int, seed: int, embedding: str) -> None:
    name = f"served-{size}"
    notes = corpus.entries(size, seed=seed)
    # Taken in without the models: with them every text would be embedded, which takes most of an hour.
    with closing(places.open(name)) as memory:
        take_in(memory, corpus.lines(notes, space=places.settings(name).space))
    if embedding != "off":
        with closing(places.open(name, embedding=embedding)) as memory:
            give_vectors(memory, notes, seed=seed)


@contextmanager
def _served(places: Places, size: int, embedding: str) -> Iterator[_Server]:
    settings = places.settings(f"served-{size}", embedding=embedding)
    with closing(places.open(f"served-{size}")) as memory:
        tokens = tuple(memory.access.issue(scope="write").secret for _ in range(max(CLIENTS)))
    environment = os.environ | {
        "RECOLLECT_HOME": str(settings.home),
        "RECOLLECT_STORE": settings.store,
        "RECOLLECT_MODELS": str(settings.models),
        "RECOLLECT_EMBEDDING": embedding,
    }
    with subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--port", "0", "--json", "--rate", str(_RATE)],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            yield _Server(int(said["url"].rpartition(":")[2]), process.pid, tokens, settings.space)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_PATIENCE)


def _asking(space: str, seed: int) -> dict[str, Ask]:
    questions = [each.text for each in corpus.pointed_questions(400, seed=seed)]
    texts = [text.partition(".")[0] + "." for text in corpus.texts(400, seed=seed + 1)]
    below = f"/v1/spaces/{space}"

    def search(number: int) -> tuple[str, str, Any]:
        return "GET", f"{below}/search?limit=10&query={quote(questions[number % len(questions)])}", None

    def add(number: int) -> tuple[str, str, Any]:
        return "POST", f"{below}/add", {"messages": f"{texts[number % len(texts)]} ({number})"}

    def mixed(number: int) -> tuple[str, str, Any]:
        if number % 10 < 7:
            return search(number)
        return add(number) if number % 10 < 9 else ("GET", f"{below}/list?limit=50", None)

    return {"search": search, "add": add, "mixed": mixed}


def _rate(server: _Server, verb: str, ask: Ask, clients: int, requests: int, size: int) -> Row:
    _ask_all(server, ask, clients, lambda number: number < clients)  # not counted: it opens connections and the index
    began = time.perf_counter()
    seconds, statuses = _ask_all(server, ask, clients, lambda number: number < requests)
    took = time.perf_counter() - began
    return {
        "serving": verb,
        "notes": size,
        "clients": clients,
        "per_second": statuses[200] / took,
        **spread(seconds),
        "sent_away": sum(statuses.values()) - statuses[200],
    }


def _soak(server: _Server, asking: dict[str, Ask], length: float, size: int) -> Row:
    sizes: list[tuple[float, float]] = []
    over = threading.Event()
    began = time.monotonic()

    def watch() -> None:
        while not over.wait(0.5):
            sizes.append((time.monotonic() - began, _resident_mb(server.pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        _, statuses = _ask_all(server, asking["mixed"], _SOAK_CLIENTS, lambda _: time.monotonic() - began < length)
    finally:
        over.set()
        watcher.join()
    settled = [(at, mb) for at, mb in sizes if at >= _SETTLED * length]
    return {
        "soak": f"7 searches, 2 messages, 1 list; {_SOAK_CLIENTS} clients",
        "notes": size,
        "seconds": length,
        "requests": sum(statuses.values()),
        "failed": sum(statuses.values()) - statuses[200],
        "start_mb": sizes[0][1],
        "settled_mb": settled[0][1],
        "end_mb": settled[-1][1],
        "growth_mb_per_10_min": 600 * _slope(settled),
    }


def _ask_all(
    server: _Server, ask: Ask, clients: int, goes_on: Callable[[int], bool]
) -> tuple[list[float], Counter[int]]:
    """Ask from several threads; how long each answer took, and the statuses."""
    lock = threading.Lock()
    numbers = iter(range(sys.maxsize))
    seconds: list[float] = []
    statuses: Counter[int] = Counter()

    def client(place: int) -> None:
        headers = {"Authorization": f"Bearer {server.tokens[place]}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=_PATIENCE)) as connection:
            while True:
                with lock:
                    number = next(numbers)
                if not goes_on(number):
                    return
                method, path, body = ask(number)
                begin = time.perf_counter()
                connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
                answer = connection.getresponse()
                answer.read()
                took = time.perf_counter() - begin
                with lock:
                    seconds.append(took)
                    statuses[answer.status] += 1

    threads = [threading.Thread(target=client, args=(place,)) for place in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seconds, statuses


def _resident_mb(pid: int) -> float:
    """What the process holds in memory; nothing where nobody says."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """By least squares, a second."""
    mean_at = sum(at for at, _ in points) / len(points)
    mean_mb = sum(mb for _, mb in points) / len(points)
    across = sum((at - mean_at) ** 2 for at, _ in points)
    return sum((at - mean_at) * (mb - mean_mb) for at, mb in points) / across if across else 0.0
