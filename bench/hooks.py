"""How long an agent waits for a hook: each is a fresh process, with the server warm and without one.

The interpreter alone is started in turns with them, because on a busy machine that is most of it. Beside them: how long
it takes to say what a session is told, and how much less that is than everything that is known.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bench import corpus
from bench.card import Row, Table
from bench.figures import percentile
from bench.load import NOT_INSTALLED, fill, is_installed
from bench.measuring import cpu, median, say, timed
from bench.places import Places
from recollect.language.token_count import count_tokens

FULL, QUICK = 60, 15  # starts of each hook
SIZE, QUICK_SIZE = 10_000, 1_000  # notes

ALONE = "python alone"
WARM = "server warm"
SPOOL = "no server: the spool"

_NAME = "hooked"
_PATIENCE = 60.0  # seconds for one hook, and for the server to begin or end
_INJECTED = 20  # times
_PROJECT, _FACTS = "hooked-project", 200  # facts of the project that a session may be told


def run(places: Places, *, size: int, starts: int, seed: int, embedding: str) -> list[Table]:
    """A table of hooks, and one of what sessions are told."""
    if not is_installed() or not _script().exists():
        return [Table("hooks", (), skipped=NOT_INSTALLED)]
    say(f"hooks: filling a store with {size:,} notes")
    fill(places, _NAME, size, seed, embedding)
    settings = places.settings(_NAME, embedding=embedding)
    with closing(places.open(_NAME, embedding=embedding)) as memory:
        for text in corpus.texts(_FACTS, seed=seed + 1):
            memory.save(text, project=_PROJECT)  # what was imported is only quoted, and enters no context by itself
        told = [timed(memory.inject, project=_PROJECT) for _ in range(_INJECTED)]
        all_of_it = sum(count_tokens(text) for text in corpus.texts(size, seed=seed))
    folder = places.folder / _PROJECT
    folder.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "PYTHONPYCACHEPREFIX": str(places.folder / "bytecode"),
        "RECOLLECT_HOME": str(settings.home),
        "RECOLLECT_STORE": settings.store,
        "RECOLLECT_SPACE": settings.space,
        "RECOLLECT_MODELS": str(settings.models),
        "RECOLLECT_EMBEDDING": embedding,
    }
    questions = [each.text for each in corpus.pointed_questions(starts + 1, seed=seed)]
    say(f"hooks: {starts} starts of each")
    rows = _measured(environment, folder, questions, starts, server=True)
    rows += _measured(environment, folder, questions, starts, server=False)
    seconds, tokens = [took for took, _ in told], told[0][1].tokens
    injected: Row = {
        "inject": "what a session is told",
        "notes": size,
        "p50_ms": median(seconds) * 1000,
        "p95_ms": percentile(seconds, 0.95) * 1000,
        "tokens": tokens,
        "of_all_tokens": all_of_it,
        "share_percent": 100 * tokens / all_of_it,
    }
    return [Table("hooks", rows), Table("inject", [injected])]


def figures(tables: Sequence[Table]) -> dict[str, Any]:
    """By way and hook, for programs."""
    found: dict[str, Any] = {}
    for table in tables:
        for row in table.rows:
            if table.title == "hooks":
                found.setdefault(str(row["way"]), {})[str(row["hook"])] = {
                    name: value for name, value in row.items() if name.endswith("_ms")
                }
            else:
                found["inject"] = {name: value for name, value in row.items() if name != "inject"}
    return found


def _measured(
    environment: Mapping[str, str], folder: Path, questions: Sequence[str], starts: int, *, server: bool
) -> list[Row]:
    hooks = ("SessionStart", "UserPromptSubmit", "PostToolUse") if server else ("UserPromptSubmit", "PostToolUse")
    taken: dict[str, list[tuple[float, float]]] = {ALONE: [], **{name: [] for name in hooks}}
    with _served(environment) if server else _unserved():
        for number in range(starts + 1):
            for name, times in taken.items():
                if not server:
                    # As if a start had just failed: what is measured is the way to the disk.
                    (Path(environment["RECOLLECT_HOME"]) / "start.locked").write_text("it ended", encoding="ascii")
                words = [sys.executable, "-c", "pass"]
                if name != ALONE:
                    words = [str(_script()), "hook", name, "--agent", "claude-code"]
                said = json.dumps(_payload(name, number, folder, questions[number]))
                took = _started(words, said, environment)
                if number:  # the first compiles what it imports, as installing does
                    times.append(took)
    way = WARM if server else SPOOL
    return [_row(name, way, times) for name, times in taken.items() if name != ALONE or server]


def _row(name: str, way: str, times: Sequence[tuple[float, float]]) -> Row:
    walls = [wall for wall, _ in times]
    return {
        "hook": name,
        "way": way if name != ALONE else "-",
        "min_ms": min(walls) * 1000,
        "p50_ms": median(walls) * 1000,
        "p95_ms": percentile(walls, 0.95) * 1000,
        **cpu([busy for _, busy in times]),
    }


def _script() -> Path:
    """The program as it is installed."""
    return Path(sys.executable).with_name("recollect")


def _payload(name: str, number: int, folder: Path, question: str) -> dict[str, Any]:
    said: dict[str, Any] = {"session_id": f"bench-{number}", "cwd": str(folder), "hook_event_name": name}
    if name == "UserPromptSubmit":
        said |= {"prompt": question, "prompt_id": f"p{number}"}
    elif name == "PostToolUse":
        said |= {
            "tool_name": "Bash",
            "tool_input": {"command": "pytest -q"},
            "tool_response": {"stdout": "....\n" * 400, "stderr": ""},
            "tool_use_id": f"t{number}",
        }
    return said


def _started(words: Sequence[str], said: str, environment: Mapping[str, str]) -> tuple[float, float]:
    """Seconds, and those of the processor."""
    before = _processor_seconds()
    wall, done = timed(
        subprocess.run,
        words,
        input=said,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"A hook failed: {done.stderr.strip()}")
    return wall, _processor_seconds() - before


def _processor_seconds() -> float:
    """Of all processes this one has started and waited for; the server is not among them before it ends."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@contextmanager
def _served(environment: Mapping[str, str]) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--port", "0", "--json", "--rate", "100000"],
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_PATIENCE)


@contextmanager
def _unserved() -> Iterator[None]:
    yield
