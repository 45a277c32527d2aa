"""Pure: commands that only look. They change nothing that a text could warn of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from recollect.recall.reminders.shell_line import BROAD, ShellCommand

_ENDING_OF_OUTPUT = re.compile(r"[\w*]\.[a-zA-Z]\w{0,15}$")
_LOOKING = frozenset(
    "ls list get describe show status diff log logs plan template validate view search info help version history blame "
    "top ps inspect explain which whoami cat less head tail grep rg find wc tree du env date outdated doctor "
    "events df free uptime stat jq ping dig lsof ss netstat uname id hostname".split()
)
_DOING = frozenset("rm delete destroy remove shred drop mv cp".split())  # whatever is called `logs` after them
_DRY = frozenset({"--dry-run", "--help", "--check", "--noemit"})
_ASKING = frozenset({"--list", "--version"})  # with a value they name one, and ask for nothing
_PRINTING = _LOOKING - {"less", "tree"}  # as programs: their `-o` names no file
# The letters with which programs print what is there, or only try, that else do something.
_LISTING = {
    program: re.compile(option)
    for programs, option in {
        "crontab psql pg_restore": r"-l[a-z]{0,4}",
        "iptables ip6tables": r"-[a-z]{0,4}[LS][a-z]{0,4}",
        "unzip": r"-[lt][a-z]{0,4}",
        "tar bsdtar": r"-?[a-z]{0,6}t[a-z]{0,6}",
        "rsync make": r"-[A-Za-z]{0,8}n[A-Za-z]{0,8}",
    }.items()
    for program in programs.split()
}
# `curl` only fetches, unless it is told to send something, how, or where to put the answer.
_SENDING = re.compile(r"-[A-Za-z]{0,6}[XdFToO]|--(?:request|data|form|upload|json|output|remote-name|post|url-query)")
_WRITING_TO = frozenset({"-o", "--out", "--output"})
_ON_WHAT_IS_FOUND = frozenset({"-delete", "-exec", "-execdir", "-ok"})  # `find` does something with it
_SQL_READ = re.compile(r"\bselect\b|\\d", re.IGNORECASE)
_SQL_WRITE = re.compile(r"\b(?:update|delete|insert|drop|alter|truncate)\b", re.IGNORECASE)


def hands_on(command: ShellCommand) -> bool:
    """Whether a command only goes to another machine, with a line that is looked at by itself."""
    return command.bare[:1] == ("ssh",) and " " in command.bare[-1]


def looks(command: ShellCommand) -> bool:
    """Whether a command changes nothing, as far as its words tell."""
    words = [each.lower() for each in command.words]
    if not _ON_WHAT_IS_FOUND.isdisjoint(words):
        return False
    if is_told_to_look(command):
        return True
    line, queries = " ".join(words), " ".join(each for each in words if " " in each or each.startswith("\\"))
    if _writes_file(command.bare[:1], words):
        return False
    if _SQL_READ.search(queries) and not _SQL_WRITE.search(line):
        return True
    verb = next((each.lower() for each in _verbs(command) if each.lower() in _LOOKING | _DOING), "")
    return verb in _LOOKING


def is_told_to_look(command: ShellCommand) -> bool:
    """Whether an option says that a program, whatever else it does, is to list, to try or to tell something only."""
    words = [each.lower() for each in command.words]
    if (command.bare[:1] == ("git",) and "-l" in words) or _lists(command):
        return True
    return not _writes_file(command.bare[:1], words) and (_asks(command, words) or not _DRY.isdisjoint(words))


def _verbs(command: ShellCommand) -> Sequence[str]:
    """The words that say what is done: the program, and what follows it, or what follows the values of its options."""
    if command.bare[:1] == ("ssh",):
        return command.bare[2:3]
    if command.bare[:1] and command.bare[0] in BROAD:
        return command.bare[:3]
    free = (word for before, word in pairwise(command.words) if not before.startswith("-") and not word.startswith("-"))
    return (*command.bare[:2], *islice(free, 1))


def _lists(command: ShellCommand) -> bool:
    """Whether a program that else does something is told to print what is there, to fetch it, or to try only."""
    program, given = next(iter(command.bare), ""), command.words[1:]
    if program == "curl":
        return not any(map(_SENDING.match, given))
    if program not in _LISTING:
        return False
    options = (word for place, word in enumerate(given) if not place or word.startswith("-"))
    return any(map(_LISTING[program].fullmatch, options))


def _asks(command: ShellCommand, words: Sequence[str]) -> bool:
    """Whether `--list` or `--version` asks for one. With a value it may name one, unless the program is git."""
    places = [place for place, word in enumerate(words) if word in _ASKING]
    return any(
        command.bare[:1] == ("git",) or words[place + 1 : place + 2] == [] or words[place + 1].startswith("-")
        for place in places
    )


def _writes_file(program: Sequence[str], words: Sequence[str]) -> bool:
    """Whether an option says which file to write; `-o yaml` and `-o jsonpath={.items}` say how."""
    options = _WRITING_TO if _PRINTING.isdisjoint(program) else _WRITING_TO - {"-o"}
    named = (*pairwise(words), *(word.partition("=")[::2] for word in words))
    return any(option in options and _ENDING_OF_OUTPUT.search(value) and "=" not in value for option, value in named)
