"""Front matter exactly as we write it, read without the care that other people's YAML needs.

Each key is spelled as `spell_field` spells it, in our order, and none is left out or superfluous. Whatever is otherwise
in the least is not read here but by `front_matter`, which reads these lines to the same values.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
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

_ENTRY = re.compile(r"^[a-z_]{1,32}+:(?: [^\n]{1,48000}+)?\n(?:- [^\n]{0,48000}+\n){0,4000}+", re.MULTILINE)
_ALWAYS = frozenset(name for name, key in KEYS.items() if key.always)
_ONLY_IF_SAID = frozenset(KEYS) - _ALWAYS


def _of(*natures: Nature) -> frozenset[str]:
    return frozenset(name for name, key in KEYS.items() if key.nature in natures)


_TEXTS, _TIMES = _of(Nature.TEXT, Nature.FIXED, Nature.LOWEST), _of(Nature.TIME, Nature.EARLIEST, Nature.LATEST)
_OF_ONE_NOTE = {"id", "title", "tags", "value", "vault_file", "vault_page", "external_key", "source", "metadata"}
_OF_MANY_NOTES = frozenset(KEYS) - _OF_ONE_NOTE - _TIMES
_decoded = json.JSONDecoder().raw_decode
_MOST_KEPT = 4096  # lines that many notes have

_KNOWN: dict[str, tuple[Entry, Value, int]] = {}
_KNOWN_TAGS: dict[str, str] = {}


def own_front(block: str) -> tuple[tuple[Entry, ...], dict[str, Value]] | None:
    """The entries of a front matter and their values; `None` where it is not exactly as we would write it."""
    raws = _ENTRY.findall(block)
    if sum(map(len, raws)) != len(block) or len(block.splitlines()) != block.count("\n"):
        return None  # something else is in it, or a sign that others take for the end of a line
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


def _learned(raw: str) -> tuple[Entry, Value, int] | None:
    """One entry; `None` if it says nothing that we would write, or says it otherwise."""
    name = raw[: raw.index(":")]
    value = _value(name, raw)
    if value is None or (name in _ONLY_IF_SAID and value == DEFAULTS[name]):
        return None
    known = Entry(name, raw), value, PLACES[name]
    if name in _OF_MANY_NOTES:
        if len(_KNOWN) >= _MOST_KEPT:
            _KNOWN.clear()
        _KNOWN[raw] = known
    return known


def _value(name: str, raw: str) -> Value:
    """The value of an entry that is spelled as we would spell it; else `None`."""
    told = raw[len(name) + 2 : -1]
    if name in _TIMES:
        bare = told[1:-1]
        return bare if _is_spelled_once(bare) and told == f"'{bare}'" else None
    if name in _TEXTS:
        bare = told[1:-1] if told[:1] == "'" and told.count("'") == 2 else told
        return bare if "\n" not in told and quoted(bare) == told else _in_full(name, raw)
    if name == "tags" and raw[5] == "\n":
        return _tags(raw)
    if name == "metadata":
        return _object(told)
    return _in_full(name, raw) if name in KEYS else None


def _object(told: str) -> dict[str, Any] | None:
    try:
        value, end = _decoded(told)
        ours = isinstance(value, dict) and end == len(told) and spelled_json(value) == told
    except (ValueError, RecursionError):
        return None
    return value if ours else None


def _in_full(name: str, raw: str) -> Value:
    """The value as `front_matter` reads it, of a key that is no object."""
    try:
        value = read_anew(name, raw)
    except NotUnderstood:
        return None
    return value if value is not None and spell_anew(name, value).raw == raw else None


def _tags(raw: str) -> tuple[str, ...] | None:
    """Tags, each a line that is known or read by itself. They are in order, and no more than a note may have."""
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


def _is_spelled_once(moment: str) -> bool:
    """Whether a time of UTC is spelled as Python spells it, and is one."""
    try:
        return moment.endswith("+00:00") and datetime.fromisoformat(moment).isoformat() == moment
    except ValueError:
        return False
