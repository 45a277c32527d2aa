"""Endpoints of webhooks, from the configuration: where to send, what, and with which secret to sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Misconfigured
from recollect.domain.scopes import checked_space
from recollect.domain.values import choice

MOST_ENDPOINTS = 20
_SHORTEST_SECRET = 24  # characters; a signature is worth no more than its secret
_FIELDS = ("url", "secret", "events", "space", "allow_private")


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """One receiver. `space` is `None` for all spaces, `events` empty for every kind of change.

    `allow_private` lets it be an address of this machine or of the local network.
    """

    name: str
    url: str
    secret: str = field(repr=False)
    events: frozenset[ChangeKind] = frozenset()
    space: str | None = None
    allow_private: bool = False

    def wants(self, space: str, kind: ChangeKind) -> bool:
        """Whether a change is sent there."""
        return self.space in (None, space) and (not self.events or kind in self.events)


def endpoints_of(configured: Mapping[str, Any]) -> tuple[WebhookEndpoint, ...]:
    """The endpoints of a table of the configuration, by name; anything that makes no sense is `Misconfigured`."""
    if len(configured) > MOST_ENDPOINTS:
        raise Misconfigured(f"There are {len(configured)} webhooks; there can be {MOST_ENDPOINTS}.")
    return tuple(_endpoint(name, said) for name, said in sorted(configured.items()))


def _endpoint(name: str, said: Any) -> WebhookEndpoint:
    if not isinstance(said, Mapping):
        raise _wrong(name, "is not a table")
    unknown = sorted(set(said) - set(_FIELDS))
    if unknown:
        raise _wrong(name, f"has no field `{unknown[0][:60]}`; there are: {', '.join(_FIELDS)}")
    url, secret, events = said.get("url"), said.get("secret"), said.get("events", [])
    if not isinstance(url, str) or not _is_address(url):
        raise _wrong(name, "needs a `url` that begins with https:// or http://, without a password in it")
    if not isinstance(secret, str) or len(secret) < _SHORTEST_SECRET:
        raise _wrong(name, f"needs a `secret` of at least {_SHORTEST_SECRET} characters")
    if not isinstance(events, list) or not isinstance(said.get("allow_private", False), bool):
        raise _wrong(name, "has `events` that are no list, or `allow_private` that is neither true nor false")
    return WebhookEndpoint(
        name,
        url,
        secret,
        frozenset(choice(ChangeKind, each, field="event") for each in events),
        None if said.get("space") is None else checked_space(said["space"]),
        said.get("allow_private", False),
    )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is parts.password is None


def _wrong(name: str, said: str) -> Misconfigured:
    return Misconfigured(f"The webhook `{name[:60]}` {said}.", code="invalid_webhook")
