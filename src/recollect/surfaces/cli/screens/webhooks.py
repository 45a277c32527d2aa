"""Webhooks for people: which there are, what a new one is signed with, and how their deliveries went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.jobs.webhook import EVENTS, NewWebhook, Webhook, WebhookDelivery
from recollect.domain.selections import Page
from recollect.surfaces.cli.screens.cards import instant
from recollect.surfaces.cli.terminal import Terminal, cut, inert, table, wrap

_ROOM_FOR_EVENTS = 90  # columns
_WIDEST_NAME, _WIDEST_HOST = 14, 26  # columns on a screen

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
            _short(each.name, _WIDEST_NAME, terminal),
            _short(each.host, _WIDEST_HOST, terminal),
            "ids and texts" if each.content else "ids",
            f"{each.seq:,}",
            "all" if each.events == EVENTS else ", ".join(each.events),
        ]
        for each in webhooks
    ]
    return table(["name", "host", "sends", "told up to", "events"], rows, terminal)


def delivery_table(deliveries: Sequence[WebhookDelivery], terminal: Terminal) -> list[str]:
    """One attempt a line, the newest first. The kind of change and the time it took are told where there is room."""
    narrow = terminal.width is not None and terminal.width < _ROOM_FOR_EVENTS
    told: list[tuple[str, Callable[[WebhookDelivery], str]]] = [
        ("when", lambda each: instant(each.at)),
        ("webhook", lambda each: _short(each.webhook, _WIDEST_NAME, terminal)),
        ("event", lambda each: each.event),
        ("try", lambda each: f"{each.attempt}"),
        ("ms", lambda each: f"{each.milliseconds:,}"),
        ("answer", _ending),
        ("id", lambda each: each.event_id),
    ]
    shown = [column for column in told if not narrow or column[0] not in ("event", "ms")]
    rows = [[spell(each) for _, spell in shown] for each in deliveries]
    return table([heading for heading, _ in shown], rows, terminal)


def _ending(delivery: WebhookDelivery) -> str:
    """The status of the answer, and what was wrong with it."""
    status = f"{delivery.status} " if delivery.status else ""
    return f"{status}{delivery.code.removeprefix('webhook_')}".strip()


def _short(text: str, width: int, terminal: Terminal) -> str:
    return text if terminal.width is None else cut(inert(text), width)


def _said(sentence: str, terminal: Terminal) -> list[str]:
    return list(wrap(inert(sentence), terminal.width))


def _more(page: Page[Any]) -> Iterator[str]:
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"
