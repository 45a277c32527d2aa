"""Front matter exactly as we write it, read without the care that other people's YAML needs.

Each key is spelled as `spell_field` spells it, in our order, and none is left out or superfluous. Whatever is otherwise
in the least is not read here but by `front_matter`, which reads these lines to the same values.
"""

from __future__ import annotations

import re
from datetime import datetime

from recollect.domain.text import MAX_TAGS
from recollect.vault.front_matter import (
    KEYS,
    PLACES,
    Entry,
    Key,
    Nature,
    NotUnderstood,
    Value,
    quoted,
    read_anew,
    read_field,
    spell_anew,
    spell_field,
)

_ENTRY = re.compile(r"[a-z_]{1,32}+:(?: [^\n]{1,48000}+)?\n(?:- [^\n]{0,48000}+\n){0,4000}+")
_ALWAYS = frozenset(name for name, key in KEYS.items() if key.always)
_TEXTS = frozenset({Nature.TEXT, Nature.FIXED, Nature.LOWEST})
_TIMES = frozenset({Nature.TIME, Nature.EARLIEST, Nature.LATEST})
_OF_ONE_NOTE = frozenset(
    {"id", "title", "tags", "value", "vault_file", "vault_page", "external_key", "source", "metadata"}
).union(name for name, key in KEYS.items() if key.nature in _TIMES)
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
    key = KEYS.get(name)
    if key is None:
        return None
    value = _value(name, key, raw)
    if value is None or (value == key.default and not key.always):
        return None
    known = Entry(name, raw), value, PLACES[name]
    if name not in _OF_ONE_NOTE:
        if len(_KNOWN) >= _MOST_KEPT:
            _KNOWN.clear()
        _KNOWN[raw] = known
    return known


def _value(name: str, key: Key, raw: str) -> Value:
    """The value of an entry that is spelled as we would spell it; else `None`."""
    told = raw[len(name) + 2 : -1]
    if key.nature in _TEXTS:
        bare = told[1:-1] if told[:1] == "'" and told.count("'") == 2 else told
        return bare if "\n" not in told and quoted(bare) == told else _in_full(name, raw)
    if key.nature in _TIMES:
        return told[1:-1] if told == f"'{told[1:-1]}'" and _is_spelled_once(told[1:-1]) else None
    return _tags(raw) if raw.startswith("tags:\n") else _in_full(name, raw)


def _in_full(name: str, raw: str) -> Value:
    try:
        value = read_field(Entry(name, raw)) if name == "metadata" else read_anew(name, raw)
    except NotUnderstood:
        return None
    if value is None:
        return None
    spelled = spell_field(name, value) if name == "metadata" else spell_anew(name, value)
    return value if spelled.raw == raw else None


def _tags(raw: str) -> tuple[str, ...] | None:
    """Tags, each a line that is known or read by itself. They are in order, and no more than a note may have."""
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
    return tuple(tags) if tags and len(tags) <= MAX_TAGS else None


def _is_spelled_once(moment: str) -> bool:
    """Whether a time of UTC is spelled as Python spells it, and is one."""
    try:
        return moment.endswith("+00:00") and datetime.fromisoformat(moment).isoformat() == moment
    except ValueError:
        return False
