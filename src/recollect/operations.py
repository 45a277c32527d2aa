"""What a verb is: a typed method of `Memory`, marked with what it does to memory.

The mark speaks of meaning only. Every door is derived from the methods and their types: routes, tool
annotations and exit codes belong to the doors. The words for parameters stand here once, because most verbs
share them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from recollect.domain.actions import ActionStatus
from recollect.domain.dataclass import dataclass
from recollect.domain.feedback import Verdict
from recollect.domain.notes import Kind, State
from recollect.domain.origin import Authority
from recollect.domain.statements import Polarity
from recollect.domain.suggestions import unknown_field
from recollect.domain.trust.disputes import Decision

_VARARGS, _VARKEYWORDS = 0x04, 0x08  # flags of a code object; `inspect` has them too, and is slow to load

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


class Shape(StrEnum):
    """What a parameter holds; each door knows one way to read each shape."""

    TEXT = "text"
    TEXTS = "list of texts"
    MOMENT = "time"
    WHOLE = "whole number"
    NUMBER = "number"
    TRUTH = "yes or no"
    OBJECT = "object"
    MESSAGES = "text or messages"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a verb. `default` means nothing where it is required; `choices` is empty where all goes."""

    name: str
    shape: Shape
    annotation: Any
    required: bool
    default: Any
    meaning: str
    choices: tuple[str, ...]


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


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a verb in the order they are written, those it takes as a bundle spread out."""
    import inspect

    return tuple(
        Parameter(
            name=name,
            shape=_shape(annotation),
            annotation=annotation,
            required=default is inspect.Parameter.empty,
            default=None if default is inspect.Parameter.empty else default,
            meaning=PARAMETERS[name],
            choices=CHOICES.get(name, ()),
        )
        for name, annotation, default in _spread_out(function)
    )


def _spread_out(function: Callable[..., Any]) -> Iterator[tuple[str, Any, Any]]:
    """Name, type and default of each parameter; the fields of a `**bundle: Unpack[...]` default to `None`."""
    import inspect

    types = get_type_hints(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "self":
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            [bundle] = get_args(types[name])
            yield from ((field, annotation, None) for field, annotation in get_type_hints(bundle).items())
        else:
            yield name, types[name], parameter.default


def _shape(annotation: Any) -> Shape:
    several = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    kinds = {Mapping if get_origin(each) is Mapping else each for each in several if each is not NoneType}
    for shape, held in _HELD:
        if kinds == held:
            return shape
    raise TypeError(f"{annotation} is a type that not every door can spell.")


_HELD: tuple[tuple[Shape, set[Any]], ...] = (
    (Shape.TEXT, {str}),
    (Shape.TEXT, {str, Path}),  # a program of ours may hand on a path as it has it
    (Shape.TEXTS, {Sequence[str]}),
    (Shape.MOMENT, {str, datetime}),
    (Shape.WHOLE, {int}),
    (Shape.NUMBER, {float}),
    (Shape.TRUTH, {bool}),
    (Shape.OBJECT, {Mapping}),
    (Shape.MESSAGES, {str, Sequence[Mapping[str, Any]]}),
)

# Parameters that take one of a few words.
CHOICES: dict[str, tuple[str, ...]] = {
    "event": ("prompt", "tool_use", "tool_failure", "subagent", "notification", "task"),
    "authority": tuple(each.value for each in Authority),
    "decision": tuple(each.value for each in Decision),
    "kind": tuple(each.value for each in Kind),
    "polarity": tuple(each.value for each in Polarity),
    "status": tuple(each.value for each in ActionStatus),
    "state": (*(each.value for each in State), "any"),
    "verdict": tuple(each.value for each in Verdict),
}

# What each parameter of a verb is, for people and agents. Every parameter of every verb stands here.
PARAMETERS = {
    "accept": "take files that vanished all at once for deleted",
    "action_id": "the id of the action",
    "after": "how many after it",
    "agent": "the agent it concerns",
    "anchor": "a time, or the id of what to look around",
    "anchors": "what a note is about: file:PATH, file:PATH#SYMBOL, commit:SHA, package:NAME or config:PATH#KEY",
    "apply": "write it; without, it is only shown what would be written",
    "arguments": "what the tool was given, as a JSON object",
    "at": "when it was said or done; now, if not given",
    "as_of": "what was true at this time, instead of now",
    "attribute": "what the note says about its subject, for example `location`",
    "authority": "`instruction` for a rule you set, `fact` for something you vouch for, `quoted` for anything else",
    "backup": "the name of the backup; the newest of this machine, if not given",
    "before": "how many before it",
    "branch": "the branch that is checked out",
    "budget": "how many tokens at most, fence included",
    "cascade": "also what was derived from it",
    "check": "only look whether it is needed",
    "clear": "fields to empty",
    "commit": "the id of the commit",
    "compact": "write the copy anew, without a trace of pages that were freed",
    "confidence": "how sure this is, from 0 to 1",
    "corrects": "what was said before was never true",
    "cursor": "where the last page stopped",
    "days": "only what ended at least so many days ago",
    "decision": "`accept` or `reject`",
    "depends_on": "ids of what it rests on: a note is marked for review when one changes, an action waits for them",
    "derived_from": "ids of the notes and messages it was made from",
    "description": "what it is for",
    "event": "prompt, tool_use, tool_failure, subagent, notification or task",
    "expected_version": "the version you read; the change is refused if the note has moved on",
    "expires_at": "when to stop showing it",
    "explain": "also say what found each, when it was true and what was said around it",
    "extract": "read facts from it; without, it is only kept",
    "first_line": "the number of the first line, for messages",
    "folder": "the folder it is held in; paths are told below it",
    "from_vault": "also take every file of every vault in, as after the loss of the database",
    "idempotency_key": "a key of your own: the same request with it is done only once",
    "ignore": "a pattern of files to leave out, as in .gitignore; give several for several",
    "importance": "how much it matters, from 0 to 1",
    "keep": "how many backups of this machine to keep there; older ones are removed once the new one is whole",
    "kind": "semantic, episodic, procedural, lesson or pattern",
    "known_at": "what memory held at this time, instead of now",
    "label": "the label of the slot, as in project_context",
    "limit": "how many at most",
    "lines": "lines of an export",
    "machine": "the machine it concerns",
    "many": "several values hold side by side; the catalogue knows, if it is not said",
    "max_messages": "how many messages it takes in on one day, in UTC; any number, if not given",
    "max_notes": "how many notes it may hold; any number, if not given",
    "message": "the message of the commit",
    "messages": "text, or messages with a role and content",
    "metadata": "anything else, as a JSON object",
    "name": "the name of the space",
    "note_id": "the id of the note",
    "occurred_at": "when it happened",
    "other_id": "the id of the other note",
    "pages": "how pages of your own are known again: tracked `beside` them, or `marked` with the id of their note",
    "past": "it was true, and is no longer",
    "path": "the file or folder",
    "pinned": "always kept in view",
    "polarity": "`affirmed`, `negated` for what is not so, `ended` for what no longer is",
    "priority": "how urgent it is; the higher, the sooner",
    "project": "the project it concerns",
    "projects": "names of projects and what they are called now, as a JSON object",
    "put_back": "write files that vanished all at once again",
    "query": "what you want to know",
    "reason": "why",
    "receipt_id": "the id of the receipt that a search or a recall gave",
    "remark": "what helped, or what is the matter with it",
    "remote": "the git remote to share through: a path, user@host:path, ssh://… or https://…; it is remembered",
    "replaces": "the old value, if it was named",
    "revision": "a revision, by the beginning of its id",
    "session": "the session it concerns",
    "session_id": "the id of the session",
    "since_version": "the number of the version to compare with; the one before the newest, if not given",
    "since": "since when it holds; since it was said, if not given",
    "size": "how many characters it may hold",
    "source": "where it comes from: a file, an address",
    "space": "the memory to use: a user, a team, a bot",
    "state": "a state, or `any`; without it what is true at `as_of`",
    "status": "open, active, blocked, done or dropped",
    "subject": "who or what the note is about, for example `user`",
    "tag": "a tag it has",
    "tags": "a tag; give several for several",
    "target": "a place for backups: a folder, git+ssh://…, s3://…, hf://datasets/…, or a name from the settings",
    "text": "what to remember",
    "title": "a title",
    "tool": "the name of the tool",
    "topic": "what you are about to work on",
    "trust": "believe what the file says of its origin, its dates and its pins; for whoever vouches for it",
    "until": "until when it held",
    "user": "the user it concerns",
    "valid_from": "since when it is true; now, if not said",
    "valid_until": "until when it is true",
    "value": "the value of the attribute",
    "verdict": "`useful`, `wrong`, or `outdated` for what was true once",
    "zone": "the time zone of whoever speaks, as in Europe/Berlin",
}
