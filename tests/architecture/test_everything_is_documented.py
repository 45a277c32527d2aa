"""Every module, class, verb, parameter and decision has its words, and no words are left over."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from recollect import Memory
from recollect.operations import Effect, Operation, operations_of
from recollect.settings import MEANINGS, Settings
from recollect.surfaces.catalogue.parameters import parameters_of
from recollect.surfaces.catalogue.wording import PARAMETERS
from tests.support.project import ROOT, modules, name_of, parsed, tracked

VERBS = operations_of(Memory)
DECISIONS = ROOT / "docs" / "decisions"
PROSE = [path for path in tracked(".md") if path.name not in ("CHANGELOG.md",)]


def _method(verb: Operation) -> object:
    return getattr(Memory, verb.method)


@pytest.mark.parametrize("verb", VERBS.values(), ids=list(VERBS))
def test_every_verb_says_what_it_does(verb: Operation) -> None:
    """The first line is a sentence; help texts and tools are made of it."""
    first = (_method(verb).__doc__ or "").strip().split("\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", first), verb.name
    assert len(first) <= 120


def test_no_docstring_begins_with_a_question_word() -> None:
    """Its subject comes first, so that it is understood before the code is read."""
    begun = {
        f"{name_of(path)}: {said.splitlines()[0]}"
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and re.match(r"(?:What|Who|Whoever|Whatever|Whose)\b", said := ast.get_docstring(node) or "")
    }
    assert begun == set()


def test_every_parameter_of_every_verb_has_its_words_and_no_word_is_stale() -> None:
    used = {parameter.name for verb in VERBS.values() for parameter in parameters_of(_method(verb))}  # type: ignore[arg-type]
    assert used == set(PARAMETERS)
    assert list(PARAMETERS.values()) == [words.strip() for words in PARAMETERS.values() if words.strip()]


def test_what_a_verb_takes_away_is_marked_so() -> None:
    assert {verb.name for verb in VERBS.values() if verb.effect is Effect.DESTROY} == {
        "forget",
        "forget-all",
        "reset",
        "restore",
        "slots.delete",
        "spaces.delete",
    }


@pytest.mark.parametrize("verb", VERBS.values(), ids=list(VERBS))
def test_every_verb_is_in_the_reference(verb: Operation) -> None:
    """It is written by a program, and a test of the command line compares the two in full."""
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text()
    assert f"\n## {verb.name.replace('.', ' ')}\n" in reference


def test_every_parameter_is_in_the_reference_or_belongs_to_the_library() -> None:
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text()
    spelled = {
        name for name, words in PARAMETERS.items() if f"--{name.replace('_', '-')}" in reference or words in reference
    }
    # On a command line a file stands for its lines and their numbers, and for its bytes, and a text for messages; a
    # secret is never typed there.
    assert set(PARAMETERS) - spelled <= {"lines", "first_line", "path", "messages", "attachments", "secret"}


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_every_module_begins_with_what_it_is(path: Path) -> None:
    words = ast.get_docstring(parsed(path))
    assert words, "a module says which part of the story it is"
    assert len(words.splitlines()) <= 24


@pytest.mark.parametrize("path", tracked(".py", under="tests"), ids=name_of)
def test_every_test_module_says_what_it_is_about(path: Path) -> None:
    assert ast.get_docstring(parsed(path)) or path.read_text() == ""


def test_test_names_are_sentences() -> None:
    short = {
        f"{name_of(path)}: {node.name}"
        for path in tracked(".py", under="tests")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and node.name.count("_") < 3
    }
    assert short == set()


def test_every_setting_is_explained() -> None:
    assert set(MEANINGS) == set(Settings.__slots__)


def test_every_decision_is_in_the_index_and_says_how_it_is_kept() -> None:
    index = (DECISIONS / "README.md").read_text()
    records = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert records
    assert sorted(re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index)) == records
    assert [int(name[:4]) for name in records] == list(range(1, len(records) + 1))
    for name in records:
        text = (DECISIONS / name).read_text()
        assert text.startswith(f"# {name[:4]}. "), name
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert headings == ["Context", "Decision", "Price", "How it is kept"], name
        assert "**Status:**" in text, name


def test_links_between_documents_lead_somewhere() -> None:
    broken = {
        f"{name_of(path)}: {target}"
        for path in PROSE
        for target in re.findall(r"\]\(([^)\s#]+)(?:#[\w-]*)?(?: \"[^\"]*\")?\)", path.read_text())
        if "://" not in target and not (path.parent / target).exists()
    }
    assert broken == set()


def test_every_dependency_is_justified_in_a_line() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = [
        *project["project"]["dependencies"],
        *(each for extra in project["project"]["optional-dependencies"].values() for each in extra),
        *(each for group in project["dependency-groups"].values() for each in group if isinstance(each, str)),
    ]
    names = {re.split(r"[\[<>=!~; ]", each)[0] for each in asked} - {"recollect"}
    told = (ROOT / "docs" / "dependencies.md").read_text()
    assert {name for name in names if f"`{name}`" not in told} == set()
