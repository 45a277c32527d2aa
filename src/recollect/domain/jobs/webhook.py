"""A webhook: an address that is told of the changes of a space, and one attempt to tell it.

Its place in the change log (`seq`) says how far it has been told. What was committed after that is still to be sent,
whatever became of the process that committed it. The port to the store and the table of the settings stand here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.jobs.job import Job
from recollect.domain.late import Late
from recollect.domain.origin import Origin
from recollect.domain.scopes import ANYWHERE, BOUND_BY, Scope, checked_space
from recollect.domain.text import sound_name
from recollect.domain.values import Value

if TYPE_CHECKING:
    from urllib.parse import SplitResult

DELIVER = "webhook"  # the kind of job that tells a webhook what it has not been told yet
TRIES = 40  # of one event; with the pauses of jobs about a day, which a receiver may be down for
MOST_WEBHOOKS = 20  # of a space
MOST_DELIVERIES = 200  # attempts that are kept of each webhook
SHORTEST_SECRET = 24  # characters; a signature is worth no more than its secret

_LONGEST_URL = 2000
_LAST = -1  # the priority of a delivery: memory's own work comes first
_NAME = Late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

# Changes that can be told. Jobs and timers are not among them: a delivery is a job, and would tell of itself.
EVENTS = (
    ChangeKind.WRITTEN,
    ChangeKind.ADOPTED,
    ChangeKind.ERASED,
    ChangeKind.OBSERVED,
    ChangeKind.SESSION_OPENED,
    ChangeKind.SESSION_REVISED,
    ChangeKind.SLOT_WRITTEN,
    ChangeKind.ACTION_WRITTEN,
    ChangeKind.SPACE_OPENED,
    ChangeKind.SPACE_LIMITED,
    ChangeKind.SPACE_RESTORED,
    ChangeKind.SPACE_DELETED,
)


@dataclass(frozen=True, slots=True, repr=False)
class Webhook(Value):
    """A webhook as lists show it: where it leads, as far as the host, and what it is told.

    `content` sends texts as well as ids. `within` bounds it to a part of the space, as a token can be. A `configured`
    one stands in the settings, with its address and its secret.
    """

    id: str
    space: str
    name: str
    host: str
    events: tuple[ChangeKind, ...]
    content: bool
    allow_private: bool
    allow_http: bool
    configured: bool
    within: Scope
    created_at: datetime
    origin: Origin = Origin()  # who added it
    seq: int = 0

    def wants(self, kind: ChangeKind) -> bool:
        """Whether a change of this kind is told."""
        return kind in self.events


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A webhook with what it takes to tell it something, which no list shows."""

    webhook: Webhook
    url: str = field(repr=False)
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class NewWebhook(Value):
    """A webhook that was just made, with its secret, which is not shown again."""

    webhook: Webhook
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class WebhookDelivery(Value):
    """One attempt to tell a webhook of a change: never what was sent, nor what came back beyond its status.

    `status` is 0 if there was no answer. `code` says what went wrong, and is empty for success.
    """

    id: str
    webhook: str
    event_id: str
    event: str
    attempt: int
    at: datetime
    status: int
    code: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """A webhook as the settings name it."""

    name: str
    url: str = field(repr=False)
    secret: str = field(repr=False)
    events: tuple[ChangeKind, ...] = EVENTS
    space: str | None = None
    content: bool = False
    allow_private: bool = False
    allow_http: bool = False
    within: Scope = ANYWHERE


def checked_webhook_name(name: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"`{str(name)[:60]}` cannot be the name of a webhook.",
            code="invalid_webhook",
            hint="Use 1 to 64 letters, digits and . _ -, starting with a letter or digit.",
        )
    return name


def checked_events(names: Sequence[str] | None) -> tuple[ChangeKind, ...]:
    """The kinds of change that are told, in one order; all that can be, if none is named."""
    told = {kind.value: kind for kind in EVENTS}
    if names is None or (not isinstance(names, str) and not names):
        return EVENTS
    if isinstance(names, str) or not all(isinstance(each, str) for each in names):
        raise InvalidInput("`events` must be a list of texts.", code="invalid_field")
    for each in names:
        if each not in told:
            raise InvalidInput(
                f"`{each[:60]}` is no event that a webhook can be told.",
                code="unknown_event",
                hint=f"There are: {', '.join(told)}.",
            )
    return tuple(kind for kind in EVENTS if kind.value in names)


def checked_url(url: str, *, allow_http: bool) -> str:
    """An address that something can be sent to: https, with a host, without a name or a password in it."""
    parts = _parts(url)
    if parts is None:
        raise InvalidInput(
            "The `url` of a webhook is an address such as https://example.org/hooks, without a password in it.",
            code="invalid_url",
        )
    if parts.scheme == "http" and not allow_http:
        raise InvalidInput(
            "The `url` of a webhook begins with https://.",
            code="invalid_url",
            hint="`allow_http` lets it go unencrypted, for a receiver on the same machine.",
        )
    return url


def host_of(url: str) -> str:
    """An address as far as its host: what follows may be a secret."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def event_id(space: str, seq: int) -> str:
    """The id of a change, the same however often it is told."""
    return f"{space}:{seq}"


def delivery_job(webhook_id: str, job_id: str, space: str, at: datetime, origin: Origin) -> Job:
    """The job that tells a webhook what it has not been told yet. One waits, and one runs at a time."""
    name = f"{DELIVER}:{webhook_id}"
    return Job(
        id=job_id,
        space=space,
        kind=DELIVER,
        due_at=at,
        created_at=at,
        payload={"webhook": webhook_id},
        key=name,
        lane=name,
        priority=_LAST,
        max_attempts=TRIES,
        origin=origin,
    )


def no_webhook(name: str, space: str) -> NotFound:
    return NotFound(
        f"There is no webhook `{name[:64]}` in `{space}`.",
        code="webhook_not_found",
        hint="`recollect webhooks list` shows them; `--space` names another space.",
    )


def _parts(url: str) -> SplitResult | None:
    if not isinstance(url, str) or len(url) > _LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        return None
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    whole = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc and not parts.fragment
    return parts if whole else None


class Webhooks(Protocol):
    """The webhooks of all spaces, and the log of what they were sent."""

    def put(self, endpoint: Endpoint) -> Webhook:
        """Keep a webhook, and return it as it is kept. One of the same name keeps its id and its place.

        A new one is told of what is committed from now on. Raises `TooLarge` when the space has too many.
        """
        ...

    def endpoint(self, space: str, webhook_id: str) -> Endpoint | None:
        """One webhook, with its address and its secret."""
        ...

    def named(self, space: str, name: str) -> Endpoint | None:
        """The webhook of a name, likewise."""
        ...

    def webhooks(self, space: str) -> Sequence[Webhook]:
        """All webhooks of a space, by name."""
        ...

    def remove(self, webhook: Webhook) -> None:
        """Take a webhook away, with the log of what it was sent."""
        ...

    def log(self, space: str, webhook_id: str, delivery: WebhookDelivery) -> None:
        """Write an attempt down, and drop those that are too many."""
        ...

    def move(self, webhook: Webhook, seq: int, delivery: WebhookDelivery | None = None) -> bool:
        """Say that a webhook was told everything up to a change, with the attempt that told it the last of it.

        False if its place is not the one it has in `webhook`: another worker was faster. Nothing is written then.
        """
        ...

    def deliveries(
        self, space: str, *, webhook_id: str | None, before: str | None, limit: int
    ) -> Sequence[WebhookDelivery]:
        """Attempts, the newest first, of one webhook or of all; from the one before an id on."""
        ...


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
