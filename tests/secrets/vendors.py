"""A hundred vendors' secrets, made up from a seed, and texts that hold none."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.redaction.corpus import Planted, planted

MANY = 100
_SHORT = 200  # characters: it must fit where a name is kept, with a few words around it
_SOURCES = Path(__file__).parents[2]


@cache
def vendors(seed: int = 1) -> tuple[Planted, ...]:
    """A hundred formats of different kinds, each on one line, spread evenly over all that the labelled file has."""
    by_kind: dict[str, Planted] = {}
    for item in planted(seed):
        if "\n" not in item.text and len(item.text) <= _SHORT and len(item.secret) >= 12:
            by_kind.setdefault(min(item.kinds), item)
    found = list(by_kind.values())
    assert len(found) >= MANY
    # The two that were missed once are always among them.
    first = [item for item in planted(seed) if item.kinds & {"npm-token", "discord-token"}]
    rest = [found[at * len(found) // MANY] for at in range(MANY)]
    return (*first, *(item for item in rest if item not in first))[:MANY]


def left_in(kept: bytes, items: Iterable[Planted]) -> list[str]:
    """The kinds of those whose secret can be read in what was kept, whatever its case."""
    lowered = kept.lower()
    return sorted({min(item.kinds) for item in items if item.secret.lower().encode() in lowered})


def bytes_under(folder: Path) -> bytes:
    """The content and the names of all files in a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"\n".join(piece for path in files for piece in (str(path.relative_to(folder)).encode(), path.read_bytes()))


def ordinary_lines(most: int) -> list[str]:
    """Lines of code and prose that are on every machine: ours, and the standard library's, evenly drawn."""
    library = Path(sysconfig.get_path("stdlib"))
    lines = [*_lines(_SOURCES.glob("src/**/*.py")), *_lines(_SOURCES.glob("docs/**/*.md"))]
    lines += [
        *_lines(_SOURCES.glob("tests/stories/*.py")),
        *_lines(library.glob("*.py")),
        *_lines(library.glob("*/*.py")),
    ]
    return [lines[at * len(lines) // most] for at in range(most)]


def _lines(files: Iterable[Path]) -> Iterator[str]:
    for file in sorted(files):
        if "site-packages" not in file.parts:
            yield from (
                line for line in file.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()
            )
