"""Files of other programs, opened to be read: never followed out of their folder, never locked, never changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.remember.files.decoding import decoded
from recollect.remember.files.documents import Unreadable
from recollect.remember.files.opening import read_bytes
from recollect.remember.foreign.findings import Unread

_LARGEST = 500_000_000  # bytes of one export or transcript


def named_files(folder: Path, pattern: str) -> Iterator[Path]:
    """The files of a folder in the order of their names; none if there is no such folder."""
    try:
        yield from sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return


def text_of(path: Path, root: Path) -> str | Unread:
    """The text of a file below the root."""
    found = read_bytes(path, root=root, max_bytes=_LARGEST)
    if isinstance(found, Unreadable):
        return Unread(str(path), found.message)
    text = decoded(found[1], known_text=True, declares_charset=False)
    return Unread(str(path), "It is not text.") if text is None else text


def json_of(path: Path) -> Any:
    """The contents of a JSON file, or `Unread`."""
    text = text_of(path, path.parent)
    if isinstance(text, Unread):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        return Unread(str(path), f"It is not JSON: {problem}.")
