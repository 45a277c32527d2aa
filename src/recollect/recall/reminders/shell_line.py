"""A line for a shell, taken apart: the commands in it, without what only stands around them.

`cd app && sudo FOO=1 git push | tee log` is `git push` and `tee log`. The parser is not a shell: a line that it cannot
read is split at blanks. Only the beginning of a long line is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from recollect.domain.dataclass import dataclass

_LONGEST = 2000  # characters of a line
MOST = 20  # commands of a line
_DEEPEST = 3  # shells inside shells

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_SEPARATORS = frozenset({";", "&", "&&", "|", "||", "|&", ";;", "(", ")", "\n"})
_REDIRECTION = re.compile(r"[<>]+[&|]?")
_KEYWORDS = frozenset("then do else elif if while until ! { } done fi time".split())

# Programs that run another one, with the options of theirs that take a value.
_WRAPPERS = {
    "sudo": {"-u", "-g", "-h", "-p", "-C", "-D"},
    "doas": {"-u"},
    "env": {"-u", "-C", "-S"},
    "nohup": set(),
    "nice": {"-n"},
    "ionice": {"-c", "-n"},
    "exec": set(),
    "command": set(),
    "xargs": {"-n", "-I", "-P", "-d", "-L"},
    "timeout": {"-k", "-s"},
    "stdbuf": {"-i", "-o", "-e"},
    "watch": {"-n"},
}
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
# Words that run a program of a project's own environment: both spellings of the command are meant.
_RUNNERS = (
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"), ("rye", "run"),
    ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("pnpm", "dlx"), ("npx",), ("bunx",),
    ("uvx",), ("pipx", "run"), ("docker", "compose", "exec"), ("docker", "exec"), ("podman", "exec"), ("dotenv",),
)  # fmt: skip
_CONTAINERS = frozenset({"docker", "podman"})  # what a runner of theirs is given first is where the program runs
_INSIDE_VALUES = {"-u", "--user", "-w", "--workdir", "-e", "--env", "--index", "--env-file", "--detach-keys"}
_COMPOSE = (["docker", "compose"], ["podman", "compose"], ["docker-compose"])
# Only before the word that says what to do: `-f` takes no value in `docker compose logs -f web`.
_COMPOSE_VALUES = {"-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory"}
# Programs that do many things: the word after them says which.
_REMOTE = "ssh"
BROAD = frozenset(
    "git npm pnpm yarn bun docker kubectl make just task cargo go pip uv poetry gh glab terraform tofu helm python "
    "python3 node ruby php java dotnet aws gcloud az brew apt apt-get systemctl conda composer gem bundle rake rails "
    "flutter dart deno npx mvn gradle bazel nix podman hg jj svn".split()
)
_PYTHON = re.compile(r"python[\d.]*")
NEEDS_A_VALUE = {"git": {"-C", "-c", "--git-dir", "--work-tree"}, "make": {"-C", "-f", "-j"}}
NEEDS_A_VALUE |= {"docker": {"--context", "-H", "--host", "--config"}, "npm": {"--prefix", "-w"}}
NEEDS_A_VALUE |= {"kubectl": {"-n", "--namespace", "--context", "--kubeconfig", "--cluster"}}
NEEDS_A_VALUE |= {"pnpm": {"-C", "-F", "--filter"}, "yarn": {"--cwd"}, "gcloud": {"--project", "--account"}}
NEEDS_A_VALUE |= {"helm": {"-n", "--namespace", "--kube-context", "--kubeconfig"}}
NEEDS_A_VALUE |= {"aws": {"--profile", "--region", "--endpoint-url"}, "alembic": {"-c", "--config", "-n", "--name"}}
NEEDS_A_VALUE["ssh"] = {f"-{letter}" for letter in "BbcDEeFIiJLlmOoPpQRSWw"}


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One command: its words as they were typed, and by which other words it is known as well.

    `bare` has the programs by their own names, without wrappers, runners, paths and options: `git push` for
    `/usr/bin/git -C app push --tags`. `written` are files that the line writes to. `own` are the words from the program
    on that does the work, options among them: those of a runner are not.
    """

    typed: tuple[str, ...]
    words: tuple[str, ...]
    bare: tuple[str, ...]
    written: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def plain(self) -> tuple[str, ...]:
        """The words but options; the values of options are among them."""
        return tuple(word for word in self.words if not word.startswith("-"))

    @property
    def options(self) -> frozenset[str]:
        return frozenset(word.partition("=")[0] for word in self.words if word.startswith("-"))


@lru_cache(maxsize=512)
def commands_in(line: str, *, depth: int = 0) -> tuple[ShellCommand, ...]:
    """The commands of a line, in order. A change of folder is none."""
    found: list[ShellCommand] = []
    for words, written in _split(line[:_LONGEST]):
        plain = _unwrapped(words)
        if not plain or plain[0] in ("cd", "pushd", "popd", "export", "set", "source", "."):
            continue
        script = _script_of(plain)
        inner = commands_in(script, depth=depth + 1) if script is not None and depth < _DEEPEST else ()
        if not inner or _own_name(plain[0]) == _REMOTE:  # to go to another machine is an act of its own
            own = _own_words(plain)
            found.append(ShellCommand(tuple(words), tuple(plain), _bare(own), tuple(written), tuple(own)))
        found += inner
        if len(found) >= MOST:
            break
    return tuple(found[:MOST])


def is_read_whole(line: str) -> bool:
    """Whether nothing of a line is left out: it is not too long, has no text of its own below it, and can be read."""
    return len(line) <= _LONGEST and "<<" not in line and _read(line) is not None


def remote_line(words: Sequence[str]) -> str:
    """The line that `ssh` is given for another machine: all words after its name, as one line."""
    rest = _without_options(list(words[1:]), NEEDS_A_VALUE[_REMOTE])
    return " ".join(_without_options(rest[1:], NEEDS_A_VALUE[_REMOTE]))


def _split(line: str) -> Iterator[tuple[list[str], list[str]]]:
    """The words of each simple command, and the files that it is redirected to."""
    words: list[str] = []
    written: list[str] = []
    tokens = iter(_tokens(line.partition("<<")[0].replace("\\\n", " ").replace("\n", " ; ")))
    for token in tokens:
        if token in _SEPARATORS:
            if words:
                yield words, written
            words, written = [], []
        elif _REDIRECTION.fullmatch(token):
            if words and words[-1].isdigit():
                words.pop()
            target = next(tokens, "")
            if ">" in token and "&" not in token and target:
                written.append(target)
        else:
            words.append(token)
    if words:
        yield words, written


def _tokens(line: str) -> list[str]:
    tokens = _read(line)
    return line.split() if tokens is None else tokens


def _read(line: str) -> list[str] | None:
    """The words of a line; `None` if a quotation mark is never closed."""
    import shlex

    reader = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>")
    reader.whitespace_split = True
    reader.commenters = ""
    try:
        return list(reader)
    except ValueError:
        return None


def _unwrapped(words: list[str]) -> list[str]:
    """The words from the program on that does the work."""
    left = list(words)
    while left:
        if left[0] in _KEYWORDS or _ASSIGNMENT.fullmatch(left[0]):
            left.pop(0)
            continue
        wrapper = _own_name(left[0])
        if wrapper not in _WRAPPERS or len(left) == 1:
            return left
        left.pop(0)
        while left and left[0].startswith("-"):
            option = left.pop(0)
            if option in _WRAPPERS[wrapper] and left:
                left.pop(0)
        if wrapper == "timeout" and left:
            left.pop(0)
    return left


def _script_of(words: list[str]) -> str | None:
    """The line that a shell, of this machine or another one, is given to run."""
    if _own_name(words[0]) == _REMOTE and " " in words[-1] and not words[-2].startswith("-"):
        return remote_line(words)
    if _own_name(words[0]) not in _SHELLS:
        return None
    for place, word in enumerate(words[1:], 1):
        if word.startswith("-") and "c" in word.lstrip("-"):
            return words[place + 1] if place + 1 < len(words) else None
        if not word.startswith("-"):
            return None
    return None


def _own_words(words: list[str]) -> list[str]:
    """The words from the program on that does the work, behind those that only run it."""
    left = _without_compose_options([_own_name(words[0]), *words[1:]])
    for runner in _RUNNERS:
        if tuple(left[: len(runner)]) == runner and len(left) > len(runner):
            is_inside = runner[0] in _CONTAINERS
            run = _without_options(left[len(runner) :], _INSIDE_VALUES if is_inside else set())
            run = run[1:] if is_inside else run
            left = [_own_name(run[0]), *run[1:]] if run else left
            break
    if left and _PYTHON.fullmatch(left[0]):
        rest = left[1:]
        while rest and rest[0].startswith("-") and rest[0] != "-m":
            rest = rest[1:]
        if rest[:1] == ["-m"] and len(rest) > 1:
            left = rest[1:]
    return left


def _bare(left: list[str]) -> tuple[str, ...]:
    return (left[0], *_plain_words(left[1:], NEEDS_A_VALUE.get(left[0], set())))


def _without_compose_options(words: list[str]) -> list[str]:
    for program in _COMPOSE:
        if words[: len(program)] == program:
            return [*program, *_without_options(words[len(program) :], _COMPOSE_VALUES)]
    return words


def _without_options(words: list[str], with_value: set[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in with_value else words[1:]
    return words


def _plain_words(words: list[str], with_value: set[str]) -> Iterator[str]:
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in with_value
        else:
            yield word


def _own_name(program: str) -> str:
    return program.replace("\\", "/").rpartition("/")[2] or program
