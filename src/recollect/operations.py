"""What a verb is: a typed method of `Memory`, marked with what it does to memory.

The mark speaks of meaning only. Every door is derived from the methods and their types: routes, tool
annotations and exit codes belong to the doors. The words for parameters stand here once, because most verbs
share them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Effect(StrEnum):
    """What a verb does to memory."""

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


def operation(effect: Effect, *, name: str | None = None, for_agents: bool = False) -> Callable[[F], F]:
    """Mark a method as a verb of the product."""

    def mark(function: F) -> F:
        spelled = name or function.__name__.rstrip("_")
        function.__operation__ = Operation(spelled, effect, for_agents, function.__name__)  # type: ignore[attr-defined]
        return function

    return mark


def operations_of(owner: type) -> dict[str, Operation]:
    """Every verb of a class by its name, chapter by chapter, in the order they are written."""
    members = (member for chapter in owner.__mro__ for member in vars(chapter).values())
    marks = (getattr(member, "__operation__", None) for member in members)
    return {mark.name: mark for mark in marks if isinstance(mark, Operation)}


def meaning_of(function: Callable[..., Any]) -> str:
    """The first line of a verb's docstring, for lists of verbs."""
    return (inspect.getdoc(function) or "").split("\n", 1)[0]


# What each parameter of a verb is, for people and agents. Every parameter of every verb stands here.
PARAMETERS = {
    "agent": "the agent it concerns",
    "as_of": "what was true at this time, instead of now",
    "attribute": "what the note says about its subject, for example `location`",
    "authority": "`instruction` for a rule you set, `fact` for something you vouch for, `quoted` for anything else",
    "cascade": "also what was derived from it",
    "check": "only look whether it is needed",
    "clear": "fields to empty",
    "compact": "write the copy anew, without a trace of pages that were freed",
    "confidence": "how sure this is, from 0 to 1",
    "cursor": "where the last page stopped",
    "derived_from": "ids of the notes it was made from",
    "description": "what the space is for",
    "expected_version": "the version you read; the change is refused if the note has moved on",
    "expires_at": "when to stop showing it",
    "first_line": "the number of the first line, for messages",
    "idempotency_key": "a key of your own: the same request with it is done only once",
    "importance": "how much it matters, from 0 to 1",
    "kind": "semantic, episodic, procedural, lesson or pattern",
    "known_at": "what memory held at this time, instead of now",
    "limit": "how many at most",
    "lines": "lines of an export",
    "machine": "the machine it concerns",
    "metadata": "anything else, as a JSON object",
    "name": "the name of the space",
    "note_id": "the id of the note",
    "occurred_at": "when it happened",
    "path": "the file",
    "pinned": "always keep it in view",
    "project": "the project it concerns",
    "query": "what you want to know",
    "reason": "why",
    "session": "the session it concerns",
    "source": "where it comes from: a file, an address",
    "space": "the memory to use: a user, a team, a bot",
    "state": "a state, or `any`; without it what is true at `as_of`",
    "subject": "who or what the note is about, for example `user`",
    "tag": "a tag it has",
    "tags": "a tag; give several for several",
    "text": "what to remember",
    "title": "a title",
    "user": "the user it concerns",
    "valid_from": "since when it is true; now, if not said",
    "valid_until": "until when it is true",
    "value": "the value of the attribute",
}
