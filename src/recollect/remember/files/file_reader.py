"""One file becomes one document: tell its kind, open, decode, redact, read; and which files changed.

Redaction comes before splitting, or a secret that falls on a border would pass as two harmless halves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, assert_never

from recollect.domain.dataclass import dataclass
from recollect.remember.files.chats import Chats, find_chats, find_chats_in_lines
from recollect.remember.files.chunks import (
    Chunk,
    Conversation,
    FileDocument,
    FileKind,
    Redact,
    Unreadable,
)
from recollect.remember.files.markdown import read_markdown
from recollect.remember.files.opened_file import MAX_FILE_BYTES, cleaned, decoded, is_binary, read_bytes
from recollect.remember.files.pdf import read_pdf
from recollect.remember.files.plain_text import read_code, read_text
from recollect.remember.files.web_pages import read_html

_BY_SUFFIX = {
    FileKind.MARKDOWN: "md markdown mdown mkd mdx",
    FileKind.TEXT: "txt text rst adoc asciidoc org tex log csv tsv srt vtt",
    FileKind.HTML: "html htm xhtml",
    FileKind.PDF: "pdf",
    FileKind.JSON: "json jsonl ndjson",
}
_KINDS = {suffix: kind for kind, suffixes in _BY_SUFFIX.items() for suffix in suffixes.split()}

_LANGUAGES = {
    "python": "py pyi pyw", "javascript": "js mjs cjs jsx", "typescript": "ts tsx mts cts", "java": "java",
    "kotlin": "kt kts", "scala": "scala", "groovy": "groovy gradle", "c": "c h", "c++": "cc cpp cxx hpp hh hxx",
    "c#": "cs", "f#": "fs fsx", "go": "go", "rust": "rs", "swift": "swift", "objective-c": "m mm", "ruby": "rb rake",
    "php": "php", "perl": "pl pm", "lua": "lua", "r": "r", "julia": "jl", "dart": "dart", "elixir": "ex exs",
    "erlang": "erl hrl", "haskell": "hs", "ocaml": "ml mli", "clojure": "clj cljs edn", "lisp": "lisp el scm",
    "zig": "zig", "nim": "nim", "shell": "sh bash zsh fish", "powershell": "ps1 psm1", "batch": "bat cmd",
    "sql": "sql", "css": "css scss sass less", "xml": "xml xsd xsl svg", "vue": "vue", "svelte": "svelte",
    "yaml": "yaml yml", "toml": "toml", "ini": "ini cfg conf properties", "hcl": "tf hcl", "protobuf": "proto",
    "graphql": "graphql gql", "cmake": "cmake", "make": "mk", "nix": "nix", "diff": "diff patch",
}  # fmt: skip
_LANGUAGE_OF = {suffix: language for language, suffixes in _LANGUAGES.items() for suffix in suffixes.split()}

_WHOLE_NAMES = {"makefile": "make", "dockerfile": "docker", "jenkinsfile": "groovy", "gemfile": "ruby"}


def kind_of(name: str) -> tuple[FileKind, str | None]:
    """The kind of a file and, for source code, its language."""
    name = name.lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    language = _LANGUAGE_OF.get(suffix) or _WHOLE_NAMES.get(name)
    if language:
        return FileKind.CODE, language
    return _KINDS.get(suffix, FileKind.TEXT), None


def is_known_text(name: str) -> bool:
    """Whether the name says that this is text, in whatever encoding."""
    kind, language = kind_of(name)
    suffix = name.lower().rpartition(".")[2]
    return language is not None or (suffix in _KINDS and kind is not FileKind.PDF)


_LONG_LINE = 500  # characters; JSON with longer ones was not written for reading, and is spread out
_MAX_SPREAD = 4  # times the size of the source; deeper nesting would be mostly indentation


def _as_it_is(text: str) -> str:
    return text


def read_document(
    path: Path, *, root: Path, redact: Redact = _as_it_is, max_bytes: int = MAX_FILE_BYTES
) -> FileDocument | Unreadable:
    """Read a file below the root. The same bytes under the same name always give the same document.

    `redact` takes out what must not be kept; it is given whole texts, pages or turns, never pieces of them.
    Lines keep their numbers if it keeps line ends.
    """
    found = read_bytes(path, root=root, max_bytes=max_bytes)
    if isinstance(found, Unreadable):
        return found
    shown, source = found
    return parse_document(shown, source, redact=redact)


def parse_document(path: str, source: bytes, *, redact: Redact = _as_it_is) -> FileDocument | Unreadable:
    """Pure: a document from its path below the root, which says what it is, and its bytes."""
    kind, language = kind_of(path.rpartition("/")[2])
    sha256 = hashlib.sha256(source).hexdigest()
    if kind is FileKind.PDF or source.startswith(b"%PDF-"):
        pages = read_pdf(source, path, redact)
        return pages if isinstance(pages, Unreadable) else FileDocument(path, FileKind.PDF, sha256, pages)

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
    return FileDocument(path, kind, sha256, chunks, conversations)


def _read_json(text: str, path: str, redact: Redact) -> tuple[FileKind, tuple[Chunk, ...], tuple[Conversation, ...]]:
    """A chat, or data as text. What is not valid JSON is still text: settings with comments, a cut-off log."""
    chats: Chats | None
    if path.lower().endswith((".jsonl", ".ndjson")):
        records, broken = _records(text)
        chats = find_chats_in_lines(records, redact) if records else None
        if chats:
            left = "\n\n".join([*map(_written, chats.others), *broken])
            return FileKind.CHAT, read_text(redact(cleaned(left))), chats.conversations
        return FileKind.JSON, read_text(redact(text)), ()
    content = _parsed(text)
    chats = find_chats(content, redact)
    if chats:
        left = "\n\n".join(map(_written, chats.others))
        return FileKind.CHAT, read_text(redact(cleaned(left))), chats.conversations
    if content is not None and max(map(len, text.split("\n"))) > _LONG_LINE:
        spread = _spread_out(content, limit=len(text) * _MAX_SPREAD)
        if spread:
            return FileKind.JSON, read_text(redact(cleaned(spread))), ()
    return FileKind.JSON, read_text(redact(text)), ()


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


@dataclass(frozen=True, slots=True)
class FolderDifference:
    """Paths below the root, sorted. `vanished` were read the last time and are gone or ignored now.

    `kept` were read the last time and cannot be read now: what is known of them stays, for they are not gone.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def changed(found: Mapping[str, str], known: Mapping[str, str], unreadable: Iterable[str] = ()) -> FolderDifference:
    """Compare two manifests, each from paths to the SHA-256 of the bytes.

    `unreadable` are the paths that could not be read this time; a folder stands for everything in it, `.` for all.
    """
    refused = frozenset(unreadable)
    missing = sorted(known.keys() - found.keys())
    kept = tuple(path for path in missing if _within(path, refused))
    return FolderDifference(
        added=tuple(sorted(found.keys() - known.keys())),
        changed=tuple(sorted(path for path in found.keys() & known.keys() if found[path] != known[path])),
        unchanged=tuple(sorted(path for path in found.keys() & known.keys() if found[path] == known[path])),
        vanished=tuple(path for path in missing if path not in set(kept)),
        kept=kept,
    )


def _within(path: str, refused: frozenset[str]) -> bool:
    """Whether a path or a folder above it was refused."""
    if "." in refused:
        return True
    steps = path.split("/")
    return any("/".join(steps[:depth]) in refused for depth in range(1, len(steps) + 1))
