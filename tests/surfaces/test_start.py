"""The command line starts at once: what a command does not need is not even loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.surfaces.shell import LIMIT, Shell

HEAVY = {"numpy", "onnxruntime", "pypdf", "pydantic", "fastapi", "mcp", "asyncio", "psycopg", "rich", "click"}
LOADED = """
import sys
from recollect.surfaces.cli.main import main
main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""


def loaded(shell: Shell, *typed: str) -> set[str]:
    """The modules that a command needed."""
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, *typed],
        check=True,
        capture_output=True,
        text=True,
        env=shell.environment,
        timeout=LIMIT,
    )
    return set(ended.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "typed", [["--version"], ["list"], ["save", "x"], ["add", "x"], ["search", "x"], ["profile"], ["models"], []]
)
def test_nothing_heavy_is_loaded(shell: Shell, typed: list[str]) -> None:
    assert not HEAVY & loaded(shell, *typed)


def test_the_version_needs_next_to_nothing(shell: Shell) -> None:
    assert not {"argparse", "dataclasses", "json", "apsw", "recollect.memory"} & loaded(shell, "--version")


def test_help_opens_no_store(shell: Shell) -> None:
    for typed in ([], ["save", "--help"], ["completion", "bash"]):
        assert "apsw" not in loaded(shell, *typed)
    assert not shell.home.exists()
