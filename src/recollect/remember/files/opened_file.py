"""Files are opened here and nowhere else: below the root, by descriptor, and decoded to text that may be kept.

Every step from the root down is opened without following links, so a folder that is exchanged for a link in between
leads nowhere. What is no regular file is refused before it is opened, since opening a pipe waits and opening a device
acts. Where the system knows no such descriptors (Windows), the opened file is compared with what was checked, which
leaves a moment for somebody who exchanges a folder twice.

A file is not a form: what `domain.text` refuses from a person is taken out of a file. Lines keep their numbers.
"""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from recollect.domain.text import MAX_NAME_BYTES, without_control_characters
from recollect.remember.files.chunks import Unreadable

MAX_FILE_BYTES = 10_000_000  # a book is 1 MB; larger files are data, not something to read

_UNKEEPABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and os.scandir in os.supports_fd and os.stat in os.supports_dir_fd
_CLOSED = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_NOT_LINKS = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOSED
# Should a pipe take the file's place after it was checked, opening it does not wait.
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | _CLOSED | _NOT_LINKS


def read_bytes(path: Path, *, root: Path, max_bytes: int = MAX_FILE_BYTES) -> tuple[str, bytes] | Unreadable:
    """The file's path below the root and what is in it. A link is followed only to what lies below the root."""
    placed = _placed(path, root)
    if isinstance(placed, Unreadable):
        return placed
    shown, base, parts = placed
    source = read_beneath(base, parts, shown=shown, max_bytes=max_bytes)
    return source if isinstance(source, Unreadable) else (shown, source)


def fingerprint(path: Path, *, root: Path, max_bytes: int = MAX_FILE_BYTES) -> tuple[str, str] | Unreadable:
    """The file's path below the root and the SHA-256 of its bytes, as a manifest has them."""
    found = read_bytes(path, root=root, max_bytes=max_bytes)
    return found if isinstance(found, Unreadable) else (found[0], hashlib.sha256(found[1]).hexdigest())


def read_beneath(base: str, parts: Sequence[str], *, shown: str, max_bytes: int) -> bytes | Unreadable:
    """Read a file below `base`, the real path of a folder; no step on the way may be a link."""
    try:
        return _read(base, parts, shown, max_bytes)
    except OSError as problem:
        return refusal(shown, problem)


def open_folder(base: str, parts: Sequence[str]) -> int:
    """A descriptor of a folder below `base`; no step on the way may be a link."""
    descriptor = os.open(base, _FOLDER)
    for part in parts:
        try:
            deeper = os.open(part, _FOLDER | _NOT_LINKS, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = deeper
    return descriptor


def list_folder(base: str, parts: Sequence[str]) -> list[tuple[str, os.stat_result]]:
    """List a folder by name: each name and its status, links not followed. An entry that went away is left out."""
    folder = open_folder(base, parts) if _BY_DESCRIPTOR else str(Path(base, *parts))
    try:
        with os.scandir(folder) as entries:
            found = []
            for entry in entries:
                try:
                    found.append((entry.name, entry.stat(follow_symlinks=False)))
                except FileNotFoundError:
                    continue
    finally:
        if isinstance(folder, int):
            os.close(folder)
    return sorted(found)


def relative_name(path: Path, root: Path) -> str:
    """The path as it is shown and kept: below the root, with `/`; a file that is its own root has its name."""
    whole, base = Path(os.path.abspath(path)), Path(os.path.abspath(root))  # noqa: PTH100 - links must stay
    if whole == base:
        return whole.name
    return (whole.relative_to(base) if whole.is_relative_to(base) else path).as_posix()


def bad_name(shown: str) -> Unreadable | None:
    """A refusal if the path cannot be kept as a name: not Unicode, with control characters, or too long."""
    if not _UNKEEPABLE.search(shown) and len(shown.encode("utf-8")) <= MAX_NAME_BYTES:
        return None
    escaped = shown.encode("unicode_escape").decode("ascii")
    message = f"The path `{escaped[:200]}` cannot be kept: it is too long or has characters that are not text."
    return Unreadable(escaped[:MAX_NAME_BYTES], "bad_name", message)


def too_large(shown: str, size: int, limit: int) -> Unreadable:
    message = f"`{shown}` has {size / 1e6:,.1f} MB; files over {limit / 1e6:,.1f} MB are not read."
    return Unreadable(shown, "too_large", message)


def not_a_file(shown: str) -> Unreadable:
    return Unreadable(shown, "not_a_file", f"`{shown}` is no regular file; pipes, devices and sockets are not read.")


def outside_root(shown: str) -> Unreadable:
    return Unreadable(shown, "outside_root", f"`{shown}` leads out of the folder that is being read.")


def symlink_loop(shown: str) -> Unreadable:
    return Unreadable(shown, "symlink_loop", f"`{shown}` is a link that leads back to itself.")


def refusal(shown: str, problem: OSError) -> Unreadable:
    """Put an error of the system in our words."""
    match problem.errno:
        case errno.ENOENT:
            return Unreadable(shown, "not_found", f"`{shown}` is not there.")
        case errno.EACCES | errno.EPERM:
            return Unreadable(shown, "no_permission", f"`{shown}` may not be read by this user.")
        case errno.ELOOP | errno.ENOTDIR | errno.ESTALE:
            return Unreadable(shown, "changed_while_reading", f"`{shown}` was exchanged while it was being read.")
        case _:
            return Unreadable(shown, "read_failed", f"`{shown}` could not be read: {problem.strerror or problem}.")


def _placed(path: Path, root: Path) -> tuple[str, str, tuple[str, ...]] | Unreadable:
    """How the path is shown, the real root, and the real way from there to the file."""
    shown = relative_name(path, root)
    refused = bad_name(shown)
    if refused:
        return refused
    try:
        base, real = Path(os.path.realpath(root)), Path(os.path.realpath(path, strict=True))
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            return symlink_loop(shown)
        if problem.errno == errno.ENOTDIR:
            return Unreadable(shown, "not_found", f"`{shown}` is not there.")
        return refusal(shown, problem)
    if real == base:  # a file that is its own root
        base = real.parent
    if not real.is_relative_to(base):
        return outside_root(shown)
    return shown, str(base), real.relative_to(base).parts


def _read(base: str, parts: Sequence[str], shown: str, max_bytes: int) -> bytes | Unreadable:
    folder: int | None = open_folder(base, parts[:-1]) if _BY_DESCRIPTOR else None
    name = parts[-1] if folder is not None else str(Path(base, *parts))
    try:
        checked = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(checked.st_mode):
            raise OSError(errno.ELOOP, "it is a link")
        if not stat.S_ISREG(checked.st_mode):
            return not_a_file(shown)
        descriptor = os.open(name, _FILE, dir_fd=folder)
    finally:
        if folder is not None:
            os.close(folder)
    with os.fdopen(descriptor, "rb") as file:
        opened = os.fstat(file.fileno())
        moved = folder is None and os.path.realpath(name) != name
        if moved or not stat.S_ISREG(opened.st_mode) or not os.path.samestat(checked, opened):
            raise OSError(errno.ESTALE, "it was exchanged")
        if opened.st_size > max_bytes:
            return too_large(shown, opened.st_size, max_bytes)
        source = file.read(max_bytes + 1)  # it may have grown since
    return source if len(source) <= max_bytes else too_large(shown, len(source), max_bytes)


_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFFED_BYTES = 8_192  # as far as git looks for a NUL
_MAX_CONTROL_SHARE = 0.01  # of bytes; compressed or encrypted ones have over 0.1

_CONTROL_BYTES = bytes({*range(0x20)} - {*b"\t\n\r\f\x1b"})
_DECLARED = re.compile(rb"charset\s{0,8}=\s{0,8}[\"']?([A-Za-z0-9_-]{3,20})", re.IGNORECASE)
# Only these, because some of Python's codecs run programs of their own on the text.
_DECLARABLE = re.compile(r"iso-8859-\d{1,2}|windows-125\d|shift_jis|euc-(jp|kr)|gb(2312|k|18030)|big5|koi8-[ru]")

_TERMINAL_COLOURS = re.compile("\x1b\\[[0-9;?]{0,32}[A-Za-z]")
_SEPARATORS = re.compile("[\x0b\x0c\x1c-\x1f\x85]")


def is_binary(source: bytes, *, known_text: bool) -> bool:
    """Whether this is no text. A file with a text's name may have stray NULs, if all the rest is in order."""
    if source.startswith(tuple(mark for mark, _ in _BOMS)) or b"\0" not in source[:_SNIFFED_BYTES]:
        return False
    return not (known_text and source.count(b"\0") * 20 < len(source) and _is_utf8(source))


def decoded(source: bytes, *, known_text: bool, declares_charset: bool = False) -> str | None:
    """The text, cleaned; `None` if it is none.

    Only what is known to be text is taken for Western European when it is not UTF-8, and line by line, so that one
    bad byte does not spoil the rest.
    """
    for mark, encoding in _BOMS:
        if source.startswith(mark):
            return _decoded_as(source, encoding)
    text = _decoded_as(source, "utf-8")
    if text is not None or not known_text:
        return text
    if len(source) - len(source.translate(None, _CONTROL_BYTES)) > len(source) * _MAX_CONTROL_SHARE:
        return None
    declared = _DECLARED.search(source, 0, 2_048) if declares_charset else None
    if declared:
        name = declared[1].decode("ascii").lower()
        text = _decoded_as(source, name) if _DECLARABLE.fullmatch(name) else None
    return text if text is not None else cleaned("\n".join(map(_western, source.split(b"\n"))))


def cleaned(text: str) -> str:
    """The text as it may be kept: one kind of line end, nothing that `domain.text` forbids."""
    return without_control_characters(_SEPARATORS.sub(" ", _TERMINAL_COLOURS.sub("", text)))


def _decoded_as(source: bytes, encoding: str) -> str | None:
    try:
        return cleaned(source.decode(encoding))
    except (UnicodeError, LookupError):
        return None


def _western(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):  # what calls itself Latin-1 has the quotation marks of Windows
        try:
            return line.decode(encoding)
        except UnicodeError:
            continue
    return line.decode("latin-1")


def _is_utf8(source: bytes) -> bool:
    try:
        source.decode("utf-8")
    except UnicodeError:
        return False
    return True
