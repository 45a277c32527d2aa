"""Messages of a conversation, each with its own time."""

from __future__ import annotations

from datetime import datetime

from recollect.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `speaker` is the name of whoever said it, if it is known."""

    role: str
    text: str
    at: datetime
    speaker: str | None = None
