"""Files and pipes: what comes on standard input, an export that goes out, an import that comes in line by line."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from recollect.disk import write_whole
from recollect.domain.answers.recollections import ImportFailure, ImportReport
from recollect.domain.errors import InvalidInput, NotFound, RecollectError, StoreFailure, TooLarge
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.domain.values import to_plain
from recollect.memory import Memory
from recollect.surfaces.cli.commands import STANDARD
from recollect.surfaces.cli.parsing import messages_or_text
from recollect.surfaces.cli.terminal import cut, inert, is_screen, json_text, secret_in_variable, terminal_of

if TYPE_CHECKING:
    from recollect.domain.attachments.attachment import Attachment, AttachmentContent
    from recollect.surfaces.cli.screens.render import Screen

_LINES_AT_ONCE = 200
_BYTES_AT_ONCE = 8_000_000  # long lines come in smaller batches
_LONGEST_LINE = 32_000_000  # bytes; the longest note, with every character escaped, is well below
_MESSAGES_AT_ONCE = 32_000_000  # bytes; a thousand messages are far below
_LONGEST_SECRET = 4_000  # bytes
_SILENCE = 1.0  # seconds of work before progress is shown


def text_from_stdin() -> str:
    """The text piped in, as one; the line end that `echo` adds does not belong to it."""
    return _decoded(_from_stdin(MAX_TEXT_BYTES))


def secret_typed() -> str:
    """A secret that stands in no list of processes and on no screen: from a variable, a pipe, or typed unseen."""
    given = secret_in_variable()
    if given:
        return given
    if not is_screen(sys.stdin):
        return _decoded(_from_stdin(_LONGEST_SECRET)).strip()
    from getpass import getpass

    return getpass("Key: ")


def said_on_stdin() -> str | list[dict[str, Any]]:
    """The input piped in, as messages if it is a JSON list of them, and otherwise as one text."""
    raw = _from_stdin(_MESSAGES_AT_ONCE)
    said = messages_or_text(_decoded(raw))
    if isinstance(said, str) and len(raw) > MAX_TEXT_BYTES:
        raise _too_large(MAX_TEXT_BYTES)
    return said


def import_from(memory: Memory, source: str, *, trust: bool = False, space: str | None) -> ImportReport:
    """Take a whole file in, some lines at a time. What is in stays in, so that a second run goes on."""
    imported = unchanged = erased = 0
    failures: list[ImportFailure] = []
    first_line = 1
    with _reading(source) as file, progress("lines read") as show:
        for lines, broken in _batches(file):
            try:
                report = memory.import_(lines, first_line=first_line, trust=trust, space=space)
            except RecollectError as problem:
                if first_line > 1:
                    problem.hint = f"{problem.hint} Lines before {first_line} are in; a second run goes on.".strip()
                raise
            imported += report.imported
            unchanged += report.unchanged
            erased += report.erased
            failures += [
                ImportFailure(first_line + place, problem.code, problem.message) for place, problem in broken.items()
            ]
            failures += report.failures
            first_line += len(lines)
            show(first_line - 1)
    return ImportReport(imported, unchanged, erased, tuple(sorted(failures, key=lambda failure: failure.line)))


def export_to(write: Callable[[str], Any], memory: Memory, *, space: str | None) -> int:
    """Write everything, one record a line; how many there were."""
    count, cursor = 0, None
    with progress("records written") as show:
        while True:
            page = memory.export(cursor=cursor, space=space)
            write("".join(json_text(record) + "\n" for record in page.records))
            count += len(page.records)
            cursor = page.next_cursor
            if cursor is None:
                return count
            show(count)


def files_named(paths: Sequence[str]) -> list[Attachment]:
    """Files that are to go with a message. One that is too large is refused before it is read."""
    return [_attachment(Path(path).expanduser()) for path in paths]


def _attachment(path: Path) -> Attachment:
    from recollect.domain.attachments.attachment import Attachment
    from recollect.domain.attachments.limits import MAX_FILE_BYTES, checked_type

    with _reading(str(path)) as file:
        found = Attachment(path.name, file.read(MAX_FILE_BYTES + 1))
    checked_type(found)  # told here, beside the name of the file that was typed
    return found


def hand_out(found: AttachmentContent, output: str | None, *, as_json: bool) -> Screen:
    """Write a file out: to the file that is named, or to standard output if no person looks at it."""
    from recollect.surfaces.cli.screens.render import Screen

    if output not in (None, STANDARD):
        path = _plain_file(str(output))
        try:
            write_whole(path, found.content)
        except OSError as problem:
            raise _not_writable(path, problem) from problem
        told = {"path": str(path), "media_type": found.media_type, "size": found.size}
        said = inert(f"{found.name}, {found.size:,} bytes of {found.media_type}, was written to {path}.")
        return Screen((json_text(told),)) if as_json else Screen((), (said,))
    if as_json:
        return Screen((json_text(to_plain(found)),))
    if is_screen(sys.stdout):
        raise InvalidInput(
            f"{found.name} is a file of {found.size:,} bytes, which a screen cannot show.",
            code="usage",
            hint="`--output FILE` writes it to a file.",
        )
    sys.stdout.buffer.write(found.content)
    sys.stdout.buffer.flush()
    return Screen()


def _plain_file(target: str) -> Path:
    """Where a file is to be written: a place that is free, or a plain file."""
    path = Path(target).expanduser().resolve()
    if path.exists() and not path.is_file():
        raise InvalidInput(
            f"{path} is not a plain file.",
            code="not_a_file",
            hint="Name a file, or leave `--output` out and send standard output where it should go.",
        )
    return path


def _not_writable(path: Path, problem: OSError) -> StoreFailure:
    return StoreFailure(
        f"{path} cannot be written: {problem.strerror}.", code="not_writable", hint="Choose another place."
    )


@contextmanager
def writing_whole(target: str) -> Iterator[Callable[[str], Any]]:
    """A file that is there, for its owner only, once everything is in it; until then what was there stays."""
    path = _plain_file(target)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                yield file.write
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise _not_writable(path, problem) from problem


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int], None]]:
    """Say how far it is, to a person who has been waiting; the line is gone when the work is done."""
    began = time.monotonic()
    visible = is_screen(sys.stderr)
    shown = False

    def show(count: int) -> None:
        nonlocal shown
        if visible and time.monotonic() - began > _SILENCE:
            shown = True
            print(f"\r\x1b[K{count:,} {unit} …", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Say what is going on, to a person who has to wait; the line is gone when the work is done."""
    visible = is_screen(sys.stderr)
    if visible:
        room = (terminal_of(sys.stderr).width or 80) - 2
        print(f"{cut(inert(doing), room)} …", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if visible:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _from_stdin(most: int) -> bytes:
    raw = _stdin().read(most + 1)
    if len(raw) > most:
        raise _too_large(most)
    return raw


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"The text on standard input is over its limit of {most:,} bytes.")


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as problem:
        raise InvalidInput(
            f"The text on standard input is not UTF-8: byte {problem.start + 1} is 0x{raw[problem.start]:02x}.",
            code="invalid_text",
            hint="Convert it first, for example with `iconv -t utf-8`.",
        ) from None


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise InvalidInput("There is no standard input.", code="usage")
    return sys.stdin.buffer


@contextmanager
def _reading(source: str) -> Iterator[BinaryIO]:
    if source == STANDARD:
        yield _stdin()
        return
    path = Path(source).expanduser()
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", code="file_not_found") from None
    except OSError as problem:
        raise InvalidInput(f"{path} cannot be read: {problem.strerror}.", code="file_unreadable") from None
    with file:
        yield file


def _batches(file: BinaryIO) -> Iterator[tuple[list[str], dict[int, RecollectError]]]:
    """Lines, some at a time, and which of them could not be read; those are empty, so that the numbers stay."""
    lines: list[str] = []
    broken: dict[int, RecollectError] = {}
    size = 0
    for line in _lines(file):
        if isinstance(line, RecollectError):
            broken[len(lines)] = line
            lines.append("")
        else:
            lines.append(line)
            size += len(line)
        if len(lines) >= _LINES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield lines, broken
            lines, broken, size = [], {}, 0
    if lines:
        yield lines, broken


def _lines(file: BinaryIO) -> Iterator[str | RecollectError]:
    """Each line as text, or why it is none."""
    first = True
    while raw := file.readline(_LONGEST_LINE):
        if len(raw) == _LONGEST_LINE and not raw.endswith(b"\n"):
            while (more := file.readline(_LONGEST_LINE)) and not more.endswith(b"\n"):
                pass
            yield TooLarge(f"The line is over its limit of {_LONGEST_LINE:,} bytes.")
        else:
            try:
                yield raw.decode("utf-8-sig" if first else "utf-8")
            except UnicodeDecodeError as problem:
                yield InvalidInput(
                    f"The line is not UTF-8: byte {problem.start + 1} is 0x{raw[problem.start]:02x}.",
                    code="invalid_text",
                )
        first = False
