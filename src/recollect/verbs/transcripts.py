"""Prompts of a session that came in whole, as by an import, are read as they would have been when they were typed.

It is no verb: only an import knows which prompts of a session are new here.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.observations import Observation
from recollect.domain.origin import Caller
from recollect.domain.recollections import Learned
from recollect.engine import Engine
from recollect.verbs.arguments import Where
from recollect.verbs.sessions import SessionVerbs
from recollect.verbs.writing import decided_anew


class Transcripts(SessionVerbs):
    """Learns from the transcripts of sessions, on one memory."""

    def __init__(self, engine: Engine, caller: Caller) -> None:
        self._engine, self._caller, self._rehearsed = engine, caller, None

    def read(self, session_id: str, prompts: Sequence[Observation], *, space: str) -> Sequence[Learned]:
        """Read prompts that are kept already, in the order they were typed; what was learned from them."""
        from recollect.remember.pipeline import Heard

        session = self._session(space, session_id)
        where: Where = {"session": session.id, "project": session.scope.project, "user": session.scope.user}

        def attempt() -> Sequence[Learned]:
            heard = Heard()
            self._read_prompts(prompts, self._setting(space, where, "UTC", session.started_at), heard)
            if heard.edits:
                self._carry_out("learn", space, *heard.edits)
            return heard.learned

        return decided_anew(attempt)
