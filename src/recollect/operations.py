"""Verbs: typed methods of `Memory`, each marked with its effect on memory.

The mark speaks of meaning only. Every door is derived from the methods and their types: routes, tool
annotations and exit codes belong to the doors, and so do the words for parameters (`surfaces.catalogue`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar, cast

from recollect.domain.dataclass import dataclass

_VARARGS, _VARKEYWORDS = 0x04, 0x08  # flags of a code object; `inspect` has them too, and is slow to load

F = TypeVar("F", bound=Callable[..., Any])


class Effect(StrEnum):
    """The effect of a verb on memory."""

    READ = "read"
    WRITE = "write"
    DESTROY = "destroy"  # what it takes away does not come back


@dataclass(frozen=True, slots=True)
class Operation:
    """A verb: `name` as it is called at every door, words of a group joined by a dot."""

    name: str
    effect: Effect
    for_agents: bool
    method: str


class Shape(StrEnum):
    """The type of a parameter's value; each door knows one way to read each shape."""

    TEXT = "text"
    TEXTS = "list of texts"
    MOMENT = "time"
    WHOLE = "whole number"
    NUMBER = "number"
    TRUTH = "yes or no"
    OBJECT = "object"
    MESSAGES = "text or messages"
    FILES = "list of files"


def operation(effect: Effect, *, name: str | None = None, for_agents: bool = False) -> Callable[[F], F]:
    """Mark a method as a verb of the product. A verb refuses keywords that it does not have."""

    def mark(function: F) -> F:
        spelled = name or function.__name__.rstrip("_")
        verb = strict(spelled)(function)
        verb.__operation__ = Operation(spelled, effect, for_agents, function.__name__)  # type: ignore[attr-defined]
        return verb

    return mark


def strict(spelled: str) -> Callable[[F], F]:
    """Have a function refuse unknown keywords with a suggestion, before anything is done.

    A `**bundle: Unpack[...]` would otherwise take any name and drop it. The names are looked up at the first call
    with keywords: most verbs of a process are never called.
    """

    def guard(function: F) -> F:
        known: frozenset[str] = frozenset()

        @functools.wraps(function)
        def checked(*given: Any, **named: Any) -> Any:
            nonlocal known
            if not known.issuperset(named):
                known = frozenset(_keywords_of(function))
                for each in named:
                    if each not in known:
                        from recollect.domain.suggestions import unknown_field

                        raise unknown_field(each, of=spelled, known=_keywords_of(function))
            return function(*given, **named)

        return cast("F", checked)

    return guard


def _keywords_of(function: Callable[..., Any]) -> list[str]:
    """The names that a call may use, read from the code object: a tenth of the time of `inspect.signature`."""
    code = function.__code__
    named = code.co_argcount + code.co_kwonlyargcount
    keywords = [each for each in code.co_varnames[:named] if each != "self"]
    if code.co_flags & _VARKEYWORDS:
        bundle = function.__annotations__[code.co_varnames[named + bool(code.co_flags & _VARARGS)]]
        kind = bundle.removeprefix("Unpack[").removesuffix("]")  # annotations are texts: see the top of each module
        keywords += function.__globals__[kind].__annotations__
    return keywords


def operations_of(owner: type) -> dict[str, Operation]:
    """Every verb of a class by its name, chapter by chapter, in the order they are written."""
    members = (member for chapter in owner.__mro__ for member in vars(chapter).values())
    marks = (getattr(member, "__operation__", None) for member in members)
    return {mark.name: mark for mark in marks if isinstance(mark, Operation)}


def meaning_of(function: Callable[..., Any]) -> str:
    """The first line of a verb's docstring, for lists of verbs."""
    import inspect

    return (inspect.getdoc(function) or "").split("\n", 1)[0]
