"""Which notes a verb is about, from the words of its caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.errors import InvalidInput
from recollect.domain.notes import ONCE_TRUE, Kind, State
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Selection
from recollect.domain.values import choice, to_plain
from recollect.verbs.actor import Acting, Which, moment

if TYPE_CHECKING:
    from recollect.domain.filters.builder import Filter
    from recollect.domain.filters.conditions import Condition

K = TypeVar("K")
T = TypeVar("T")

_BATCH = 200  # records that are read at a time while a filter is asked of each
_MOST_LOOKED_AT = 5_000  # records for one page


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
            subject=_named(which, "subject"),
            attribute=_named(which, "attribute"),
            tag=_tag(tag) if tag else None,
            scope=Scope(**{name: _named(which, name) for name in SCOPE_FIELDS}),
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


def condition_in(where: Mapping[str, Any] | None, now: datetime) -> Condition | None:
    """The filter of a verb that takes no other words about notes, as a condition at a moment."""
    return _resolved(filter_in({"where": where}), now)


def passing(
    read: Callable[[K | None, int], Sequence[T]],
    key: Callable[[T], K],
    condition: Condition | None,
    *,
    before: K | None,
    size: int,
) -> tuple[list[T], K | None]:
    """One page of what a filter admits, and where to go on; `None` at the end of the list.

    `read` gives records after a place. Where few are admitted, a page that looked at many of them ends early.
    """
    is_admitted = _admission(condition)
    kept: list[T] = []
    place, looked_at = before, 0
    batch = size + 1 if condition is None else max(size + 1, _BATCH)
    while size:
        some = read(place, batch)
        for each in some:
            if is_admitted(each):
                if len(kept) == size:
                    return kept, key(kept[-1])
                kept.append(each)
            place = key(each)
        looked_at += len(some)
        if len(some) < batch:
            return kept, None
        if looked_at >= _MOST_LOOKED_AT:
            return kept, place
    return kept, None


def mark_of(where: Mapping[str, Any] | None) -> tuple[str, ...]:
    """A filter, as a cursor is bound to it; nothing for none."""
    if where is None:
        return ()
    import json

    return (json.dumps(to_plain(where), sort_keys=True, default=str),)


def _admission(condition: Condition | None) -> Callable[[Any], bool]:
    if condition is None:
        return lambda _: True
    from recollect.domain.filters.admission import admits

    return lambda record: admits(condition, record)


def _named(which: Mapping[str, Any], field: str) -> str | None:
    if which.get(field) is None:
        return None
    from recollect.redaction.clean_records import checked_name

    return checked_name(which[field], field=field)


def _tag(spelled: str) -> str | None:
    from recollect.redaction.clean_records import checked_tags

    return next(iter(checked_tags((spelled,))), None)


def _resolved(where: Filter | None, now: datetime) -> Condition | None:
    if where is None or not where.condition.parts:
        return None
    from recollect.domain.filters.conditions import resolved

    return resolved(where.condition, now)
