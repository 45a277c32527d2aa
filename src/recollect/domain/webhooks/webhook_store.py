"""The port to the webhooks of a store. They are the administrator's, and no change of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.domain.webhooks.webhook import Endpoint, Webhook, WebhookDelivery


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
