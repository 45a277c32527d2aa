"""Backups and the vault for people: what was made, what came in and went out, what needs a look."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, assert_never

from recollect.domain.answers.upkeep import Backup, BackupList, Progress, Tell
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
from recollect.surfaces.cli.screens.cards import instant
from recollect.surfaces.cli.screens.reports import bytes_in_words
from recollect.surfaces.cli.terminal import Terminal, cut, facts, inert, is_screen, table, terminal_of, were, wrap

_SILENCE = 1.0  # seconds that need no word
_PACE = 0.2  # seconds between two looks at the screen


def backup_card(backup: Backup, terminal: Terminal) -> Iterator[str]:
    """One backup: where it is, and what is in it."""
    stored = backup.stored
    size = bytes_in_words(backup.size_bytes)
    rows = [
        ("backup", backup.path),
        ("manifest", backup.manifest),
        ("made", instant(backup.made_at)),
        *([] if backup.space is None else [("space", backup.space)]),
        ("notes", f"{backup.notes:,}"),
        ("size", size if stored is None else f"{size}, packed into {bytes_in_words(stored.packed_bytes)}"),
        ("sha256", backup.sha256),
    ]
    if stored is not None:
        rows.insert(0, ("name", stored.name))
        rows += [("removed", name) for name in stored.removed]
    yield from facts(rows, terminal)


def backup_table(held: BackupList, terminal: Terminal) -> Iterator[str]:
    """The backups that a target holds, one a line, and below them the damaged ones."""
    of_spaces = any(each.space is not None for each in held.backups)
    rows = [
        [
            instant(each.made_at),
            each.stored.machine if each.stored else "",
            f"{each.notes:,}",
            bytes_in_words(each.stored.packed_bytes if each.stored else each.size_bytes),
            *([each.space or "all"] if of_spaces else []),
            each.stored.name if each.stored else each.path,
        ]
        for each in held.backups
    ]
    if rows:
        heads = ["made", "machine", "notes", "size", *(["space"] if of_spaces else []), "name"]
        yield from table(heads, rows, terminal)
    for name in held.damaged:
        yield from wrap(f"{name} is damaged: its copy is not there as its manifest says.", terminal.width)


def backup_asides(held: BackupList) -> Iterator[str]:
    """Remarks on a target: that it has no backup yet, that uploads are unfinished."""
    if not held.backups:
        yield f"There is no backup at {held.target} yet."
    if held.unfinished:
        some = len(held.unfinished)
        yield f"{some:,} {'upload is' if some == 1 else 'uploads are'} under way there, or broke off."


def _amount(count: int, unit: str) -> str:
    return bytes_in_words(count) if unit == "bytes" else f"{count:,}"


@contextmanager
def watched(doing: str = "") -> Iterator[Tell]:
    """Say how far something long has come, to a person who has been waiting; the line is gone when it is done.

    `doing` is shown at once; without it nothing is, until a second has passed.
    """
    began = last = time.monotonic()
    visible, shown = is_screen(sys.stderr), False
    if visible and doing:
        shown = True
        room = (terminal_of(sys.stderr).width or 80) - 2
        print(f"{cut(inert(doing), room)} …", end="", file=sys.stderr, flush=True)

    def show(progress: Progress) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if visible and now - began > _SILENCE and now - last > _PACE:
            last, shown = now, True
            share = 100 * progress.done // max(1, progress.total)
            done, total = (_amount(each, progress.unit) for each in (progress.done, progress.total))
            ending = f": {done} of {total}, {min(share, 100)} % …"
            room = (terminal_of(sys.stderr).width or 80) - len(ending) - 1
            print(f"\r\x1b[K{cut(inert(progress.step), room)}{ending}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


Told: TypeAlias = (
    VaultReport | SyncReport | Review | Log | RevisionDetail | Difference | Blame | Machines | Reverted | Maintained
)
TOLD = (VaultReport, SyncReport, Review, Log, RevisionDetail, Difference, Blame, Machines, Reverted, Maintained)

_LONGEST_DOUBT = 120  # characters of a text of a change in doubt
_SHORT = 12  # characters of a revision that stand for it


def told_lines(told: Told, terminal: Terminal) -> Iterator[str]:
    """An answer about the vault, as lines."""
    match told:
        case VaultReport():
            yield from _vault(told, terminal)
        case SyncReport():
            yield from _sync(told, terminal)
        case Review():
            yield from _review(told, terminal)
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
            yield f"{were(len(told.note_ids), 'note')} set back to before revision {told.revision[:_SHORT]}."
            if told.problems:
                yield f"{were(len(told.problems), 'note')} not set back:"
            yield from _problems(told.problems, terminal)
        case Maintained():
            done = "written anew" if told.applied else "to be written anew; `--apply` does it"
            yield f"{were(len(told.note_ids), 'note')} {done}."
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


def _review(review: Review, terminal: Terminal) -> Iterator[str]:
    yield from _problems(review.items, terminal)
    for each in review.doubts:
        yield inert(f"{each.newer_id} {each.relation.value} {each.older_id}? ({each.score:.2f})")
        yield from (f"  {cut(inert(text), _LONGEST_DOUBT)}" for text in (each.older, each.newer))
    if not review.items and not review.doubts:
        yield "Nothing needs a look."


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
