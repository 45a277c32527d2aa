"""A note: one thing remembered, and the life it leads.

A note has an id and versions. A version is never changed: correcting, pinning or retracting a note writes the
next version, and the earlier ones stay. Two clocks run on it. `valid_from`/`valid_until` say when it was true
in the world; `updated_at` says when this version was written down, and it was what we knew until the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from recollect.domain.clock import just_after
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Conflict, InvalidInput, TooLarge
from recollect.domain.origin import Authority, Origin
from recollect.domain.scopes import Scope
from recollect.domain.values import Value

MAX_METADATA_BYTES = 64_000
MAX_METADATA_DEPTH = 16
MAX_LINKS = 256

# Keys of the metadata that the engine writes.
FILE_MATTERS = "vault"  # what a note's file keeps that the note has no field for
CLAIMED = "claimed"  # what an imported note says of its own origin
DISPUTES = "disputes"  # what a proposal contradicts
TAKES_BACK = "takes_back"  # the message that a note takes back
ENGINE_KEYS = (FILE_MATTERS, CLAIMED, DISPUTES, TAKES_BACK)
OF_THE_ENGINE = frozenset((*ENGINE_KEYS, "said"))

LINKS = ("supersedes", "derived_from", "depends_on", "related")


class Kind(StrEnum):
    """The sort of thing that is remembered."""

    SEMANTIC = "semantic"  # facts, preferences, conventions
    EPISODIC = "episodic"  # what happened
    PROCEDURAL = "procedural"  # how to
    LESSON = "lesson"  # learned by doing, reinforced
    PATTERN = "pattern"  # how someone tends to act


class State(StrEnum):
    """Where a note is in its life."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"  # it was true until something newer was
    RETRACTED = "retracted"  # it was never true
    EXPIRED = "expired"
    DISPUTED = "disputed"
    QUARANTINED = "quarantined"


# What was true in the world at some time, as far as we know: a superseded note still was, a retracted never.
ONCE_TRUE = frozenset({State.ACTIVE, State.SUPERSEDED, State.DISPUTED, State.EXPIRED})


@dataclass(frozen=True, slots=True, repr=False)
class Note(Value):
    """One version of one thing remembered. Times are UTC; `None` means not known or not ended."""

    id: str
    space: str
    version: int
    kind: Kind
    text: str
    recorded_at: datetime  # when the first version was written down
    updated_at: datetime  # when this version was
    title: str | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    tags: tuple[str, ...] = ()
    scope: Scope = Scope()
    state: State = State.ACTIVE
    confidence: float = 1.0
    importance: float = 0.5
    pinned: bool = False
    origin: Origin = Origin()
    authority: Authority = Authority.QUOTED
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    retired_at: datetime | None = None  # when we stopped holding it to be current
    last_seen_at: datetime | None = None
    verified_at: datetime | None = None
    supersedes: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()  # notes it rests on: when one of them changes, this one is to be looked at
    related: tuple[str, ...] = ()  # notes it has to do with, in no particular way
    review: str | None = None  # why a person should look at it
    metadata: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None  # the caller's own name for it, one of its user, agent and project
    erase_at: datetime | None = None  # from when it is neither shown nor kept

    @property
    def words(self) -> tuple[str | None, str, tuple[str, ...]]:
        """The title, text and tags, as the text index has them; versions with the same words share one entry."""
        return (self.title, self.text, self.tags)

    def is_due(self, moment: datetime) -> bool:
        """Whether it is neither shown nor kept any more."""
        return self.erase_at is not None and self.erase_at <= moment

    def holds_at(self, moment: datetime) -> bool:
        """Whether this version says that the note was true at that moment."""
        return (
            self.state in ONCE_TRUE
            and (self.valid_from is None or self.valid_from <= moment)
            and (self.valid_until is None or moment < self.valid_until)
            and (self.expires_at is None or moment < self.expires_at)
            and not self.is_due(moment)
        )


def checked_note(note: Note) -> Note:
    """The note, if it is sound; otherwise an error that says which field is not."""
    for name in ("confidence", "importance"):
        number = getattr(note, name)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0.0 <= number <= 1.0:
            raise InvalidInput(f"`{name}` is {number!r}; it must be between 0 and 1.", code="invalid_number")
    if note.valid_from and note.valid_until and note.valid_until <= note.valid_from:
        raise InvalidInput(
            "`valid_until` is not after `valid_from`: the note would never have been true.",
            code="invalid_period",
            hint="Swap the two, or leave one out.",
        )
    if note.attribute and not note.subject:
        raise InvalidInput(
            f"The attribute `{note.attribute}` has no subject.",
            code="subject_missing",
            hint="Say whose attribute it is, for example subject `user`.",
        )
    for name in LINKS:
        links = getattr(note, name)
        if len(links) > MAX_LINKS:
            raise TooLarge(f"`{name}` has {len(links)} ids; at most {MAX_LINKS} are kept.")
        if note.id in links:
            raise InvalidInput(f"`{name}` names the note itself.", code="invalid_link")
    checked_metadata(note.metadata)
    return note


def revised(note: Note, at: datetime, **changes: Any) -> Note:
    """The next version of a note. Its time is after the last one's, even if the clock went back."""
    return replace(note, version=note.version + 1, updated_at=max(at, just_after(note.updated_at)), **changes)


def closed(note: Note, at: datetime, *, state: State, valid_until: datetime | None = None) -> Note:
    """The note as it is after we stopped holding it to be current; `Conflict` if it no longer was."""
    if note.state not in (State.ACTIVE, State.DISPUTED):
        raise Conflict(
            f"Note {note.id} is {note.state.value} already.",
            code="not_active",
            hint="See its history; change the note that is current now.",
        )
    end = note.valid_until if valid_until is None else valid_until
    return revised(note, at, state=state, retired_at=at, valid_until=end)


def checked_metadata(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata of a note or a message, if it is sound and not too large."""
    if not isinstance(metadata, Mapping):
        raise InvalidInput("`metadata` must be an object.", code="invalid_metadata")
    if not metadata:
        return metadata
    if _depth(metadata, MAX_METADATA_DEPTH) > MAX_METADATA_DEPTH:
        raise InvalidInput(f"`metadata` is nested deeper than {MAX_METADATA_DEPTH} levels.", code="invalid_metadata")
    try:
        size = len(_JSON.encode(dict(metadata)))  # all of it ASCII
    except (TypeError, ValueError) as problem:
        raise InvalidInput(f"`metadata` is not JSON: {problem}.", code="invalid_metadata") from None
    if size > MAX_METADATA_BYTES:
        raise TooLarge(f"`metadata` is {size:,} bytes; at most {MAX_METADATA_BYTES:,} are kept.")
    return metadata


_JSON = json.JSONEncoder(allow_nan=False)


def _depth(value: object, limit: int) -> int:
    """How deep a value is nested, up to one more than a limit; raises for a key that is not text."""
    items: Iterable[object]
    if isinstance(value, dict | Mapping):
        items = value.values()
        if not all(map(_is_text, value)):
            raise InvalidInput("`metadata` has a key that is not text.", code="invalid_metadata")
    elif isinstance(value, list | tuple):
        items = value
    else:
        return 0
    if limit < 0:
        return 1
    deepest = 0
    for item in items:
        if not isinstance(item, str):  # as most are
            deepest = max(deepest, _depth(item, limit - 1))
    return 1 + deepest


def _is_text(value: object) -> bool:
    return isinstance(value, str)


# -- metadata as filters compare it ------------------------------------------------------------------------------------

# A path is the keys joined by dots, and a list has its members' leaves at its own path. Both databases and the plain
# check in Python compare these leaves, so what a value is equal to is decided here only. The keys of the engine have
# no leaves.

MAX_LEAVES = 1000  # of one note; metadata has at most 64,000 bytes, and a list of small numbers is no index
MAX_PATH = 200  # characters; longer paths have no leaf, since an index of PostgreSQL could not hold them

TEXT, NUMBER, TRUTH = "text", "number", "truth"


class Leaf(NamedTuple):
    """One value of the metadata. `text` spells it, exactly; `number` orders it, and is `None` for what is none."""

    path: str
    kind: str
    text: str
    number: float | None


def leaves_of(metadata: Mapping[str, Any]) -> tuple[Leaf, ...]:
    """The leaves of a note's metadata, each once, in the order of their keys; the first of them, if they are many."""
    found: dict[Leaf, None] = {}
    for path, value in _walked(of_callers(metadata), ""):
        if value is not None and path and len(path) <= MAX_PATH:
            found[Leaf(path, *spelled(value))] = None
            if len(found) == MAX_LEAVES:
                break
    return tuple(found)


def of_callers(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that callers wrote, without what the engine keeps beside it."""
    return {key: value for key, value in metadata.items() if key not in OF_THE_ENGINE}


def spelled(value: str | float | bool) -> tuple[str, str, float | None]:
    """The kind, spelling and number of a value. A whole number has one spelling, whether it came as 1 or as 1.0."""
    if isinstance(value, bool):
        return TRUTH, "true" if value else "false", None
    if isinstance(value, str):
        return TEXT, storable(value), None
    if isinstance(value, float) and not value.is_integer():
        return NUMBER, repr(value), value
    try:
        return NUMBER, str(int(value)), float(value)
    except OverflowError:
        return NUMBER, str(value), float("-inf") if value < 0 else float("inf")


def storable(text: str) -> str:
    """A path or a text of the metadata as it is kept: without what cannot be stored."""
    from recollect.domain.text import without_control_characters  # a list of notes needs none of it

    return without_control_characters(text)


def _walked(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in sorted(value.items()):
            yield from _walked(item, f"{path}.{storable(key)}" if path else storable(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _walked(item, path)
    else:
        yield path, value
