"""A table of a TOML file, added, changed and taken out without touching anything else in the text.

Pure. As with JSON, every change is read again and must say what the old text said but for the change; where a file is
written in a way that we cannot add to, it is refused and not guessed at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from recollect.surfaces.hosts.json_text import BrokenJson

_HEADER = re.compile(r"^[ \t]*\[\[?([^\[\]\n]+)\]\]?[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)


def parse(text: str) -> dict[str, Any]:
    """Parse a TOML text."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BrokenJson(str(problem)) from None


def with_table(text: str, name: tuple[str, str], values: Mapping[str, Any]) -> str:
    """The text with these values in a table of two names; whatever else the table says stays."""
    said = parse(text)
    outer = said.get(name[0], {})
    known = outer.get(name[1]) if isinstance(outer, dict) else None
    if not isinstance(outer, dict) or not isinstance(known, dict | None):
        raise BrokenJson(f"`{'.'.join(name)}` is not a table")
    expected = {**said, name[0]: {**outer, name[1]: {**(known or {}), **values}}}
    if known is None:
        return _meant(_appended(text, name, values), expected)
    changed = text
    for key, value in values.items():
        if known.get(key) != value:
            changed = _with_line(changed, name, key, value)
    return _meant(changed, expected)


def without_table(text: str, name: tuple[str, str]) -> str:
    """The text without a table and what stands below it."""
    said = parse(text)
    outer = said.get(name[0])
    if not isinstance(outer, dict) or name[1] not in outer:
        return text
    rest = {key: value for key, value in outer.items() if key != name[1]}
    expected = {key: value for key, value in said.items() if key != name[0]} | ({name[0]: rest} if rest else {})
    changed = text
    while (found := _span(changed, name)) is not None:
        start, end = found
        kept = changed[:start].rstrip() if not changed[end:].strip() else changed[:start]
        kept += "\n" if kept and not kept.endswith("\n") else ""
        changed = kept + changed[end:].lstrip("\n") if changed[end:].strip() else kept
    try:
        return _meant(changed, expected)
    except BrokenJson:
        return _meant(changed, {**expected, name[0]: {}})  # a header of the outer table that now stands alone


def _appended(text: str, name: tuple[str, str], values: Mapping[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, name))}]", *(f"{_key(key)} = {_value(value)}" for key, value in values.items())]
    lead = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    return text + lead + newline.join(lines) + newline


def _with_line(text: str, name: tuple[str, str], key: str, value: Any) -> str:
    """The text with another value for a key of a table that has a header of its own."""
    found = _span(text, name, below=False)
    if found is None:
        raise BrokenJson(f"`{'.'.join(name)}` is there, but not as a table with a header of its own")
    start, end = found
    newline = "\r\n" if "\r\n" in text else "\n"
    block = text[start:end]
    line = f"{_key(key)} = {_value(value)}"
    changed, many = re.subn(
        rf"^[ \t]*{re.escape(key)}[ \t]*=[^\r\n]*", lambda _: line, block, count=1, flags=re.MULTILINE
    )
    if not many:
        header, _, rest = block.partition("\n")
        changed = header.rstrip("\r") + newline + line + (newline + rest if rest else newline)
    return text[:start] + changed + text[end:]


def _span(text: str, name: tuple[str, str], *, below: bool = True) -> tuple[int, int] | None:
    """From the header of a table to the next one; with `below`, a table below it counts, too."""
    headers = list(_HEADER.finditer(text))
    for place, header in enumerate(headers):
        parts = _names(header.group(1))
        if parts[:2] == list(name) and (below or len(parts) == 2):
            end = headers[place + 1].start() if place + 1 < len(headers) else len(text)
            return header.start(), _before_comments(text, header.end(), end)
    return None


def _before_comments(text: str, start: int, end: int) -> int:
    """Without the comments that stand right above the next header: they are its own."""
    if end == len(text):
        return end
    lines = text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop())
    return end


def _names(dotted: str) -> list[str]:
    """The parts of a dotted name, without quotes."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([\w-]+)', dotted)
    return [double or single or bare for double, single, bare in parts]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _meant(text: str, expected: dict[str, Any]) -> str:
    if parse(text) != expected:
        raise BrokenJson("the change does not fit into this file")
    return text
