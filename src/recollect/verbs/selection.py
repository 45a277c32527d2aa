"""Which notes a verb is about, from the words of its caller."""

from __future__ import annotations

from datetime import datetime

from recollect.domain.notes import ONCE_TRUE, Kind, State
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Selection
from recollect.domain.values import choice
from recollect.redaction.clean_text import checked_name, checked_tags
from recollect.verbs.actor import Acting, Which, moment


class Selecting(Acting):
    """The ground of the verbs that take filters."""

    def _selection(self, which: Which, *, now: datetime | None = None) -> Selection:
        """The checked selection asked for. Without a state: what was true at `as_of`, and `as_of` is now by default."""
        state, kind, tag = which.get("state"), which.get("kind"), which.get("tag")
        then = moment(which.get("as_of"), "as_of")
        named_state = None if state in (None, "any") else choice(State, str(state), field="state")
        return Selection(
            states=ONCE_TRUE if state is None else frozenset({named_state} if named_state else ()),
            valid_at=then or ((now or self._engine.clock.now()) if state is None else None),
            known_at=moment(which.get("known_at"), "known_at"),
            kinds=frozenset({choice(Kind, kind, field="kind")} if kind else ()),
            subject=checked_name(which.get("subject"), field="subject"),
            attribute=checked_name(which.get("attribute"), field="attribute"),
            tag=next(iter(checked_tags((tag,))), None) if tag else None,
            scope=Scope(**{name: checked_name(which.get(name), field=name) for name in SCOPE_FIELDS}),  # type: ignore[arg-type]
            pinned=which.get("pinned"),
        )
