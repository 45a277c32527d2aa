"""Errors as HTTP tells them: one table from error classes to statuses, and the body of `application/problem+json`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from http import HTTPStatus

from recollect.domain import errors
from recollect.domain.errors import QuotaReached, RecollectError

MEDIA_TYPE = "application/problem+json"
_SOON = "1"  # seconds after which what was busy is worth another try

# The first class that fits decides.
STATUSES: tuple[tuple[type[RecollectError], int], ...] = (
    (errors.TooLarge, 413),
    (errors.InvalidInput, 400),
    (errors.NotAllowed, 403),
    (errors.NotFound, 404),
    (errors.Erased, 410),
    (errors.Conflict, 409),
    (errors.Unsupported, 501),
    (errors.Misconfigured, 500),
    (errors.Busy, 503),
    (errors.Unreachable, 503),
    (errors.StorageFull, 507),
    (errors.StoreFailure, 500),
)


class HttpProblem(RecollectError):
    """A refusal of this door, with its status; `headers` go out with it."""

    def __init__(
        self, status: int, code: str, message: str, *, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.status = status
        self.headers = dict(headers or {})

    def as_dict(self) -> dict[str, object]:
        return {**super().as_dict(), "retryable": self.status in (408, 429, 503, 504)}


def unexpected() -> HttpProblem:
    """A bug of ours. What went wrong is in the log, under the id of the request."""
    return HttpProblem(500, "unexpected", "Something unexpected happened.", hint="The server's log says where.")


def status_of(error: RecollectError) -> int:
    if isinstance(error, HttpProblem):
        return error.status
    if isinstance(error, QuotaReached):
        return 403 if error.wait is None else 429
    return next((status for kind, status in STATUSES if isinstance(error, kind)), 500)


def headers_of(error: RecollectError) -> dict[str, str]:
    """The headers that go out with an error besides its body."""
    said = dict(error.headers) if isinstance(error, HttpProblem) else {}
    if isinstance(error, QuotaReached) and error.wait is not None:
        said["Retry-After"] = str(math.ceil(error.wait))
    if status_of(error) == 503:
        said.setdefault("Retry-After", _SOON)
    return said


def body_of(error: RecollectError, request_id: str) -> bytes:
    """The error as problem+json. `detail` is the sentence; programs read `code`."""
    told = error.as_dict()
    status = status_of(error)
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": told["message"],
        "code": told["code"],
        "hint": told["hint"],
        "retryable": told["retryable"],
        "request_id": request_id,
    }
    return json.dumps(problem, ensure_ascii=False).encode("utf-8", "backslashreplace")
