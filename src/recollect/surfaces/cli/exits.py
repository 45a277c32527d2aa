"""How it ended: one table from error classes to exit codes, and errors as people and as programs read them."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.domain import errors
from recollect.domain.errors import RecollectError
from recollect.surfaces.cli.terminal import Terminal, inert, json_text, wrap

DONE = 0
PROBLEMS_FOUND = 1
UNEXPECTED = 70  # sysexits.h calls it a software error
INTERRUPTED = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED = 141  # 128 + SIGPIPE

# The first class that fits decides.
EXIT_CODES: tuple[tuple[type[RecollectError], int], ...] = (
    (errors.InvalidInput, 2),
    (errors.Misconfigured, 2),
    (errors.NotAllowed, 2),
    (errors.NotFound, 3),
    (errors.Erased, 3),
    (errors.Conflict, 4),
    (errors.Busy, 5),
    (errors.Unreachable, 5),
    (errors.StoreFailure, 6),
    (errors.Unsupported, 7),
    (errors.QuotaReached, 8),
)

# What each code means, for the reference.
MEANINGS = {
    DONE: "it was done",
    PROBLEMS_FOUND: (
        "it was done, and found problems: `doctor`, `reindex`, `audit`, `import`, `ingest`, `vault`, `sync`, `revert`; "
        "or you were asked, and said no"
    ),
    2: "the request or a setting is not valid; nothing was done",
    3: "there is no such note, space, file or model, or the note was forgotten",
    4: "somebody else changed it first, or the idempotency key was used for something else",
    5: "the store is busy, or it or the network does not answer; the same command may succeed later",
    6: "the store could not do it, or a model's file is not what it must be",
    7: "this store or build cannot do that, or a package it needs is not installed",
    8: "a quota of the space is reached; nothing was written",
    UNEXPECTED: "a bug in Recollect",
    INTERRUPTED: "you stopped it",
    PIPE_CLOSED: "whoever was reading the output stopped reading",
}


class Unexpected(RecollectError):
    """A bug in Recollect."""

    code = "unexpected"
    hint = "Run it again with RECOLLECT_DEBUG=1 to see where it happened, and please report it."


def exit_code(error: RecollectError) -> int:
    """The exit code for an error."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), UNEXPECTED)


def error_lines(error: RecollectError, terminal: Terminal, *, as_json: bool) -> list[str]:
    """An error as it is written to standard error."""
    if as_json:
        return [json_text({"error": error.as_dict()})]
    lines = list(_told("error:", "red", error.message, terminal))
    if error.hint:
        lines += _told("hint: ", "cyan", error.hint, terminal)
    return lines


def _told(name: str, ink: str, text: str, terminal: Terminal) -> Iterator[str]:
    """A text after its name, broken between words where the screen ends."""
    room = None if terminal.width is None else terminal.width - len(name) - 1
    first, *more = wrap(inert(text), room)
    yield f"{terminal.paint(name.rstrip(), ink)}{name[len(name.rstrip()) :]} {first}"
    yield from (f"{' ' * len(name)} {line}" for line in more)
