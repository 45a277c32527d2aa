"""Pure: commands that failed in earlier sessions and what worked instead.

A failure is told only if the same session shows what worked after it, and the command has not worked since. So a test
run that was red and became green is never told, and neither is a command that nobody found a way for. No output of a
tool is told: anybody may have written it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.recall.reminders.shell_line import BROAD, ShellCommand, commands_in

REACH = 12  # observations after a failure among which what worked is looked for
_INTERPRETER = re.compile(r"python[\d.]{0,6}")
_SHARED = 0.5  # of the words of a command that failed, which what worked has as well


@dataclass(frozen=True, slots=True)
class PastFailure:
    """A command that failed, and the one that worked after it. `sessions` counts those it failed in."""

    failed: Observation
    worked: Observation
    sessions: int


def past_failures(
    commands: Sequence[ShellCommand], seen: Sequence[Observation], around: Mapping[str, Sequence[Observation]]
) -> list[PastFailure]:
    """Find what is known of commands in observations of any kind; `around` has those of each session in their order."""
    runs = [each for each in seen if each.activity is Activity.COMMAND and each.title]
    found: dict[tuple[str, ...], PastFailure] = {}
    for command in map(_plain, commands):
        failures = [each for each in runs if each.kind is ObservationKind.TOOL_FAILURE and _is_same(command, each)]
        for failed in sorted(failures, key=lambda each: (each.observed_at, each.id), reverse=True):
            worked = _worked_after(failed, around.get(failed.session_id, ()))
            if worked is None or not _is_still_wrong(command, failed, worked, runs):
                continue
            sessions = len({each.session_id for each in failures})
            found.setdefault(command.typed, PastFailure(min(failures, key=lambda each: each.id), worked, sessions))
            break
    return list(found.values())


def _is_still_wrong(
    command: ShellCommand, failed: Observation, worked: Observation, runs: Sequence[Observation]
) -> bool:
    """Whether a failure says something about this command, and nothing later says otherwise."""
    if _first(failed) is None:
        return False
    same = _typed(failed) == command.typed or _repeats(command, failed)
    if not same and not _is_another_way(failed, worked):
        return False
    if _typed(worked) == command.typed or _has_what_worked(command, failed, worked):
        return False
    return not any(
        each.kind is ObservationKind.TOOL_USE
        and each.observed_at > failed.observed_at
        and each.id != worked.id
        and (_typed(each) == command.typed or (_is_another_way(failed, worked) and _head(each) == _head(failed)))
        for each in runs
    )


def _is_same(command: ShellCommand, run: Observation) -> bool:
    """Whether it is the same command, or one that begins the same."""
    heads = (each.typed == command.typed or _head_of(each) == _head_of(command) for each in _parts(run))
    return any(heads) or _repeats(command, run)


def _repeats(command: ShellCommand, run: Observation) -> bool:
    """Whether a command says all that another one said, and more: other options, one more target."""
    first = _first(run)
    return bool(
        first
        and first.bare[:1] == command.bare[:1]
        and len(first.bare) > 1
        and set(first.bare) <= set(command.bare)
        and first.options <= command.options
    )


def _has_what_worked(command: ShellCommand, failed: Observation, worked: Observation) -> bool:
    """Whether a command has every word that made the difference."""
    made = set(_typed(worked)) - set(_typed(failed))
    return bool(made) and made <= set(command.typed)


def _worked_after(failed: Observation, session: Sequence[Observation]) -> Observation | None:
    """The first command after a failure that worked, is another one, and shares most of its words."""
    tried = _words(failed)
    for each in session:
        if not failed.position < each.position <= failed.position + REACH:
            continue
        if each.kind is not ObservationKind.TOOL_USE or each.activity is not Activity.COMMAND or not each.title:
            continue
        if _typed(each) == _typed(failed):
            return None  # it only had to be done once more
        if len(tried & _words(each)) >= _SHARED * len(tried):
            return each
    return None


def _is_another_way(failed: Observation, worked: Observation) -> bool:
    """Whether what worked begins otherwise: then the beginning was the mistake, whatever followed it."""
    return _head(failed) != _head(worked)


def _head(run: Observation) -> tuple[str, ...]:
    first = _first(run)
    return _head_of(first) if first else ()


def _plain(command: ShellCommand) -> ShellCommand:
    """A command whose interpreter has no version, and is there though a script was called by itself."""
    first, *rest = command.words
    if _INTERPRETER.fullmatch(first):
        words = ("python", *rest)
    elif first.endswith(".py"):
        words = ("python", first.removeprefix("./"), *rest)
    else:
        return command
    typed = command.typed[: len(command.typed) - len(command.words)]
    return replace(command, typed=(*typed, *words), words=words)


def _head_of(command: ShellCommand) -> tuple[str, ...]:
    """The words that say what is run and how: assignments and wrappers too, and a subcommand."""
    typed = command.typed
    begun = next((place for place, word in enumerate(typed) if word == command.words[0]), 0)
    follows = typed[begun + 1 : begun + 2] if command.words[0] in BROAD else ()
    rest = [word for word in follows if not word.startswith("-") and "/" not in word]
    return (*typed[: begun + 1], *rest)


def _first(run: Observation) -> ShellCommand | None:
    return next(iter(_parts(run)), None)


def _typed(run: Observation) -> tuple[str, ...]:
    first = _first(run)
    return first.typed if first else ()


def _parts(run: Observation) -> Sequence[ShellCommand]:
    return tuple(map(_plain, commands_in(run.title or "")))


def _words(run: Observation) -> set[str]:
    return set(_wording(run))


def _wording(run: Observation) -> Iterator[str]:
    for command in _parts(run):
        yield from (word for word in (*command.bare, *command.words) if not word.startswith("-"))
