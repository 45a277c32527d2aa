"""The user, session and space of a call: told once for a client, or for a stretch of code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from recollect.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Attribution:
    """The user, the session and the space of a call. `skip` leaves it to itself."""

    user: str | None = None
    session: str | None = None
    space: str | None = None
    skip: bool = False

    def under(self, other: Attribution) -> Attribution:
        """This, where the other says nothing."""
        return Attribution(
            other.user or self.user,
            other.session or self.session,
            other.space or self.space,
            other.skip or self.skip,
        )


_NOBODY = Attribution()
_CURRENT: ContextVar[Attribution] = ContextVar("recollect_attribution", default=_NOBODY)


@contextmanager
def attributed(
    *, user: str | None = None, session: str | None = None, space: str | None = None, skip: bool = False
) -> Iterator[None]:
    """Say whose the calls to wrapped clients are, within a `with`, in this thread or task.

    With `skip` they go by memory: nothing is recalled, and nothing remembered.
    """
    token = _CURRENT.set(_CURRENT.get().under(Attribution(user, session, space, skip)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_attribution() -> Attribution:
    return _CURRENT.get()
