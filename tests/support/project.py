"""The project as files: what is tracked, and the modules of the package."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "recollect"


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return tuple(path for name in sorted(set(listed.split("\0"))) if name and (path := ROOT / name).is_file())


def tracked(*suffixes: str, under: str = "") -> list[Path]:
    """Tracked files with one of the endings, below a folder of the project."""
    folder = ROOT / under
    return [path for path in tracked_files() if path.suffix in suffixes and path.is_relative_to(folder)]


def name_of(path: Path) -> str:
    """A file's path inside the project, for messages."""
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def modules() -> list[Path]:
    """Every module of the package."""
    return tracked(".py", under="src/recollect")
