"""The vault for people: what came in and went out, what needs a look, and how it came to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, assert_never

from recollect.domain.answers.vaults import (
    Blame,
    Difference,
    Log,
    Machines,
    Maintained,
    Problem,
    Reverted,
    Review,
    Revision,
    RevisionDetail,
    SyncReport,
    VaultReport,
)
from recollect.surfaces.cli.cards import instant
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, inert, wrap

Told: TypeAlias = (
    VaultReport | SyncReport | Review | Log | RevisionDetail | Difference | Blame | Machines | Reverted | Maintained
)
TOLD = (VaultReport, SyncReport, Review, Log, RevisionDetail, Difference, Blame, Machines, Reverted, Maintained)

_SHORT = 12  # characters of a revision that stand for it


def told_lines(told: Told, terminal: Terminal) -> Iterator[str]:
    """An answer about the vault, as lines."""
    match told:
        case VaultReport():
            yield from _vault(told, terminal)
        case SyncReport():
            yield from _sync(told, terminal)
        case Review():
            yield from _problems(told.items, terminal)
            if not told.items:
                yield "Nothing needs a look."
        case Log():
            yield from _log(told.revisions, terminal)
        case RevisionDetail():
            yield from _log([told.revision], terminal)
            for difference in told.differences:
                yield ""
                yield from _difference(difference, terminal)
        case Difference():
            yield from _difference(told, terminal)
        case Blame():
            rows = [
                [f"{each.version:,}", instant(each.at), each.principal, each.channel, each.text] for each in told.lines
            ]
            yield from table(["version", "when", "by", "through", "line"], rows, terminal)
        case Machines():
            names = [f"{each.name} (this one)" if each.is_this else each.name for each in told.machines]
            rows = [
                [name, instant(each.last_seen), f"{each.revisions:,}", f"{each.notes:,}"]
                for name, each in zip(names, told.machines, strict=True)
            ]
            yield from table(["machine", "last heard of", "revisions", "notes"], rows, terminal)
        case Reverted():
            yield f"{_notes(len(told.note_ids))} set back to before revision {told.revision[:_SHORT]}."
            if told.problems:
                yield f"{_notes(len(told.problems))} not set back:"
            yield from _problems(told.problems, terminal)
        case Maintained():
            done = "written anew" if told.applied else "to be written anew; `--apply` does it"
            yield f"{_notes(len(told.note_ids))} {done}."
            yield from told.note_ids
        case _:
            assert_never(told)


def _vault(report: VaultReport, terminal: Terminal) -> Iterator[str]:
    yield from facts(
        [
            ("vault", report.folder),
            ("machine", report.machine),
            ("taken in", f"{len(report.taken_in):,}" if report.taken_in else ""),
            ("retracted", f"{len(report.retracted):,}" if report.retracted else ""),
            ("written", f"{report.written:,}"),
            ("removed", f"{report.removed:,}" if report.removed else ""),
        ],
        terminal,
    )
    yield from _held(report.held)
    yield from (inert(each.message) for each in report.left_out)
    yield from _problems(report.problems, terminal)


def _sync(report: SyncReport, terminal: Terminal) -> Iterator[str]:
    yield from facts(
        [
            ("machine", report.machine),
            ("remote", report.remote or "none; `recollect sync --remote` names one"),
            ("received", f"{len(report.received):,}"),
            ("sent", f"{len(report.sent):,}"),
            ("forgotten", f"{len(report.erased):,}" if report.erased else ""),
            ("revision", (report.head or "")[:_SHORT]),
        ],
        terminal,
    )
    yield from _held(report.held)
    yield from (inert(each.message) for each in report.left_out)
    yield from _problems(report.problems, terminal)


def _held(held: Sequence[str]) -> Iterator[str]:
    if held:
        yield f"{len(held):,} files are gone all at once; nothing was deleted. `recollect review` says what to do."


def _problems(problems: Sequence[Problem], terminal: Terminal) -> Iterator[str]:
    for problem in problems:
        told = problem.message if problem.path in problem.message else f"{problem.path}: {problem.message}"
        first, *more = wrap(inert(told), None if terminal.width is None else terminal.width - 2)
        yield f"{terminal.paint('!', 'yellow')} {first}"
        yield from (f"  {line}" for line in more)


def _log(revisions: Sequence[Revision], terminal: Terminal) -> Iterator[str]:
    if not revisions:
        yield "There is no revision yet; `recollect sync` makes one."
        return
    rows = [[each.id[:_SHORT], instant(each.at), each.machine, _what(each)] for each in revisions]
    yield from table(["revision", "when", "machine", "what"], rows, terminal)


def _what(revision: Revision) -> str:
    parts = (
        ("wrote", revision.written),
        ("changed", revision.changed),
        ("removed", revision.removed),
        ("forgot", revision.erased),
    )
    return ", ".join(f"{verb} {ids[0] if len(ids) == 1 else f'{len(ids):,} notes'}" for verb, ids in parts if ids)


def _difference(difference: Difference, terminal: Terminal) -> Iterator[str]:
    yield terminal.paint(f"note {difference.note_id}", "bold")
    if not difference.lines:
        yield "Nothing changed."
    for line in difference.lines:
        ink = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        for part in wrap(inert(line), terminal.width):
            yield terminal.paint(part, ink) if ink else part


def _notes(count: int) -> str:
    return f"{count:,} {'note was' if count == 1 else 'notes were'}"
