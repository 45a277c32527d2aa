"""Verbs about webhooks, for administrators: which addresses are told of the changes of a space, and how that went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.errors import Conflict, NotAllowed, Unsupported
from recollect.domain.origin import Channel
from recollect.domain.scopes import Scope
from recollect.domain.selections import Page
from recollect.operations import Effect
from recollect.redaction.clean_records import checked_name, holds_secret
from recollect.verbs.actor import checked_limit, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.jobs.webhook import Endpoint, NewWebhook, Webhook, WebhookDelivery
_WHOLE = "Webhooks are of a whole space"


class WebhookVerbs(Writing):
    """Webhooks: add, list, remove, test, deliveries."""

    @operation(Effect.WRITE, name="webhooks.add")
    def add_webhook(
        self,
        webhook: str,
        url: str,
        *,
        events: Sequence[str] | None = None,
        content: bool = False,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        allow_private: bool = False,
        allow_http: bool = False,
        space: str | None = None,
    ) -> NewWebhook:
        """Tell an address of the changes of a space from now on, and show the secret that signs them, this once.

        Under a name that is there already the address, the events and the secret are replaced; nothing is told twice or
        left out.
        """
        from recollect.domain.jobs.webhook import (
            Endpoint,
            NewWebhook,
            Webhook,
            checked_events,
            checked_url,
            checked_webhook_name,
            host_of,
        )
        from recollect.webhooks.delivery import sealed_endpoint
        from recollect.webhooks.signature import new_signing_secret

        where, name = self._whole(space, _WHOLE), checked_webhook_name(webhook)
        self._require_here(allow_private or allow_http)
        checked_url(url, allow_http=allow_http)
        self._refuse_secret_in(url)
        self._refuse_configured(where, name)
        named = {"user": user, "agent": agent, "project": project}
        wanted = Webhook(
            id=self._engine.clock.new_id(),
            space=where,
            name=name,
            host=host_of(url),
            events=checked_events(events),
            content=content,
            allow_private=allow_private,
            allow_http=allow_http,
            configured=False,
            within=Scope(**{each: checked_name(value, field=each) for each, value in named.items()}),
            created_at=self._engine.clock.now(),
            origin=self._caller.origin(),
        )
        secret = new_signing_secret()
        if self._rehearsed is not None:
            return NewWebhook(wanted, secret)
        return NewWebhook(
            self._engine.webhooks.put(sealed_endpoint(self._engine, Endpoint(wanted, url, secret))), secret
        )

    @operation(Effect.READ, name="webhooks.list")
    def webhooks(self, *, space: str | None = None) -> Page[Webhook]:
        """List the addresses that are told of changes, without their secrets."""
        return Page(tuple(self._engine.webhooks.webhooks(self._whole(space, _WHOLE))))

    @operation(Effect.WRITE, name="webhooks.remove")
    def remove_webhook(self, webhook: str, *, space: str | None = None) -> Webhook:
        """Tell an address nothing any more, and drop the log of what it was sent."""
        name = self._whole(space, _WHOLE)
        self._refuse_configured(name, webhook)
        found = self._named_webhook(name, webhook).webhook
        if self._rehearsed is None:
            self._engine.webhooks.remove(found)
        return found

    @operation(Effect.WRITE, name="webhooks.test")
    def test_webhook(self, webhook: str, *, space: str | None = None) -> WebhookDelivery:
        """Send a signed test to an address now, and say how it was answered."""
        if self._rehearsed is not None:
            raise Unsupported("A test has no dry run.", hint="`recollect webhooks list` shows where it would go.")
        from recollect.webhooks.delivery import tell_nothing, with_secret

        found = self._named_webhook(self._whole(space, _WHOLE), webhook)
        return tell_nothing(self._engine, with_secret(self._engine, found))

    @operation(Effect.READ, name="webhooks.deliveries")
    def deliveries(
        self, *, webhook: str | None = None, limit: int = 50, cursor: str | None = None, space: str | None = None
    ) -> Page[WebhookDelivery]:
        """List the attempts to tell addresses of changes, newest first: when, which change, how it was answered."""
        name, size = self._whole(space, _WHOLE), checked_limit(limit)
        only = None if webhook is None else self._named_webhook(name, webhook).webhook.id
        mark = ("deliveries", name, only)
        before = decode_cursor(cursor, of=mark, like="") if cursor else None
        found = self._engine.webhooks.deliveries(name, webhook_id=only, before=before, limit=size + 1)
        more = encode_cursor(found[size - 1].id, of=mark) if len(found) > size else None
        return Page(tuple(found[:size]), more)

    def _named_webhook(self, space: str, name: str) -> Endpoint:
        from recollect.domain.jobs.webhook import checked_webhook_name, no_webhook

        found = self._engine.webhooks.named(space, checked_webhook_name(name))
        if found is None:
            raise no_webhook(name, space)
        return found

    def _require_here(self, asked: bool) -> None:
        """Only a person at this machine opens the way to what is behind its walls."""
        if asked and self._caller.channel not in (Channel.LIBRARY, Channel.CLI):
            raise NotAllowed(
                "A webhook to a private address, or without encryption, cannot be asked for from elsewhere.",
                code="webhook_address",
                hint="Add it at the command line of the server, or in its settings.",
            )

    def _refuse_secret_in(self, url: str) -> None:
        if holds_secret(url):
            raise NotAllowed(
                "There is a secret in the `url`, and the store keeps none of others.",
                code="secret_in_url",
                hint="Name this webhook in recollect.toml, below [webhooks]: it is read from there.",
            )

    def _refuse_configured(self, space: str, name: str) -> None:
        settings = self._engine.settings
        if any(each.name == name and (each.space or settings.space) == space for each in settings.webhooks):
            raise Conflict(
                f"The webhook `{name}` stands in the settings.",
                code="webhook_configured",
                hint="Change it there, or choose another name.",
            )
