"""Verbs: typed methods of `Memory`, each marked with its effect on memory (`verbs.actor.operation`).

The mark speaks of meaning only. Every door is derived from the methods and their types: routes, tool
annotations and exit codes belong to the doors, and so do the words for parameters (`surfaces.catalogue`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from recollect.domain.dataclass import dataclass


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


def operations_of(owner: type) -> dict[str, Operation]:
    """Every verb of a class by its name, chapter by chapter, in the order they are written."""
    members = (member for chapter in owner.__mro__ for member in vars(chapter).values())
    marks = (getattr(member, "__operation__", None) for member in members)
    return {mark.name: mark for mark in marks if isinstance(mark, Operation)}


def meaning_of(function: Callable[..., Any]) -> str:
    """The first line of a verb's docstring, for lists of verbs."""
    import inspect

    return (inspect.getdoc(function) or "").split("\n", 1)[0]
