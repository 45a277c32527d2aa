"""The body of a delivery: ids, the kind of change, the space, the time; texts only where a webhook asked for them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from recollect.domain.answers.sessions import Happening
from recollect.domain.changes import ChangeKind
from recollect.domain.values import to_plain
from recollect.domain.webhooks.webhook import Webhook, event_id

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
