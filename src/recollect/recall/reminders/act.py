"""An act: the files, commands and steps that a tool is about to touch, and which triggers it meets. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from recollect.domain.dataclass import dataclass
from recollect.domain.triggers import Trigger, TriggerKind
from recollect.recall.reminders.looking import is_told_to_look
from recollect.recall.reminders.shell_line import ShellCommand, commands_in

MOST_FILES = 50  # of one act
_DEEPEST = 64  # folders of a path that are compared

# Commands that are a step by themselves. A script or target that bears the name of a step is one as well.
_STEPS: dict[str, tuple[str, ...]] = {
    step: tuple(commands.split(", "))
    for step, commands in {
        "commit": "git commit, jj commit, hg commit, svn commit",
        "push": "git push, jj git push, hg push",
        "merge": "git merge, gh pr merge, glab mr merge",
        "rebase": "git rebase",
        "release": "npm publish, pnpm publish, yarn publish, cargo publish, cargo release, twine upload, "
        "gh release create, uv publish, poetry publish, gem push, git tag, goreleaser, semantic-release, flit publish",
        "deploy": "kubectl apply, kubectl rollout, helm upgrade, helm install, terraform apply, tofu apply, "
        "fly deploy, flyctl deploy, vercel, netlify deploy, serverless deploy, cdk deploy, gcloud run deploy, "
        "eb deploy, ansible-playbook, pulumi up, wrangler deploy",
        "migrate": "alembic upgrade, manage.py migrate, prisma migrate, rails db:migrate, rake db:migrate, "
        "flyway migrate, knex migrate:latest, sqlx migrate run, dbmate up, goose up, liquibase update",
        "test": "pytest, jest, vitest, tox, nox, cargo test, go test, npm test, phpunit, rspec, ctest",
        "install": "npm install, npm i, npm add, yarn add, pnpm add, pnpm install, pip install, poetry add, uv add, "
        "uv pip install, cargo add, gem install, bundle add, go get, brew install, apt install, apt-get install",
        "delete": "rm, git clean, git rm, shred, dropdb, kubectl delete, terraform destroy",
    }.items()
}
STEP_WORDS = frozenset(
    word for step, commands in _STEPS.items() for each in (step, *commands) for word in each.split() if word.isalpha()
)
_SAME_STEP = {"publish": "release", "ship": "release", "deployment": "deploy", "rollout": "deploy", "tests": "test"}
_SAME_STEP |= {"migration": "migrate", "migrations": "migrate", "commits": "commit", "merging": "merge", "pr": "merge"}
# Programs that change the files they are given.
_CHANGING = frozenset("rm mv cp sed tee truncate touch chmod chown patch install rsync dd shred unlink ln".split())
_CHANGING_IN_GIT = frozenset({"checkout", "rm", "mv", "restore", "add", "stash"})
_GOING = re.compile(r"(?:^|[;&(]\s?)cd ([^\s;&|()]{1,300})")


@dataclass(frozen=True, slots=True)
class Act:
    """Files are told below the project, or from the root; `steps` are words such as `release`; `line` is as typed."""

    files: tuple[str, ...] = ()
    commands: tuple[ShellCommand, ...] = ()
    steps: frozenset[str] = frozenset()
    terms: tuple[str, ...] = ()
    line: str = ""
    given: tuple[str, ...] = ()  # paths that programs are handed, changed or not

    @property
    def spelled(self) -> str:
        """The act in the words that it is compared by: the line, or the files that are edited."""
        return self.line or (f"edit {' '.join(self.files)}" if self.files else " ".join(self.terms))


def act_of(files: Iterable[str], command: str, terms: Sequence[str]) -> Act:
    """The act that a tool call is: with the files its command changes, and the steps it takes."""
    commands = commands_in(command) if command.strip() else ()
    touched = [spelled for each in files if (spelled := spelled_path(each))]
    for each in commands:
        touched += filter(None, map(spelled_path, _changed_by(each)))
    steps = {step_named(term) for term in terms} | {step for each in commands for step in _steps_of(each)}
    given = tuple(spelled for each in commands for word in each.plain[1:] if (spelled := _path_in(word)))[:MOST_FILES]
    return Act(
        tuple(dict.fromkeys(touched))[:MOST_FILES], commands, frozenset(steps), tuple(terms), command.strip(), given
    )


def touched(act: Act) -> tuple[str, ...]:
    """The paths that an act changes, is given or runs: as they are spelled, and below the folder that it goes to."""
    run = (each.words[0] for each in act.commands if "/" in each.words[0])
    paths = tuple(dict.fromkeys((*act.files, *act.given, *filter(None, map(spelled_path, run)))))
    folder = _GOING.search(act.line)
    below = spelled_path(folder[1]) if folder else ""
    return (*paths, *(f"{below}/{path}" for path in paths if below))


def meets(act: Act, trigger: Trigger) -> bool:
    """Whether a trigger fires before an act."""
    match trigger.kind:
        case TriggerKind.FILE:
            return any(path_fits(path, trigger.pattern) for path in act.files)
        case TriggerKind.COMMAND:
            return any(command_fits(each, trigger.pattern) for each in act.commands)
        case TriggerKind.BEFORE:
            return step_named(trigger.pattern) in act.steps


def path_fits(path: str, pattern: str) -> bool:
    """Whether a path ends in what a pattern describes. `*` stays in a folder, `**` does not; `dir/` is all below it."""
    spelled = spelled_path(pattern)
    if pattern.rstrip().endswith("/"):
        spelled += "/**"
    wanted, there = spelled.split("/")[:_DEEPEST], path.split("/")[-_DEEPEST:]
    if wanted[-1] != "**" and not _fits(there[-1:], wanted[-1:]):
        return False
    return any(_fits(there[start:], wanted) for start in range(len(there)))


def command_fits(command: ShellCommand, pattern: str) -> bool:
    """Whether a command begins with the words of a pattern, with its options and their values or without."""
    wanted = tuple(pattern.split())
    return any(words[: len(wanted)] == wanted for words in (command.words, command.plain, command.bare))


def step_named(word: str) -> str:
    """A step by its one name."""
    plain = word.strip().casefold()
    return _SAME_STEP.get(plain, plain)


def spelled_path(path: str) -> str:
    """A path with plain slashes, without `./` before it and without a slash around it."""
    spelled = path.strip().replace("\\", "/")
    while spelled.startswith("./"):
        spelled = spelled[2:]
    return spelled.strip("/")


def _steps_of(command: ShellCommand) -> Iterator[str]:
    if is_told_to_look(command):
        return
    spelled = " ".join(command.bare)
    for step, beginnings in _STEPS.items():
        if any(spelled == each or spelled.startswith(f"{each} ") for each in beginnings):
            yield step
    # `python manage.py migrate`, `make release`, `npm run deploy:prod`, `./scripts/release.sh`
    if command.bare:
        if command.bare[0].startswith("python") and len(command.bare) > 1:
            inner = " ".join((command.bare[1].rpartition("/")[2], *command.bare[2:]))
            yield from (step for step, known in _STEPS.items() if any(inner.startswith(each) for each in known))
        for word in _names_of_scripts(command.bare):
            yield step_named(word)


def _names_of_scripts(bare: Sequence[str]) -> Iterator[str]:
    program, *rest = bare
    if program in ("make", "just", "task", "rake", "invoke", "inv", "nox", "tox", "mage"):
        names = rest[:1]
    elif program in ("npm", "pnpm", "yarn", "bun") and rest:
        names = rest[1:2] if rest[0] == "run" else rest[:1]
    elif program in ("bash", "sh", "python", "python3", "node") and rest:
        names = [rest[0].rpartition("/")[2].partition(".")[0]]
    elif "." in program:
        names = [program.partition(".")[0]]
    else:
        names = []
    for name in names:
        yield from (part for part in name.replace("_", "-").replace(":", "-").split("-") if part)


def _changed_by(command: ShellCommand) -> Iterator[str]:
    yield from command.written
    if not command.bare or is_told_to_look(command):
        return
    program, *rest = command.bare
    if program == "git":
        rest = rest[1:] if rest and rest[0] in _CHANGING_IN_GIT else []
    elif program not in _CHANGING or (program == "sed" and not {"-i", "--in-place"} & command.options):
        rest = []
    yield from (word for word in rest if "/" in word or "." in word)


def _path_in(word: str) -> str:
    return spelled_path(word) if ("/" in word or "." in word) and "://" not in word and " " not in word else ""


def _fits(there: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether all parts of a path fit all parts of a pattern; each pair is compared at most once."""
    rows = [False] * len(wanted) + [True]
    for place in range(len(there), -1, -1):
        before = rows
        rows = [False] * (len(wanted) + 1)
        rows[-1] = place == len(there)
        for column in range(len(wanted) - 1, -1, -1):
            if wanted[column] == "**":
                rows[column] = rows[column + 1] or (place < len(there) and before[column])
            elif place < len(there):
                rows[column] = before[column + 1] and fnmatchcase(there[place], wanted[column])
    return rows[0]
