"""Bytes become text that may be kept.

A file is not a form: what `domain.text` refuses from a person is taken out of a file. Lines keep their numbers.
"""

from __future__ import annotations

import codecs
import re

from recollect.domain.text import without_control_characters

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
