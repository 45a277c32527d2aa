"""The part of the card about hooks: each as a process, with a server and without."""

from __future__ import annotations

from pathlib import Path

from bench import hooks
from bench.places import Places


def test_hooks_are_measured_with_a_server_and_on_their_way_to_the_disk(tmp_path: Path) -> None:
    tables = hooks.run(Places(tmp_path), size=100, starts=1, seed=7, embedding="off")
    measured, injected = tables
    assert [(row["hook"], row["way"]) for row in measured.rows] == [
        (hooks.ALONE, "-"),
        ("SessionStart", hooks.WARM),
        ("UserPromptSubmit", hooks.WARM),
        ("PostToolUse", hooks.WARM),
        ("UserPromptSubmit", hooks.SPOOL),
        ("PostToolUse", hooks.SPOOL),
    ]
    left = (tmp_path / "hooks.spool").read_bytes().count(b'"session":')
    assert left >= 4, "two hooks, and each once to warm up; on a busy machine also what no server took in time"
    assert float(injected.rows[0]["tokens"] or 0) > 100
    found = hooks.figures(tables)
    assert found[hooks.SPOOL]["PostToolUse"]["p50_ms"] > 0 and found["inject"]["tokens"] > 100
