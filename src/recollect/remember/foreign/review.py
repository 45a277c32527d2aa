"""Pure: what was found is looked over before any of it is written, and becomes lines of an export.

What is empty of sense or there twice is left out and counted; what has no date is kept without one; secrets are taken
out. The ids of records are made of their words, so that the same source can be taken in again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from recollect.domain.clock import encode_id, format_time
from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.observations import ObservationKind
from recollect.domain.text import MAX_TEXT_BYTES
from recollect.remember.foreign.findings import FoundMemory, FoundNote, FoundSession, FoundTurn, Unread, one_line

SESSION = "session"  # what the name of a session begins with, beside those of notes

HEARD = ("claude-code",)  # sources in which a person's prompts stand as they were typed on this machine
_CHANCE_BITS = 80  # of an id; the others are a time
_SAYS_SOMETHING = re.compile(r"[^\W_]{3}|[^\W\d_a-zA-Z]")  # "pnpm" does, and a character of Chinese; "ok" does not
_LONGEST = MAX_TEXT_BYTES // 4  # characters, which is within the limit in any script

Redact = Callable[[str], tuple[str, Mapping[str, int]]]  # a text without its secrets, and how many of each sort


@dataclass(frozen=True, slots=True)
class Audit:
    """The report on a source before it is taken in: how much there is, and what is amiss with it."""

    source: str
    notes: int
    sessions: int
    turns: int
    duplicates: int = 0
    junk: int = 0
    undated: int = 0
    secrets: dict[str, int] = field(default_factory=dict)
    captured: int = 0  # sessions that hooks have kept already, and better
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each sort of what is amiss
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A line of an export. `fresh` names the note or `session:ID` to look for first: it would be dated anew."""

    text: str
    fresh: str | None = None


def audited(
    source: str, found: FoundMemory, redact: Redact, *, captured: Callable[[str], bool]
) -> tuple[FoundMemory, Audit]:
    """Return the part of what was found that is worth keeping, without its secrets, and the report on all of it."""
    secrets: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}

    def clean(text: str) -> str:
        kept, taken = redact(text)
        secrets.update(taken)
        return kept[:_LONGEST]

    def amiss(sort: str, text: str) -> None:
        examples.setdefault(sort, []).append(one_line(text, 60) or "")

    notes: list[FoundNote] = []
    known: set[tuple[str | None, datetime | None, str]] = set()
    for note in sorted(found.notes, key=lambda note: (note.at is None, note.at and note.at.timestamp())):
        text = clean(note.text).strip()
        folded = (note.project, note.until, " ".join(text.casefold().split()))
        if not _SAYS_SOMETHING.search(text):
            amiss("junk", text)
        elif folded in known:
            amiss("duplicates", text)
        else:
            known.add(folded)
            if note.at is None:
                amiss("undated", text)
            title = clean(note.title) if note.title else None
            notes.append(replace(note, text=text, title=title))
    sessions = [_cleaned(each, clean) for each in found.sessions if not captured(each.id)]
    kept = FoundMemory(tuple(notes), tuple(each for each in sessions if each.turns), found.unread)
    counts = {sort: len(texts) for sort, texts in examples.items()}
    audit = Audit(
        source=source,
        notes=len(found.notes),
        sessions=len(found.sessions),
        turns=sum(len(each.turns) for each in found.sessions),
        duplicates=counts.get("duplicates", 0),
        junk=counts.get("junk", 0),
        undated=counts.get("undated", 0) + sum(_start(each) is None for each in kept.sessions),
        secrets=dict(sorted(secrets.items())),
        captured=len(found.sessions) - len(sessions),
        examples={sort: tuple(texts[:3]) for sort, texts in sorted(examples.items())},
        unread=found.unread,
    )
    return kept, audit


def lines_of(source: str, found: FoundMemory, *, space: str, now: datetime) -> Iterator[ReviewLine]:
    """The lines of an export, for everything that was kept. Something without a date was first heard of now."""
    for note in found.notes:
        yield _note_line(source, note, space, now)
    for session in found.sessions:
        yield from _session_lines(source, session, space, now)


def _cleaned(session: FoundSession, clean: Callable[[str], str]) -> FoundSession:
    turns = (
        replace(
            turn,
            text=clean(turn.text).strip(),
            title=clean(turn.title) if turn.title else None,
            files=tuple(clean(file) for file in turn.files),
        )
        for turn in session.turns
    )
    return replace(session, turns=tuple(turn for turn in turns if turn.text))


def _note_line(source: str, note: FoundNote, space: str, now: datetime) -> ReviewLine:
    note_id = _id(note.at, source, note.key, note.text)
    at = note.at or now
    since = note.since or at
    if note.until and note.until <= since:  # it held for no time that the source can tell, and must not hold now
        since = note.until - timedelta(microseconds=1)
    record: dict[str, Any] = {
        "type": "note",
        "id": note_id,
        "space": space,
        "version": 1,
        "kind": note.kind,
        "text": note.text,
        "recorded_at": format_time(at),
        "updated_at": format_time(at),
        "last_seen_at": format_time(at),
        "valid_from": format_time(since),
        "valid_until": format_time(note.until) if note.until else None,
        "occurred_at": format_time(at) if note.at and note.kind == "episodic" else None,
        "title": note.title,
        "subject": note.subject,
        "tags": list(note.tags),
        "scope": {"project": note.project, "user": note.user, "agent": note.agent},
        "origin": _origin(source, note.key),
        "authority": "quoted",
        "metadata": {**note.metadata, "imported_from": source, "dated": note.at is not None},
    }
    if note.confidence is not None:
        record["confidence"] = note.confidence
    if note.importance is not None:
        record["importance"] = note.importance
    return ReviewLine(json.dumps(record, ensure_ascii=False), None if note.at else note_id)


def _session_lines(source: str, session: FoundSession, space: str, now: datetime) -> Iterator[ReviewLine]:
    start = _start(session)
    at = start or now
    scope = {"project": session.project, "agent": session.agent}
    ended = max((turn.at for turn in session.turns if turn.at), default=at)
    opened = {
        "type": "session",
        "id": session.id,
        "space": space,
        "started_at": format_time(at),
        "ended_at": format_time(ended),
        "title": session.title,
        "scope": scope,
        "origin": _origin(source, session.id),
        "branch": session.branch,
        "folder": session.folder,
    }
    fresh = f"{SESSION}:{session.id}" if start is None else None
    yield ReviewLine(json.dumps(opened, ensure_ascii=False), fresh)
    for position, turn in enumerate(session.turns, start=1):
        at = turn.at or at
        yield _turn_line(source, session, turn, position, at, space, fresh)


def _turn_line(
    source: str, session: FoundSession, turn: FoundTurn, position: int, at: datetime, space: str, fresh: str | None
) -> ReviewLine:
    turn_id = _id(None if fresh else at, source, session.id, turn.key)
    record = {
        "type": "observation",
        "id": turn_id,
        "space": space,
        "session_id": session.id,
        "position": position,
        "kind": turn.kind.value,
        "text": turn.text,
        "observed_at": format_time(at),
        "recorded_at": format_time(at),
        "role": turn.role,
        "title": turn.title,
        "origin": _origin(source, session.id, spoken=source in HEARD and turn.kind is ObservationKind.PROMPT),
        "activity": turn.activity.value if turn.activity else None,
        "files": list(turn.files),
    }
    return ReviewLine(json.dumps(record, ensure_ascii=False), fresh)


def _start(session: FoundSession) -> datetime | None:
    return next((turn.at for turn in session.turns if turn.at), None)


def _origin(source: str, key: str, *, spoken: bool = False) -> dict[str, str]:
    """A person's own prompts come from a transcript; everything else is from an import and no more than that."""
    channel = "transcript" if spoken else "import"
    return {"channel": channel, "source": one_line(f"{source}:{key}") or source}


def _id(at: datetime | None, *words: str) -> str:
    """An id that is always the same for the same words, and sorts by its time, if it has one."""
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).digest()
    chance = int.from_bytes(digest, "big") >> (256 - _CHANCE_BITS)
    milliseconds = max(0, int(at.timestamp() * 1000)) if at else 0
    return encode_id((milliseconds << _CHANCE_BITS) | chance)
