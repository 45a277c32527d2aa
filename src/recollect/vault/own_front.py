"""Front matter exactly as we write it, read without the care that other people's YAML needs.

Each key is spelled as `spell_field` spells it, in our order, and none is left out or superfluous. Whatever is otherwise
in the least is not read here but by `front_matter`, which reads these lines to the same values.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from recollect.domain.text import MAX_TAGS
from recollect.vault.front_matter import (
    DEFAULTS,
    KEYS,
    PLACES,
    Entry,
    Nature,
    NotUnderstood,
    Value,
    quoted,
    read_anew,
    spell_anew,
    spelled_json,
)

_ITEM = "\n- "  # where the line of a list begins
_ALWAYS = frozenset(name for name, key in KEYS.items() if key.always)
_ONLY_IF_SAID = frozenset(KEYS) - _ALWAYS


def _of(*natures: Nature) -> frozenset[str]:
    return frozenset(name for name, key in KEYS.items() if key.nature in natures)


_TEXTS, _TIMES = _of(Nature.TEXT, Nature.FIXED, Nature.LOWEST), _of(Nature.TIME, Nature.EARLIEST, Nature.LATEST)
_OF_ONE_NOTE = {"id", "title", "tags", "value", "vault_file", "vault_page", "external_key", "source", "metadata"}
_OF_MANY_NOTES = frozenset(KEYS) - _OF_ONE_NOTE - _TIMES
_decoded = json.JSONDecoder().raw_decode
_MOST_KEPT = 4096  # lines that many notes have
_LONGEST_SHAPE = 500  # characters of an object whose like may come again
_MOST_LINES = 4_000  # of a front

_NO_TAGS = spell_anew("tags", ()).raw

_KNOWN: dict[str, tuple[Entry, Value, int]] = {}
_KNOWN_TAGS: dict[str, str] = {}
_SHAPES: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()  # of objects that are written as ours are


def own_front(block: str) -> tuple[tuple[Entry, ...], dict[str, Value]] | None:
    """The entries of a front matter and their values; `None` where it is not exactly as we would write it."""
    raws = block.splitlines(keepends=True)
    if len(raws) != block.count("\n") or len(raws) > _MOST_LINES:
        return None  # a sign is in it that others take for the end of a line, or a list without end
    if _ITEM in block:
        raws = _with_items(raws)
    front: list[Entry] = []
    values: dict[str, Value] = {}
    last = -1
    for raw in raws:
        known = _KNOWN.get(raw) or _learned(raw)
        if known is None:
            return None
        entry, value, place = known
        if place <= last:
            return None
        last = place
        front.append(entry)
        values[entry.key] = value
    return (tuple(front), values) if values.keys() >= _ALWAYS else None


def _with_items(lines: list[str]) -> list[str]:
    """Lines, those of a list together with the line of its key."""
    raws: list[str] = []
    for line in lines:
        if raws and line.startswith("- "):
            raws[-1] += line
        else:
            raws.append(line)
    return raws


def _learned(raw: str) -> tuple[Entry, Value, int] | None:
    """One entry; `None` if it says nothing that we would write, or says it otherwise."""
    name, _, told = raw.partition(":")
    read = _READERS.get(name)
    value = read(name, raw) if read is not None and told[:1] in (" ", "\n") else None
    if value is None or (name in _ONLY_IF_SAID and value == DEFAULTS[name]):
        return None
    known = Entry(name, raw), value, PLACES[name]
    if name in _OF_MANY_NOTES:
        if len(_KNOWN) >= _MOST_KEPT:
            _KNOWN.clear()
        _KNOWN[raw] = known
    return known


def _text(name: str, raw: str) -> Value:
    told = raw[len(name) + 2 : -1]
    bare = told[1:-1] if told[:1] == "'" and told.count("'") == 2 else told
    return bare if "\n" not in told and quoted(bare) == told else _in_full(name, raw)


def _time(name: str, raw: str) -> str | None:
    return _moment(raw[len(name) + 2 : -1])


@lru_cache(_MOST_KEPT)  # a note has some that are equal
def _moment(told: str) -> str | None:
    """A time of UTC that is spelled as Python spells it, in quotation marks; else `None`."""
    bare = told[1:-1]
    try:
        once = bare.endswith("+00:00") and datetime.fromisoformat(bare).isoformat() == bare
    except ValueError:
        return None
    return bare if once and told == f"'{bare}'" else None


def _object(name: str, raw: str) -> dict[str, Any] | None:
    told = raw[len(name) + 2 : -1]
    try:
        value, end = _decoded(told)
        ours = isinstance(value, dict) and end == len(told) and _is_spelled_as_ours(told, value)
    except (ValueError, RecursionError):
        return None
    return value if ours else None


def _is_spelled_as_ours(told: str, value: dict[str, Any]) -> bool:
    """Whether an object would be written so. Texts without anything to escape are the same in every object: what is
    around them decides, and the order of the keys."""
    if "\\" in told or not told.isprintable():
        return spelled_json(value) == told
    pieces = told.split('"')
    texts, around = pieces[1::2], pieces[::2]
    keys = [text for text, after in zip(texts, around[1:], strict=True) if after[:1] == ":"]
    shape = (tuple(around), tuple(keys))
    if shape in _SHAPES:
        return True
    ours = spelled_json(value) == told
    if ours and len(told) <= _LONGEST_SHAPE:
        if len(_SHAPES) >= _MOST_KEPT:
            _SHAPES.clear()
        _SHAPES.add(shape)
    return ours


def _in_full(name: str, raw: str) -> Value:
    """The value as `front_matter` reads it, of a key that is no object."""
    try:
        value = read_anew(name, raw)
    except NotUnderstood:
        return None
    return value if value is not None and spell_anew(name, value).raw == raw else None


def _tags(name: str, raw: str) -> Value:
    """Tags, each a line that is known or read by itself. They are in order, and no more than a note may have."""
    if raw == _NO_TAGS:
        return ()
    if raw[5] != "\n":
        return _in_full(name, raw)
    if raw.count("\n") > MAX_TAGS + 1:
        return None
    tags: list[str] = []
    for line in raw.split("\n")[1:-1]:
        tag = _KNOWN_TAGS.get(line)
        if tag is None:
            alone = _in_full("tags", f"tags:\n{line}\n")
            if alone is None or len(alone) != 1:
                return None
            if len(_KNOWN_TAGS) >= _MOST_KEPT:
                _KNOWN_TAGS.clear()
            tag = _KNOWN_TAGS[line] = alone[0]
        if tags and tag <= tags[-1]:
            return None
        tags.append(tag)
    return tuple(tags) or None


_READERS: dict[str, Callable[[str, str], Value]] = {
    **dict.fromkeys(KEYS, _in_full),
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_TIMES, _time),
    "tags": _tags,
    "metadata": _object,
}
