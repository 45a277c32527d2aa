"""A reader that reads nothing: messages are kept and found by their words, and no fact is filed."""

from __future__ import annotations

from recollect.domain.messages import Message
from recollect.domain.readings import Reading, ReadingContext


class NoReader:
    """See `Reader`."""

    name = "none"

    def read(self, message: Message, context: ReadingContext) -> Reading:  # noqa: ARG002
        """See `Reader.read`."""
        return Reading()
