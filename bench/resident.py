"""A process of its own that opens a store, asks once, then some more: how long the first answer took, how large it is.

Nothing of this process is in that one, so what it holds is what an agent's process would.
"""

from __future__ import annotations

import json
import subprocess
import sys

from bench.card import Row
from bench.measuring import median
from bench.places import Places

_STARTS = 3
_PATIENCE = 600.0  # seconds

_ASK = """
import json, sys, time
begin, busy = time.perf_counter(), time.process_time()
from pathlib import Path
from recollect import Memory, Settings
home, store, space, models, embedding = json.loads(sys.argv[1])
settings = Settings(home=Path(home), store=store, space=space, models=Path(models), embedding=embedding)
memory = Memory(settings=settings)
memory.search("what did we decide about the release", limit=10)
first, first_cpu = time.perf_counter() - begin, time.process_time() - busy
for word in ("deploy", "review", "where is the plan", "who said that", "how do we test"):
    memory.search(word, limit=10)
import resource
print(json.dumps([first, first_cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


def first_search(places: Places, name: str, embedding: str) -> Row:
    """From the beginning of the process: importing, opening, the model, the first hits. And the memory it took."""
    settings = places.settings(name, embedding=embedding)
    given = json.dumps([str(settings.home), settings.store, settings.space, str(settings.models), embedding])
    runs = []
    for _ in range(_STARTS):
        done = subprocess.run(
            [sys.executable, "-c", _ASK, given], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"A search in a process of its own failed: {done.stderr.strip()}")
        runs.append(tuple(json.loads(done.stdout)))
    return {
        "first_search_ms": median([first for first, _, _ in runs]) * 1000,
        "first_search_cpu_ms": median([busy for _, busy, _ in runs]) * 1000,
        "resident_mb": max(kilobytes for _, _, kilobytes in runs) / (1e6 if sys.platform == "darwin" else 1e3),
    }
