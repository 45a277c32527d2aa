"""Verbs about spaces: the isolated memories of a user, a team, a bot; about what happened in one, day by day; and about
what language models cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.domain.answers.bounds import KEPT_USE_DAYS
from recollect.domain.changes import DeleteSpace, DropTimer, LimitSpace, OpenSpace
from recollect.domain.errors import InvalidInput
from recollect.domain.jobs.job import BACKUP_SPACE
from recollect.domain.scopes import ANYWHERE, WHOLE_STORE, Space, checked_space
from recollect.domain.selections import Page
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name
from recollect.verbs.actor import Acting, checked_limit, no_space, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.answers.daily_activity import DailyActivity, NoteUsage
    from recollect.domain.answers.recollections import Erasure, SpaceSummary
    from recollect.domain.answers.spending import ProviderReport, SpendReport


class SpaceVerbs(Writing):
    """Spaces: list, describe, create, limit, delete."""

    @operation(Effect.READ, name="spaces.list")
    def spaces(self) -> Page[SpaceSummary]:
        """List the spaces and what is in them."""
        store = self._engine.store
        return Page(tuple(store.summary(space) for space in store.spaces()))

    @operation(Effect.READ, name="spaces.describe")
    def describe_space(self, name: str) -> SpaceSummary:
        """Say what is in one space."""
        store = self._engine.store
        # The default space is there before anything was written to it.
        return store.summary(store.space(self._known(name)) or Space(name, "", self._engine.clock.now(), 0))

    @operation(Effect.WRITE, name="spaces.create")
    def create_space(self, name: str, *, description: str = "") -> SpaceSummary:
        """Make a space, or say anew what one is for."""
        about = checked_name(description, field="description") or ""
        self._carry_out("create_space", checked_space(name), OpenSpace(about))
        store = self._engine.store
        return store.summary(store.space(name) or Space(name, about, self._engine.clock.now(), 0))

    @operation(Effect.WRITE, name="spaces.limit")
    def limit_space(
        self,
        name: str,
        *,
        max_notes: int | None = None,
        max_messages: int | None = None,
        max_attachment_bytes: int | None = None,
    ) -> SpaceSummary:
        """Say how much a space may hold and take in, through every door. What is not said is not limited.

        Files of messages have a limit in any case: 1,000,000,000 bytes together, if not said.
        """
        edit = LimitSpace(
            _quota(max_notes, "max_notes"),
            _quota(max_messages, "max_messages"),
            _quota(max_attachment_bytes, "max_attachment_bytes", below=2**63),
        )
        self._carry_out("limit_space", self._known(name), edit)
        return self.describe_space(name)

    @operation(Effect.DESTROY, name="spaces.delete")
    def delete_space(self, name: str) -> Erasure:
        """Erase a space with everything in it, for good."""
        from recollect.domain.answers.recollections import Erasure

        store = self._engine.store
        if store.space(checked_space(name)) is None:
            raise no_space(name)
        self._carry_out("delete_space", name, DeleteSpace())
        timers = [each for each in self._engine.jobs.timers(WHOLE_STORE) if each.kind == BACKUP_SPACE]
        ended = [DropTimer(each.name) for each in timers if each.payload["space"] == name]
        if ended:
            self._carry_out("delete_space", WHOLE_STORE, *ended)
        residue = self._engine.upkeep.clean_residue() if self._rehearsed is None else None
        return Erasure((), (), residue)


def _quota(many: int | None, field: str, *, below: int = 2**31) -> int | None:
    if many is not None and (isinstance(many, bool) or not isinstance(many, int) or not 0 <= many < below):
        raise InvalidInput(f"`{field}` is {many!r}; it must be a whole number from 0 on.", code="invalid_number")
    return many


class ActivityVerbs(Acting):
    """Activity: what happened, day by day, and how often a note was told."""

    @operation(Effect.READ)
    def activity(self, *, limit: int = 30, space: str | None = None) -> DailyActivity:
        """Show day by day how much was learned, superseded, forgotten, asked and spent, and how long answers took."""
        from recollect.domain.answers.daily_activity import DailyActivity, days_of
        from recollect.domain.chat.spend import summed

        name, most, engine = self._readable(space), checked_limit(limit), self._engine
        engine.keep_asked()
        now = engine.clock.now()
        first = (now.date() - timedelta(days=most - 1)).isoformat()
        # The ledger is of whole spaces, and nothing for those who are bound to a part of one.
        lines = engine.spend.lines(since=first, at=now) if self._caller.within == ANYWHERE else ()
        spent = {line.day: line for line in summed([each for each in lines if each.space == name], ["day"])}
        return DailyActivity(name, days_of(engine.activity.since(name, first), now.date(), most, spent))

    @operation(Effect.READ)
    def usage(self, note_id: str, *, limit: int = KEPT_USE_DAYS, space: str | None = None) -> NoteUsage:
        """Show how often a note was recalled and found in the last days, by day and by whom.

        The counts are derived: those of a process that was killed are lost, and a bound reader sees none.
        """
        from recollect.domain.answers.daily_activity import usage_of

        name, most, engine = self._readable(space), checked_limit(limit), self._engine
        note = self._current(name, self._note_id(name, note_id))
        engine.keep_asked()
        since = (engine.clock.now().date() - timedelta(days=min(most, KEPT_USE_DAYS) - 1)).isoformat()
        return usage_of(note.id, since, engine.activity.uses(name, note.id, since=since), engine.uses.dropped)


class SpendVerbs(Acting):
    """Models: which provider does which task, and what it cost."""

    @operation(Effect.READ)
    def providers(self) -> ProviderReport:
        """Show which provider of language models does which task, where that is set, and what it spent today.

        Nothing is sent to a provider. Its key is never shown, only where it comes from.
        """
        from recollect.domain.answers.spending import ProviderReport
        from recollect.domain.chat.spend import spend_caps_of
        from recollect.providers.configured_models import caps_of, states_of, tasks_of
        from recollect.providers.spend_account import PRICES_OF

        engine, now = self._engine, self._engine.clock.now()
        day = now.date().isoformat()
        spent = engine.spend.spent(day=day, space="", session="")
        return ProviderReport(
            states_of(engine.settings, engine.spend.lines(since=day, at=now)),
            tasks_of(engine.settings),
            spend_caps_of(caps_of(engine.settings), spent),
            PRICES_OF,
        )

    @operation(Effect.READ)
    def spend(self, *, by: Sequence[str] = (), limit: int = 30) -> SpendReport:
        """Show what language models cost in the last days: tokens, those read from a cache apart, and money.

        It is of all spaces. A call that was begun and never settled counts with the most it could have cost.
        """
        from recollect.domain.answers.spending import SpendReport
        from recollect.domain.chat.spend import checked_groups, spend_caps_of, summed
        from recollect.providers.configured_models import caps_of

        engine, now = self._engine, self._engine.clock.now()
        groups = checked_groups(by)
        since = (now.date() - timedelta(days=checked_limit(limit) - 1)).isoformat()
        spent = engine.spend.spent(day=now.date().isoformat(), space="", session="")
        lines = summed(engine.spend.lines(since=since, at=now), groups)
        return SpendReport(lines, since, spend_caps_of(caps_of(engine.settings), spent))
