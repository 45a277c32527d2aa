"""Each path that the Makefile names for pytest brings tests along."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def named_paths() -> list[list[str]]:
    """For each call of pytest in the Makefile, the paths it names; patterns as the shell reads them."""
    calls = (line.partition("/pytest ")[2] for line in (ROOT / "Makefile").read_text().splitlines())
    named = ([word.rstrip(";") for word in call.split() if word.startswith("tests/")] for call in calls)
    return [words for words in named if words]


def files_at(word: str) -> list[Path]:
    found = sorted(ROOT.glob(word))
    return [file for each in found for file in ([each] if each.is_file() else sorted(each.rglob("test_*.py")))]


@pytest.mark.parametrize("words", named_paths(), ids=" ".join)
def test_each_path_named_in_the_makefile_holds_tests_and_lies_in_no_other(words: list[str]) -> None:
    for word in words:
        assert any(re.search(r"^\s*def test_|TestCase\b", file.read_text(), re.M) for file in files_at(word)), word
    for one, other in permutations(words, 2):
        assert not f"{one}/".startswith(f"{other}/"), f"pytest passes over {one}: it lies in {other}, named as well"


def test_make_test_agents_collects_every_file_it_names() -> None:
    [words] = [words for words in named_paths() if "tests/agents/claude_code.py" in words]
    files = [str(file.relative_to(ROOT)) for word in words for file in files_at(word)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *files],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
    )
    collected = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert collected == set(files), done.stdout + done.stderr
