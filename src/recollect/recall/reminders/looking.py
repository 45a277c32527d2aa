"""Pure: commands that only look. They change nothing that a text could warn of.

Whatever is not known to be a look is none: a rule that is silent before what it forbids does more harm than one that is
told before a look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from recollect.recall.reminders.shell_line import (
    BROAD,
    NEEDS_A_VALUE,
    ShellCommand,
    commands_in,
    is_read_whole,
    remote_line,
)

_ENDING_OF_OUTPUT = re.compile(r"[\w*]\.[a-zA-Z]\w{0,15}$")
# Programs that only look, whatever they are given; but see `_sets`.
_PROGRAMS = frozenset(
    "ls cat less head tail grep rg find wc tree du df free uptime stat jq ping dig lsof ss netstat uname id hostname "
    "date env which whoami ps top diff".split()
)
# Words that say so after any program, and those that may as well be what another program is given.
_VERBS = frozenset(
    "ls list get describe show status diff validate view info help version inspect explain ps whoami".split()
)
_VERBS_OF_MANY = _VERBS | frozenset(
    "log logs plan template search history blame top cat tree outdated doctor events grep".split()
)
_VERBS_OF_TARGETS = frozenset("help list status log logs diff info version".split())
_BEGINNINGS = ("list-", "describe-")  # of words that say so, as in `aws ec2 describe-images`
_DOING = re.compile(
    r"(?:delete|remove|drop|destroy|rmdir|unlink|shred|purge|prune|wipe|erase|truncate|uninstall|stop|restart|kill|"
    r"apply|install|upgrade|deploy|terminate)|(?:rm|mv|cp|set|add|create|update|edit|put|push|run|exec|import|export|"
    r"submit|start|reset|restore|rollback)(?![a-z])"
)
_TARGETS = frozenset("make just task rake mvn gradle rails".split())  # what they are given is a project's own word
_INTERPRETERS = frozenset("python python3 node ruby php java perl deno bash sh zsh dash ksh".split())
_SQL = frozenset(
    "psql mysql mariadb sqlite3 duckdb sqlcmd bq cockroach clickhouse-client pgcli mycli usql snowsql".split()
)
# Programs that are given names of things, and no words that say what to do.
_GIVEN_THINGS = _SQL | frozenset(
    "createdb pg_dump pg_restore mysqldump mongo mongosh touch mkdir chmod chown ln tee dd patch sed awk echo printf "
    "scp sftp rsync vi vim nano code open tar zip unzip crontab ansible ansible-playbook".split()
)
# The word after these of the next says what is done; of the first any word may be such a group.
_WITH_GROUPS = frozenset({"aws", "gcloud", "az"})
_GROUPS = {
    program: frozenset(groups.split())
    for program, groups in {
        "gh": "pr issue run release repo workflow secret variable label gist cache",
        "glab": "mr issue ci release repo",
        "git": "stash remote worktree submodule bisect reflog notes",
        "docker": "compose image container volume network system context",
        "podman": "compose image container volume network system",
        "kubectl": "config rollout",
        "terraform": "state workspace",
        "tofu": "state workspace",
        "helm": "repo plugin dependency",
        "conda": "env config",
        "poetry": "env",
        "uv": "pip tool python",
        "npm": "config cache",
        "pip": "config cache",
        "brew": "services",
    }.items()
}
_FLAGS = frozenset({"--no-pager", "--debug", "--verbose", "--quiet", "-q", "--no-color"})  # of any program, no value
_STATEMENT = frozenset({"-e", "-f", "-x", "--file", "--eval", "--execute", "--exec", "--command"})
_DRY = frozenset({"--dry-run", "--help", "--check", "--noemit"})
_ASKING = frozenset({"--list", "--version"})  # with a value they name one, and ask for nothing
_PRINTING = (_PROGRAMS | _VERBS_OF_MANY) - {"less", "tree"}  # as programs: their `-o` names no file
# The letters with which programs print what is there, or only try, that else do something. Before such a letter only
# those stand that take no value: `-Cbackend` is a folder.
_LISTING = {
    program: re.compile(option)
    for programs, option in {
        "crontab psql pg_restore": r"-l[a-z]{0,4}",
        "iptables ip6tables": r"-[nvx]{0,4}[LS][nvx]{0,4}",
        "unzip": r"-[lt][a-z]{0,4}",
        "tar bsdtar": r"-?[avzjJZhwpkmoOPSBiR]{0,6}t[a-zA-Z]{0,6}",
        "rsync": r"-[0468acdghiklmopqrstuvxyzACDEHIJKLNOPRSUWX]{0,16}n[A-Za-z]{0,8}",
        "make": r"-[BbeikrRsStw]{0,8}n[A-Za-z]{0,8}",
    }.items()
    for program in programs.split()
}
# `curl` only fetches, unless it is told to send something, how, what else to do, or where to put what it gets.
_SENDING = re.compile(
    r"-[A-Za-z]{0,6}[XdFToOQKcDtJ]|--(?:req|data|form|upl|json|out|remote|post|url-q|quot|prequ|config|telnet|mail|"
    r"cookie-jar|dump|trace|stderr|libcurl|etag-save|next|variable|hsts|alt-svc)"
)
_WRITING_TO = frozenset({"-o", "--out", "--output"})
# `find` does something with what it finds, or writes it down.
_ON_WHAT_IS_FOUND = frozenset("-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls".split())
_SQL_READ = re.compile(r"\bselect\b|\\d", re.IGNORECASE)
_SQL_WRITE = re.compile(
    r"(?<![a-z])(?:update|delete|insert|drop|alter|truncate|create|grant|revoke|replace|merge|call|copy|into|vacuum|"
    r"reindex|refresh|terminate|cancel)(?![a-z])|\\(?:i|copy|g|o|!)",
    re.IGNORECASE,
)
_SETTING = {  # options and words by which programs that look change something
    "hostname": re.compile(r"[^-].*|-[bF].*|--(?:file|boot).*", re.DOTALL),
    "date": re.compile(r"\d{1,16}(?:\.\d{1,2})?|-[a-z]{0,3}s.*|--set.*", re.DOTALL),
    "ss": re.compile(r"-[a-zA-Z]{0,8}K[a-zA-Z]{0,8}|--kill"),
}
_INSIDE = re.compile(r"`|\$\(|<\(")  # another line inside a word


def looks(command: ShellCommand) -> bool:
    """Whether a command changes nothing, as far as its words tell."""
    own = command.own
    if not own or command.written or any(map(_INSIDE.search, command.words)):
        return False
    if own[0] == "ssh":
        line = remote_line(own)
        there = commands_in(line)
        return bool(there) and is_read_whole(line) and all(map(looks, there))
    if not _ON_WHAT_IS_FOUND.isdisjoint(own) or _sets(own):
        return False
    if is_told_to_look(command):
        return True
    words = [each.lower() for each in own]
    if _writes_file(own[:1], words):
        return False
    return own[0] in _PROGRAMS or _is_look(own) or (not _SQL.isdisjoint(words) and _only_reads(words))


def is_told_to_look(command: ShellCommand) -> bool:
    """Whether an option says that a program, whatever else it does, is to list, to try or to tell something only."""
    words = [each.lower() for each in command.own]
    if _lists(command.own):
        return True
    return not _writes_file(command.own[:1], words) and (_asks(words) or not _DRY.isdisjoint(words))


def _sets(own: Sequence[str]) -> bool:
    setting = _SETTING.get(own[0])
    return setting is not None and any(map(setting.fullmatch, own[1:]))


def _only_reads(words: Sequence[str]) -> bool:
    """Whether a client of a database is given statements that read, and no file with others."""
    queries = " ".join(each for each in words if " " in each or each.startswith("\\"))
    is_given_file = any(word.startswith(("-f", "--file", "--init")) for word in words)
    return not is_given_file and bool(_SQL_READ.search(queries)) and not _SQL_WRITE.search(" ".join(words))


def _is_look(own: Sequence[str]) -> bool:
    """Whether the word that says what a program does is one of a look, and no other one of a deletion or a change."""
    program, said = own[0], _after_group(own)
    if _takes_no_verb(own) or not said or _DOING.match(said[0]) or (program, said[0]) == ("go", "get"):
        return False
    if said[0] == "version" and len(said) + len(own) > 3:  # `npm version major` makes one
        return False
    verbs = _VERBS_OF_TARGETS if program in _TARGETS else _VERBS_OF_MANY if program in BROAD else _VERBS
    return said[0] in verbs or (program in BROAD and said[0].startswith(_BEGINNINGS))


def _takes_no_verb(own: Sequence[str]) -> bool:
    """Whether a program is given things, a statement or a file to run, or says itself that it changes something."""
    program = own[0]
    if program in _INTERPRETERS or program in _GIVEN_THINGS or "." in program:
        return True
    return program not in BROAD and (not _STATEMENT.isdisjoint(own) or bool(_DOING.match(program)))


def _after_group(own: Sequence[str]) -> list[str]:
    """The words after a program, from the one on that says what is done: `list` of `gcloud compute instances list`."""
    program, said = own[0], [each.lower() for each in _said(own)]
    if program not in _WITH_GROUPS and not _GROUPS.get(program, frozenset()).intersection(said[:1]):
        return said
    is_deep = program == "gcloud" and said[2:3] in (["list"], ["describe"]) and not _DOING.match(said[1])
    return said[2:] if is_deep else said[1:]


def _said(own: Sequence[str]) -> list[str]:
    """The words after a program but options and their values.

    A word between an option that nobody knows and another word is taken for its value; so is the last one, unless the
    program is known to do many things.
    """
    found, place, with_value = list[str](), 1, NEEDS_A_VALUE.get(own[0], set())
    while place < len(own):
        word, place = own[place], place + 1
        if not word.startswith("-"):
            found.append(word)
        elif word in with_value:
            place += 1
        elif word not in _FLAGS and "=" not in word:
            following = own[place + 1 : place + 2]
            is_value = own[0] not in BROAD or (bool(following) and not following[0].startswith("-"))
            place += is_value and place < len(own) and not own[place].startswith("-")
    return found


def _lists(own: Sequence[str]) -> bool:
    """Whether a program that else does something is told to print what is there, to fetch it, or to try only."""
    program, given = next(iter(own), ""), own[1:]
    if program == "curl":
        return bool(given) and not any(map(_SENDING.match, given))
    if program == "git":
        return given[:1] in (("tag",), ("branch",), ("config",)) and "-l" in given
    if program not in _LISTING:
        return False
    options = (word for place, word in enumerate(given) if not place or word.startswith("-"))
    return any(map(_LISTING[program].fullmatch, options))


def _asks(words: Sequence[str]) -> bool:
    """Whether `--list` or `--version` asks for one. With a value it may name one, unless the program is git."""
    places = [place for place, word in enumerate(words) if word in _ASKING]
    return any(
        words[0] == "git" or words[place + 1 : place + 2] == [] or words[place + 1].startswith("-") for place in places
    )


def _writes_file(program: Sequence[str], words: Sequence[str]) -> bool:
    """Whether an option says which file to write; `-o yaml` and `-o jsonpath={.items}` say how."""
    options = _WRITING_TO if _PRINTING.isdisjoint(program) else _WRITING_TO - {"-o"}
    named = (*pairwise(words), *(word.partition("=")[::2] for word in words))
    return any(option in options and _ENDING_OF_OUTPUT.search(value) and "=" not in value for option, value in named)
