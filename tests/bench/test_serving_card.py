"""The server is measured as it runs: every request answered, nothing sent away, nothing left behind."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from bench import serving, soak
from bench.load import Server, slope
from bench.places import Places


def test_the_server_is_measured_under_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_REQUESTS", {True: 4})
    monkeypatch.setattr(serving, "CLIENTS", (1, 8))
    tables = serving.run(Places(tmp_path), sizes=(100,), quick=True, seed=7, embedding="off")
    [rates] = tables
    assert [(row["serving"], row["clients"], row["sent_away"]) for row in rates.rows] == [
        (verb, clients, 0) for verb in ("search", "add") for clients in (1, 8)
    ]
    found = serving.figures(tables)
    assert set(found["search"]["100"]["8"]) == {"per_second", "p50_ms", "p99_ms", "cpu_ms_each"}


def test_a_soak_shows_how_memory_develops_and_what_shims_leave_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "_LENGTH", {True: 2.0})
    monkeypatch.setattr(soak, "_STARTS", {True: 3})
    found = soak.figures(soak.run(Places(tmp_path), size=100, quick=True, seed=7, embedding="off"))
    assert (found["soak"]["failed"], found["soak"]["end_mb"] > 10) == (0, True)
    assert {"growth_mb_per_10_min", "growth_mb_per_100k"} <= set(found["soak"])
    assert (found["shims"]["processes_left"], found["shims"]["sockets_left"]) == (0, 0)
    assert found["shims"]["first_answer_p50_ms"] > 0


def test_growth_is_the_slope_of_a_line_through_all_points() -> None:
    assert slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) == pytest.approx(2.0)
    assert slope([(1.0, 1.0)]) == 0.0


def test_a_descriptor_that_closes_while_sockets_are_counted_hides_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(port=0, pid=os.getpid(), tokens=(), space="s", environment={})
    readlink = Path.readlink
    with closing(socket.socket()), closing(socket.socket()) as gone:
        before = server.sockets()

        def closed_meanwhile(path: Path) -> Path:
            if path.name == str(gone.fileno()):
                raise FileNotFoundError(path)
            return readlink(path)

        monkeypatch.setattr(Path, "readlink", closed_meanwhile)
        assert server.sockets() == before - 1 > 0
