"""Print how long `/livez` takes while the worst accepted requests run: `python -m tests.bounds.livez [part of a name]`.

A server and whoever asks it are processes of their own. The wall clock is read, so a busy machine says more. Words do
the work unless `RECOLLECT_EMBEDDING` says otherwise.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect import Memory
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.surfaces.resident.process import FIRST_TOKEN
from tests.bounds.figures import messages
from tests.surfaces.http.client import Client
from tests.surfaces.shell import RECOLLECT

UNITS = ("a", "\n", "é", "? [", "my sister ", "x1 ")
CBOR = "application/cbor"


@contextmanager
def serving(home: str) -> Iterator[Client]:
    """The server that people start, on a new memory, and whoever may do everything with it."""
    argv = [RECOLLECT, "serve", "--port", "0", "--json", "--rate", "1000000"]
    environment = {"RECOLLECT_EMBEDDING": "off", **os.environ, "RECOLLECT_HOME": home}
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            said = json.loads(process.stdout.readline())
            secret = (Path(home) / FIRST_TOKEN).read_text().strip()
            yield Client(int(said["url"].rpartition(":")[2]), {}).with_token(secret)
        finally:
            process.terminate()


def beside(client: Client, work: Callable[[], object]) -> list[float]:
    """The seconds of each answer of `/livez` while a request runs."""
    working = threading.Thread(target=work)
    working.start()
    took = []
    while working.is_alive():
        begun = time.perf_counter()
        client.get("/livez")
        took.append(time.perf_counter() - begun)
        time.sleep(0.002)
    working.join()
    return took


def exported(number: int) -> list[str]:
    """Lines of an export of so many notes, with what was said."""
    with tempfile.TemporaryDirectory() as home, Memory(home=Path(home), embedding="off") as memory:
        memory.add(messages(number))
        page = memory.export(space="default")
        lines = list(map(json.dumps, page.records))
        while page.next_cursor:
            page = memory.export(cursor=page.next_cursor, space="default")
            lines += map(json.dumps, page.records)
        return lines


def requests() -> dict[str, tuple[str, bytes, str]]:
    """Of each request its name, path, body and content type."""
    found = {}
    for unit in UNITS:
        text = unit * (MAX_TEXT_BYTES // len(unit.encode()) - 1) + "x"
        for verb, field in (("add", "messages"), ("save", "text"), ("search", "query"), ("watch", "text")):
            found[f"{verb} 1 MB of {unit!r}"] = (verb, json.dumps({field: text}).encode(), "application/json")
    found["add 10,000 messages"] = ("add", json.dumps({"messages": messages(10_000)}).encode(), "application/json")
    found["import 4,000 notes"] = ("import", json.dumps({"lines": exported(4_000)}).encode(), "application/json")
    found["search among 14,000 notes"] = (
        "search",
        b'{"query": "green tea", "limit": 100}',
        "application/json",
    )
    found["10 MB of JSON, {} in a list"] = ("add", b'{"messages":[' + b"{}," * 3_300_000 + b"1]}", "application/json")
    for name, value in (("maps", b"\xa0"), ("lists", b"\x81\x01"), ("numbers", b"\x01")):
        number = 9_900_000 // len(value)
        body = b"\xa1\x68messages\x9a" + number.to_bytes(4, "big") + value * number
        found[f"10 MB of CBOR, {name} in a list"] = ("add", body, CBOR)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as home, serving(home) as client:
        client.post("/v1/spaces/default/add", {"messages": "I live in Paris."})
        client.post("/v1/spaces/default/search", {"query": "where do I live"})
        alone = beside(client, lambda: time.sleep(1))
        print(f"{'nothing else':36}", _told(alone))  # noqa: T201
        for name, (verb, body, kind) in requests().items():
            if not all(part in name for part in sys.argv[1:]):
                continue
            status: list[int] = []

            def ask(verb: str = verb, body: bytes = body, kind: str = kind, status: list[int] = status) -> None:
                status.append(client.post(f"/v1/spaces/default/{verb}", body, **{"Content-Type": kind}).status)

            took = beside(client, ask)
            print(f"{name:36}", _told(took), status[0])  # noqa: T201


def _told(took: list[float]) -> str:
    return f"{len(took):5} times, median {1000 * statistics.median(took):4.0f} ms, longest {1000 * max(took):4.0f} ms"


if __name__ == "__main__":
    main()
