"""The commands that can be typed, read from the catalogue beside this module.

`derivation` writes the catalogue, a command a line, from the signatures of the verbs. It is kept as a file because to
read it takes a millisecond and to derive it takes every verb.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from recollect.domain.dataclass import names_of
from recollect.domain.errors import InvalidInput
from recollect.operations import Effect, Operation, Shape
from recollect.surfaces.cli.grammar import SHARED, Argument, Command

CATALOGUE = Path(__file__).with_name("commands.jsonl")

# Verbs that take away more than one thing, or one thing for good: a person is asked first.
ASKED_FIRST = ("forget", "restore", "spaces.delete")
# Of these, the ones that a program must mean: without a person to ask they need `--yes`.
NEEDS_YES = ("restore", "spaces.delete")

_BEFORE_WORDS = '{"words": '  # as `written` begins every line

_SHARED = {argument.spelled: argument for argument in SHARED}


def all_commands() -> tuple[Command, ...]:
    """Every command, chapter by chapter."""
    return tuple(_command(line) for line in _lines().values())


def all_words() -> list[tuple[str, ...]]:
    """The words of each command."""
    return list(_lines())


def command_for(words: tuple[str, ...]) -> Command:
    """The command of that name. A group alone means its `list`."""
    lines = _lines()
    found = lines.get(words) or lines.get((*words, "list"))
    if found is None:
        raise unknown_command(words)
    return _command(found)


def unknown_command(words: tuple[str, ...]) -> InvalidInput:
    from recollect.surfaces.cli.synonyms import suggestion

    typed = " ".join(words)
    hint = suggestion(typed, [" ".join(each) for each in all_words()])
    return InvalidInput(f"There is no command `{typed}`.", code="unknown_command", hint=hint)


def short_meaning(command: Command, width: int | None = None) -> str:
    """The meaning of a command, for a list of commands: it begins with a verb and ends without a full stop."""
    sentence = command.meaning.partition(". ")[0].rstrip(".")
    if width is not None and len(sentence) > width:
        sentence = sentence.partition(":")[0]
    return sentence[:1].lower() + sentence[1:]


def written(command: Command) -> str:
    """A command as a line of the catalogue. An option that many share is only named."""
    operation = command.operation
    record = {
        "words": command.words,
        "meaning": command.meaning,
        "chapter": command.chapter,
        "operation": operation and {name: getattr(operation, name) for name in names_of(Operation)},
        "home": command.home,
        "arguments": [_argument_record(argument) for argument in command.arguments],
    }
    return json.dumps(record, ensure_ascii=False)


@cache
def _lines() -> dict[tuple[str, ...], str]:
    """The line of each command. Its words stand first in it, and nothing else is read until it is asked for."""
    words_in, start = json.JSONDecoder().raw_decode, len(_BEFORE_WORDS)
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()
    return {tuple(words_in(line, start)[0]): line for line in lines}


def _command(line: str) -> Command:
    record = json.loads(line)
    told = record["operation"]
    return Command(
        words=tuple(record["words"]),
        meaning=record["meaning"],
        chapter=record["chapter"],
        arguments=tuple(map(_argument, record["arguments"])),
        home=record["home"] and tuple(record["home"]),
        operation=told and Operation(**{**told, "effect": Effect(told["effect"])}),
    )


def _argument_record(argument: Argument) -> str | dict[str, Any]:
    if _SHARED.get(argument.spelled) == argument:
        return argument.spelled
    usual = Argument("", "", Shape.TEXT, "")
    told = {name: getattr(argument, name) for name in names_of(Argument)}
    return {name: value for name, value in told.items() if value != getattr(usual, name)}


def _argument(record: str | dict[str, Any]) -> Argument:
    if isinstance(record, str):
        return _SHARED[record]
    told: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}
    return Argument(**{**told, "shape": Shape(told.get("shape", Shape.TEXT))})
