"""Front matter as lines that belong to a key, and the keys of a note's own.

The block between the two `---` is cut into entries, each with its lines as they were written. Of the YAML in it only
what a note needs is understood: texts in every style, lists, and JSON. What is not understood stays as it is.

The first sixteen are those of Anamnesis, in its order, so that its files are ours and ours are its; the others follow.
How two sides that changed a key are brought together is decided by its `Nature`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Authority
from recollect.redaction.clean_records import checked_tags

Plain: TypeAlias = str | tuple[str, ...] | None

_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t\n]|$)")
_NAME = re.compile(r"[0-9A-Z]{26}")
_PLAIN = re.compile(r" ([^\W_](?:[^\s#]|[ ](?=[^\s#]))*)\n", re.ASCII)
_QUOTED = re.compile(r" '([^'\n]*)'\n")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"})
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", " ": " ",
    '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


class NotUnderstood(ValueError):
    """A line, or the value of a key, that cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines of one key, each with its line end. Comments and blank lines between keys have no key."""

    key: str
    raw: str


def entries_of(block: str) -> tuple[Entry, ...]:
    """The entries of a front matter, in their order. Lines end with a line feed."""
    found: list[Entry] = []
    blank: list[str] = []  # they belong to the value before them only if that goes on after them
    for number, line in enumerate(block.splitlines(keepends=True), start=2):
        key = _KEY.match(line)
        if key or line.startswith("#"):
            if blank:
                found += [Entry("", each) for each in blank]
                blank = []
            found.append(Entry(key.group(1) if key else "", line))
        elif not line.strip():
            blank.append(line)
        elif line[0] in " \t" or line.startswith(("- ", "-\n")):
            if not found or not found[-1].key:
                raise NotUnderstood(f"line {number} belongs to no key")
            found[-1] = Entry(found[-1].key, found[-1].raw + "".join(blank) + line)
            blank = []
        else:
            raise NotUnderstood(f"line {number} is neither a key nor a comment")
    found += [Entry("", each) for each in blank]
    keys = [each.key for each in found if each.key]
    if len(set(keys)) < len(keys):
        twice = min(key for key in keys if keys.count(key) > 1)
        raise NotUnderstood(f"`{twice}` is there twice")
    return tuple(found)


def value_of(entry: Entry) -> Plain:
    """The value of an entry: a text, a list of texts, or `None` for nothing."""
    text = entry.raw.partition(":")[2]
    if plain := _PLAIN.fullmatch(text):  # most are a few words on one line
        return None if plain.group(1) in _NULLS else plain.group(1)
    if quoted := _QUOTED.fullmatch(text):
        return quoted.group(1)
    first = text.lstrip(" \t")
    if first.startswith("["):
        return _flow_list(_joined(text))
    if first.startswith(("|", ">")):
        return _block_text(first)
    body = [line for line in text.splitlines()[1:] if line.strip() and not line.lstrip().startswith("#")]
    if (
        not _without_comment(text.splitlines()[0] if text else "").strip()
        and body
        and body[0].lstrip()[:2]
        in (
            "- ",
            "-",
        )
    ):
        return tuple(_list_items(body))
    return _scalar(text)


def json_of(entry: Entry) -> object:
    """The value of an entry that is written in JSON, which is YAML too."""
    try:
        return json.loads(entry.raw.partition(":")[2])
    except (ValueError, RecursionError):
        raise NotUnderstood(f"`{entry.key}` is not JSON") from None


def spelled(key: str, value: str | Sequence[str]) -> Entry:
    """A key and its value as we write them: plain where that is safe, quoted where it is not, a list item a line."""
    if isinstance(value, str):
        return Entry(key, f"{key}: {quoted(value)}\n")
    if not value:
        return Entry(key, f"{key}: []\n")
    return Entry(key, f"{key}:\n" + "".join(f"- {quoted(each)}\n" for each in value))


_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True)


def spelled_json(value: object) -> str:
    """A value as JSON on one line, whatever counts as the end of one."""
    told = _JSON.encode(value)
    return told.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def quoted(text: str) -> str:
    """A text as the value of a key: plain where that is safe."""
    if not text.isprintable():
        return spelled_json(text)
    harmless = ": " not in text and " #" not in text and text[-1:] not in (":", " ")
    if harmless and (_looks_plain(text) or (_NAME.fullmatch(text) is not None and not text.isdigit())):
        return text
    return "'" + text.replace("'", "''") + "'"


def _looks_plain(text: str) -> bool:
    return (text[:1].isalpha() or text[:1] in ("_", "/")) and text.lower() not in _RESERVED


def _scalar(text: str) -> str | None:
    first = text.lstrip(" \t\n")
    if first.startswith("'"):
        return _folded(_inside(first, "'")).replace("''", "'")
    if first.startswith('"'):
        return _unescaped(_inside(first, '"'))
    if first[:1] in tuple("&*!{}%@`|>]"):
        raise NotUnderstood(f"a value that begins with `{first[:1]}` cannot be read")
    said = _folded("\n".join(_without_comment(line) for line in text.splitlines())).strip()
    return None if said in _NULLS else said


def _without_comment(line: str) -> str:
    return re.split(r"(?:^|[ \t])#", line, maxsplit=1)[0]


def _inside(text: str, mark: str) -> str:
    """The text between quotation marks; after them only a comment may follow."""
    pattern = r"'((?:[^']|'')*+)'" if mark == "'" else r'"((?:[^"\\]|\\.)*+)"'
    found = re.match(pattern + r"[ \t]*(?:#[^\n]*)?\s*\Z", text, re.DOTALL)
    if not found:
        raise NotUnderstood("a quoted text does not end where it should")
    return found.group(1)


def _folded(text: str) -> str:
    """Lines joined as YAML does: a line end is a blank, and each empty line is a line end."""
    first, *more = text.split("\n")
    if not more:
        return first
    told, empty = first.rstrip(" \t"), 0
    for line in more:
        if not line.strip():
            empty += 1
            continue
        told += ("\n" * empty if empty else " ") + line.strip(" \t")
        empty = 0
    return told + "\n" * max(0, empty - 1)


def _unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        code = found.group(1) or found.group(2) or found.group(3)
        if code:
            return chr(int(code, 16))
        if found.group(4) not in _ESCAPES:
            raise NotUnderstood(f"`\\{found.group(4)}` is not an escape")
        return _ESCAPES[found.group(4)]

    joined = re.sub(r"\\\n[ \t]*", "\0", text)  # a line that goes on without a blank
    try:
        return _ESCAPED.sub(meant, _folded(joined).replace("\0", ""))
    except (ValueError, OverflowError):
        raise NotUnderstood("an escape is not a character") from None


def _block_text(text: str) -> str:
    """A `|` or `>` text: the indent of its first line is taken off."""
    head, _, body = text.partition("\n")
    lines = body.split("\n")
    indent = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), 0)
    bare = "\n".join(line[indent:] for line in lines).rstrip("\n")
    told = bare if head[0] == "|" else _folded(bare)
    return told if "-" in head else told + "\n"


def _list_items(lines: Sequence[str]) -> list[str]:
    items: list[str] = []
    margin = len(lines[0]) - len(lines[0].lstrip())
    for line in lines:
        if line[margin:].startswith("-") and len(line) - len(line.lstrip()) == margin:
            items.append(line[margin + 1 :])
        else:
            items[-1] += "\n" + line
    return [told for each in items if (told := _scalar(each)) is not None]


def _joined(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def _flow_list(text: str) -> tuple[str, ...]:
    inside = re.fullmatch(r"\s*\[(.*)\]\s*(?:#.*)?", text)
    if not inside:
        raise NotUnderstood("a list does not end where it should")
    pattern = r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\[\]{}"']*)\s*(,|\Z)"""
    items, place = [], 0
    while place < len(inside.group(1)):
        found = re.compile(pattern).match(inside.group(1), place)
        if not found:
            raise NotUnderstood("a list has something in it that is not a text")
        told = _scalar(found.group(1))
        if told is not None:
            items.append(told)
        place = found.end()
    return tuple(items)


Value: TypeAlias = Any  # a text, a number, a truth, a tuple of texts, an object, or None
Fields: TypeAlias = Mapping[str, Value]


class Nature(StrEnum):
    """The type of a key's value, and with it how it is merged."""

    FIXED = "fixed"  # never changes: the first one known stays
    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    TIME = "time"
    EARLIEST = "earliest"
    LATEST = "latest"
    SET = "set"
    LOWEST = "lowest"  # of authorities
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `default` is what its absence means; `always` keys are written even then."""

    name: str
    nature: Nature
    default: Value = None
    always: bool = False


KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("id", Nature.FIXED, always=True),
        Key("type", Nature.TEXT, always=True),
        Key("title", Nature.TEXT, always=True),
        Key("project", Nature.TEXT, "global", always=True),
        Key("machine_id", Nature.FIXED, "unknown", always=True),
        Key("scope", Nature.TEXT, "portable", always=True),
        Key("user_id", Nature.TEXT, "self", always=True),
        Key("workspace_id", Nature.TEXT, "personal", always=True),
        Key("prov_source", Nature.TEXT, "human", always=True),
        Key("confidence", Nature.NUMBER, 1.0, always=True),
        Key("prov_model", Nature.TEXT),
        Key("prov_session", Nature.TEXT),
        Key("supersedes", Nature.SET, ()),
        Key("created_at", Nature.EARLIEST, always=True),
        Key("updated_at", Nature.LATEST, always=True),
        Key("tags", Nature.SET, (), always=True),
        Key("kind", Nature.TEXT),
        Key("subject", Nature.TEXT),
        Key("attribute", Nature.TEXT),
        Key("value", Nature.TEXT),
        Key("external_key", Nature.TEXT),
        Key("agent", Nature.TEXT),
        Key("session", Nature.TEXT),
        Key("state", Nature.TEXT, "active"),
        Key("importance", Nature.NUMBER, 0.5),
        Key("pinned", Nature.TRUTH, False),
        Key("authority", Nature.LOWEST),
        Key("principal", Nature.TEXT),
        Key("source", Nature.TEXT),
        Key("valid_from", Nature.TIME),
        Key("valid_until", Nature.TIME),
        Key("occurred_at", Nature.TIME),
        Key("expires_at", Nature.TIME),
        Key("erase_at", Nature.TIME),
        Key("retired_at", Nature.TIME),
        Key("last_seen_at", Nature.LATEST),
        Key("verified_at", Nature.LATEST),
        Key("derived_from", Nature.SET, ()),
        Key("depends_on", Nature.SET, ()),
        Key("related", Nature.SET, ()),
        Key("review", Nature.TEXT),
        Key("conflicts", Nature.SET, ()),
        Key("vault_file", Nature.TEXT),  # its name, or where a page is; only commits say it, a file is where it is
        Key("vault_page", Nature.TEXT),  # all that stands before the text of a page
        Key("metadata", Nature.OBJECT, {}),
    )
}
PLACES = {name: place for place, name in enumerate(KEYS)}
DEFAULTS: dict[str, Value] = {key.name: key.default for key in KEYS.values()}

_KEPT = 2048  # lines read or spelled: most say the same in every file of a folder
_TIMES = (Nature.TIME, Nature.EARLIEST, Nature.LATEST)
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_field(entry: Entry) -> Value:
    """The value of a known key, in its own type; raises `NotUnderstood`."""
    if KEYS[entry.key].nature is Nature.OBJECT:
        found = json_of(entry)
        if not isinstance(found, dict):
            raise NotUnderstood(f"`{entry.key}` is not an object")
        return found
    return _read(entry.key, entry.raw)


def read_anew(name: str, raw: str) -> Value:
    """The value of a known key that is no object, from its lines; raises `NotUnderstood`."""
    key, entry = KEYS[name], Entry(name, raw)
    said = value_of(entry)
    if said is None:
        return key.default
    if key.nature is Nature.SET:
        return _members(entry.key, (said,) if isinstance(said, str) else said)
    if not isinstance(said, str):
        raise NotUnderstood(f"`{entry.key}` is a list")
    if key.nature is Nature.NUMBER:
        return _number(entry.key, said)
    if key.nature is Nature.TRUTH:
        if said.lower() not in _TRUTHS:
            raise NotUnderstood(f"`{entry.key}` is `{said[:40]}`, neither true nor false")
        return _TRUTHS[said.lower()]
    if key.nature in _TIMES:
        try:
            return parse_time(said, field=entry.key).isoformat()
        except InvalidInput as problem:
            raise NotUnderstood(problem.message) from None
    return said


def spell_field(name: str, value: Value) -> Entry:
    """A known key with its value, as we write it."""
    if KEYS[name].nature is Nature.OBJECT:
        return Entry(name, f"{name}: {spelled_json(value)}\n")
    return _spell(name, value)


def spell_anew(name: str, value: Value) -> Entry:
    """A known key that is no object with its value."""
    match KEYS[name].nature:
        case Nature.NUMBER:
            return Entry(name, f"{name}: {value!r}\n")
        case Nature.TRUTH:
            return Entry(name, f"{name}: {'true' if value else 'false'}\n")
        case _:
            return spelled(name, value)


_read = lru_cache(_KEPT)(read_anew)
_spell = lru_cache(_KEPT, typed=True)(spell_anew)


def _members(name: str, said: tuple[str, ...]) -> tuple[str, ...]:
    """A set in its one spelling: tags as memory has them, so that `CSS` in a file is not a change of `css`."""
    if name != "tags":
        return tuple(sorted(set(said)))
    try:
        return checked_tags(said)
    except InvalidInput as problem:
        raise NotUnderstood(problem.message) from None


def authority_of(fields: Fields) -> Authority:
    """How far a note's word goes; if it does not say, as far as that of a person, or of nobody in particular."""
    if fields["authority"]:
        try:
            return Authority(fields["authority"])
        except ValueError:
            return Authority.QUOTED
    return Authority.FACT if fields["prov_source"] == "human" else Authority.QUOTED


def _number(name: str, said: str) -> float:
    try:
        number = float(said)
    except ValueError:
        raise NotUnderstood(f"`{name}` is `{said[:40]}`, which is not a number") from None
    if not 0.0 <= number <= 1.0:
        raise NotUnderstood(f"`{name}` is {number:g}; it must be between 0 and 1")
    return number
