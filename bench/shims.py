"""Many starts of `recollect mcp` beside a warm server: how long until it answers, and what is there when all are gone;
and some without a server: what the first answer costs then.

A client is not always polite, so shims end in turn because their input closes, because they are asked to, and because
they are killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import corpus
from bench.card import Row, Table
from bench.figures import percentile
from bench.load import PATIENCE, Server
from bench.measuring import median

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "recollect-bench", "version": "1"},
}
_GREETED = 9  # shims that are greeted by in a home without a server
_LOOK_EVERY = 0.2  # seconds, at what is still closing


def run(server: Server, starts: int, seed: int) -> Table:
    """One row. What is left is looked at once all have ended, and what is closing has its time."""
    questions = [each.text for each in corpus.pointed_questions(starts, seed=seed)]
    _started(server, questions[0], _input_closes)  # not counted: it compiles what it imports, as installing does
    before = server.sockets()
    endings = (_input_closes, subprocess.Popen.terminate, subprocess.Popen.kill)
    taken = [_started(server, questions[number], endings[number % len(endings)]) for number in range(starts)]
    deadline = time.monotonic() + PATIENCE
    while (_others(server) or server.sockets() > before) and time.monotonic() < deadline:
        time.sleep(_LOOK_EVERY)
    first, searched = [hello for hello, _ in taken], [found for _, found in taken]
    greeted, bare = _without_a_server(server)
    row: Row = {
        "shims": "recollect mcp, server warm",
        "starts": starts,
        "first_answer_p50_ms": median(first) * 1000,
        "first_answer_p95_ms": percentile(first, 0.95) * 1000,
        "first_search_p50_ms": median(searched) * 1000,
        "first_search_p95_ms": percentile(searched, 0.95) * 1000,
        "no_server_cpu_ms": greeted * 1000,
        "no_server_bare_interpreters": greeted / bare,
        "processes_left": len(_others(server)),
        "sockets_left": max(0, server.sockets() - before),
    }
    return Table("shims", [row])


def _without_a_server(server: Server) -> tuple[float, float]:
    """Processor seconds of a shim until its first answer in a home without a server, and of the bare interpreter.

    The server that the shim starts there ends at once, since its database is a folder, and nothing is left behind.
    """
    greeted, bare = [], []
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = server.environment | {"RECOLLECT_HOME": home, "RECOLLECT_STORE": home}
        hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}).encode() + b"\n"
        for _ in range(_GREETED):
            greeted.append(_busy([str(Path(sys.executable).with_name("recollect")), "mcp"], environment, hello))
            bare.append(_busy([sys.executable, "-c", "pass"], environment))
    return median(greeted), median(bare)


def _busy(words: list[str], environment: dict[str, str], asked: bytes = b"") -> float:
    """Processor seconds of a program until it has answered; until its end if nothing is asked."""
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin is not None and process.stdout is not None
        if asked:
            process.stdin.write(asked)
            process.stdin.flush()
            json.loads(process.stdout.readline())["result"]
            process.kill()
        _, process.returncode, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime


def _started(server: Server, question: str, end: Callable[[subprocess.Popen[bytes]], object]) -> tuple[float, float]:
    """Seconds from the start of a shim to its first answer, and to the hits of a search."""
    begin = time.perf_counter()
    with subprocess.Popen(
        [str(Path(sys.executable).with_name("recollect")), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=server.environment,
    ) as shim:
        _answered(shim, 1, "initialize", _HELLO)
        hello = time.perf_counter() - begin
        found = _answered(shim, 2, "tools/call", {"name": "search", "arguments": {"query": question}})
        searched = time.perf_counter() - begin
        end(shim)
        shim.wait(PATIENCE)
    if found.get("isError"):
        raise RuntimeError(f"A search through the shim was refused: {found['content']}")
    return hello, searched


def _answered(shim: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]) -> Any:
    assert shim.stdin is not None and shim.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    shim.stdin.write(json.dumps(message).encode() + b"\n")
    shim.stdin.flush()
    return json.loads(shim.stdout.readline())["result"]


def _input_closes(shim: subprocess.Popen[bytes]) -> None:
    assert shim.stdin is not None
    shim.stdin.close()


def _others(server: Server) -> list[int]:
    """Every process of this home but the server, whoever started it; none where nobody says."""
    mine = f"RECOLLECT_HOME={server.environment['RECOLLECT_HOME']}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            variables = (process / "environ").read_bytes().split(b"\0")
        except OSError:  # somebody else's, or gone by now
            continue
        if mine in variables and int(process.name) != server.pid:
            found.append(int(process.name))
    return found
