"""Exports of other systems taken in over HTTP: as much as one request may hold, in pieces, with what failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from recollect.dialects.tool import Doer
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import TooLarge
from recollect.redaction.clean_text import clean

if TYPE_CHECKING:
    from recollect.remember.foreign.findings import FoundMemory

MOST_RECORDS = 20_000  # of one import over HTTP
_AT_ONCE = 500  # lines of a commit


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many records were new, how many were there already or were erased before, and what was wrong with others."""

    imported: int
    skipped: int
    failed: tuple[str, ...]


def taken_in(doer: Doer, lines: list[str], **given: Any) -> TakenIn:
    """Hand lines of an export to `import`, so many at a time."""
    pieces = (lines[start : start + _AT_ONCE] for start in range(0, len(lines), _AT_ONCE))
    reports = [doer.do("import", {"lines": each, **given}) for each in pieces]
    return TakenIn(
        sum(each.imported for each in reports),
        sum(each.unchanged + each.erased for each in reports),
        tuple(failure.message for each in reports for failure in each.failures),
    )


def import_of(doer: Doer, system: str, size: int, found: Callable[[], FoundMemory]) -> TakenIn:
    """Take in an export of so many records; `found` reads it."""
    from recollect.remember.foreign.review import audited, lines_of

    if size > MOST_RECORDS:
        raise TooLarge(f"An import over HTTP has at most {MOST_RECORDS:,} records; this one has {size:,}.")
    kept, audit = audited(system, found(), lambda text: (clean(text), {}), captured=lambda _: False)
    lines = [each.text for each in lines_of(system, kept, space=doer.space, now=SystemClock().now())]
    done = taken_in(doer, lines, space=doer.space)
    return TakenIn(done.imported, done.skipped, (*done.failed, *(each.message for each in audit.unread)))
