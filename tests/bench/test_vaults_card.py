"""The part of the card about the vault: files and syncs, at each size."""

from __future__ import annotations

from pathlib import Path

from bench import vaults
from bench.places import Places


def test_files_and_syncs_are_measured_at_each_size(tmp_path: Path) -> None:
    [table] = vaults.run(Places(tmp_path), sizes=(20, 30), runs=1, seed=7)
    assert {row["notes"] for row in table.rows} == {20, 30}
    found = vaults.figures([table])
    assert found.keys() == {"20", "30"}
    for each in found.values():
        assert {
            "write all files",
            "first sync, all notes sent",
            "first sync, all notes received",
            "sync, nothing changed",
            "sync, one note received",
            "a note is saved, its file is there",
            "a file is edited, memory has it",
        } <= each.keys()
        assert all(figure["p50_ms"] > 0 for figure in each.values())
