"""What the figures were taken on: without it they mean nothing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import apsw

from bench.measuring import median, times
from bench.places import Places

_SYNCS = 50


def facts(places: Places) -> dict[str, str | float]:
    """The machine, its disk, what else it is busy with, and the versions of what runs."""
    found: dict[str, str | float] = {
        "processors": f"{os.cpu_count()} × {_processor()}",
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }
    if places.server is None:
        found |= {
            "sqlite": apsw.sqlite_lib_version(),
            "file system": _file_system(places.folder),
            "sync": f"{median(_syncs(places.folder)) * 1000:.2f} ms",
        }
    else:
        with closing(places.open("empty")) as memory:
            found["store"] = memory.status().store
    return found | load_at("start")


def load_at(moment: str) -> dict[str, str | float]:
    """How many programs wanted a processor in the last minute; with more than there are, wall times are too long."""
    return {f"load at the {moment}": round(os.getloadavg()[0], 1)} if hasattr(os, "getloadavg") else {}


def _syncs(folder: Path) -> list[float]:
    """How long the disk takes to promise that a page is safe. A cache that lies does it in no time."""
    path = folder / "sync.probe"
    with path.open("wb", buffering=0) as file:

        def write_through(page: bytes) -> None:
            file.write(page)
            os.fsync(file.fileno())

        seconds = times(write_through, [bytes(4096)] * _SYNCS)
    path.unlink()
    return seconds


def _processor() -> str:
    description = Path("/proc/cpuinfo")
    if description.exists():
        for line in description.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return "unknown"
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GB"


def _file_system(folder: Path) -> str:
    """Its kind, where `df` knows it: on `tmpfs` nothing is ever written to a disk."""
    if shutil.which("df") is None:
        return "unknown"
    answer = subprocess.run(
        ["df", "--output=fstype", str(folder)], capture_output=True, text=True, timeout=10, check=False
    )
    return answer.stdout.split()[-1] if answer.returncode == 0 else "unknown"
