"""A server under load: the real one, in a process of its own, and those who ask it.

Who asks are threads of this process, each with a connection that stays open and a token of its own. Both share the
machine, so the figures are of a machine that does both; what the processor did for the server alone is told apart.
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
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench import corpus
from bench.places import Places, take_in
from bench.vectors import give_vectors
from recollect.domain.dataclass import dataclass

MOST_CLIENTS = 32
PATIENCE = 60.0  # seconds for one answer, and for the server to begin or end
NOT_INSTALLED = "The server is not installed: pip install 'recollect[server]'."

_RATE = 1_000_000  # requests a second that are allowed: limits are not what is measured

Ask = Callable[[int], tuple[str, str, Any]]  # the method, path and body of a request, by its number


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers. `environment` is what a program needs to find it."""

    port: int
    pid: int
    tokens: tuple[str, ...]
    space: str
    environment: dict[str, str]

    def processor_seconds(self) -> float:
        """What the processor has done for it so far; nothing where nobody says."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self) -> float:
        """What it holds in memory; nothing where nobody says."""
        return resident_mb(self.pid)

    def sockets(self) -> int:
        """How many it has open, the one it listens on included; nothing where nobody says."""
        try:
            opened = list(Path(f"/proc/{self.pid}/fd").iterdir())
        except OSError:
            return 0
        return sum(map(_is_socket, opened))


def _is_socket(descriptor: Path) -> bool:
    """Whether a descriptor of a process is a socket; one that was closed meanwhile is none."""
    try:
        return str(descriptor.readlink()).startswith("socket:")
    except OSError:
        return False


def resident_mb(pid: int) -> float:
    """What a process holds in memory; nothing where nobody says."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def is_installed() -> bool:
    return find_spec("fastapi") is not None and find_spec("uvicorn") is not None


def fill(places: Places, name: str, size: int, seed: int, embedding: str) -> None:
    """A store of made-up notes, with made-up vectors where there is a model, which itself would take an hour."""
    notes = corpus.entries(size, seed=seed)
    with closing(places.open(name)) as memory:
        take_in(memory, corpus.lines(notes, space=places.settings(name).space))
    if embedding != "off":
        with closing(places.open(name, embedding=embedding)) as memory:
            give_vectors(memory, notes, seed=seed)


@contextmanager
def served(places: Places, name: str, embedding: str, *, workers: int = 1) -> Iterator[Server]:
    """A server on a store, of one process or several, which is gone afterwards."""
    settings = places.settings(name, embedding=embedding)
    with closing(places.open(name)) as memory:
        tokens = tuple(memory.access.issue(scope="write").secret for _ in range(MOST_CLIENTS))
    environment = {variable: value for variable, value in os.environ.items() if variable != "PYTHONDONTWRITEBYTECODE"}
    environment |= {
        "RECOLLECT_HOME": str(settings.home),
        "RECOLLECT_STORE": settings.store,
        "RECOLLECT_SPACE": settings.space,
        "RECOLLECT_MODELS": str(settings.models),
        "RECOLLECT_EMBEDDING": embedding,
    }
    several = ["--workers", str(workers)] * (workers > 1)
    with subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--port", "0", "--json", "--rate", str(_RATE), *several],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            yield Server(int(said["url"].rpartition(":")[2]), process.pid, tokens, settings.space, environment)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def asking(space: str, seed: int, *, different: int = 400) -> dict[str, Ask]:
    """What can be asked: `search`, `add` one message, and a mixture.

    So many questions and messages are `different`; beyond that number they come again, and their vectors are known.
    """
    questions = [each.text for each in corpus.pointed_questions(different, seed=seed)]
    texts = [text.partition(".")[0] + "." for text in corpus.texts(different, seed=seed + 1)]
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


def ask_all(server: Server, ask: Ask, clients: int, goes_on: Callable[[int], bool]) -> tuple[list[float], Counter[int]]:
    """Ask from several threads; how long each answer took, and the statuses."""
    lock = threading.Lock()
    numbers = iter(range(sys.maxsize))
    seconds: list[float] = []
    statuses: Counter[int] = Counter()

    def client(place: int) -> None:
        headers = {"Authorization": f"Bearer {server.tokens[place]}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
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


def slope(points: Sequence[tuple[float, float]]) -> float:
    """How much the second grows with the first, by least squares."""
    mean_at = sum(at for at, _ in points) / len(points)
    mean_mb = sum(mb for _, mb in points) / len(points)
    across = sum((at - mean_at) ** 2 for at, _ in points)
    return sum((at - mean_at) * (mb - mean_mb) for at, mb in points) / across if across else 0.0
