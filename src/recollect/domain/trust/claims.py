"""Claims: what an imported file says of its own origin, kept apart from what we know.

Whoever writes a file can write any name and any date into it. A note that is imported therefore has the importer for
its origin and the moment of the import for its date; what the file says stands under `claimed`, and is shown as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from recollect.domain.clock import format_time
from recollect.domain.dataclass import replace
from recollect.domain.notes import CLAIMED, Note, State
from recollect.domain.origin import Authority, Caller, Channel, Origin
from recollect.domain.trust.disputes import without_dispute

_LONGEST = 24  # characters of a claimed name that are shown: it must not push the rest out of sight
_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


def importer_of(caller: Caller) -> Caller:
    """The caller as an importer: what a file says is quoted, whoever hands it in."""
    return Caller(Channel.IMPORT, caller.principal, caller.session)


def taken_in(note: Note, importer: Caller, *, recorded_at: datetime, at: datetime) -> Note:
    """A note of a file as this store holds it: by the importer, now, quoted and unpinned, with what it claims.

    A proposal of the file is an ordinary note here, and its reason for review is dropped: a person settles only
    contradictions that were found in this store.
    """
    passed_on = note.metadata.get(CLAIMED)
    claim = (
        dict(passed_on) if isinstance(passed_on, Mapping) else _claim(note)
    )  # the first claim is the one that counts
    disputed = note.state is State.DISPUTED
    if disputed or "state" in claim:
        claim["state"] = essence(note).state.value
    return replace(
        note,
        state=State.ACTIVE if disputed else note.state,
        review=None,
        recorded_at=recorded_at,
        updated_at=at,
        retired_at=None if disputed or note.retired_at is None else at,
        last_seen_at=_no_later(note.last_seen_at, at),
        verified_at=_no_later(note.verified_at, at),
        pinned=False,
        origin=importer.origin(note.origin.source),
        authority=Authority.QUOTED,
        metadata={**without_dispute(note.metadata), CLAIMED: claim},
    )


def essence(note: Note) -> Note:
    """A note without who wrote it down and when: what an import can be recognised by when it comes again."""
    claim = claim_of(note)
    state = claim.get("state", note.state.value)
    return replace(
        note,
        recorded_at=_EPOCH,
        updated_at=_EPOCH,
        retired_at=None,
        last_seen_at=None,
        verified_at=None,
        pinned=False,
        origin=Origin(),
        authority=Authority.QUOTED,
        state=State(state) if state in set(State) else note.state,
        supersedes=tuple(sorted({*note.supersedes, *_texts(claim.get("supersedes"))})),
        related=_texts(claim["related"]) if "related" in claim else note.related,
        review=None,
        metadata={name: value for name, value in without_dispute(note.metadata).items() if name != CLAIMED},
    )


def claim_of(note: Note) -> Mapping[str, Any]:
    """The claims in the file of an imported note; empty for any other note. Metadata is anybody's to write."""
    found = note.metadata.get(CLAIMED)
    return found if isinstance(found, Mapping) and note.origin.channel is Channel.IMPORT else {}


def claimed_origin(note: Note) -> str:
    """The origin an imported note claims, in words: `from root 2020-01-01`; empty if it claims nothing."""
    claim = claim_of(note)
    origin = claim.get("origin")
    who = origin.get("principal") or origin.get("channel") if isinstance(origin, Mapping) else None
    when = claim.get("recorded_at")
    said = [
        f"from {who[:_LONGEST]}" if isinstance(who, str) and who else "",
        when[:10] if isinstance(when, str) else "",
    ]
    return " ".join(filter(None, said))


def _claim(note: Note) -> dict[str, Any]:
    origin = note.origin
    named = {"channel": origin.channel.value, "principal": origin.principal, "session": origin.session}
    return {
        "origin": {name: value for name, value in named.items() if value},
        "authority": note.authority.value,
        "recorded_at": format_time(note.recorded_at),
        "updated_at": format_time(note.updated_at),
        **({"pinned": True} if note.pinned else {}),
    }


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


def _no_later(moment: datetime | None, at: datetime) -> datetime | None:
    return None if moment is None else min(moment, at)
