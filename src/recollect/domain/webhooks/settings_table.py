"""The table `webhooks` of the settings, checked as strictly as what somebody types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.scopes import BOUND_BY, Scope, checked_space
from recollect.domain.text import sound_name
from recollect.domain.webhooks.webhook import (
    MOST_WEBHOOKS,
    SHORTEST_SECRET,
    WebhookSettings,
    checked_events,
    checked_url,
    checked_webhook_name,
)

_FLAGS = ("content", "allow_private", "allow_http")
_FIELDS = ("url", "secret", "events", "space", *_FLAGS, *BOUND_BY)


def webhooks_in(table: Any) -> tuple[WebhookSettings, ...]:
    """The webhooks of a table, by name. Raises `ValueError` or `InvalidInput` for what makes no sense."""
    if not isinstance(table, Mapping):
        raise ValueError("it must be tables in the file, such as [webhooks.ops].")
    if len(table) > MOST_WEBHOOKS:
        raise ValueError(f"there are {len(table)}; there can be {MOST_WEBHOOKS}.")
    return tuple(_webhook(name, said) for name, said in sorted(table.items()))


def _webhook(name: str, said: Any) -> WebhookSettings:
    checked_webhook_name(name)
    if not isinstance(said, Mapping):
        raise ValueError(f"`{name}` must be a table.")
    unknown = sorted(set(said) - set(_FIELDS))
    if unknown:
        raise ValueError(f"`{name}` has no field `{unknown[0][:60]}`; there are: {', '.join(_FIELDS)}.")
    for flag in _FLAGS:
        if not isinstance(said.get(flag, False), bool):
            raise ValueError(f"`{flag}` of `{name}` must be true or false.")
    secret = said.get("secret")
    if not isinstance(secret, str) or len(secret) < SHORTEST_SECRET:
        raise ValueError(f"`{name}` needs a `secret` of at least {SHORTEST_SECRET} characters.")
    return WebhookSettings(
        name=name,
        url=checked_url(said.get("url", ""), allow_http=said.get("allow_http", False)),
        secret=secret,
        events=checked_events(said.get("events")),
        space=None if said.get("space") is None else checked_space(said["space"]),
        content=said.get("content", False),
        allow_private=said.get("allow_private", False),
        allow_http=said.get("allow_http", False),
        within=Scope(**{each: sound_name(said.get(each), field=each) for each in BOUND_BY}),
    )
