"""Maintenance for people: what it changed, what many observations came to, and what is to be decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recollect.domain.answers.reflections import Reflected, ReflectedPart, ReflectedSlots
from recollect.domain.answers.upkeep import MaintenanceReport
from recollect.surfaces.cli.terminal import Terminal, flow, inert, inert_lines, table, wrap

_MARGIN = "  "


def told_of_maintenance(
    result: Reflected | ReflectedSlots | MaintenanceReport, terminal: Terminal
) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb that looks after memory, as lines and asides."""
    if isinstance(result, MaintenanceReport):
        return _phase_table(result, terminal), _maintenance_asides(result)
    if isinstance(result, ReflectedSlots):
        return _slot_lines(result, terminal), _slot_asides(result)
    return _reflected_lines(result, terminal), _reflected_asides(result)


def _phase_table(report: MaintenanceReport, terminal: Terminal) -> list[str]:
    rows = [[phase.value, "done before", ""] for phase in report.resumed]
    rows += [[each.phase.value, f"{each.changed:,}", inert(each.detail)] for each in report.phases]
    return table(["phase", "changed", ""], rows, terminal) if rows else []


def _maintenance_asides(report: MaintenanceReport) -> Iterator[str]:
    if not report.phases:
        yield f"Job {report.job_id} is queued; `recollect jobs show {report.job_id}` says how far it is."
    elif any(each.changed for each in report.phases):
        yield "`recollect audit` shows who changed what; every earlier version is in the history of its note."


def _reflected_lines(reflected: Reflected, terminal: Terminal) -> Iterator[str]:
    room = None if terminal.width is None else terminal.width - len(_MARGIN)
    for part in reflected.parts:
        for line in wrap(inert(_heading(part)), terminal.width):
            yield terminal.paint(line, "bold")
        for insight in part.insights:
            for line in wrap(inert(insight.text), room):
                yield _MARGIN + line
            sources = f"{len(insight.sources):,} {'source' if len(insight.sources) == 1 else 'sources'}"
            about = [insight.note_id or "", insight.kind.value, inert(insight.reason), sources]
            for line in flow([each for each in about if each], room):
                yield _MARGIN + terminal.paint(line, "dim")
        told = part.fallback or ("" if part.insights else "Nothing in it is worth a note.")
        for line in wrap(inert(told), room) if told else ():
            yield _MARGIN + line


def _heading(part: ReflectedPart) -> str:
    whose = part.project or (f"user {part.user}" if part.user else "no project")
    sessions = len(part.session_ids)
    return f"{whose}: {sessions:,} {'session' if sessions == 1 else 'sessions'}, {part.observations:,} observations"


def _reflected_asides(reflected: Reflected) -> Iterator[str]:
    if not reflected.parts:
        yield "Nothing has happened since the last time."
        return
    written = sum(len(part.insights) for part in reflected.parts)
    if written and reflected.applied:
        yield "`recollect review` lists what waits; `recollect settle ID keep`, `edit --text …` or `reject` decides."
    elif not reflected.applied:
        yield "Nothing was written; `--apply` does it."
    if dropped := sum(part.dropped for part in reflected.parts):
        yield f"{dropped:,} of the model's sentences were dropped: no record says them."
    if any(part.more for part in reflected.parts):
        yield "There is more to read than fits into one round; the next one goes on there."


def _slot_lines(reflected: ReflectedSlots, terminal: Terminal) -> Iterator[str]:
    for slot in reflected.slots:
        yield terminal.paint(inert(slot.label), "bold")
        for line in inert_lines(slot.text):
            yield from (_MARGIN + each for each in wrap(line, terminal.width and terminal.width - len(_MARGIN)))


def _slot_asides(reflected: ReflectedSlots) -> Iterator[str]:
    if not reflected.slots:
        yield "This session fills no slot: it has no project, nothing happened in it, or they say so already."
    elif not reflected.applied:
        yield "Nothing was written; `--apply` does it."
    if reflected.passed_over:
        yield inert(f"Left as they were written by others: {', '.join(reflected.passed_over)}.")
