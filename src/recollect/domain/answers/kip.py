"""The answer to KIP commands."""

from __future__ import annotations

from typing import Any

from recollect.domain.dataclass import dataclass
from recollect.domain.values import Value

KIP_VERSION = "1.0-RC9"  # of the protocol that is spoken


@dataclass(frozen=True, slots=True, repr=False)
class KipAnswer(Value):
    """The result of a command, or of several a list of answers, each with its `result` or `error`.

    Of FIND with one column the result is that column; with several, a list of columns of the same length.
    """

    result: Any
    next_cursor: str | None = None
