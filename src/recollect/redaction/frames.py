"""Secrets with a beginning and an end: what someone marked as private, files of private keys, Kubernetes secrets.

All are read in one pass over their marks, each part once. A frame that is never closed ends with the text, or with
the last line that can belong to a key: half a secret is still one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recollect.domain.late import Late
from recollect.redaction.values import is_mixed, is_placeholder

_LONGEST_KEY = 65_536  # characters between the marks; what is farther apart does not belong together

_LONGEST_MANIFEST = 8_192  # characters after `kind: Secret` in which its data is looked for

_TAG = Late(r"<(/?)private\s{0,8}>", re.IGNORECASE)
_MARK = Late(r"-- ?(BEGIN|END) ([A-Z0-9 ]{0,60}+)--")
_MATERIAL = Late(r"[A-Za-z0-9+/_-]{32}")
_DATA = Late(r"\n(?:data|stringData):[ \t]{0,8}((?:\n[ \t]{1,16}[^\n]{0,4096}+){1,200}+)")
_ENTRY = Late(r"\n[ \t]{1,16}[A-Za-z0-9._-]{1,253}+:[ \t]{1,8}[\"']?([^\s\"'|>]{4,4096}+)")
_DOTTED = Late(r"\.[A-Za-z0-9_-]{6}\.([A-Za-z0-9_-]{27,45}+)(?![A-Za-z0-9_-])")
_HEAD = Late(r"(?:\A|(?<![A-Za-z0-9_.-]))([MNO][A-Za-z0-9_-]{22,27}+)\Z")
_LINES = Late(
    r"-{0,3}(?:\s|\\{1,2}[nr])*+"
    r"(?:[A-Z][A-Za-z-]{2,12}: [^\n\\]{1,200}+(?:\s|\\{1,2}[nr])++){0,6}+"
    r"(?:[A-Za-z0-9+/=]{16,}+(?:\s|\\{1,2}[nr])*+)*+"
    r"(?:[A-Za-z0-9+/]{1,15}={1,2})?"
)


def private_spans(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """From `<private>` to its `</private>`, tags included; inner ones belong to the outer, an open one runs on."""
    if "<private" not in lowered:
        return
    depth = begin = 0
    for tag in _TAG.finditer(text):
        if text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]:
            continue  # only spoken of, in the way one writes of code
        if not tag.group(1):
            if depth == 0:
                begin = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield begin, tag.end()
    if depth:
        yield begin, len(text)


def private_keys(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Blocks that hold a private key, marks included. A mark that is only spoken of has no key behind it."""
    if "private key" not in lowered:
        return
    begin: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if begin is not None:
            closed = mark.group(1) == "END" and "PRIVATE KEY" in mark.group(2)
            yield from _block(text, begin, mark.start(), mark.end() if closed else None)
            begin = None
        if mark.group(1) == "BEGIN" and "PRIVATE KEY" in mark.group(2):
            begin = mark
    if begin is not None:
        yield from _block(text, begin, len(text), None)


def dotted_tokens(text: str) -> Iterator[tuple[int, int]]:
    """Three random parts of fixed lengths with dots between them, as chat bots have: only the lengths tell.

    The middle part is looked for first, because two dots at that distance are rare.
    """
    if text.count(".") < 2:
        return
    for found in _DOTTED.finditer(text):
        head = _HEAD.search(text, max(0, found.start() - 29), found.start())
        if head is not None and is_mixed(head.group(1)) and is_mixed(found.group(1)):
            yield head.start(1), found.end()


def kubernetes_secrets(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """The values under `data` and `stringData` of a manifest that says it is a secret."""
    at = lowered.find("kind: secret")
    while at >= 0:
        document = lowered.find("\n---", at, at + _LONGEST_MANIFEST)
        end = document if document >= 0 else at + _LONGEST_MANIFEST
        blocks = () if lowered[at + 12 : at + 13].isalnum() else _DATA.finditer(text, at, end)
        for block in blocks:
            for value in _ENTRY.finditer(text, *block.span(1)):
                if not is_placeholder(value.group(1)):
                    yield value.span(1)
        at = lowered.find("kind: secret", end)


def _block(text: str, begin: re.Match[str], limit: int, end: int | None) -> Iterator[tuple[int, int]]:
    if end is None or limit - begin.end() > _LONGEST_KEY:
        lines = _LINES.match(text, begin.end(), limit)
        limit = end = lines.end() if lines else begin.end()
    if _MATERIAL.search(text, begin.end(), limit):
        yield _with_dashes(text, begin.start(), end)


def _with_dashes(text: str, start: int, end: int) -> tuple[int, int]:
    for _ in range(3):
        start -= start > 0 and text[start - 1] == "-"
        end += end < len(text) and text[end] == "-"
    return start, end
