"""Pure: commands that failed in earlier sessions and what worked instead.

A failure is told only if the same session shows what worked after it, and the command has not worked since. So a test
run that was red and became green is never told, and neither is a command that nobody found a way for. It is told before
a command that repeats what it said, whatever its arguments are, unless that command has what made the difference. What
other runs of the program had without harm says nothing. No output of a tool is told: anybody may have written it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from recollect.domain.dataclass import dataclass
from recollect.domain.observations import Activity, Observation, ObservationKind
from recollect.recall.reminders.command_parts import Part, all_parts, has_part, numbers_of, parts_of, program_of, share
from recollect.recall.reminders.shell_line import ShellCommand, commands_in

REACH = 12  # observations after a failure among which what worked is looked for
_MOST_FAILURES = 20  # of a command that are looked at, the newest
_SHARED = 0.5  # of the words of a command that failed, which what worked has as well
_ENOUGH = 0.61  # of what a command said that failed, for another one to repeat it
_KEPT = 0.6  # of its worth has a part that the working command has as well
_HEEDED = 0.5  # of what made the difference, for a command to have it
_PIECES = re.compile(r"\w{1,80}")


@dataclass(frozen=True, slots=True)
class PastFailure:
    """A command that failed, and the one that worked after it. `sessions` counts those it failed in."""

    failed: Observation
    worked: Observation
    sessions: int


@dataclass(frozen=True, slots=True)
class AskedCommand:
    """A command of which is asked what is known, and the parts of the whole line that it stands in."""

    command: ShellCommand
    line: frozenset[Part]


@dataclass(frozen=True, slots=True)
class _Run:
    """A command that worked, in the run of a line."""

    run: Observation
    command: ShellCommand
    line: frozenset[Part]


@dataclass(frozen=True, slots=True)
class _Change:
    """The parts that a working line has and the failed one had not, those that it left out, and all that it has."""

    made: frozenset[Part]
    left_out: frozenset[Part]
    after: frozenset[Part]


def asked_of(line: Sequence[ShellCommand]) -> list[AskedCommand]:
    """The commands of a line, each with the parts of all."""
    parts = _parts_of_line(line) | _numbers_of_line(line)
    return [AskedCommand(command, parts) for command in line]


def past_failures(
    asked: Sequence[AskedCommand], seen: Sequence[Observation], around: Mapping[str, Sequence[Observation]]
) -> list[PastFailure]:
    """Find what is known of commands in observations of any kind; `around` has those of each session in their order."""
    runs = [each for each in seen if each.activity is Activity.COMMAND and each.title]
    failures = sorted(
        (each for each in runs if each.kind is ObservationKind.TOOL_FAILURE),
        key=lambda each: (each.observed_at, each.id),
        reverse=True,
    )
    found: dict[tuple[str, ...], PastFailure] = {}
    if not failures:
        return []
    by_program = _by_program(runs)
    for each in dict.fromkeys(asked):
        command = each.command
        if command.typed in found:
            continue
        alike = [failed for failed in failures if _may_be_repeated(command, failed)]
        worked_runs = by_program.get(program_of(command), ())
        for failed in alike[:_MOST_FAILURES]:
            worked = _worked_after(failed, around.get(failed.session_id, ()))
            if worked is None or not _is_still_wrong(each, failed, worked, worked_runs):
                continue
            change = _change(failed, worked)
            same = [other for other in alike if _repeats(command, other, change)]
            first = min(same, key=lambda other: other.id)
            found[command.typed] = PastFailure(first, worked, len({other.session_id for other in same}))
            break
    return list(found.values())


def _by_program(runs: Sequence[Observation]) -> dict[str, list[_Run]]:
    """The commands that worked, by their programs. Of those that say the same only the last one counts."""
    last: dict[tuple[ShellCommand, frozenset[Part]], _Run] = {}
    for run in sorted(runs, key=lambda each: (each.observed_at, each.id)):
        if run.kind is ObservationKind.TOOL_USE:
            line = _line_parts(run) | _numbers_of_line(_commands(run))
            last |= {(command, line): _Run(run, command, line) for command in _commands(run)}
    found: dict[str, list[_Run]] = {}
    for each in last.values():
        found.setdefault(program_of(each.command), []).append(each)
    return found


def _is_still_wrong(asked: AskedCommand, failed: Observation, worked: Observation, runs: Sequence[_Run]) -> bool:
    """Whether a failure says something about this command, and nothing later says otherwise.

    `runs` are those of its program that worked.
    """
    change = _change(failed, worked)
    if _is_heeded(change, asked.line) or not _repeats(asked.command, failed, change):
        return False
    harmless = set[Part]()
    for each in runs:
        if each.run.id == worked.id or _is_heeded(change, each.line):
            continue
        is_whole = _share(each.command, failed) == 1.0
        is_later = each.run.observed_at > failed.observed_at
        if is_later and (is_whole or each.command.typed == asked.command.typed):
            return False
        if not is_whole:  # it worked before, and then no longer
            harmless |= {("program", program_of(each.command)), *parts_of(each.command)}
    return _repeats(asked.command, failed, change, harmless)


def _change(failed: Observation, worked: Observation) -> _Change:
    before, after = _line_parts(failed), _line_parts(worked)
    made = frozenset(part for part in after if not has_part(part, before))
    left_out = frozenset(part for part in before if not has_part(part, after))
    if not made and not left_out:  # a number was at fault
        left_out = _numbers_of_line(_commands(failed)) - _numbers_of_line(_commands(worked))
    return _Change(made, left_out, after)


def _may_be_repeated(command: ShellCommand, failed: Observation) -> bool:
    """Whether a command repeats what failed if all that it does not say was not at fault; see `_repeats`."""
    said = parts_of(command)
    there = {("program", program_of(command)), *said}
    return any(
        share({part: worth * (1.0 if has_part(part, there) else _KEPT) for part, worth in parts.items()}, there, set())
        >= _ENOUGH
        or all(has_part(part, parts) for part in said)
        for parts in _parts_of_same(command, failed)
    )


def _parts_of_same(command: ShellCommand, failed: Observation) -> list[Mapping[Part, float]]:
    """The parts of each command that failed and runs the program of this one."""
    program = program_of(command)
    return [parts_of(each) or {("program", program): 1.0} for each in _commands(failed) if program_of(each) == program]


def _repeats(command: ShellCommand, failed: Observation, change: _Change, harmless: Set[Part] = frozenset()) -> bool:
    """Whether a command says most of what failed, or just what the working command kept of it and added to."""
    said, same, after = parts_of(command), _parts_of_same(command, failed), change.after
    there = {("program", program_of(command)), *said}
    # What the working command has as well was not at fault.
    weighed = [
        {part: worth * (_KEPT if has_part(part, after) else 1.0) for part, worth in parts.items()} for parts in same
    ]
    if any(share(parts, there, harmless) >= _ENOUGH for parts in weighed):
        return True
    if not change.made or all(has_part(part, harmless) for part in said):
        return False
    return any(
        all(has_part(part, parts) for part in said)
        and all(has_part(part, said) or not has_part(part, after) for part in parts)
        for parts in same
    )


def _is_heeded(change: _Change, parts: Set[Part]) -> bool:
    """Whether parts have what made the difference; if something was only left out, whether they are without it."""
    if change.made:
        return sum(has_part(part, parts) for part in change.made) >= _HEEDED * len(change.made)
    return not any(has_part(part, parts) for part in change.left_out)


def _share(command: ShellCommand, failed: Observation) -> float:
    """How much of what failed a command says as well; nothing if it runs another program."""
    there = {("program", program_of(command)), *parts_of(command)}
    return max((share(parts, there, frozenset()) for parts in _parts_of_same(command, failed)), default=0.0)


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


def _typed(run: Observation) -> tuple[str, ...]:
    first = next(iter(_commands(run)), None)
    return first.typed if first else ()


def _commands(run: Observation) -> Sequence[ShellCommand]:
    return commands_in(run.title or "")


def _line_parts(run: Observation) -> frozenset[Part]:
    return _parts_of_line(_commands(run))


def _parts_of_line(line: Sequence[ShellCommand]) -> frozenset[Part]:
    return frozenset(part for command in line for part in all_parts(command))


def _numbers_of_line(line: Sequence[ShellCommand]) -> frozenset[Part]:
    return frozenset(part for command in line for part in numbers_of(command))


def _words(run: Observation) -> set[str]:
    return set(_wording(run))


def _wording(run: Observation) -> Iterator[str]:
    for command in _commands(run):
        for word in (*command.bare, *command.words):
            if not word.startswith("-"):
                yield from _PIECES.findall(word)
