"""The results of reading a file: chunks to be found, conversations to be remembered, or a reason why not.

Every text in here already obeys `domain.text`: no control characters, one kind of line end, no half of a pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.domain.dataclass import dataclass


class FileKind(StrEnum):
    """How a file was read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"
    CODE = "code"
    JSON = "json"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document. `position` counts from 0 within it.

    `title_path` are the headings it stands under, outermost first; for source code, the names of what it defines.
    `start_line` counts from 1, in the file; within the page for PDF, and in the spread-out form for JSON that came
    on one long line (`metadata["spread_out"]`). `metadata` can be written as JSON.
    """

    text: str
    title_path: tuple[str, ...]
    position: int
    start_line: int
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said. `at` is `None` when neither the turn nor its conversation has a time."""

    role: str
    text: str
    at: datetime | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in the order in which they were said. Without an id of its own, `id` is its place in the file, from 0."""

    id: str
    title: str | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `path` is relative to the root, with `/`; `sha256` is of its bytes as they are on disk.

    A chat has conversations; what in its file is not a message is kept as chunks.
    """

    path: str
    kind: FileKind
    sha256: str
    chunks: tuple[Chunk, ...] = ()
    conversations: tuple[Conversation, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or folder that was not read, and why. A folder stands for everything in it.

    Codes: `not_found`, `no_permission`, `read_failed`, `outside_root`, `symlink_loop`, `changed_while_reading`,
    `not_a_file`, `bad_name`, `too_large`, `too_deep`, `binary`, `not_text`, `encrypted`, `broken`, `no_text`,
    `missing_extra`.
    """

    path: str
    code: str
    message: str
