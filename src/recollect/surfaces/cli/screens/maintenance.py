"""Maintenance for people: what it changed, what many observations came to, and what is to be decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.answers.evaluations import EvaluationQuestion, EvaluationRun, Experiment, QuestionsBuilt
from recollect.domain.answers.sessions import Reflected, ReflectedPart, ReflectedSlots
from recollect.domain.answers.upkeep import MaintenanceReport
from recollect.domain.selections import Page
from recollect.surfaces.cli.screens.cards import instant
from recollect.surfaces.cli.terminal import Terminal, count_of, flow, inert, inert_lines, table, wrap

_MARGIN = "  "


def told_of_maintenance(
    result: Reflected | ReflectedSlots | MaintenanceReport, terminal: Terminal
) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb that looks after memory, as lines and asides."""
    if isinstance(result, MaintenanceReport):
        return _phase_table(result, terminal), _wrapped(_maintenance_asides(result), terminal)
    if isinstance(result, ReflectedSlots):
        return _slot_lines(result, terminal), _wrapped(_slot_asides(result), terminal)
    return _reflected_lines(result, terminal), _wrapped(_reflected_asides(result), terminal)


def _wrapped(asides: Iterable[str], terminal: Terminal) -> Iterator[str]:
    for aside in asides:
        yield from wrap(aside, terminal.width)


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
            sources = count_of(len(insight.sources), "source")
            about = [insight.note_id or "", insight.kind.value, inert(insight.reason), sources]
            for line in flow([each for each in about if each], room):
                yield _MARGIN + terminal.paint(line, "dim")
        told = part.fallback or ("" if part.insights else "Nothing in it is worth a note.")
        for line in wrap(inert(told), room) if told else ():
            yield _MARGIN + line


def _heading(part: ReflectedPart) -> str:
    whose = part.project or (f"user {part.user}" if part.user else "no project")
    return f"{whose}: {count_of(len(part.session_ids), 'session')}, {count_of(part.observations, 'observation')}"


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


def told_of_evaluation(verb: str, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb about evaluation, as lines and asides."""
    match result:
        case EvaluationQuestion():
            done = "was dropped" if verb == "eval.drop" else "is asked so from now on"
            return wrap(inert(f"Question {result.id} {done}: {result.text}"), terminal.width), ()
        case QuestionsBuilt():
            return _question_table(result.questions, terminal), _wrapped(_about_questions(result), terminal)
        case EvaluationRun():
            return _run_table([("now", result)], terminal), _wrapped(_about_run(result), terminal)
        case Experiment():
            return _run_table([("now", result.baseline), (_changed(result.run), result.run)], terminal), _judgement(
                result
            )
        case Page() if verb == "eval.history":
            told = [(f"{instant(each.at)} {_changed(each)}".strip(), each) for each in result.items]
            return _run_table(told, terminal), () if told else ["No questions were asked yet: `recollect eval run`."]
        case _:
            asides = () if result.items else ["There are no questions yet: `recollect eval build` makes some."]
            return _question_table(result.items, terminal), asides


def _question_table(questions: Sequence[EvaluationQuestion], terminal: Terminal) -> list[str]:
    rows = [[each.id, inert(each.made_by), inert(each.text)] for each in questions]
    return table(["id", "by", "question"], rows, terminal) if rows else []


def _run_table(runs: Sequence[tuple[str, EvaluationRun]], terminal: Terminal) -> list[str]:
    columns = ("recall@1", "recall@5", "recall@10", "mrr", "tokens@10")
    rows = [
        [f"{run.questions:,}", *(_figure(name, run.scores.get(name, 0.0)) for name in columns), inert(called)]
        for called, run in runs
    ]
    return table(["questions", *columns, "run"], rows, terminal) if rows else []


def _figure(name: str, value: float) -> str:
    return f"{value:,.0f}" if name.startswith("tokens") else f"{value:.3f}"


def _changed(run: EvaluationRun) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(run.changed.items()))


def _about_questions(built: QuestionsBuilt) -> Iterator[str]:
    if not built.questions:
        yield "No note is left of which a question could be made."
    if built.fallback:
        yield inert(f"Made from the notes themselves: {built.fallback}")
    yield "`recollect eval edit` and `recollect eval drop` curate them; `recollect eval run` asks them."


def _about_run(run: EvaluationRun) -> Iterator[str]:
    missed = [question for question, place in run.places.items() if not place]
    if missed:
        more = " and more" if len(missed) > 3 else ""
        yield f"Not found at all: {', '.join(missed[:3])}{more}; `--json` has the place of each."
    if run.stale:
        yield f"{run.stale:,} were not asked: their notes do not hold any more."


def _judgement(experiment: Experiment) -> Iterator[str]:
    yield "It is a step back." if experiment.regressed else "It is no step back."
    for called, questions in (("lost", experiment.lost), ("won", experiment.won)):
        if questions:
            yield f"{len(questions):,} answers {called} among the first ten: {', '.join(questions[:3])} …"
