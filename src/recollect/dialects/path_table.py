"""Paths of a dialect as a table beside its code: `paths.tsv`, one line for each.

Method, path, the verb whose right it takes, and the name of the function that answers, parted by tabs; marks of the
dialect's own may follow. In the place of a function may stand `!` and a sentence, for a path that is known and not
taken, where the sentence says what is done here instead; `=` and JSON, which is always the answer; or `@` and the name
of a Markdown file beside the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

from recollect.dialects.table import Reply
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Unsupported


@dataclass(frozen=True, slots=True)
class PathRow:
    """A line of the table, with the function that answers."""

    method: str
    path: str
    verb: str
    call: Callable[..., Any]
    marks: tuple[str, ...] = ()


def path_rows(package: str, *parts: Any, hint: str = "") -> Iterator[PathRow]:
    """The lines of a package's table; functions are looked for in its `parts`, in their order."""
    for line in table_lines(package, "paths.tsv"):
        method, path, verb, call, *marks = line.split("\t")
        yield PathRow(method, path, verb, _answer(package, parts, call, hint), tuple(marks))


def _answer(package: str, parts: tuple[Any, ...], call: str, hint: str) -> Callable[..., Any]:
    said = call[1:].strip()
    match call[0]:
        case "!":
            return not_taken(said, hint)
        case "=":
            constant = json.loads(said)
            return lambda *_: constant
        case "@":
            page = files(package).joinpath(said)
            return lambda *_: Reply(page.read_text(encoding="utf-8"), says="text/markdown; charset=utf-8")
        case _:
            return named_in(parts, call)


def table_lines(package: str, name: str) -> list[str]:
    """The lines of a table beside the code; `#` begins a remark."""
    lines = files(package).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def named_in(parts: tuple[Any, ...], name: str) -> Callable[..., Any]:
    """The function of this name in the first part that has one."""
    found: Callable[..., Any] = next(getattr(part, name) for part in parts if hasattr(part, name))
    return found


def not_taken(sentence: str, hint: str = "") -> Callable[..., Any]:
    """The answer of a path that is known and not taken: a refusal that says so."""

    def answer(*_: Any) -> Any:
        raise Unsupported(sentence, code="not_taken", hint=hint)

    return answer
