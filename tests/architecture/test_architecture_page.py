"""The page about the architecture shows the package as it is, and no page promises anything that is there."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.documentation.pages import pages
from tests.support.project import PACKAGE, ROOT, modules, name_of, tracked_files

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BUILT = {"surfaces/dashboard"}  # by `make dashboard`, and never tracked
PROMISE = re.compile(r"\*planned\*|\(planned\)|\b(?:is|are) planned\b(?! anew\b)|\bcoming soon\b", re.IGNORECASE)


def _tree() -> list[str]:
    """Every path of the drawn tree below `src/recollect`, in its order."""
    [drawn] = re.findall(r"^src/recollect/\n(.*?)^\S", PAGE, re.MULTILINE | re.DOTALL)
    paths: list[str] = []
    above: list[str] = []
    for indent, name in re.findall(r"^((?:  )+)([\w.]+)/? +\S", drawn, re.MULTILINE):
        above[len(indent) // 2 - 1 :] = [name]
        paths.append("/".join(above))
    return paths


def test_the_tree_shows_every_folder_and_every_module_at_the_top_each_once() -> None:
    below = {path.relative_to(PACKAGE) for path in tracked_files() if path.is_relative_to(PACKAGE)}
    folders = {folder.as_posix() for path in below for folder in path.parents if folder.name}
    top = {path.name for path in modules() if path.parent == PACKAGE}
    assert sorted(_tree()) == sorted(folders | top | BUILT)


def test_every_folder_of_the_project_is_shown() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in tracked_files() if path.parent != ROOT}
    shown = set(re.findall(r"^([\w.]+)/", PAGE, re.MULTILINE))
    assert {folder for folder in folders if not folder.startswith(".")} == shown


def test_the_direction_of_imports_is_the_one_that_is_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [direction] = [contract for contract in contracts if contract["name"].startswith("Direction")]
    [written] = re.findall(r"^(surfaces > .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert written.split() == " > ".join(re.sub(r"[()]", "", layer) for layer in direction["layers"]).split()


def test_no_page_promises_anything() -> None:
    """A page says what there is. What there is not yet stands in the plans of whoever wants it."""
    assert {name_of(page): found for page in pages() if (found := PROMISE.findall(page.read_text()))} == {}


@pytest.mark.parametrize("said", ["**Entity** (*planned*)", "models are planned", "reference (planned)"])
def test_a_promise_is_known_by_its_words(said: str) -> None:
    assert PROMISE.search(said)
