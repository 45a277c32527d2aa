"""Bytes become text that may be kept, or are said to be none."""

from __future__ import annotations

import codecs
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.redaction.clean_records import checked_text
from recollect.remember.files.chunks import FileDocument, Unreadable
from recollect.remember.files.file_reader import parse_document
from recollect.remember.files.opened_file import cleaned


def read(name: str, source: bytes) -> str:
    """The text of a file, or the code of its refusal."""
    found = parse_document(name, source)
    return found.code if isinstance(found, Unreadable) else "\n".join(chunk.text for chunk in found.chunks)


@pytest.mark.parametrize(
    ("name", "source", "text"),
    [
        ("a.txt", "naïve 漢字".encode(), "naïve 漢字"),
        ("a.txt", codecs.BOM_UTF8 + "naïve".encode(), "naïve"),
        ("a.txt", "naïve".encode("utf-16"), "naïve"),
        ("a.md", codecs.BOM_UTF16_BE + "naïve".encode("utf-16-be"), "naïve"),
        ("a.txt", "naïve".encode("utf-32"), "naïve"),
        ("a.txt", "naïve – “so”".encode("cp1252"), "naïve – “so”"),
        ("a.txt", b"na\xefve\nna\xc3\xafve", "naïve\nnaïve"),
        ("a.txt", b"latin \x81\xe9", "latin é"),
        ("a.html", '<meta charset="shift_jis"><p>日本'.encode("shift_jis"), "日本"),
        ("a.html", b"<meta charset=unicode_escape><p>na\xefve \\x41", "naïve \\x41"),
        ("unknown", "naïve".encode(), "naïve"),
        ("unknown", b"na\xefve", "not_text"),
        ("unknown", b"a\0b", "binary"),
        ("a.txt", b"one stray\0 in a text that is long enough", "one stray in a text that is long enough"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        ("a.txt", "no mark".encode("utf-16-le"), "binary"),
        ("a.txt", codecs.BOM_UTF16_LE + b"a", "not_text"),
        ("a.txt", bytes(byte for byte in zlib.compress(b"x" * 9_000 + bytes(range(256)) * 9) if byte), "not_text"),
        ("a.txt", b"red \x1b[31mtext\x1b[0m, form\x0cfeed, bell\x07", "red text, form feed, bell"),
        ("a.txt", b"mac\rand\r\nwindows", "mac\nand\nwindows"),
        ("a.txt", b"", ""),
        ("a.md", b" \n\t\n", ""),
    ],
)  # fmt: skip
def test_a_file_is_decoded_or_named(name: str, source: bytes, text: str) -> None:
    assert read(name, source) == text


@given(st.text(alphabet=st.characters(), min_size=1))
def test_what_is_cleaned_may_be_kept(text: str) -> None:
    kept = cleaned(text)
    if kept.strip():
        assert checked_text(kept) == kept


def test_the_same_file_has_the_same_hash_whatever_is_in_it() -> None:
    found = parse_document("a.txt", b"abc")
    assert isinstance(found, FileDocument)
    assert found.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
