"""Hooks cost nothing by default, and never more than the cap where a model reads along."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

from recollect.domain.clock import SystemClock
from recollect.stores.opening import open_store
from tests.chaos.effort import FULL
from tests.models.hook_events import main
from tests.support.model_server import ModelServer
from tests.support.project import ROOT
from tests.support.scripted_reader import ScriptedReader

EVENTS = 10_000 if FULL else 120
CAP = 100_000  # tokens a day: a few calls, each with the most that it can cost
PATIENCE = 3000 if FULL else 300  # seconds

# A price of nothing: money never stops it, tokens do.
SETTINGS = """
[providers.local]
url = "{url}/v1"
model = "small"
[tasks]
read = "local"
settle = "local"
[spend]
day_tokens = {cap}
[spend.prices]
"local:small" = {{ input = 0 }}
"""


def test_hook_events_spend_nothing_by_default(server: ModelServer, tmp_path: Path) -> None:
    address = str(tmp_path / "memory.db")
    main(address, str(tmp_path / "home"), "one", EVENTS)

    with contextlib.closing(open_store(address, clock=SystemClock(), busy_timeout=60)) as store:
        assert store.spend.lines(since="2000-01-01", at=SystemClock().now()) == []
        assert [kind for _, kind, _ in store.jobs.counts() if kind in ("read", "settle")] == []
    assert server.asked == []


def test_processes_that_hear_hooks_never_pass_the_cap_together(server: ModelServer, tmp_path: Path) -> None:
    server.reads = ScriptedReader({}, usage=(0, 0, 0))  # it says that it did nothing, and is not believed
    home, address = tmp_path / "home", str(tmp_path / "memory.db")
    home.mkdir()
    (home / "recollect.toml").write_text(SETTINGS.format(url=server.url, cap=CAP), encoding="utf-8")
    open_store(address, clock=SystemClock(), busy_timeout=60).close()
    command = [sys.executable, "-m", "tests.models.hook_events", address, str(home)]
    started = [subprocess.Popen([*command, name, str(EVENTS // 2)], cwd=ROOT) for name in ("one", "two")]
    assert [each.wait(PATIENCE) for each in started] == [0, 0]

    with contextlib.closing(open_store(address, clock=SystemClock(), busy_timeout=60)) as store:
        lines = store.spend.lines(since="2000-01-01", at=SystemClock().now() + timedelta(days=30))
        kept = sum(space.observations for space in map(store.summary, store.spaces()))
    spent: Counter[str] = Counter()
    for line in lines:
        spent[line.day] += line.tokens
    assert sum(line.calls for line in lines) == len(server.asked) > 0
    assert max(spent.values()) <= CAP
    assert kept == EVENTS  # and none is lost at the cap
