"""The pages that users read, taken apart: code blocks with their language, and the commands inside them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.project import name_of, tracked

# Written by a program and compared with it in full, elsewhere.
GENERATED = {"docs/reference/cli.md"}
NO_PAGES = ("docs/decisions/", "tests/", "src/", "CHANGELOG.md")

_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#\s.*$")
_NEXT_COMMAND = re.compile(r"\s+;\s+|\s+&&\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block. `line` is where its first line stands in the page."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a block, as the words a shell would pass on."""

    place: str
    typed: str
    words: tuple[str, ...]


@cache
def pages() -> tuple[Path, ...]:
    """Every page for users and contributors."""
    found = (path for path in tracked(".md") if not name_of(path).startswith(NO_PAGES))
    return tuple(path for path in found if name_of(path) not in GENERATED)


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(name_of(page), text[: match.start()].count("\n") + 2, match[1].strip(), match[2])
        for match in _BLOCK.finditer(text)
    ]


def blocks(*languages: str) -> list[Block]:
    """The blocks of all pages that are written in one of the languages; without languages, every block."""
    return [block for page in pages() for block in blocks_of(page) if not languages or block.language in languages]


def commands_in(block: Block) -> Iterator[Command]:
    """The commands of a block, without prompts and comments; output has no prompt and is passed over."""
    prompted = block.language == "console"
    for number, line in enumerate(block.text.splitlines()):
        if prompted and not line.startswith("$ "):
            continue
        for typed in _NEXT_COMMAND.split(_COMMENT.sub("", line.removeprefix("$ "))):
            if typed.strip():
                yield Command(f"{block.page}:{block.line + number}", typed, tuple(shlex.split(typed)))
