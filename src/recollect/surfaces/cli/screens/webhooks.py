"""Webhooks for people: which there are, what a new one is signed with, and how their deliveries went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.selections import Page
from recollect.domain.webhooks.webhook import EVENTS, NewWebhook, Webhook, WebhookDelivery
from recollect.surfaces.cli.screens.cards import instant
from recollect.surfaces.cli.terminal import Terminal, inert, table, wrap

_NOTHING = {
    "webhooks.list": "Nobody is told of changes here. `recollect webhooks add NAME URL` names an address.",
    "webhooks.deliveries": "Nothing was sent yet.",
}


def told_of_webhooks(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb about webhooks, as lines and asides."""
    match result:
        case NewWebhook():
            made = result.webhook
            told = f"The webhook `{made.name}` tells {made.host} of changes in `{made.space}`."
            once = "The secret that signs them is shown this once:"
            return [*_said(told, terminal), *_said(once, terminal), f"  {result.secret}"], ()
        case Webhook():
            return _said(f"The webhook `{result.name}` is told nothing any more.", terminal), ()
        case WebhookDelivery():
            return _said(
                f"The webhook `{result.webhook}`: {_ending(result)}, {result.milliseconds:,} ms.", terminal
            ), ()
        case Page(items=()):
            return (), _said(_NOTHING[verb], terminal)
        case Page() if verb == "webhooks.list":
            return webhook_table(result.items, terminal), ()
        case _:
            return delivery_table(result.items, terminal), _more(result)


def webhook_table(webhooks: Sequence[Webhook], terminal: Terminal) -> list[str]:
    """One webhook a line."""
    rows = [
        [
            each.name,
            each.host,
            "all" if each.events == EVENTS else ", ".join(each.events),
            "ids and texts" if each.content else "ids",
            f"{each.seq:,}",
            "settings" if each.configured else instant(each.created_at),
        ]
        for each in webhooks
    ]
    return table(["name", "host", "events", "sends", "told up to", "since"], rows, terminal)


def delivery_table(deliveries: Sequence[WebhookDelivery], terminal: Terminal) -> list[str]:
    """One attempt a line, the newest first."""
    rows = [
        [
            instant(each.at),
            each.webhook,
            each.event,
            each.event_id,
            f"{each.attempt}",
            f"{each.milliseconds:,}",
            _ending(each),
        ]
        for each in deliveries
    ]
    return table(["when", "webhook", "event", "id", "try", "ms", "answer"], rows, terminal)


def _ending(delivery: WebhookDelivery) -> str:
    status = f"{delivery.status}" if delivery.status else "no answer"
    return f"{status} ({delivery.code})" if delivery.code else status


def _said(sentence: str, terminal: Terminal) -> list[str]:
    return list(wrap(inert(sentence), terminal.width))


def _more(page: Page[Any]) -> Iterator[str]:
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"
