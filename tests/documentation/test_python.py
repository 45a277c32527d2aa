"""The Python examples of a page run from top to bottom, on any date, and answer what they say they answer.

`expression  # -> text` is a promise about `str(expression)`; `…` in it stands for anything.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from recollect import Memory
from tests.documentation.dates import DATES, live_on
from tests.documentation.pages import Block, blocks_of, pages
from tests.support.project import name_of

_PROMISE = re.compile(r"#\s*->\s*(.+?)\s*$")
WITH_PYTHON = [page for page in pages() if any(block.language == "python" for block in blocks_of(page))]


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_the_python_of_a_page_runs(page: Path, date: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live_on(date, monkeypatch)
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "deploy.md").write_text("# Deploying\n\nWe deploy with `make release`.\n")
    with Memory() as memory:
        names: dict[str, object] = {"memory": memory}
        for block in blocks_of(page):
            if block.language == "python":
                _run(block, names)
        made = names["memory"]
        if made is not memory and isinstance(made, Memory):
            made.close()


def _run(block: Block, names: dict[str, object]) -> None:
    """Carry out statement by statement, so that what a line promises is compared with what it gives."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text, filename=block.place).body:
        ast.increment_lineno(statement, block.line - 1)
        promised = _PROMISE.search(lines[(statement.end_lineno or 1) - block.line])
        if not isinstance(statement, ast.Expr):
            assert not promised, f"{block.place}: only an expression can promise an answer"
            exec(compile(ast.Module([statement], []), block.page, "exec"), names)
            continue
        answer = eval(compile(ast.Expression(statement.value), block.page, "eval"), names)
        if promised:
            pattern = ".*".join(re.escape(part.strip()) for part in promised[1].split("…"))
            assert re.fullmatch(pattern, str(answer), re.DOTALL), f"{block.page}:{statement.lineno} gives {answer}"
