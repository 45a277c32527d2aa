"""Run a program without the right to write where permissions forbid it.

Permissions do not bind root. A child that gives up the two capabilities behind that is bound like anybody else.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def run_bound(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A finished program, started from this one with the permissions of files in force."""
    return subprocess.run(
        [sys.executable, __file__, *argv],
        capture_output=True, text=True, check=False, timeout=300,
        env={name: value for name, value in {**os.environ, **environment}.items() if value},
    )  # fmt: skip


def freeze(folder: Path, *, files: bool = True) -> None:
    """Take the right to write away from a folder, and from the files in it."""
    for file in folder.iterdir():
        if files and file.is_file():
            file.chmod(0o400)
    folder.chmod(0o500)


if __name__ == "__main__":
    if os.getuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
                sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
    os.execv(sys.argv[1], sys.argv[1:])
