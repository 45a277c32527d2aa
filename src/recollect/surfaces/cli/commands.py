"""The commands that can be typed: their words, arguments and options, read from the catalogue beside this module.

`derivation` writes the catalogue, a command a line, from the signatures of the verbs. It is kept as a file because to
read it takes a millisecond and to derive it takes every verb.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from recollect.domain.dataclass import dataclass, names_of
from recollect.domain.errors import InvalidInput
from recollect.operations import Effect, Operation, Shape

STANDARD = "-"  # instead of a file or a text: standard input or output


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing that can be typed after a command: `--like-this` an option, otherwise known by its PLACE."""

    name: str
    spelled: str
    shape: Shape
    meaning: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    names_file: bool = False

    @property
    def is_option(self) -> bool:
        return self.spelled.startswith("--")

    @property
    def opposite(self) -> str:
        """The `--no-…` of a yes-or-no that is yes or open unless it is said; others have none."""
        can_be_denied = self.shape is Shape.TRUTH and self.default is not False
        return self.spelled.replace("--", "--no-", 1) if can_be_denied else ""

    @property
    def value_name(self) -> str:
        """The placeholder of its value in help texts; empty for a flag and for an argument given by place."""
        if not self.is_option or self.shape is Shape.TRUTH:
            return ""
        if self.meaning.startswith("ids "):
            return "ID"
        return _VALUES.get(self.name) or _VALUES_OF.get(self.shape) or self.spelled.rpartition("-")[2].upper()


def option(name: str, meaning: str, shape: Shape = Shape.TEXT, *, spelled: str = "", **more: Any) -> Argument:
    """An option. It is spelled as its name is, unless `spelled` says otherwise."""
    return Argument(name, spelled or f"--{name.replace('_', '-')}", shape, meaning, **more)


def flag(name: str, meaning: str) -> Argument:
    """An option without a value: no, unless it is typed."""
    return option(name, meaning, Shape.TRUTH, default=False)


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be run. `operation` is `None` for what is not a verb.

    `home` names the module and the class in which a verb is written.
    """

    words: tuple[str, ...]
    meaning: str
    chapter: str
    arguments: tuple[Argument, ...]
    operation: Operation | None = None
    home: tuple[str, str] | None = None

    @property
    def spelled(self) -> str:
        return " ".join(self.words)


_VALUES = {
    "derived_from": "ID",
    "clear": "FIELD",
    "space": "NAME",
    "store": "PLACE",
    "home": "FOLDER",
    "output": "FILE",
    "given": "PATH",
    "log": "FILE",
    "ignore": "PATTERN",
    "data": "FOLDER",
    "peers": "FOLDER",
    "sets": "NAME,NAME",
    "sizes": "N,N",
    "expires": "TIME",
    "host": "ADDRESS",
    "url": "ADDRESS",
    "token_file": "FILE",
    "transcript": "FILE",
    "agent": "NAME",
    "idle_stop": "MINUTES",
    "restore_from": "TARGET",
    "allow_hosts": "NAME",
    "plot": "FILE",
    "remote": "ADDRESS",
    "target": "TARGET",
    "backup": "NAME",
    "replaces": "VALUE",
    "agents": "NAME,NAME",
    "machine_id": "NAME",
}
_VALUES_OF = {Shape.MOMENT: "TIME", Shape.WHOLE: "N", Shape.NUMBER: "X", Shape.OBJECT: "JSON", Shape.FILES: "FILE"}

# Options that many commands share; they can also stand before the command.
JSON = flag("json", "answer as JSON, for programs")
SPACE = option("space", "the memory to use: a user, a team, a bot")
STORE = option("store", "where memory is kept: a path or an address", names_file=True)
HOME = option("home", "the folder of Recollect's own files", names_file=True)
DRY_RUN = flag("dry_run", "show what would be written, and write nothing")
YES = flag("yes", "do not ask")
SHARED = (JSON, SPACE, STORE, HOME, DRY_RUN, YES)


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

    typed = " ".join(words)
    longer = [" ".join(each) for each in all_words() if each[: len(words)] == words]
    if longer and typed not in _MEANT:
        return InvalidInput(f"`recollect {typed}` goes on.", code="usage", hint=f"There are: {', '.join(longer)}.")
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


_ALL = "`recollect help all` lists the commands."
_KEEP = '`recollect save "…"` remembers one thing; `recollect add "…"` listens, and learns the facts in it.'
_TAKE_AWAY = (
    '`recollect retract ID` takes a note back and keeps its history; `recollect supersede ID "…"` says what is true'
    " instead; `recollect forget ID` erases it for good. Nothing was changed."
)
_LOOK_FOR = '`recollect search "…"` finds notes by what they mean.'
_SHOW = "`recollect get ID` shows a note, `recollect list` shows which there are."
_CHANGE = '`recollect update ID` corrects a note; `recollect supersede ID "…"` says what is true instead.'

_HINTS = {
    _KEEP: "remember store memorize memorise note put new create write insert learned",
    _TAKE_AWAY: "rm remove delete del erase drop destroy clear purge unlearn",
    _LOOK_FOR: "find query grep lookup fetch",
    '`recollect answer "…"` answers a question in sentences, with citations.': "ask question",
    "`recollect list` shows what is remembered.": "ls dir all notes memories ll",
    _SHOW: "cat view read open print display",
    _CHANGE: "edit change modify set fix correct replace rename amend",
    "`recollect retract ID` takes a note back; `recollect revert` sets a vault back.": "undo rollback",
    "`recollect status` shows what is kept, and where.": "info stats stat about",
    "`recollect doctor` checks that everything is well.": "check health diagnose verify test fsck",
    "`recollect init` connects the coding agents of this machine.": "setup install connect configure start",
    "`recollect ingest PATH` reads files; `recollect import` takes in another memory.": "load index upload",
    "`recollect export` writes everything down; `recollect backup` makes a copy.": "dump download save-all snapshot",
    "`recollect serve` starts the server.": "server run daemon up listen",
    "`recollect config` shows the settings.": "settings options preferences env",
    "`recollect history ID` shows how a note came to be.": "versions changes",
    "`recollect --version` shows the version.": "version",
    _ALL: "commands man",
}
_MEANT = {word: hint for hint, words in _HINTS.items() for word in words.split()}


def suggestion(typed: str, known: Sequence[str]) -> str:
    """A suggestion for an unknown command: its synonym, the nearest spelling, or where all commands are listed."""
    meant = _MEANT.get(typed.casefold())
    if meant is not None:
        return meant
    from difflib import get_close_matches

    # A word is compared with words of its own number first: `delet` is no misspelling of `slots delete`.
    alike = [each for each in known if each.count(" ") == typed.count(" ")]
    words = [*alike, *(word for word in _MEANT if " " not in typed)]
    close = get_close_matches(typed.casefold(), words, n=1, cutoff=0.7)
    if not close:
        return _ALL
    return _MEANT.get(close[0]) or f"Did you mean `recollect {close[0]}`?"
