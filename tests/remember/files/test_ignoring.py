"""Ignore rules: a table of what git's manual says, and git itself as the judge."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.remember.files.folder import parse_rules, verdict


def ignored(patterns: str, path: str) -> bool:
    """Whether a path or a folder above it is left out; a path ending in `/` is a folder."""
    rules = parse_rules(patterns.split("\n"))
    parts = tuple(path.rstrip("/").split("/"))
    return any(
        verdict(rules, parts[:depth], is_folder=depth < len(parts) or path.endswith("/")) is True
        for depth in range(1, len(parts) + 1)
    )


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        ("a.txt", "a.txt", True),
        ("a.txt", "deep/down/a.txt", True),
        ("a.txt", "ba.txt", False),
        ("# a.txt", "# a.txt", False),
        (r"\#a", "#a", True),
        (r"\!a", "!a", True),
        ("", "a", False),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("a\r", "a", True),
        ("*.log", "x/y.log", True),
        ("*.log", ".log", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("!keep.log\n*.log", "keep.log", True),
        ("logs/\n!logs/keep.log", "logs/keep.log", True),
        ("build/", "build", False),
        ("build/", "build/", True),
        ("build/", "x/build/y", True),
        ("/build", "build", True),
        ("/build", "x/build", False),
        ("docs/build", "docs/build", True),
        ("docs/build", "x/docs/build", False),
        ("docs/*", "docs/a", True),
        ("docs/*.md", "docs/x/a.md", False),
        ("docs/**", "docs/x/a.md", True),
        ("docs/**", "docs/", False),
        ("docs/**/a.md", "docs/a.md", True),
        ("docs/**/a.md", "docs/x/y/a.md", True),
        ("**/a.md", "a.md", True),
        ("**/x/a.md", "y/x/a.md", True),
        ("**", "a", True),
        ("***/a", "x/y/a", True),
        ("?.md", "a.md", True),
        ("?.md", "ab.md", False),
        ("[a-c].md", "b.md", True),
        ("[!a-c].md", "b.md", False),
        ("[!a-c].md", "d.md", True),
        ("[]x].md", "].md", True),
        ("[a", "[a", True),
        ("a*b*c", "aXbYbZc", True),
        ("a*b*c", "aXbY", False),
        ("Makefile", "makefile", False),
        ("/", "a", False),
        ("*\n!*/\n!*.md", "x/a.md", False),
        ("*\n!*/\n!*.md", "x/a.txt", True),
    ],
)  # fmt: skip
def test_patterns_mean_what_gits_manual_says(patterns: str, path: str, *, expected: bool) -> None:
    assert ignored(patterns, path) is expected


def test_rules_of_a_folder_hold_below_it_only() -> None:
    rules = parse_rules(["/a", "b"], ("sub",))
    for path, expected in {"a": None, "b": None, "sub/a": True, "sub/x/a": None, "sub/x/b": True}.items():
        assert verdict(rules, tuple(path.split("/")), is_folder=False) is expected


@pytest.mark.timeout(20)
def test_a_pattern_made_to_take_forever_does_not() -> None:
    assert not ignored("*a" * 200 + "b", "a" * 250)
    assert not ignored("**/" * 100 + "b", "/".join("a" * 100))


STEPS = st.sampled_from(
    ["a", "b", "ab", "*", "**", "a*", "*b", "?", "[ab]", "[!a]", "a.b", "*.b", "\\a", "***", "a**b"]
)
PATTERNS = st.builds(
    lambda back, lead, steps, tail: back + lead + "/".join(steps) + tail,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(STEPS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " "]),
)
PATHS = [
    path
    for first in ("a", "b", "ab", "a.b", "c")
    for path in (first, f"{first}/a", f"{first}/b/a", f"{first}/ab/a.b", f"{first}/b/b/ab")
]


@given(st.lists(PATTERNS, min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_git_ignores_the_same(patterns: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        subprocess.run(["git", "init", "-q", folder], check=True)
        files = [path for path in PATHS if not any(other.startswith(f"{path}/") for other in PATHS)]
        for path in files:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        (root / ".gitignore").write_text("\n".join(patterns))
        listing = ["git", "-C", folder, "ls-files", "-o", "--exclude-standard", "-z"]
        seen = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    expected = {path for path in files if path in seen}
    assert {path for path in files if not ignored("\n".join(patterns), path)} == expected
