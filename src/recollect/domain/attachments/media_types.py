"""The type of a file, by its first bytes alone: never by its name, nor by what a sender says.

Six types are known, and everything else is refused. Nothing is decoded: a picture that unpacks into gigabytes is never
opened here. A table of six rows needs no library, and a library would know a thousand types too many.
"""

from __future__ import annotations

import re

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
