"""Everything that can go wrong, as one tree.

    RecollectError
    ├── InvalidInput          the request cannot be understood or is not allowed as it stands
    │   ├── TooLarge          a text, list or file is over its limit
    │   └── UnknownField      a name that is no parameter of a verb; a `TypeError` as well
    ├── NotFound              no such note, space or version (also: not yours)
    ├── Erased                it was forgotten; it cannot come back
    ├── Conflict              somebody else changed it first, or a key was used for something else
    ├── NotAllowed            whoever asks has no right to it
    ├── QuotaReached          the space may not hold, or take in, any more
    ├── Unsupported           this store or build cannot do that
    ├── Misconfigured         a setting is wrong
    └── StoreFailure          the database
        ├── Busy              another process held it for too long; safe to retry
        ├── Unreachable       the server did not answer; safe to retry
        ├── StorageFull       no room left; nothing was written
        ├── Damaged           the file is not sound; nothing more is written to it
        └── Refused           we will not open this database (newer, foreign, unsafe place)

Each error has a stable `code` for programs, a sentence for people, a `hint` that says what to do next,
and `retryable`: whether the very same call may succeed later.
"""

from __future__ import annotations

from typing import ClassVar


class RecollectError(Exception):
    """Something went wrong in Recollect."""

    code: str = "error"
    hint: str = ""
    retryable: ClassVar[bool] = False

    def __init__(self, message: str = "", *, code: str | None = None, hint: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").split("\n")[0])
        if code is not None:
            self.code = code
        if hint is not None:
            self.hint = hint

    @property
    def message(self) -> str:
        return str(self)

    def as_dict(self) -> dict[str, object]:
        """The error as every door shows it to a program."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "retryable": self.retryable}


class InvalidInput(RecollectError):
    """The request is not valid."""

    code = "invalid_input"


class TooLarge(InvalidInput):
    """The input is over its limit."""

    code = "too_large"
    hint = "Split it into smaller notes, or ingest it as a file."


class UnknownField(InvalidInput, TypeError):
    """There is no parameter or field of this name. A `TypeError` too, as Python raises for a wrong keyword."""

    code = "unknown_field"


class NotFound(RecollectError):
    """There is no such thing here."""

    code = "not_found"


class Erased(RecollectError):
    """It was forgotten and cannot come back."""

    code = "erased"
    hint = "Save it anew if it should be remembered after all."


class Conflict(RecollectError):
    """It changed since you read it."""

    code = "conflict"
    hint = "Read it again, and repeat the change on the version you then see."


class NotAllowed(RecollectError):
    """You have no right to do that."""

    code = "not_allowed"


class QuotaReached(RecollectError):
    """The space may not have any more. `wait` is in how many seconds it may; `None` if waiting does not help."""

    code = "quota_reached"

    def __init__(
        self, message: str = "", *, code: str | None = None, hint: str | None = None, wait: float | None = None
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.wait = wait


class Unsupported(RecollectError):
    """This store cannot do that."""

    code = "unsupported"


class Misconfigured(RecollectError):
    """A setting is wrong."""

    code = "misconfigured"
    hint = "Run `recollect config` to see each setting and where it came from."


class StoreFailure(RecollectError):
    """The database could not do what was asked."""

    code = "store_failure"
    hint = "Run `recollect doctor`."


class Busy(StoreFailure):
    """Another process kept the database locked for too long; nothing was written."""

    code = "busy"
    hint = "Try again; with the same idempotency key it cannot be done twice."
    retryable = True


class Unreachable(StoreFailure):
    """The database server did not answer."""

    code = "unreachable"
    hint = "Check that the server runs and that RECOLLECT_STORE points to it; then try again."
    retryable = True


class StorageFull(StoreFailure):
    """There is no room left on the disk; nothing was written."""

    code = "storage_full"
    hint = "Free some space and try again."
    retryable = True


class Damaged(StoreFailure):
    """The database file is not sound; nothing more is written to it."""

    code = "damaged"
    hint = "`recollect doctor` shows what is damaged; `recollect rescue FILE` writes out what can still be read."


class Refused(StoreFailure):
    """This database is not opened."""

    code = "refused"
