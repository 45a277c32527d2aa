"""The contents of a source, whatever its format: notes, sessions with their turns, and what could not be read.

Files of other programs, opened to be read: never followed out of their folder, never locked, never changed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.domain.clock import parse_time
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import RecollectError
from recollect.domain.observations import Activity, ObservationKind
from recollect.remember.files.chunks import Unreadable
from recollect.remember.files.opened_file import decoded, read_bytes

_MILLISECONDS = 1e11  # seconds since 1970 stay below this until the year 5138


@dataclass(frozen=True, slots=True)
class FoundNote:
    """Something that was remembered. `at` is when, in the source's own words; `None` if it does not say.

    `key` tells it from others of the same words, as its own id does.
    """

    text: str
    at: datetime | None = None
    key: str = ""
    kind: str = "semantic"
    title: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    project: str | None = None
    user: str | None = None
    agent: str | None = None
    confidence: float | None = None
    importance: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)  # whatever else the source keeps with it
    since: datetime | None = None  # it was so from then on, if that is another time than `at`
    until: datetime | None = None  # it is so no more


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """One thing that happened in a session. A turn without a time has that of the one before."""

    key: str
    kind: ObservationKind
    text: str
    at: datetime | None = None
    role: str | None = None
    title: str | None = None
    activity: Activity | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session with its turns in order."""

    id: str
    turns: tuple[FoundTurn, ...]
    title: str | None = None
    project: str | None = None
    agent: str | None = None
    branch: str | None = None
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or a record in it, that could not be read."""

    place: str
    message: str


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """All that a source holds."""

    notes: tuple[FoundNote, ...] = ()
    sessions: tuple[FoundSession, ...] = ()
    unread: tuple[Unread, ...] = ()

    def __add__(self, other: FoundMemory) -> FoundMemory:
        return FoundMemory(self.notes + other.notes, self.sessions + other.sessions, self.unread + other.unread)


def time_in(record: Mapping[str, Any], *names: str) -> datetime | None:
    """The first time in a record that can be understood: seconds or milliseconds since 1970, or ISO 8601."""
    for name in names:
        value = record.get(name)
        try:
            if isinstance(value, str) and value.strip():
                return parse_time(value.strip().replace(" ", "T", 1), field=name)
            if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
                return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        except (RecollectError, ValueError, OverflowError, OSError):
            continue
    return None


def lines_in(text: str) -> Iterator[Any]:
    """The values of lines of JSON; `None` for each that cannot be read."""
    for line in text.splitlines():
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield None


def text_in(record: Mapping[str, Any], *names: str) -> str:
    """The first text in a record that is not empty."""
    return next((value.strip() for name in names if isinstance(value := record.get(name), str) and value.strip()), "")


def texts_in(record: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """The texts of lists, also where a list is written as JSON in a text, as databases have it."""
    import json

    found: list[str] = []
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, list):
            found += (each.strip() for each in value if isinstance(each, str) and each.strip())
    return tuple(dict.fromkeys(found))


def number_in(record: Mapping[str, Any], name: str, *, most: float = 1.0) -> float | None:
    """A number as a share of the most it can be; `None` if there is none within bounds."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        return None
    return value / most


def metadata_in(record: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The metadata of a record, and fields of these names that are not empty."""
    found = record.get("metadata")
    kept = dict(found) if isinstance(found, Mapping) else {}
    kept.update((name, record[name]) for name in names if record.get(name) not in (None, "", [], {}, "[]"))
    return kept


def one_line(text: str, longest: int = 200) -> str | None:
    """A text as a title: its blanks folded, and cut."""
    folded = " ".join(text.split())
    return folded[:longest] or None


def each_note(
    records: Iterable[Any], what: str, read: Callable[[Mapping[str, Any]], FoundNote]
) -> tuple[tuple[FoundNote, ...], tuple[Unread, ...]]:
    """Every record as a note; those that are none, by their number."""
    notes: list[FoundNote] = []
    unread: list[Unread] = []
    for number, record in enumerate(records, start=1):
        note = read(record) if isinstance(record, dict) else None
        if note is None or not note.text:
            unread.append(Unread(f"{what} {number}", "It has no text."))
        else:
            notes.append(note)
    return tuple(notes), tuple(unread)


def tags_of(words: Iterable[str]) -> tuple[str, ...]:
    """Words as tags: each once, its blanks folded, and not too many."""
    return tuple(dict.fromkeys(word for each in words if (word := " ".join(each.split())[:80])))[:20]


_LARGEST = 500_000_000  # bytes of one export or transcript


def named_files(folder: Path, pattern: str) -> Iterator[Path]:
    """The files of a folder in the order of their names; none if there is no such folder."""
    try:
        yield from sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return


def text_of(path: Path, root: Path) -> str | Unread:
    """The text of a file below the root."""
    found = read_bytes(path, root=root, max_bytes=_LARGEST)
    if isinstance(found, Unreadable):
        return Unread(str(path), found.message)
    text = decoded(found[1], known_text=True, declares_charset=False)
    return Unread(str(path), "It is not text.") if text is None else text


def json_of(path: Path) -> Any:
    """The contents of a JSON file, or `Unread`."""
    text = text_of(path, path.parent)
    if isinstance(text, Unread):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        return Unread(str(path), f"It is not JSON: {problem}.")
