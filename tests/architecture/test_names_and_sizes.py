"""Files stay small, names are words of the domain, and nothing unfinished or private is tracked."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from recollect.dialects.registry import MODULES as DIALECTS
from tests.architecture.complex_functions import WITH_REASON
from tests.architecture.sizes import complex_functions
from tests.support.project import PACKAGE, ROOT, modules, name_of, parsed, tracked, tracked_files

LONGEST = 500  # lines
MOST_FILES = 25  # in one folder

# Folders that hold more, and how many. The numbers only go down.
CROWDED = {
    "bench": 41,
    "tests/stores": 29,
    "tests/surfaces": 33,
}
EMPTY_WORDS = {
    "manager",
    "helper",
    "helpers",
    "util",
    "utils",
    "base",
    "factory",
    "handler",
    "processor",
    "v2",
    "common",
}

# Collections of what secrets look like, and do not: they have to show every sort of address and path.
SAMPLES = ROOT / "tests" / "redaction" / "samples"

CODE = [path for folder in ("src", "bench", "tests") for path in tracked(".py", ".sql", ".pyi", under=folder)]


def _words(name: str) -> set[str]:
    """The words of a name, whether spelled LikeThis or like_this."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", name)}


def test_no_file_is_longer_than_it_can_be_read_in_one_sitting() -> None:
    sizes = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}
    assert len(sizes) > 80


def test_a_folder_can_be_seen_at_a_glance() -> None:
    """Numbered migrations are one list, however long it grows."""
    folders = Counter(name_of(path.parent) for path in CODE if path.parent.name != "migrations")
    assert {folder: many for folder, many in folders.items() if many > CROWDED.get(folder, MOST_FILES)} == {}


def test_a_function_with_many_ways_through_it_has_its_reason() -> None:
    """A new one is cut, or says why it is not; one that was cut leaves the list."""
    assert sorted(name for _, name in complex_functions()) == sorted(WITH_REASON)
    assert [name for name, reason in WITH_REASON.items() if len(reason) < 20] == []


def test_modules_are_named_for_what_they_hold() -> None:
    named = [(path, part) for path in CODE for part in (path.stem, path.parent.name)]
    assert {name_of(path) for path, part in named if _words(part) & EMPTY_WORDS} == set()


def test_classes_are_named_for_what_they_are() -> None:
    classes = {
        f"{name_of(path)}: {node.name}"
        for path in CODE
        if path.suffix == ".py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and _words(node.name) & EMPTY_WORDS
    }
    assert classes == set()


def test_no_module_has_the_name_of_another_in_its_part_of_the_package() -> None:
    """Folders that implement one port side by side may share names, with each other and with the port."""
    places: dict[tuple[str, str], set[str]] = {}
    for path in modules():
        if path.parent != PACKAGE and path.stem != "__init__":
            part, *folders = path.relative_to(PACKAGE).parent.parts
            places.setdefault((part, path.stem), set()).add("/".join(folders))
    shared = {name: folders for name, folders in places.items() if len(folders) > 1}
    assert {name: folders for name, folders in shared.items() if not folders <= _side_by_side(*name)} == {}
    assert shared[("stores", "database")] == {"", "sqlite", "postgres"}


def _side_by_side(part: str, stem: str) -> set[str]:
    """The folders of a part that implement the same port: two databases, and a folder for each foreign dialect."""
    if (part, stem) == ("stores", "database"):
        return {"", "sqlite", "postgres"}
    return {module.split(".")[2] for module in DIALECTS.values()} if part == "dialects" else set()


def test_no_public_class_has_the_name_of_another() -> None:
    names = Counter(
        node.name
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, many in names.items() if many > 1] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("StoreManager", {"store", "manager"}),
        ("http_handler", {"http", "handler"}),
        ("MemoryV2", {"memory", "v2"}),
        ("database", {"database"}),
        ("HTTPBase", {"http", "base"}),
    ],
)
def test_a_name_is_taken_apart_into_its_words(name: str, words: set[str]) -> None:
    assert _words(name) >= words


def _texts() -> list[tuple[Path, str]]:
    found = []
    for path in tracked_files():
        if path.is_relative_to(SAMPLES) or path == Path(__file__):
            continue
        try:
            found.append((path, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def test_nothing_is_left_to_do_in_a_comment() -> None:
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    # What people say, in the labelled cases, is theirs.
    ours = [(path, text) for path, text in _texts() if path.suffix != ".jsonl"]
    assert {name_of(path) for path, text in ours if unfinished.search(text)} == set()


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    homes = {str(ROOT), str(Path.home())} - {"/"}
    patterns = [re.compile(rf"(?<![\w/]){re.escape(home)}(?![\w-])") for home in homes]
    patterns.append(re.compile(r"/(?:home|Users)/(?!alice\b)[a-z][\w-]*/"))
    assert {name_of(path) for path, text in _texts() if any(pattern.search(text) for pattern in patterns)} == set()


def test_no_file_says_where_packages_are_fetched_from() -> None:
    """A version and a hash say which file is meant; where it comes from is the business of whoever installs it."""
    host = re.compile(
        r"(--(?:extra-)?index-url|--find-links|--trusted-host|(?:pypi|registry|npm|artifacts?|nexus|artifactory)"
        r"[\w.-]*\.(?:org|com|net|io|internal|local)\b|files\.pythonh\w+)",
        re.IGNORECASE,
    )
    assert {name_of(path) for path, text in _texts() if host.search(text)} == set()


def test_no_file_of_a_memory_is_tracked() -> None:
    endings = {".db", ".db-wal", ".db-shm", ".sqlite", ".sqlite3", ".env"}
    assert [name_of(path) for path in tracked_files() if path.suffix in endings] == []
