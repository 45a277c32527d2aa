"""Which notes a verb is about, from the words of its caller."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.domain.errors import InvalidInput
from recollect.domain.notes import ONCE_TRUE, Kind, State
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Selection
from recollect.domain.values import choice
from recollect.redaction.clean_text import checked_name, checked_tags
from recollect.verbs.actor import Acting, Which, moment

if TYPE_CHECKING:
    from recollect.domain.filters.builder import Filter
    from recollect.domain.filters.conditions import Condition


class Selecting(Acting):
    """The ground of the verbs that take filters."""

    def _selection(self, which: Which, *, now: datetime | None = None) -> Selection:
        """The checked selection asked for. Without a state: what was true at `as_of`, and `as_of` is now by default."""
        state, kind, tag = which.get("state"), which.get("kind"), which.get("tag")
        then, now = moment(which.get("as_of"), "as_of"), now or self._engine.clock.now()
        where = filter_in(which)
        if state is None and where is not None and where.names("state"):
            state = "any"  # the filter says which
        named_state = None if state in (None, "any") else choice(State, str(state), field="state")
        timeless = state is not None or (where is not None and where.names("valid"))
        return Selection(
            states=ONCE_TRUE if state is None else frozenset({named_state} if named_state else ()),
            valid_at=then or (None if timeless else now),
            known_at=moment(which.get("known_at"), "known_at"),
            kinds=frozenset({choice(Kind, kind, field="kind")} if kind else ()),
            subject=checked_name(which.get("subject"), field="subject"),
            attribute=checked_name(which.get("attribute"), field="attribute"),
            tag=next(iter(checked_tags((tag,))), None) if tag else None,
            scope=Scope(**{name: checked_name(which.get(name), field=name) for name in SCOPE_FIELDS}),  # type: ignore[arg-type]
            pinned=which.get("pinned"),
            where=_resolved(where, now),
            kept_at=now,
        )


def filter_in(which: Which) -> Filter | None:
    """The filter among the words of a caller, checked, and without secrets as everything that is stored."""
    given = which.get("where")
    if given is None:
        return None
    from recollect.domain.filters.builder import Filter
    from recollect.redaction.clean_records import without_secrets

    if not isinstance(given, Mapping):
        raise InvalidInput(
            f"`where` is a {type(given).__name__}.",
            code="invalid_filter",
            hint='Give an object, as in {"kind": "lesson"}.',
        )
    found = given if isinstance(given, Filter) else Filter(given)
    plain = found.to_dict()
    clean = without_secrets(plain)
    return found if clean is plain else Filter(clean)


def _resolved(where: Filter | None, now: datetime) -> Condition | None:
    if where is None or not where.condition.parts:
        return None
    from recollect.domain.filters.conditions import resolved

    return resolved(where.condition, now)
