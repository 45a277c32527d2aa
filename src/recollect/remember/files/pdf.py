"""PDF becomes the text of its pages, with `pypdf`, which comes with the extra `files`.

A PDF is a program in disguise; whatever its reader trips over, the file is named and the rest goes on.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from recollect.remember.files.chunks import Chunk, DocumentSection, Redact, Unreadable, chunked, one_line, paragraphs
from recollect.remember.files.opened_file import cleaned

if TYPE_CHECKING:
    from pypdf import PdfReader

_MAX_PAGES = 5_000
_MAX_CHARACTERS = 10_000_000  # of all pages together, since little compressed can become much

_silent = logging.NullHandler()  # what pypdf says of broken files goes to whoever listens, and else nowhere


def read_pdf(source: bytes, path: str, redact: Redact) -> tuple[Chunk, ...] | Unreadable:
    """The chunks of each page; a chunk never spans two."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, FileNotDecryptedError
    except ImportError:
        message = f"`{path}` is a PDF; reading it needs `pip install 'recollect[files]'`."
        return Unreadable(path, "missing_extra", message)
    logging.getLogger("pypdf").addHandler(_silent)
    try:
        reader = PdfReader(io.BytesIO(source))
        # Many are locked with an empty password: everybody may read them.
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileNotDecryptedError
        if len(reader.pages) > _MAX_PAGES:
            message = f"`{path}` has {len(reader.pages):,} pages; the limit is {_MAX_PAGES:,}."
            return Unreadable(path, "too_large", message)
        title = redact(_title(reader))
        chunks: list[Chunk] = []
        for text in map(redact, _pages(reader)):
            chunks += chunked(text, [DocumentSection((title,), paragraphs(text, (0, len(text))))])
    except (FileNotDecryptedError, DependencyError):
        return Unreadable(path, "encrypted", f"`{path}` is encrypted and cannot be read without its password.")
    except _TooMuchText:
        message = f"`{path}` has more than {_MAX_CHARACTERS:,} characters; they are not read."
        return Unreadable(path, "too_large", message)
    except Exception as problem:  # pypdf's own documentation says that broken files may raise anything
        return Unreadable(path, "broken", f"`{path}` is not a sound PDF: {one_line(cleaned(str(problem)))}")
    if not chunks:
        return Unreadable(path, "no_text", f"`{path}` has no text; its pages may be pictures.")
    return tuple(chunks)


class _TooMuchText(Exception):
    """The pages hold more than is read."""


def _pages(reader: PdfReader) -> Iterator[str]:
    total = 0
    for page in reader.pages:
        text = cleaned(page.extract_text())
        total += len(text)
        if total > _MAX_CHARACTERS:
            raise _TooMuchText
        yield text


def _title(reader: PdfReader) -> str:
    with suppress(Exception):  # a broken title is no reason not to read the pages
        return cleaned(str((reader.metadata and reader.metadata.title) or ""))
    return ""
