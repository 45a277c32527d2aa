"""Pure: putting an older collection of notes in order. Each of these only says what should become of which note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from recollect.domain.clock import just_after
from recollect.domain.dataclass import replace
from recollect.domain.notes import FILE_MATTERS, MAX_LINKS, Kind, Note, State, revised
from recollect.domain.origin import Authority, Caller, lowest, rank
from recollect.domain.triggers import WHEN

# What a note's tags say about where it came from, for notes that were made before that was written down.
_SOURCES = {"import": "import", "session": "session-end", "reflection": "reflection"}


def rekeyed(notes: Iterable[Note], projects: Mapping[str, str], caller: Caller, at: datetime) -> list[Note]:
    """Notes of projects that are called something else now. `global` stands for no project, on either side."""
    found = []
    for note in notes:
        name = projects.get(note.scope.project or "global")
        if name is not None and name != (note.scope.project or "global"):
            scope = replace(note.scope, project=None if name == "global" else name)
            found.append(revised(note, at, scope=scope, origin=caller.origin(note.origin.source)))
    return found


def deduplicated(notes: Iterable[Note], caller: Caller, at: datetime) -> list[Note]:
    """Notes that say the same word for word: one stays and takes over from the others.

    The one of the highest authority stays; of several that of no project, then the oldest. What is local to a machine,
    or goes by a key, is not looked at.
    """
    groups: dict[str, list[Note]] = {}
    for note in notes:
        if note.state is State.ACTIVE and note.scope.machine is None and note.key is None:
            groups.setdefault(note.text.strip(), []).append(note)
    return [note for group in groups.values() if len(group) > 1 for note in merged(group, caller, at)]


def merged(group: Sequence[Note], caller: Caller, at: datetime) -> list[Note]:
    """The next versions of notes that say the same; the one that stays comes first."""
    stays, *others = sorted(group, key=lambda n: (-rank(n.authority), n.scope.project is not None, n.recorded_at, n.id))
    links = tuple(sorted({*stays.supersedes, *(other.id for other in others)}))[:MAX_LINKS]
    origin = caller.origin(stays.origin.source)
    ended = (
        revised(each, at, state=State.SUPERSEDED, retired_at=at, valid_until=_end(each, at), origin=origin)
        for each in others
    )
    return [revised(stays, at, supersedes=links, origin=origin), *ended]


def _end(note: Note, at: datetime) -> datetime:
    """When a copy stops holding: now, or as soon as it has begun, unless it ended before."""
    end = at if note.valid_from is None else max(at, just_after(note.valid_from))
    return end if note.valid_until is None else min(end, note.valid_until)


def with_provenance(notes: Iterable[Note], caller: Caller, at: datetime) -> list[Note]:
    """Notes whose tags say where they came from, and whose file does not. Their word then goes no further than that."""
    found = []
    for note in notes:
        inferred = next((source for tag, source in _SOURCES.items() if tag in note.tags), None)
        kept = note.metadata.get(FILE_MATTERS)
        kept = kept if isinstance(kept, Mapping) else {}
        if inferred is not None and kept.get("prov_source") != inferred:
            metadata = {**note.metadata, FILE_MATTERS: {**kept, "prov_source": inferred}}
            authority = lowest((note.authority, Authority.QUOTED))
            origin = caller.origin(note.origin.source)
            found.append(revised(note, at, metadata=metadata, authority=authority, origin=origin))
    return found


SUPERSEDED_BECAUSE = "superseded_because"  # the key of the metadata under which a merged note says why
_MARKS = " \t\r\n.!\u3002\uff01"  # that end a sentence and say nothing; a question is no statement, so its mark counts


def near_duplicates(notes: Iterable[Note], caller: Caller, at: datetime) -> list[Note]:
    """The next versions of notes that say the same but for case and the marks at their end: one stays of each group.

    They must agree in place, kind, title, subject, attribute, value and the times they tell. Notes that are pinned,
    wait for review, go by a key, want to be told before something or are kept for a time only are not looked at.
    """
    groups: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        plain = note.state is State.ACTIVE and not note.pinned and note.key is None and WHEN not in note.metadata
        if plain and note.review is None and note.erase_at is None and note.expires_at is None:
            groups.setdefault(_said(note), []).append(note)
    found: list[Note] = []
    for group in groups.values():
        if len(group) > 1:
            stays, *others = merged(group, caller, at)
            why = {SUPERSEDED_BECAUSE: f"Note {stays.id} says the same."}
            found += [stays, *(replace(each, metadata={**each.metadata, **why}) for each in others)]
    return found


def _said(note: Note) -> tuple[object, ...]:
    """All that two notes must have in common. The subject of a lesson is only the fingerprint of its words.

    Signs count as letters do: `C++` is not `C#`, and `-5` not `5`. A note that was not told since when it holds does so
    from when it was written down, which says nothing.
    """
    since = None if note.valid_from == note.recorded_at else note.valid_from
    times = note.occurred_at, since, note.valid_until
    about = None if note.kind is Kind.LESSON else (note.subject, note.attribute, (note.value or "").casefold())
    return note.scope, note.kind, note.title, about, times, note.text.lower().rstrip(_MARKS)
