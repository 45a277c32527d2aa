"""Pure: the parts of a command, what each says, and how much of one command comes back in another one.

A command comes back with other arguments: another file of the same kind, another number, an option by its long name, a
variable of a loop. So paths count by their folders and endings, names without their numbers, and a short option is the
long one that begins with its letter. Free text, such as a query, is no part, and a number only where a failed command
and the working one differ in nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from typing import Final

from recollect.recall.reminders.shell_line import BROAD, ShellCommand

_INTERPRETER = re.compile(r"python[\d.]{0,6}")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w{0,60})=(.*)", re.DOTALL)
_NUMBER = re.compile(r"[\d.]{1,40}[a-zA-Z]?$")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_COUNTED = re.compile(r"(-[A-Za-z])(\d{1,12})")  # `-j32` is `-j 32`
_PLAIN = re.compile(r"[a-z][a-z:-]{0,40}")
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9:-]{0,40}")
_VARIABLE: Final = "$"
_SAYS_LITTLE, _SAYS_SOMETHING, _SAYS_MUCH = 0.5, 1.0, 2.0

Part = tuple[str, str]  # its kind and its spelling


def program_of(command: ShellCommand) -> str:
    """The program that does the work: a script rather than what it is written in."""
    bare = command.bare
    if not bare:
        return ""
    if _INTERPRETER.fullmatch(bare[0]):
        return bare[1].rpartition("/")[2] if len(bare) > 1 else "python"
    return bare[0]


@lru_cache(maxsize=4096)
def parts_of(command: ShellCommand) -> Mapping[Part, float]:
    """The parts of a command after its program, and how much each says: a name more than a folder or a file."""
    parts: dict[Part, float] = {}
    for word in _arguments(command):
        for part, worth in _parts_in(word):
            parts[part] = max(worth, parts.get(part, 0.0))
    leading = tuple(takewhile(_PLAIN.fullmatch, _arguments(command)))
    if leading:  # the last word of `compute instances stop` says what is done
        parts["name", leading[-1]] = _SAYS_MUCH
    return parts


def subcommand_of(command: ShellCommand) -> tuple[str, ...]:
    """The plain words right after the program, up to the one that says what is done.

    Where options stand before it, as in `aws --region here s3 rm`, all plain words of a program that does many things.
    """
    leading = tuple(takewhile(_SUBCOMMAND.fullmatch, _arguments(command)))
    if leading or program_of(command) not in BROAD:
        return leading
    return tuple(takewhile(_SUBCOMMAND.fullmatch, command.bare[1:]))


def _arguments(command: ShellCommand) -> Sequence[str]:
    """The words after the program."""
    program = program_of(command)
    place = next((place for place, word in enumerate(command.words) if word.rpartition("/")[2] == program), None)
    return () if place is None else command.words[place + 1 :]


@lru_cache(maxsize=1024)
def all_parts(command: ShellCommand) -> frozenset[Part]:
    """All parts of a command, with what stands before its program and the program itself."""
    before = command.typed[: len(command.typed) - len(command.words)]
    words = [word for word in (*before, *command.words) if not _INTERPRETER.fullmatch(word)]
    return frozenset(part for word in words for part, _ in _parts_in(word))


@lru_cache(maxsize=1024)
def numbers_of(command: ShellCommand) -> frozenset[Part]:
    """The numbers of a command, which are no parts: they matter only where nothing else made a difference."""
    values = (value for word in command.words for value in (*word.split("=", 1), *_counted(word)[1:]))
    return frozenset(("number", value) for value in values if _NUMBER.fullmatch(value))


def has_part(part: Part, parts: Iterable[Part]) -> bool:
    """Whether a part is among others, by its own spelling or another one."""
    kind, spelled = part
    for other, there in parts:
        if kind == other and (spelled == there or (kind == "option" and _is_short_for(spelled, there))):
            return True
        if other == "variable" and (kind in ("file", "ending") or (kind == "name" and there and spelled == there)):
            return True
    return False


def share(of: Mapping[Part, float], there: Set[Part], saying_nothing: Set[Part]) -> float:
    """The share of what a command says that another one says as well, from 0 to 1."""
    left = {part: worth for part, worth in of.items() if not has_part(part, saying_nothing)}
    whole = sum(left.values())
    return sum(worth for part, worth in left.items() if has_part(part, there)) / whole if whole else 0.0


def _counted(word: str) -> tuple[str, ...]:
    """A short option and the number right behind it; else the word."""
    found = _COUNTED.fullmatch(word)
    return (found[1], found[2]) if found else (word,)


def _parts_in(word: str) -> Iterator[tuple[Part, float]]:
    if word.startswith("-") and word.strip("-"):
        option, _, value = _counted(word)[0].partition("=")
        yield ("option", option), _SAYS_SOMETHING
        yield from _parts_of_value(value)
    elif (assigned := _ASSIGNMENT.fullmatch(word)) and " " not in assigned[1]:
        yield ("assigned", assigned[1]), _SAYS_SOMETHING
        yield from _parts_of_value(assigned[2])
    else:
        yield from _parts_of_value(word)


def _parts_of_value(word: str) -> Iterator[tuple[Part, float]]:
    """The parts of a word that is no option and no assignment, or of what stands after the `=` of one."""
    if " " in word.strip() or not word.strip("-.'\""):
        return
    elif _VARIABLE in word:
        yield ("variable", word.partition(_VARIABLE)[0].strip("{\"'")), 0.0
    elif "@" in word or "://" in word:
        yield ("name", word), _SAYS_MUCH
    elif "/" in word or _ENDING.search(word):
        yield from _parts_of_path(word)
    elif not _NUMBER.fullmatch(word):
        is_name = any(sign in word.strip("-") for sign in "-_:")
        stripped = word.rstrip("0123456789")
        yield ("name", stripped or word), _SAYS_MUCH if is_name and stripped == word else _SAYS_SOMETHING


def _parts_of_path(path: str) -> Iterator[tuple[Part, float]]:
    *folders, name = [each for each in path.split("/") if each not in ("", ".", "~")] or [path]
    yield from ((("name", each), _SAYS_LITTLE) for each in folders)
    ending = _ENDING.search(name)
    if ending is None:
        yield ("name", name), _SAYS_SOMETHING
    else:
        yield ("file", name[: ending.start()]), _SAYS_LITTLE
        yield ("ending", ending[0]), _SAYS_SOMETHING


def _is_short_for(one: str, other: str) -> bool:
    """Whether one option is a single letter that the other one begins with."""
    short, long = sorted((one.lstrip("-"), other.lstrip("-")), key=len)
    return len(short) == 1 and len(long) > 1 and long.startswith(short)
