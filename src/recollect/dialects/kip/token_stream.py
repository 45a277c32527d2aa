"""The tokens of a KIP command, each with its line and column, and a walk over them: what comes next, what must come
next, and JSON values with parameters.

A `:` is a token of its own: whether it ends a key or begins a parameter is known to the parser only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn, TypeVar

from recollect.dialects.kip.errors import EXHAUSTED, IDENTIFIER, SYNTAX, KipError
from recollect.dialects.kip.syntax import Variable
from recollect.domain.dataclass import dataclass

DEEPEST = 32  # brackets in brackets
_CONSTANTS = {"true": True, "false": False, "null": None}
_ABSENT: Any = object()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KindOfValue:
    """A kind of JSON value, and how it is called in errors."""

    words: str
    holds: Callable[[Any], bool]


A_TEXT = KindOfValue("a text", lambda value: isinstance(value, str))
A_COUNT = KindOfValue("a whole number from 0", lambda value: type(value) is int and 0 <= value < 2**53)
A_LIMIT = KindOfValue("a whole number from 1", lambda value: type(value) is int and 1 <= value < 2**53)
A_SHARE = KindOfValue("a number from 0 to 1", lambda value: type(value) in (int, float) and 0 <= value <= 1)
AN_OBJECT = KindOfValue("an object", lambda value: isinstance(value, dict))


class TokenStream:
    """The tokens of one command, and the values of its parameters."""

    def __init__(self, command: str, parameters: Mapping[str, Any]) -> None:
        self._tokens = tokens_of(command)
        self._parameters = parameters
        self._place = 0
        self._depth = 0

    @property
    def next(self) -> KipToken:
        return self._tokens[self._place]

    def take(self) -> KipToken:
        token = self._tokens[self._place]
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return token

    def refuse(self, wanted: str) -> NoReturn:
        raise KipError(SYNTAX, f"Expected {wanted}, but here is {self.next}.", at=self.next.at)

    def is_mark(self, mark: str) -> bool:
        return self.next.kind == MARK and self.next.value == mark

    def is_word(self, *words: str) -> bool:
        return self.next.kind == WORD and self.next.value in words

    def skip_mark(self, mark: str) -> bool:
        found = self.is_mark(mark)
        if found:
            self.take()
        return found

    def skip_word(self, word: str) -> bool:
        found = self.is_word(word)
        if found:
            self.take()
        return found

    def mark(self, mark: str) -> KipToken:
        if not self.is_mark(mark):
            self.refuse(f"`{mark}`")
        return self.take()

    def word(self, *words: str) -> str:
        if not self.is_word(*words):
            token, wanted = self.next, " or ".join(f"`{word}`" for word in words)
            if token.kind == WORD and token.value.upper() in words:
                raise KipError(SYNTAX, f"`{token.value}` is written in capitals: {wanted}.", at=token.at)
            self.refuse(wanted)
        return str(self.take().value)

    def variable(self) -> Variable:
        if self.next.kind != VARIABLE:
            self.refuse("a variable such as `?x`")
        token = self.take()
        return Variable(token.value, token.at)

    def end(self) -> None:
        if self.next.kind != END:
            self.refuse("the end; one command at a time")

    @contextmanager
    def inside(self, opening: str, closing: str) -> Iterator[None]:
        """Read what stands between two brackets. Brackets in brackets are bounded."""
        opened = self.mark(opening)
        self._depth += 1
        if self._depth > DEEPEST:
            raise KipError(SYNTAX, f"More than {DEEPEST} brackets are open.", at=opened.at)
        yield
        if not self.is_mark(closing):
            self.refuse(f"`{closing}`, which closes line {opened.at[0]}, column {opened.at[1]}")
        self.take()
        self._depth -= 1

    def listed(self, one: Callable[[], T], closing: str) -> list[T]:
        """One or more of something, with commas between."""
        found = [one()]
        while self.skip_mark(","):
            if self.is_mark(closing):
                self.refuse("something after the comma")
            found.append(one())
        return found

    # --- values -----------------------------------------------------------------------------------------------------

    def value(self, kind: KindOfValue | None = None, what: str = "") -> Any:
        """A JSON value, or a parameter in its place."""
        at = self.next.at
        value = self._value_or_parameter()
        if kind is not None and not kind.holds(value):
            raise KipError(SYNTAX, f"{what} must be {kind.words}.", at=at)
        return value

    def key(self) -> str:
        """A key of an object: a text or a bare name."""
        if self.next.kind not in (WORD, TEXT):
            if self.next.kind == NUMBER:
                raise KipError(IDENTIFIER, "A key is a name or a text.", at=self.next.at)
            self.refuse("a key")
        return str(self.take().value)

    def entries(self, read: Callable[[], T]) -> dict[str, T]:
        """`{key: …, key: …}`, each value as `read` reads it."""
        found: dict[str, T] = {}

        def entry() -> None:
            at, key = self.next.at, self.key()
            if key in found:
                raise KipError(SYNTAX, f"The key `{key}` is given twice.", at=at)
            self.mark(":")
            found[key] = read()

        with self.inside("{", "}"):
            if not self.is_mark("}"):
                self.listed(entry, "}")
        return found

    def _value_or_parameter(self) -> Any:
        token = self.next
        if token.kind in (TEXT, NUMBER):
            return self.take().value
        if token.kind == WORD and token.value in _CONSTANTS:
            return _CONSTANTS[self.take().value]
        if self.is_mark("["):
            with self.inside("[", "]"):
                return [] if self.is_mark("]") else self.listed(self._value_or_parameter, "]")
        if self.is_mark("{"):
            return self.entries(self._value_or_parameter)
        if self.is_mark(":"):
            return self._parameter()
        return self.refuse("a value")

    def _parameter(self) -> Any:
        at = self.take().at
        if self.next.kind != WORD:
            raise KipError(IDENTIFIER, "The name of a parameter stands right after `:`.", at=at)
        name = self.take().value
        value = self._parameters.get(name, _ABSENT)
        if value is _ABSENT:
            raise KipError(SYNTAX, f"No value is given for the parameter `:{name}`.", at=at, hint="Send `parameters`.")
        return value


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
