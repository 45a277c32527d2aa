"""The trail of a call: the files of the package it enters, and its moves between them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import recollect
from bench.card import Row, Table
from recollect import Memory, Settings
from recollect.domain.dataclass import dataclass, field

MOST_FILES = 35  # that `add` of one sentence should enter

_SOURCE = Path(recollect.__file__).parent
_SENTENCES = ("I moved to Lisbon last week.", "My sister Ines lives in Porto.")
_CALLS: dict[str, Callable[[Memory, str], object]] = {
    "save": lambda memory, text: memory.save(text),
    "add": lambda memory, text: memory.add(text),
    "search": lambda memory, text: memory.search(f"Is it true? {text}"),
    "recall": lambda memory, text: memory.recall(f"Is it true? {text}"),
}


@dataclass(slots=True)
class Trail:
    """The calls into each file of the package, and how many of them came from another file."""

    calls: Counter[str] = field(default_factory=Counter)
    moves: int = 0

    @property
    def folders(self) -> set[str]:
        return {file.rpartition("/")[0] for file in self.calls}


def followed(act: Callable[[], object]) -> Trail:
    """The trail of one call."""
    trail, stack, names = Trail(), [""], dict[str, str]()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            path = frame.f_code.co_filename
            file = names.get(path)
            if file is None:
                file = names[path] = _own(path)
            if file and frame.f_code.co_name != "<module>":
                trail.calls[file] += 1
                trail.moves += bool(stack[-1]) and file != stack[-1]
            stack.append(file or stack[-1])
        elif event == "return" and len(stack) > 1:
            stack.pop()

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return trail


def _own(path: str) -> str:
    """The path of a file below the package; nothing for every other one."""
    try:
        return Path(path).relative_to(_SOURCE).as_posix()
    except ValueError:
        return ""


def trails(settings: Settings) -> dict[str, Trail]:
    """The trail of each verb, in a memory that knows a few things already."""
    first, second = _SENTENCES
    with closing(Memory(settings=settings)) as memory:
        for call in _CALLS.values():
            call(memory, first)
        return {verb: followed(partial(call, memory, second)) for verb, call in _CALLS.items()}


def run(settings: Settings, *, files: bool = False) -> list[Table]:
    """A table of all verbs and, if asked for, one of the files of each."""
    found = trails(settings)
    rows: list[Row] = [
        {
            "verb": verb,
            "files": len(trail.calls),
            "folders": len(trail.folders),
            "moves": trail.moves,
            "calls": trail.calls.total(),
            "target": f"<= {MOST_FILES} files" if verb == "add" else None,
        }
        for verb, trail in found.items()
    ]
    tables = [Table("trace", rows)]
    if files:
        for verb, trail in found.items():
            entered: list[Row] = [
                {f"file, {verb}": file, "calls": count} for file, count in sorted(trail.calls.items())
            ]
            tables.append(Table(f"trace: {verb}", entered))
    return tables
