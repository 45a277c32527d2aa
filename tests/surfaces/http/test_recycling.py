"""A server that has grown too large begins anew: same port, same process, and who connects meanwhile is answered."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recollect.surfaces.resident.process import running
from recollect.surfaces.server.lifetime import Ceiling
from tests.surfaces.http.client import LIMIT, Client
from tests.surfaces.shell import Shell

# A server that takes itself for too large as soon as a file says so; what it says when it is ready names its beginning.
SERVER = """
import json, os, sys
from pathlib import Path
from recollect import Memory
from recollect.surfaces.server import lifetime
from recollect.surfaces.server.lifetime import Ceiling, begin_anew
from recollect.surfaces.server.lifespan import serve

home, switch = Path(sys.argv[1]), Path(sys.argv[2])
lifetime.own_bytes = lambda: 2 if switch.exists() and switch.unlink() is None else 0
with Memory(store=str(home / "memory.db"), home=home, principal="tester", embedding="off") as memory:
    memory.save("begun", space="beginnings")
    port = serve(
        memory, port=0, ceiling=Ceiling(1, every=0.05, rest=0.0),
        ready=lambda served: print(json.dumps({"url": served.url, "token": served.secret}), flush=True),
    )
if port is not None:
    begin_anew(port, sys.argv)
"""


@contextmanager
def growing(shell: Shell) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any], Path]]:
    program, switch = shell.folder / "server.py", shell.folder / "too-large"
    program.write_text(SERVER)
    process = subprocess.Popen(
        [sys.executable, str(program), str(shell.home), str(switch)],
        stdout=subprocess.PIPE,
        text=True,
        env={**shell.environment, "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline()), switch
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
        process.stdout.close()


def test_who_connects_while_it_begins_anew_is_answered_and_nothing_is_lost(shell: Shell) -> None:
    with growing(shell) as (process, said, switch):
        client = Client(int(said["url"].rpartition(":")[2]), {}).with_token(said["token"])
        for beginning in (2, 3):
            switch.touch()
            saved = 0
            begun = 0
            while begun < beginning:
                answer = client.post("/v1/spaces/alice/save", {"text": f"note {beginning}.{saved}"})
                assert answer.status == 200, answer.body
                saved += 1
                begun = len(client.get("/v1/spaces/beginnings/list").json["items"])
            texts = {note["text"] for note in client.get("/v1/spaces/alice/list?limit=1000").json["items"]}
            assert {f"note {beginning}.{number}" for number in range(saved)} <= texts
        found = running(shell.home)
        assert found is not None and (found.pid, found.url) == (process.pid, said["url"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
        assert running(shell.home) is None


def test_a_ceiling_is_called_once_and_not_before_its_rest() -> None:
    reached = threading.Event()
    with Ceiling(1, every=0.001, rest=3600).watched(reached.set):
        assert not reached.wait(0.05)
    with Ceiling(1, every=0.001, rest=0).watched(reached.set):
        assert reached.wait(LIMIT)


def test_a_process_knows_how_much_it_takes() -> None:
    program = (
        "from recollect.surfaces.server.lifetime import own_bytes\n"
        "before = own_bytes()\n"
        "held = bytearray(b'1') * 50_000_000\n"
        "print(own_bytes() - before, len(held))\n"
    )  # in a process that does nothing else, and gives nothing back meanwhile
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=LIMIT)
    grown, held = map(int, told.stdout.split())
    assert 40_000_000 < grown < 80_000_000
    assert held == 50_000_000


def test_a_ceiling_below_nothing_is_refused(shell: Shell) -> None:
    refused = shell.run("serve", "--max-memory", "-1", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid_number")
