"""Errors as KIP numbers them: a code, a sentence with the place in the command, and a hint that an agent can follow."""

from __future__ import annotations

from recollect.domain.errors import InvalidInput

SYNTAX, IDENTIFIER = "KIP_1001", "KIP_1002"
TYPE, CONSTRAINT, VALUE = "KIP_2001", "KIP_2002", "KIP_2003"
REFERENCE, MISSING, DUPLICATE, IMMUTABLE, VERSION = "KIP_3001", "KIP_3002", "KIP_3003", "KIP_3004", "KIP_3005"
TIMEOUT, EXHAUSTED, INTERNAL = "KIP_4001", "KIP_4002", "KIP_4003"

HINTS = {
    SYNTAX: "Check brackets, the spelling of keywords in capitals, and that values are JSON.",
    IDENTIFIER: "A name begins with a letter or `_` and goes on with letters, digits and `_`.",
    TYPE: "See `DESCRIBE CONCEPT TYPES` and `DESCRIBE PROPOSITION TYPES`; capitals count. New ones are defined first.",
    CONSTRAINT: "Supply what is missing, and never write metadata that begins with `_`.",
    VALUE: "Correct the JSON type of the value.",
    REFERENCE: "Bind the variable in WHERE, or put the block that defines the handle before its use.",
    MISSING: "It may be gone or never have been. Look with `SEARCH` or `FIND` first.",
    DUPLICATE: "Narrow the pattern until it matches exactly one.",
    IMMUTABLE: "This part of the schema is protected; narrow the pattern.",
    VERSION: "Read it again for its `_version`, and repeat the change on what you then see.",
    TIMEOUT: "Ask for less: fewer hops, a lower LIMIT, more constants in patterns.",
    EXHAUSTED: "Use LIMIT and CURSOR, or constrain the patterns.",
    INTERNAL: "Try again later.",
}


class KipError(InvalidInput):
    """The KIP command cannot be carried out."""

    def __init__(self, code: str, message: str, *, at: tuple[int, int] | None = None, hint: str | None = None) -> None:
        self.at = at  # line and column, both from 1
        where = "" if at is None else f" (line {at[0]}, column {at[1]})"
        super().__init__(f"{message}{where}", code=code, hint=HINTS[code] if hint is None else hint)

    def as_response(self) -> dict[str, object]:
        """The error as KIP answers carry it."""
        told: dict[str, object] = {"code": self.code, "message": self.message, "hint": self.hint}
        return told if self.at is None else {**told, "data": {"line": self.at[0], "column": self.at[1]}}
