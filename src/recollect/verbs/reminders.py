"""Reminders: trusted notes that answer a prompt, told without being asked for, and nothing else.

It is no verb, because nobody asks for it. So the rule of a context holds and not that of a search: what an agent, a
tool or a page said waits until somebody asks.
"""

from __future__ import annotations

from collections.abc import Set
from datetime import UTC
from typing import Unpack

from recollect.domain.answers.contexts import Briefing
from recollect.domain.answers.recollections import Coverage, Hit
from recollect.domain.dataclass import replace
from recollect.domain.origin import Caller
from recollect.domain.selections import Selection
from recollect.engine import Engine
from recollect.redaction.clean_records import checked_name, checked_text
from recollect.verbs.actor import Where
from recollect.verbs.contexts import REFLECTED, TRUSTED, is_meant
from recollect.verbs.recall import checked_budget
from recollect.verbs.search import Searching

_MOST = 5  # notes: more would be guessing
_LONGEST = 2000  # characters of a prompt that are looked at; what is pasted after that is seldom the question
_DELIMITER = 10  # characters of chance; `recall` has the reason


class Reminding(Searching):
    """Looks up what a prompt is about, on one memory."""

    def __init__(self, engine: Engine, caller: Caller) -> None:
        self._engine, self._caller, self._rehearsed = engine, caller, None

    def remind(
        self,
        prompt: str,
        *,
        known: Set[str] = frozenset(),
        budget: int,
        space: str | None = None,
        **where: Unpack[Where],
    ) -> Briefing:
        """A few lines for a prompt; an empty block when nothing is known. What is in `known` is not told again."""
        from recollect.recall.block import pack
        from recollect.recall.pipeline import search

        name, room = self._readable(space), checked_budget(budget)
        asked = checked_text(prompt, field="query")[:_LONGEST]
        now, project = self._engine.clock.now(), checked_name(where.get("project"), field="project")
        found = search(
            self._sources(name, {}),
            asked,
            replace(self._selection({}, now=now), within=project or "", authorities=TRUSTED),
            now=now,
            zone=UTC,
            follow=True,
            dated=False,
        )
        hits = [hit for hit in found.ranked if _may_enter(hit, found.selection, where) and hit.id not in known]
        if found.coverage is Coverage.NONE or not hits:
            return Briefing(asked, "", (), 0, room, found.coverage, skipped="Nothing trusted is known about it.")
        delimiter = self._engine.clock.new_id()[-_DELIMITER:].lower()
        packed = pack(hits[:_MOST], {}, found.question.words, budget=room, delimiter=delimiter)
        return Briefing(asked, packed.block, packed.lines, packed.tokens, room, found.coverage)

    def begin_anew(self, session: str, *, space: str | None = None) -> None:
        """Forget what a session was told before its acts: its context was cut."""
        name, wanted = self._readable(space), checked_name(session, field="session")
        if wanted and self._is_there(name):
            self._engine.reminders.begin_anew(name, wanted)


def _may_enter(hit: Hit, selection: Selection, where: Where) -> bool:
    """Whether a hit may be told. Those found along a chain, or said around it, were not selected before."""
    note = hit.note
    return (
        note is not None
        and note.authority in TRUSTED
        and note.scope.project in (None, selection.within or None)
        and REFLECTED not in note.tags
        and is_meant(note, where)
    )
