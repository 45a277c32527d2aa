"""Pure: what a caller said about a note, checked and in its one spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recollect.domain.clock import checked_id, parse_time, time_to_live
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Kind
from recollect.domain.origin import Authority
from recollect.domain.scopes import SCOPE_FIELDS
from recollect.domain.suggestions import unknown_field
from recollect.domain.text import sound_name
from recollect.domain.triggers import checked_triggers
from recollect.domain.values import choice
from recollect.redaction.clean_records import checked_name, checked_tags, checked_text, holds_secret, without_secrets

# Fields that can be empty, and what they are then.
EMPTY: dict[str, Any] = {
    "title": None, "subject": None, "attribute": None, "value": None, "tags": (), "valid_from": None,
    "valid_until": None, "occurred_at": None, "expires_at": None, "key": None, "ttl": None,
    "metadata": {}, "depends_on": (), "related": (),
    "when": (), "review": None, "user": None, "agent": None, "project": None, "session": None, "machine": None,
}  # fmt: skip


def checked_fields(
    given: Mapping[str, Any], *, required: Sequence[str] = (), clear: Sequence[str] = ()
) -> dict[str, Any]:
    """The fields that were given, `None` meaning that one was not, and those to be emptied."""
    for name in given:
        if name not in _CHECKS:
            raise unknown_field(name, of="note", known=_CHECKS, what="field")
    for name in required:
        if given[name] is None:
            raise InvalidInput(f"`{name}` is missing.", code="field_missing")
    found = {name: _CHECKS[name](value, name) for name, value in given.items() if value is not None}
    for name in (clear,) if isinstance(clear, str) else clear:
        if name not in EMPTY:
            raise InvalidInput(
                f"`{name}` cannot be emptied.",
                code="invalid_field",
                hint=f"These can: {', '.join(sorted(EMPTY))}.",
            )
        if name in found:
            raise InvalidInput(f"`{name}` is both given and to be emptied.", code="invalid_field")
        found[name] = EMPTY[name]
    return found


def checked_key(value: Any, name: str = "key") -> str | None:
    """A key that a caller chose. It is looked up by its letters, so a secret in it is refused and not taken out."""
    key = sound_name(value, field=name)
    if key is not None and holds_secret(key):
        raise InvalidInput(
            f"`{name}` looks like a secret; nothing was written.",
            code="secret_in_name",
            hint="Choose another key. If it is a secret, replace it where it is used.",
        )
    return key


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"`{name}` must be a number, not {value!r}.", code="invalid_number")
    return float(value)


def _truth(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"`{name}` must be true or false, not {value!r}.", code="invalid_field")
    return value


def _links(value: Any, name: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(f"`{name}` must be a list of ids.", code="invalid_field")
    return tuple(dict.fromkeys(checked_id(link) for link in value))


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"`{name}` must be an object.", code="invalid_metadata")
    try:
        return dict(without_secrets(value))
    except TypeError as problem:
        raise InvalidInput(f"`{name}` is not JSON: {problem}.", code="invalid_metadata") from None


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "text": lambda value, name: checked_text(value, field=name),
    "value": lambda value, name: checked_text(value, field=name),
    "kind": lambda value, name: choice(Kind, value, field=name),
    "authority": lambda value, name: choice(Authority, value, field=name),
    "tags": lambda value, _: checked_tags(value),
    "confidence": _number,
    "importance": _number,
    "pinned": _truth,
    "derived_from": _links,
    "depends_on": _links,
    "when": lambda value, _: tuple(without_secrets(checked_triggers(value))),
    "metadata": _object,
    "key": checked_key,
    "ttl": lambda value, name: time_to_live(value, field=name),
    **{
        name: (lambda value, name: checked_name(value, field=name))
        for name in ("title", "subject", "attribute", "source", *SCOPE_FIELDS)
    },
    **{
        name: (lambda value, name: parse_time(value, field=name))
        for name in ("valid_from", "valid_until", "occurred_at", "expires_at")
    },
}
