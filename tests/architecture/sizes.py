"""How large the package is, and which of its functions have many ways through them.

`python -m tests.architecture.sizes` prints both; `make lint` runs it. Complexity is counted as radon does: one, and one
more for each branch, loop, handler, case, comprehension, and each `and` or `or`. From 21 on it has grade D.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.project import PACKAGE, modules, parsed

GRADE_D = 21
_ONE_WAY_MORE = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.With, ast.ExceptHandler, ast.Assert, ast.match_case,
)  # fmt: skip


def complexity(function: ast.AST) -> int:
    """The number of ways through a function, without those through the functions inside it."""
    return 1 + sum(_ways(child) for child in ast.iter_child_nodes(function))


def complex_functions() -> list[tuple[int, str]]:
    """Every function of grade D or worse, with its complexity; the worst first."""
    return sorted(
        ((ways, f"{_name(path)}: {name}") for path in modules() for name, ways in _functions(path) if ways >= GRADE_D),
        reverse=True,
    )


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, complexity(node)


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return 0
    own = int(isinstance(node, _ONE_WAY_MORE))
    if isinstance(node, ast.comprehension):
        own = 1 + len(node.ifs)
    elif isinstance(node, ast.BoolOp):
        own = len(node.values) - 1
    return own + sum(_ways(child) for child in ast.iter_child_nodes(node))


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


if __name__ == "__main__":
    lines = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    longest, worst = max(lines, key=lines.__getitem__), complex_functions()
    print(f"{len(lines)} files, {sum(lines.values()):,} lines; longest {longest} ({lines[longest]})")
    print(f"{len(worst)} functions of grade D or worse; worst {worst[0][1]} ({worst[0][0]})")
