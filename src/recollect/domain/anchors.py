"""Anchors: what in a project a note is about, so that it can tell by itself whether it still holds.

An anchor is spelled `file:src/app.py#Settings`, `commit:0123abc`, `package:django` or `config:pyproject.toml#tool.x.y`.
With the note its mark is kept: what was there when it was anchored. Another mark later on, and the note is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.notes import Note

FIELD = "anchors"  # of a note's metadata
MOST_ANCHORS = 16  # of one note: each is looked at before the note is told
_LONGEST = 300  # characters of what an anchor names


class AnchorKind(StrEnum):
    """The kind of thing an anchor is fastened to."""

    FILE = "file"  # a file, or a symbol in it
    COMMIT = "commit"  # a commit that the branch must still contain
    PACKAGE = "package"  # the version of a package, as the project's lock file has it
    CONFIG = "config"  # a value in a configuration file


class Freshness(StrEnum):
    """Whether what a note is about is still as it was."""

    FRESH = "fresh"
    STALE = "stale"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class Anchor:
    """`target` is a path, a commit or a package; `part` a symbol or a key in it; `mark` what was there."""

    kind: AnchorKind
    target: str
    part: str = ""
    mark: str = ""

    @property
    def spelled(self) -> str:
        return f"{self.kind.value}:{self.target}{f'#{self.part}' if self.part else ''}"


def parsed_anchor(spelled: str) -> Anchor:
    """An anchor from its spelling, without a mark."""
    kind, colon, rest = spelled.strip().partition(":") if isinstance(spelled, str) else ("", "", "")
    target, _, part = rest.partition("#")
    known = {each.value for each in AnchorKind}
    if not colon or kind not in known or not _is_sound(target) or (part and not _is_sound(part)):
        raise InvalidInput(
            f"`{str(spelled)[:60]}` is not an anchor.",
            code="invalid_anchor",
            hint="Write file:PATH, file:PATH#SYMBOL, commit:SHA, package:NAME or config:PATH#KEY.",
        )
    if kind == AnchorKind.COMMIT and not re.fullmatch(r"[0-9a-f]{7,64}|HEAD", target):
        raise InvalidInput(
            f"`{target[:60]}` is not the id of a commit.", code="invalid_anchor", hint="Or write `HEAD`."
        )
    if kind == AnchorKind.CONFIG and not part:
        raise InvalidInput("An anchor in a configuration needs a key.", code="invalid_anchor", hint="config:PATH#KEY")
    return Anchor(AnchorKind(kind), target, part)


def anchors_of(note: Note) -> tuple[Anchor, ...]:
    """The anchors a note carries. What is not one, because somebody wrote it there by hand, is passed over."""
    told = note.metadata.get(FIELD)
    found = []
    for each in told[:MOST_ANCHORS] if isinstance(told, list) else ():
        try:
            anchor = parsed_anchor(each["anchor"])
            found.append(Anchor(anchor.kind, anchor.target, anchor.part, str(each["mark"])))
        except (InvalidInput, KeyError, TypeError):
            continue
    return tuple(found)


def with_anchors(metadata: Mapping[str, Any], anchors: Iterable[Anchor]) -> dict[str, Any]:
    """Metadata with these anchors in the place of those before."""
    kept = list(anchors)
    if len(kept) > MOST_ANCHORS:
        raise TooLarge(f"{len(kept)} anchors were given; a note has at most {MOST_ANCHORS}.")
    rest = {name: value for name, value in metadata.items() if name != FIELD}
    return {**rest, FIELD: [{"anchor": each.spelled, "mark": each.mark} for each in kept]} if kept else rest


def taken_together(each: Iterable[Freshness]) -> Freshness:
    """How fresh a note is by its anchors: one that is stale makes it so, one that cannot be told leaves it open."""
    found = set(each)
    for worse in (Freshness.STALE, Freshness.UNVERIFIABLE):
        if worse in found:
            return worse
    return Freshness.FRESH


def _is_sound(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable() and text == text.strip()
