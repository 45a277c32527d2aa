"""A webhook is told what it has not been told yet: change by change, in order, each written down with its end.

Its place in the change log moves in the same commit that writes a delivery down, and only from where this worker found
it. A worker that dies in between has sent something twice, with the same id; none leaves anything out.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from recollect.domain.answers.sessions import Happening
from recollect.domain.changes import ChangeKind
from recollect.domain.dataclass import replace
from recollect.domain.errors import Misconfigured, RecollectError, Unreachable
from recollect.domain.jobs.job import lease_lost
from recollect.domain.jobs.webhook import MOST_DELIVERIES, Endpoint, Webhook, WebhookDelivery, event_id, host_of
from recollect.domain.scopes import ANYWHERE
from recollect.domain.values import to_plain
from recollect.webhooks.sender import Attempt, is_refusal, send
from recollect.webhooks.signature import signed

if TYPE_CHECKING:
    from recollect.engine import Engine

TURN = 20.0  # seconds after which the rest waits for another turn: other jobs want one, too
REFUSALS = 5  # of an event by a receiver that understood it; then the next one has its turn

_PAGE = 50  # changes read at once

Tell = Callable[[str, int], None]


def with_secret(engine: Engine, found: Endpoint) -> Endpoint:
    """A webhook with its address and its secret, which are in the settings if it stands there. Raises `Misconfigured`
    where they cannot be had."""
    if not found.webhook.configured:
        return replace(found, secret=_opened(engine, found))
    for each in engine.settings.webhooks:
        if each.name == found.webhook.name and (each.space or engine.settings.space) == found.webhook.space:
            return replace(found, url=each.url, secret=each.secret)
    raise Misconfigured(
        f"The webhook `{found.webhook.name}` does not stand in the settings of this process.",
        code="webhook_not_configured",
        hint="Put it back there, or take it away: `recollect webhooks remove`.",
    )


def sealed_endpoint(engine: Engine, endpoint: Endpoint) -> Endpoint:
    """A webhook as the store keeps it: its secret can be used here, and by nobody who finds a copy."""
    return replace(endpoint, secret=engine.sealing.seal(endpoint.secret.encode(), _seal_context(endpoint.webhook)))


def _opened(engine: Engine, endpoint: Endpoint) -> str:
    from recollect.sealing import is_sealed

    if not is_sealed(endpoint.secret):
        return endpoint.secret  # from before secrets were sealed; adding it again seals it
    try:
        return engine.sealing.open(endpoint.secret, _seal_context(endpoint.webhook)).decode()
    except Misconfigured as problem:
        raise Misconfigured(
            f"The webhook `{endpoint.webhook.name}` has a secret that cannot be opened here. {problem.message}",
            code=problem.code,
            hint="Add the webhook again under its name, which gives it a new secret, or bring the key that sealed it: "
            "the file `sealing.key`, or RECOLLECT_SEALING_KEY.",
        ) from None


def _seal_context(webhook: Webhook) -> str:
    return f"webhook {webhook.space} {webhook.name}"


def deliver(engine: Engine, endpoint: Endpoint, *, job_id: str, tries: int, tell: Tell) -> bool:
    """Tell a webhook what it has not been told; whether something is left for another turn.

    `tries` counts those of the first change, which the job is about. Raises when that one cannot be told now. A later
    one that fails is the first of the next turn, so that it has as many tries.
    """
    webhook, told, until = endpoint.webhook, 0, time.monotonic() + TURN
    reader = _Reader(engine, webhook)
    while page := reader.page():
        for happening in page:
            if is_told(webhook, happening):
                if told and time.monotonic() > until:
                    return True
                tell("sending", told)
                body = body_of(webhook, happening, reader.moment(happening))
                name = event_id(webhook.space, happening.seq)
                tried, delivery = _sent(engine, endpoint, name, happening.kind.value, body, 1 if told else tries)
                if not tried.succeeded and not (tried.was_refused and _refusals(engine, webhook, name) >= REFUSALS - 1):
                    engine.webhooks.log(webhook.space, webhook.id, delivery)
                    if told:
                        return True
                    raise _not_told(webhook, tried)
                if not engine.webhooks.move(webhook, happening.seq, delivery):
                    raise lease_lost(job_id)
                webhook, told = replace(webhook, seq=happening.seq), told + 1
            reader.seq = happening.seq
    if webhook.seq and engine.store.space(webhook.space) is None:
        engine.webhooks.remove(webhook)  # it was told of the end of its space, now or before a worker died
        return False
    if reader.seq > webhook.seq and not engine.webhooks.move(webhook, reader.seq):
        raise lease_lost(job_id)
    return False


def tell_nothing(engine: Engine, endpoint: Endpoint) -> WebhookDelivery:
    """Send a test, write it down, and say how it went."""
    webhook, clock = endpoint.webhook, engine.clock
    name = f"{TEST}:{clock.new_id()}"
    _, delivery = _sent(engine, endpoint, name, TEST, test_body(webhook, name, clock.now()), 1)
    engine.webhooks.log(webhook.space, webhook.id, delivery)
    return delivery


class _Reader:
    """The changes that a webhook may hear of, from its place in the change log on."""

    def __init__(self, engine: Engine, webhook: Webhook) -> None:
        from recollect.verbs.upkeep import Following

        seen = engine if webhook.within == ANYWHERE else engine.bound_to(webhook.within)
        self._engine, self._space, self._following = engine, webhook.space, Following(seen)
        self.seq = webhook.seq

    def page(self) -> list[Happening]:
        """Changes after the last page; empty when there are no more."""
        found = self._engine.store.space(self._space)
        newest = found.seq if found else self.seq  # looked up first: what comes later has a delivery of its own
        page = list(self._following.after(self._space, self.seq, limit=_PAGE))
        if not page:
            self.seq = max(self.seq, newest)  # behind changes that it may not hear of
        return page

    def moment(self, happening: Happening) -> datetime | None:
        """When a change was made, as far as its record tells."""
        if happening.kind is ChangeKind.ERASED:
            stone = self._engine.log.tombstone(self._space, happening.record_id)
            return stone.erased_at if stone else None
        note, said = happening.note, happening.observation
        return note.updated_at if note else said.recorded_at if said else None


def _sent(
    engine: Engine, endpoint: Endpoint, name: str, event: str, body: bytes, tries: int
) -> tuple[Attempt, WebhookDelivery]:
    now = engine.clock.now()
    tried = send(endpoint, signed(endpoint.secret, name, now, body), body)
    took = round(tried.seconds * 1000)
    delivery = WebhookDelivery(
        engine.clock.new_id(), endpoint.webhook.name, name, event, tries, now, tried.status, tried.code, took
    )
    return tried, delivery


def _not_told(webhook: Webhook, tried: Attempt) -> Unreachable:
    answered = f"its receiver answered {tried.status}" if tried.status else "its receiver could not be reached"
    return Unreachable(
        f"The webhook `{webhook.name}` was not told: {answered}.",
        code=tried.code,
        hint="`recollect webhooks deliveries` shows every attempt.",
    )


def _refusals(engine: Engine, webhook: Webhook, event: str) -> int:
    """How often the receiver has refused an event before, by the log."""
    logged = engine.webhooks.deliveries(webhook.space, webhook_id=webhook.id, before=None, limit=MOST_DELIVERIES)
    return sum(each.event_id == event and is_refusal(each.status) for each in logged)


TEST = "test"  # the event of a delivery that somebody asked for to see whether it arrives

# Changes that brought a text in. Once it was erased, its id is nobody's business, and the erasure is told by itself.
_WITH_A_RECORD = (ChangeKind.WRITTEN, ChangeKind.ADOPTED, ChangeKind.OBSERVED)
_OF_A_NOTE = ("kind", "state", "title", "text", "tags", "subject", "attribute", "value")


def is_told(webhook: Webhook, happening: Happening) -> bool:
    """Whether a webhook is told of a change now: it wants to hear of it, and what it is about was not erased since."""
    if not webhook.wants(happening.kind):
        return False
    return happening.kind not in _WITH_A_RECORD or (happening.note or happening.observation) is not None


def body_of(webhook: Webhook, happening: Happening, at: datetime | None) -> bytes:
    """The body that tells a webhook of a change, made `at` a moment if that is known; the same each time it is sent."""
    note, said = happening.note, happening.observation
    told: dict[str, Any] = {
        "id": event_id(webhook.space, happening.seq),
        "event": happening.kind.value,
        "space": webhook.space,
        "seq": happening.seq,
        "record_id": happening.record_id,
        "version": happening.version,
        "at": to_plain(at),
    }
    if webhook.content and note is not None:
        told["note"] = {name: to_plain(getattr(note, name)) for name in _OF_A_NOTE}
    if webhook.content and said is not None:
        told["message"] = {"role": said.role, "text": said.text}
    return _spelled(told)


def test_body(webhook: Webhook, delivery_id: str, at: datetime) -> bytes:
    """The body of a delivery that tells nothing."""
    return _spelled({"id": delivery_id, "event": TEST, "space": webhook.space, "at": to_plain(at)})


def _spelled(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


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
