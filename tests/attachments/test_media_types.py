"""What a file is, is told by its bytes: six types and nothing else, whatever anybody says."""

from __future__ import annotations

import pytest

from recollect.domain.attachments.limits import ENDINGS, media_type_of, same_type
from tests.support.small_files import GIF, JPEG, PDF, PNG, TEXT, WEBP, ZIP

KEPT = {
    "image/png": PNG,
    "image/jpeg": JPEG,
    "image/gif": GIF,
    "image/webp": WEBP,
    "application/pdf": PDF,
    "text/plain": TEXT,
}


@pytest.mark.parametrize(("kind", "content"), KEPT.items())
def test_each_type_that_is_kept_is_known_by_its_first_bytes(kind: str, content: bytes) -> None:
    assert media_type_of(content) == kind


def test_there_is_an_ending_for_each_type() -> None:
    assert set(ENDINGS) == set(KEPT)


NOT_KEPT = {
    "empty": b"",
    "archive": ZIP,
    "program": b"MZ\x90\0\x03\0\0\0",
    "program of Linux": b"\x7fELF\x02\x01\x01" + bytes(9),
    "class of Java": b"\xca\xfe\xba\xbe\0\0\0\x34",
    "bitmap": b"BM\x46\0\0\0\0\0\0\0",
    "icon": b"\0\0\x01\0\x01\0",
    "video": b"\0\0\0\x18ftypmp42",
    "sound": b"RIFF\x24\0\0\0WAVEfmt ",
    "UTF-16": "text".encode("utf-16"),
    "Latin-1": "Käse".encode("latin-1"),
    "text with a NUL": b"text\0more",
    "text with an escape": b"\x1b]0;title\x07",
    "signature of a PNG alone": PNG[:8],
    "PNG whose header is not first": PNG[:8] + b"\0\0\0\x04tEXt" + PNG[8:],
    "half a JPEG signature": b"\xff\xd8",
    "WebP that is shorter than it says": b"RIFF\xff\xff\0\0WEBPVP8L" + bytes(10),
    "PDF behind something else": b"\0\0" + PDF,
}


@pytest.mark.parametrize("content", NOT_KEPT.values(), ids=NOT_KEPT)
def test_anything_else_is_of_no_type(content: bytes) -> None:
    assert media_type_of(content) is None


def test_a_file_that_is_two_things_is_what_it_begins_as() -> None:
    assert media_type_of(GIF + b"/*<script>alert(1)</script>*/") == "image/gif"
    assert media_type_of(PNG + ZIP) == "image/png"
    assert media_type_of(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>") == "text/plain"
    assert media_type_of(b"<!doctype html><script>alert(1)</script>" + PDF) == "text/plain"


@pytest.mark.parametrize(
    ("said", "found", "same"),
    [
        ("image/png", "image/png", True),
        ("IMAGE/PNG; q=1", "image/png", True),
        ("image/jpg", "image/jpeg", True),
        ("application/octet-stream", "image/gif", True),
        ("text/markdown", "text/plain", True),
        ("image/png", "image/jpeg", False),
        ("image/svg+xml", "text/plain", False),
        ("application/pdf", "text/plain", False),
        ("text/html", "image/gif", False),
    ],
)
def test_what_a_sender_says_must_be_borne_out(said: str, found: str, same: bool) -> None:
    assert same_type(said, found) is same
