"""Checks: what the doctor looked at, and what is wrong with it."""

from __future__ import annotations

from typing import ClassVar

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import RecollectError
from recollect.domain.values import Series


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the doctor looked at."""

    name: str
    ok: bool
    detail: str
    hint: str = ""
    code: str = ""  # of what is wrong; empty if nothing is, or it has none

    @classmethod
    def failed(cls, name: str, problem: RecollectError) -> Check:
        """Return a failed check with the message, the hint and the code of an error."""
        return cls(name, False, problem.message, problem.hint, problem.code)


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(Series[Check]):
    """The findings of the doctor."""

    _held: ClassVar[str] = "checks"
    healthy: bool
    checks: tuple[Check, ...]
