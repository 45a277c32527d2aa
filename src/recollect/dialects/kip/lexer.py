"""Tokens of a KIP command, each with its line and column.

A `:` is a token of its own: whether it ends a key or begins a parameter is known to the parser only.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from recollect.dialects.kip.errors import EXHAUSTED, IDENTIFIER, SYNTAX, KipError

MOST_CHARACTERS = 1_000_000  # of one command
WORD, VARIABLE, TEXT, NUMBER, MARK, END = "word", "variable", "text", "number", "mark", "end"

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n\ufeff]++|//[^\n]*+)++)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |\?(?P<variable>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*")
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<mark>&&|\|\||[=!<>]=|[{}()\[\],:.|<>!])""",
    re.VERBOSE,
)


class KipToken(NamedTuple):
    """One token: its kind, its value as the tree has it, and where it begins."""

    kind: str
    value: Any
    at: tuple[int, int]

    def __str__(self) -> str:
        return "the end" if self.kind is END else f"`{'?' * (self.kind is VARIABLE)}{self.value}`"


def tokens_of(command: str) -> list[KipToken]:
    """The tokens of a command, with one at the end that is no text."""
    if len(command) > MOST_CHARACTERS:
        raise KipError(EXHAUSTED, f"The command has {len(command):,} characters; at most {MOST_CHARACTERS:,} are read.")
    found: list[KipToken] = []
    place, line, line_start = 0, 1, 0
    while place < len(command):
        at = (line, place - line_start + 1)
        match = _TOKEN.match(command, place)
        if match is None:
            raise _unreadable(command, place, at)
        kind, text = str(match.lastgroup), match[0]
        if kind == "space":
            line += text.count("\n")
            line_start = place + text.rindex("\n") + 1 if "\n" in text else line_start
        else:
            found.append(KipToken(kind, _value(kind, match, at), at))
        place = match.end()
        if kind == "number" and command[place : place + 1].isalnum():
            raise KipError(IDENTIFIER, "A name may not begin with a digit.", at=at)
    return [*found, KipToken(END, "", (line, place - line_start + 1))]


def _value(kind: str, match: re.Match[str], at: tuple[int, int]) -> Any:
    if kind not in ("text", "number"):
        return match[kind]
    try:
        value = json.loads(match[kind])
    except ValueError as problem:
        raise KipError(SYNTAX, f"This is not a JSON {kind}: {problem}.", at=at) from None
    if value in (float("inf"), float("-inf")):
        raise KipError(SYNTAX, "This number is too large.", at=at)
    return value


def _unreadable(command: str, place: int, at: tuple[int, int]) -> KipError:
    rest = command[place : place + 12]
    if rest[0] == "?":
        return KipError(IDENTIFIER, f"`{rest.split()[0]}` is no name of a variable.", at=at)
    if rest[0] == '"':
        return KipError(SYNTAX, "A text is not closed; a line break in it is written `\\n`.", at=at)
    return KipError(SYNTAX, f"`{rest[0]}` does not belong here.", at=at)
