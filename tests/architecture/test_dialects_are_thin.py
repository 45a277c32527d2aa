"""A dialect translates; what it lacks is put into the engine, or beside the dialects for all of them."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest

import recollect
from recollect.dialects.registry import MODULES

MOST_LINES = 600
ROOT = Path(recollect.__file__).parent / "dialects"
# KIP is no dialect but a language, with an interpreter of its own; no client is served from its folder.
FOLDERS = sorted({module.split(".")[2] for module in MODULES.values()})
_NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


def lines_of_code(source: str) -> int:
    """The number of lines with code on them: no blank lines, no comments, no docstrings."""
    found = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in _NOT_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(found - _docstring_lines(source))


def _docstring_lines(source: str) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def test_lines_of_code_are_counted_without_blanks_comments_and_docstrings() -> None:
    source = (
        '"""Words."""\n\n# A remark.\ndef one() -> str:\n    """More\n    words."""\n    return """a\nb"""  # told\n'
    )
    assert lines_of_code(source) == 3


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_dialect_is_a_thin_translation(folder: str) -> None:
    lines = {path.name: lines_of_code(path.read_text(encoding="utf-8")) for path in (ROOT / folder).rglob("*.py")}
    assert sum(lines.values()) <= MOST_LINES, lines
