"""Backups for people: what was made, what a target holds, and how far a long transfer has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from recollect.domain.answers.backups import Backup, BackupList, Progress, Tell
from recollect.surfaces.cli.cards import instant
from recollect.surfaces.cli.reports import bytes_in_words
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, cut, inert, is_screen, terminal_of, wrap

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
    rows = [
        [
            instant(each.made_at),
            each.stored.machine if each.stored else "",
            f"{each.notes:,}",
            bytes_in_words(each.stored.packed_bytes if each.stored else each.size_bytes),
            each.stored.name if each.stored else each.path,
        ]
        for each in held.backups
    ]
    if rows:
        yield from table(["made", "machine", "notes", "size", "name"], rows, terminal)
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
