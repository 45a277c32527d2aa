"""The smallest files of each type that is kept, and an archive of none."""

from __future__ import annotations

import struct
import zlib

from recollect import Attachment


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int = 1, height: int = 1, rest: bytes = b"") -> bytes:
    """A picture of one row of grey, whatever size it claims to have."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(b"\0\0")) + _chunk(b"tEXt", rest)
    return b"\x89PNG\r\n\x1a\n" + parts + _chunk(b"IEND", b"")


PNG = png()
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9"
GIF = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
WEBP = b"RIFF" + struct.pack("<I", 14) + b"WEBPVP8L\0\0\0\0\0\0"[:14]
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
TEXT = b"Zwei Zeilen.\nUnd Tee.\n"
ZIP = b"PK\x03\x04" + bytes(26)


def picture(name: str = "kitchen.png", *, alt: str = "", caption: str = "", seed: str = "") -> Attachment:
    """A picture to attach; another `seed` makes other bytes."""
    return Attachment(name, png(rest=seed.encode()), alt, caption)
