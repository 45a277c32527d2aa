"""An attribute is data: outside the records there is no list of attributes, and no comparison with the name of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.attributes.catalogue import catalogue
from recollect.readers.rules.vocabulary import FIRST_WORDS, LAST_WORDS, NOUNS, TECHNOLOGY
from tests.support.project import PACKAGE, modules, name_of, parsed, tracked_files

NAMES = frozenset(attribute.name for attribute in catalogue())
# Doors and stores have fields of their own that are called `name` or `role`; the domain lies below the records.
ELSEWHERE = ("attributes", "bench", "domain", "stores", "surfaces", "backups", "workspace", "operations.py")
READ = [path for path in modules() if path.relative_to(PACKAGE).parts[0] not in ELSEWHERE]


def _texts(node: ast.AST) -> list[str] | None:
    """The texts of a list that is written down, or of a text that is split into one; `None` for anything else."""
    match node:
        case ast.Set(elts=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            return texts if len(texts) == len(parts) else None
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[]):
            return text.split()
        case _:
            return None


def _lists(tree: ast.AST) -> Iterator[int]:
    """The lines with two attributes or more in a list of nothing else."""
    for node in ast.walk(tree):
        texts = _texts(node)
        if texts and len(texts) > 1 and NAMES.issuperset(texts):
            yield node.lineno  # type: ignore[attr-defined]  # lists and calls have one


def _comparisons(tree: ast.AST) -> Iterator[int]:
    """The lines that compare an attribute with the name of one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            written = {text for side in sides for text in _literals(side)}
            if written & NAMES and any(_is_an_attribute(side) for side in sides):
                yield node.lineno


def _literals(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else _texts(node) or []


def _is_an_attribute(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="attribute") | ast.Attribute(attr="attribute"):
            return True
        case ast.Attribute(value=ast.Name(id="known") | ast.Attribute(attr="known"), attr="name"):
            return True
        case _:
            return False


def test_no_list_of_attributes_stands_outside_the_records() -> None:
    assert {f"{name_of(path)}:{line}" for path in READ for line in _lists(parsed(path))} == set()
    assert len(READ) > 100


def test_no_attribute_is_compared_with_the_name_of_one() -> None:
    assert {f"{name_of(path)}:{line}" for path in READ for line in _comparisons(parsed(path))} == set()


@pytest.mark.parametrize(
    "code",
    [
        'LASTING = frozenset(("birthplace", "birthday"))',
        '_KIN = frozenset("sister brother mother".split())',
        'known = kind_of(value) in ("sports", "hobbies")',
    ],
)
def test_a_list_of_attributes_is_seen(code: str) -> None:
    assert list(_lists(ast.parse(code))) == [1]


@pytest.mark.parametrize(
    "code",
    ['finding.attribute == "age"', 'attribute != "name"', 'called.known.name == "role"', 'attribute in ("deadline",)'],
)
def test_a_comparison_with_an_attribute_is_seen(code: str) -> None:
    assert list(_comparisons(ast.parse(code))) == [1]


def test_a_table_of_numbers_comes_with_the_command_that_makes_it() -> None:
    tables = [path for path in tracked_files() if path.is_relative_to(PACKAGE) and not _is_text(path)]
    makers = {path: path.read_text(encoding="utf-8") for path in modules()}
    for table in tables:
        subject = table.stem.partition("-")[0]
        made_by = [
            path
            for path, code in makers.items()
            if path.parent == table.parent
            and f"python -m recollect.{table.parent.name}.{path.stem}" in code
            and subject in f"{path.stem} {code}"
        ]
        assert made_by, f"{name_of(table)} cannot be made anew"
    assert tables


def _is_text(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_whatever_the_vocabulary_knows_the_kind_of_is_a_value_of_an_attribute() -> None:
    kinds = {*TECHNOLOGY, *FIRST_WORDS, *LAST_WORDS, *NOUNS}
    assert kinds <= NAMES
