"""Both programs called `anamnesis`, the published one and ours, say the same about the same store.

A plain run of pytest does not find it: `make test-anamnesis` names this file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.anamnesis.store import PYTHON, anamnesis
from tests.vault.machines import bare_remote

THEIRS = Path(PYTHON).with_name("anamnesis")
SHOP = "github.com/alice/shop"
COMMANDS = [
    "status",
    "reindex",
    f"inject --project {SHOP}",
    f"inject --project {SHOP} --k 1",
    "inject --project unheard-of",
    "dedup",
    "config list",
    "config get machine_id",
    "config get nope",
    "config unset nope",
    "config set reflection.auto yes",
    "config set reflection.timeout soon",
    "config set remote",
    "config",
    "eval",
    "sync",
    "status",
    "capture --project x --no-sync",
]


def test_commands_print_and_end_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anamnesis("write", tmp_path / "theirs")
    shutil.copytree(tmp_path / "theirs", tmp_path / "ours")
    different = []
    for command in COMMANDS:
        theirs = _said(tmp_path, "theirs", [str(THEIRS), *command.split()])
        ours = _said(tmp_path, "ours", ["anamnesis", *command.split()])
        if theirs != ours:
            different.append((command, theirs, ours))
    assert different == []


def _said(folder: Path, whose: str, words: list[str]) -> tuple[int, str]:
    remote = folder / f"{whose}.git"
    if not remote.exists():
        bare_remote(remote)
    said = {
        **{name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_HOME")},
        "HOME": str(folder),
        "ANAMNESIS_HOME": str(folder / whose),
        "ANAMNESIS_MACHINE_ID": "thinkpad",
        "ANAMNESIS_GIT_REMOTE": str(remote),
        "RECOLLECT_EMBEDDING": "off",
    }
    done = subprocess.run(
        words, env=said, check=False, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    text = (done.stdout + done.stderr).replace(str(folder / whose), "STORE")
    return done.returncode, re.sub(r"head=\w+", "head=HEAD", text)
