"""A walk over the tokens of a command: what comes next, what must come next, and JSON values with parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from recollect.dialects.kip.errors import IDENTIFIER, SYNTAX, KipError
from recollect.dialects.kip.lexer import END, MARK, NUMBER, TEXT, VARIABLE, WORD, KipToken, tokens_of
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
