"""How much there may be of a file, which files are kept at all, and under what name.

The type of a file is told by its first bytes alone, never by its name nor by what a sender says. Six types are known,
and everything else is refused. Nothing is decoded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from recollect.domain.attachments.attachment import Attachment
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.text import MAX_TEXT_BYTES

PNG, JPEG, GIF, WEBP = "image/png", "image/jpeg", "image/gif", "image/webp"
PDF, TEXT = "application/pdf", "text/plain"

# The ending that a file of each type is given.
ENDINGS = {PNG: "png", JPEG: "jpg", GIF: "gif", WEBP: "webp", PDF: "pdf", TEXT: "txt"}

# Other names under which senders know the same types.
_ALSO = {"image/jpg": JPEG, "image/pjpeg": JPEG, "image/x-png": PNG, "application/x-pdf": PDF}

# A PNG has its header first. A PDF begins at the first byte here: readers that look further would find one inside of
# other files.
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"%PDF-1.", PDF),
    (b"%PDF-2.", PDF),
)
_RIFF_HEAD = 8  # bytes before those that a RIFF container counts
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")


def media_type_of(content: bytes) -> str | None:
    """The type of a file; `None` for what is not one of the six, and for an empty one."""
    for beginning, kind in _BEGINNINGS:
        if content.startswith(beginning):
            return kind
    if content.startswith(b"RIFF"):
        return WEBP if _is_whole_webp(content) else None
    return TEXT if _is_text(content) else None


def same_type(said: str, found: str) -> bool:
    """Whether a sender's word for a type means the one that was found. Parameters such as a charset do not count."""
    plain = said.partition(";")[0].strip().lower()
    if found == TEXT:
        return plain.startswith("text/") or plain in ("application/json", "application/octet-stream")
    return _ALSO.get(plain, plain) in (found, "application/octet-stream")


def _is_whole_webp(content: bytes) -> bool:
    """Whether a container holds a picture, and as many bytes as it says."""
    if content[_RIFF_HEAD : _RIFF_HEAD + 8] not in (b"WEBPVP8 ", b"WEBPVP8L", b"WEBPVP8X"):
        return False
    told = int.from_bytes(content[4:_RIFF_HEAD], "little")
    return told + _RIFF_HEAD <= len(content) + 1  # an odd length is filled up by one byte, which some leave out


def _is_text(content: bytes) -> bool:
    """Whether it is UTF-8 that people can read: no control characters but tabs, line ends and page breaks."""
    if not content:
        return False
    try:
        return _NO_TEXT.search(content.decode("utf-8")) is None
    except UnicodeDecodeError:
        return False


MAX_FILE_BYTES = 5_000_000  # of one file
MAX_FILES = 8  # of one message
MAX_MESSAGE_BYTES = 7_000_000  # of all files of one message: as base64 they fit into one HTTP request
MAX_WORDS = 2_000  # characters of what is seen on a file, and of what was said of it
SPACE_BYTES = 1_000_000_000  # of all files of a space, unless it was given another limit

_KNOWN = ", ".join(sorted(ENDINGS.values()))


def checked_type(attachment: Attachment) -> str:
    """The type of a file that may be kept, or a clear error."""
    if len(attachment.content) > MAX_FILE_BYTES:
        raise TooLarge(
            f"The file `{_shown(attachment)}` has {len(attachment.content):,} bytes; kept are {MAX_FILE_BYTES:,}.",
            code="attachment_too_large",
            hint="Make it smaller, or keep a note of where it lies.",
        )
    found = media_type_of(attachment.content)
    if found == TEXT and len(attachment.content) > MAX_TEXT_BYTES:
        raise TooLarge(
            f"The text file `{_shown(attachment)}` has over {MAX_TEXT_BYTES:,} bytes.",
            code="attachment_too_large",
            hint="`recollect ingest` takes in long texts, piece by piece.",
        )
    if found is None:
        raise InvalidInput(
            f"The file `{_shown(attachment)}` is of no type that is kept.",
            code="attachment_type",
            hint=f"It is told by its bytes, whatever its name. Kept are: {_KNOWN}.",
        )
    if attachment.media_type and not same_type(attachment.media_type, found):
        raise InvalidInput(
            f"The file `{_shown(attachment)}` is said to be {attachment.media_type[:60]}, and its bytes are {found}.",
            code="attachment_type_differs",
            hint="Leave the type out, or send the file that was meant.",
        )
    return found


def require_few(attachments: Sequence[Attachment]) -> None:
    """Raise if there are more files, or more bytes in them, than one message may have."""
    if len(attachments) > MAX_FILES:
        raise TooLarge(
            f"{len(attachments)} files were given; a message has at most {MAX_FILES}.",
            code="too_many_attachments",
            hint="Send the others with a message of their own.",
        )
    size = sum(len(each.content) for each in attachments)
    if size > MAX_MESSAGE_BYTES:
        raise TooLarge(
            f"The files have {size:,} bytes together; those of one message have at most {MAX_MESSAGE_BYTES:,}.",
            code="attachment_too_large",
            hint="Send some of them with a message of their own.",
        )


def _shown(attachment: Attachment) -> str:
    return "".join(each for each in attachment.name[:60] if each.isprintable()) or "without a name"


MAX_FILE_NAME = 100  # characters, its ending included
_MOST_BYTES = 200  # of them as UTF-8: file systems count bytes
_MOST_READ = 4000  # characters of what is said that are looked at
_SEPARATORS = "/\\"
_OF_NO_FILE = '<>:"|?*'
_INVISIBLE = ("C", "Zl", "Zp")  # categories: control, format (direction marks), surrogates, unassigned; line ends
_RESERVED = ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
_SPELLED = {JPEG: ("jpg", "jpeg")}


def safe_name(said: str, media_type: str) -> str:
    """The name of a file. Its stem is as it was said, as far as it can be; `file` where nothing is left of it."""
    plain = unicodedata.normalize("NFC", said[-_MOST_READ:])
    for separator in _SEPARATORS:
        plain = plain.rpartition(separator)[2]
    plain = "".join(each for each in plain if not unicodedata.category(each).startswith(_INVISIBLE))
    plain = "".join("_" if each in _OF_NO_FILE else each for each in plain)
    stem, ending = _parted(" ".join(plain.split()), media_type)
    stem = stem.strip(" .") or "file"
    if stem.partition(".")[0].lower() in _RESERVED:
        stem = f"_{stem}"
    while len(stem) + len(ending) + 1 > MAX_FILE_NAME or len(stem.encode()) + len(ending) + 1 > _MOST_BYTES:
        stem = stem[: min(len(stem) - 1, MAX_FILE_NAME - len(ending) - 1)]
    return f"{stem.rstrip(' .')}.{ending}"


def _parted(name: str, media_type: str) -> tuple[str, str]:
    """The stem and the ending. One that says another type is kept in the stem, and the right one is added."""
    usual = ENDINGS[media_type]
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem.strip(" ."):
        return name, usual
    if ending.lower() in _SPELLED.get(media_type, (usual,)):
        return stem, ending.lower()
    return name, usual
