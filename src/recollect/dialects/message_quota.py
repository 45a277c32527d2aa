"""A limit on the messages of one user, for systems that count them: all are in one session, in their order."""

from __future__ import annotations

import uuid
from typing import Any

from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import NotFound

_SESSIONS = uuid.UUID("0d5c1f0e-7c39-4f0b-9a4e-6a9a1c3e7b52")  # of the messages that are counted, one for each user


@dataclass(frozen=True, slots=True)
class MessageQuota:
    """The messages of a user; `said` is the limit as a setting has it, which is none where it is no number."""

    user: str
    said: str = ""

    @property
    def limit(self) -> int | None:
        """How many may be sent; `None` for as many as one likes."""
        return int(self.said) if self.said.isascii() and self.said.isdigit() and len(self.said) < 10 else None

    @property
    def session(self) -> str:
        """The session in which messages are counted."""
        return str(uuid.uuid5(_SESSIONS, self.user))

    def used(self, doer: Doer) -> int:
        """How many were sent: the place of the last one."""
        try:
            around = {"anchor": "9999-01-01", "before": 1, "after": 0, "session": self.session}
            last = doer.do("timeline", around).before
        except NotFound:
            return 0
        return int(last[-1].position) if last else 0

    def told(self, doer: Doer) -> dict[str, Any]:
        """How many were sent, may be, and are left."""
        limit, used = self.limit, self.used(doer)
        return {"used": used, "limit": limit, "remaining": None if limit is None else max(0, limit - used)}

    def used_up(self, doer: Doer) -> str | None:
        """A sentence that says so when no more may be sent; `None` while they may."""
        limit = self.limit
        used = 0 if limit is None else self.used(doer)
        return f"Message limit reached: {used} of {limit} were sent." if limit is not None and used >= limit else None
