"""The keys of a note's front matter: their order, what they hold, and what it means if they are not there.

The first sixteen are those of Anamnesis, in its order, so that its files are ours and ours are its; the others follow.
How two sides that changed a key are brought together is decided by its `Nature`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.domain.origin import Authority
from recollect.redaction.clean_text import checked_tags
from recollect.vault.front_matter import Entry, NotUnderstood, json_of, spelled, spelled_json, value_of

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


@lru_cache(_KEPT)
def _read(name: str, raw: str) -> Value:
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


@lru_cache(_KEPT, typed=True)
def _spell(name: str, value: Value) -> Entry:
    match KEYS[name].nature:
        case Nature.NUMBER:
            return Entry(name, f"{name}: {value!r}\n")
        case Nature.TRUTH:
            return Entry(name, f"{name}: {'true' if value else 'false'}\n")
        case _:
            return spelled(name, value)


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
