"""A file as a caller hands it in, and as it is handed out again: the two values that hold its bytes."""

from __future__ import annotations

from recollect.domain.dataclass import dataclass
from recollect.domain.values import Value


@dataclass(frozen=True, slots=True, repr=False)
class Attachment(Value):
    """A file that is handed in with a message. `alt` says what is seen on it, `caption` what was said of it.

    `media_type` is a sender's word; the bytes must bear it out.
    """

    name: str
    content: bytes
    alt: str = ""
    caption: str = ""
    media_type: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class AttachmentContent(Value):
    """A file that was asked for: its bytes, and what the first message that has it says of it.

    `media_type` is found in the bytes each time, and never taken from what is stored beside them.
    """

    digest: str
    name: str
    media_type: str
    size: int
    alt: str
    caption: str
    observation_id: str
    content: bytes
