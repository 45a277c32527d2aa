"""The verb about what happened on each day."""

from __future__ import annotations

from datetime import timedelta

from recollect.domain.activity.daily_activity import DailyActivity, days_of
from recollect.operations import Effect, operation
from recollect.verbs.actor import Acting, checked_limit


class ActivityVerbs(Acting):
    """Activity: what happened, day by day."""

    @operation(Effect.READ)
    def activity(self, *, limit: int = 30, space: str | None = None) -> DailyActivity:
        """Show day by day how much was learned, superseded, forgotten and asked, and how long answers took."""
        name, most = self._readable(space), checked_limit(limit)
        self._engine.keep_asked()
        today = self._engine.clock.now().date()
        first = today - timedelta(days=most - 1)
        return DailyActivity(name, days_of(self._engine.activity.since(name, first.isoformat()), today, most))
