"""Webhooks of the settings are made known to the store, which queues their deliveries; their secrets stay there."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from recollect.domain.dataclass import replace
from recollect.domain.errors import RecollectError
from recollect.domain.webhooks.webhook import Endpoint, Webhook, host_of

if TYPE_CHECKING:
    from recollect.engine import Engine

_LOG = logging.getLogger("recollect.webhooks")


def configure_webhooks(engine: Engine) -> None:
    """Put the webhooks of the settings into the store, unless they are there as they should be.

    One that has left the settings stays, and is told nothing, until somebody takes it away: another process may still
    have it, and what happens meanwhile is not lost.
    """
    for each in engine.settings.webhooks:
        wanted = Webhook(
            id=engine.clock.new_id(),
            space=each.space or engine.settings.space,
            name=each.name,
            host=host_of(each.url),
            events=each.events,
            content=each.content,
            allow_private=each.allow_private,
            allow_http=each.allow_http,
            configured=True,
            within=each.within,
            created_at=engine.clock.now(),
        )
        known = engine.webhooks.named(wanted.space, wanted.name)
        kept = known.webhook if known else None
        if kept is None or kept != replace(wanted, id=kept.id, created_at=kept.created_at, seq=kept.seq):
            try:
                engine.webhooks.put(Endpoint(wanted, url="", secret=""))
            except RecollectError as problem:  # a server that cannot tell one address still serves
                _LOG.warning("The webhook `%s` of the settings is left out: %s", wanted.name, problem.code)
