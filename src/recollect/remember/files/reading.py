"""One file becomes one document: open, tell what it is, decode, redact, split.

Redaction comes before splitting, or a secret that falls on a border would pass as two harmless halves.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, assert_never

from recollect.remember.files.chats import Chats, find_chats, find_chats_in_lines
from recollect.remember.files.decoding import cleaned, decoded, is_binary
from recollect.remember.files.documents import Chunk, Conversation, Document, FileKind, Unreadable
from recollect.remember.files.kinds import is_known_text, kind_of
from recollect.remember.files.markdown import read_markdown
from recollect.remember.files.opening import MAX_FILE_BYTES, read_bytes
from recollect.remember.files.pdf import read_pdf
from recollect.remember.files.plain_text import read_code, read_text
from recollect.remember.files.splitting import Redact, Section, chunked, paragraphs
from recollect.remember.files.web_pages import read_html

_LONG_LINE = 500  # characters; JSON with longer ones was not written for reading, and is spread out
_MAX_SPREAD = 4  # times the size of the source; deeper nesting would be mostly indentation


def _as_it_is(text: str) -> str:
    return text


def read_document(
    path: Path, *, root: Path, redact: Redact = _as_it_is, max_bytes: int = MAX_FILE_BYTES
) -> Document | Unreadable:
    """Read a file below the root. The same bytes under the same name always give the same document.

    `redact` takes out what must not be kept; it is given whole texts, pages or turns, never pieces of them.
    Lines keep their numbers if it keeps line ends.
    """
    found = read_bytes(path, root=root, max_bytes=max_bytes)
    if isinstance(found, Unreadable):
        return found
    shown, source = found
    return parse_document(shown, source, redact=redact)


def parse_document(path: str, source: bytes, *, redact: Redact = _as_it_is) -> Document | Unreadable:
    """Pure: a document from its path below the root, which says what it is, and its bytes."""
    kind, language = kind_of(path.rpartition("/")[2])
    sha256 = hashlib.sha256(source).hexdigest()
    if kind is FileKind.PDF or source.startswith(b"%PDF-"):
        pages = read_pdf(source, path, redact)
        return pages if isinstance(pages, Unreadable) else Document(path, FileKind.PDF, sha256, pages)

    known_text = is_known_text(path.rpartition("/")[2])
    if is_binary(source, known_text=known_text):
        return Unreadable(path, "binary", f"`{path}` is not text, and of a kind that cannot be read.")
    text = decoded(source, known_text=known_text, declares_charset=kind is FileKind.HTML)
    if text is None:
        return Unreadable(path, "not_text", f"`{path}` is not text in any encoding that we can be sure of.")

    conversations: tuple[Conversation, ...] = ()
    match kind:
        case FileKind.MARKDOWN:
            chunks = read_markdown(redact(text))
        case FileKind.HTML:
            chunks = read_html(text, redact)
        case FileKind.CODE:
            chunks = read_code(redact(text), language or "")
        case FileKind.JSON:
            kind, chunks, conversations = _read_json(text, path, redact)
        case FileKind.TEXT | FileKind.CHAT:
            chunks = read_text(redact(text))
        case _:
            assert_never(kind)
    return Document(path, kind, sha256, chunks, conversations)


def _read_json(text: str, path: str, redact: Redact) -> tuple[FileKind, tuple[Chunk, ...], tuple[Conversation, ...]]:
    """A chat, or data as text. What is not valid JSON is still text: settings with comments, a cut-off log."""
    chats: Chats | None
    if path.lower().endswith((".jsonl", ".ndjson")):
        records, broken = _records(text)
        chats = find_chats_in_lines(records, redact) if records else None
        if chats:
            left = "\n\n".join([*map(_written, chats.others), *broken])
            return FileKind.CHAT, read_text(redact(cleaned(left))), chats.conversations
        return FileKind.JSON, _by_lines(redact(text), {}), ()
    content = _parsed(text)
    chats = find_chats(content, redact)
    if chats:
        left = "\n\n".join(map(_written, chats.others))
        return FileKind.CHAT, read_text(redact(cleaned(left))), chats.conversations
    if content is not None and max(map(len, text.split("\n"))) > _LONG_LINE:
        spread = _spread_out(content, limit=len(text) * _MAX_SPREAD)
        if spread:
            return FileKind.JSON, _by_lines(redact(cleaned(spread)), {"spread_out": True}), ()
    return FileKind.JSON, _by_lines(redact(text), {}), ()


def _by_lines(text: str, metadata: dict[str, Any]) -> tuple[Chunk, ...]:
    return chunked(text, [Section((), paragraphs(text, (0, len(text))), metadata)])


def _records(text: str) -> tuple[list[Any], list[str]]:
    """The records of JSON lines, and the lines that are none."""
    records: list[Any] = []
    broken: list[str] = []
    for line in text.split("\n"):
        record = _parsed(line) if line.strip() else None
        if record is not None:
            records.append(record)
        elif line.strip():
            broken.append(line)
    return records, broken


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _written(record: Any) -> str:
    return _spread_out(record, limit=MAX_FILE_BYTES) or json.dumps(record, ensure_ascii=False)


def _spread_out(content: Any, *, limit: int) -> str:
    """JSON with one value per line; empty if that gets over the limit or is nested too deeply."""
    parts: list[str] = []
    size = 0
    try:
        for part in json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(content):
            parts.append(part)
            size += len(part)
            if size > limit:
                return ""
    except RecursionError:
        return ""
    return "".join(parts)
