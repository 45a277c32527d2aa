"""The port to the figures of each day. Commits count themselves; questions are counted here, many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.domain.answers.daily_activity import DayCount, NoteUse


class ActivityLog(Protocol):
    """The figures of all spaces, one for each day, space and kind."""

    def add(self, space: str, counts: Sequence[DayCount]) -> None:
        """Add to the figures of a space, unless it is not there.

        It waits for nobody: `Busy` when somebody is writing, any other `StoreFailure` where nothing can be written.
        """
        ...

    def since(self, space: str, day: str) -> Sequence[DayCount]:
        """The figures of a space from a day on."""
        ...

    def expire_days(self, space: str, *, before: str) -> None:
        """Drop the figures of earlier days."""
        ...

    def add_uses(self, space: str, uses: Sequence[NoteUse]) -> None:
        """Add to how often notes were told, leaving out those that are not there any more. It fails as `add` does."""
        ...

    def uses(self, space: str, note_id: str, *, since: str) -> Sequence[NoteUse]:
        """How often a note was told from a day on, the newest day first."""
        ...

    def expire_uses(self, space: str, *, before: str) -> None:
        """Drop the uses of earlier days."""
        ...
