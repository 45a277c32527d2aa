"""Answers other than notes, for people: results of verbs, reasons of hits, past searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.answers.contexts import Briefing, CitedAnswer
from recollect.domain.answers.daily_activity import DailyActivity, NoteUsage
from recollect.domain.answers.receipts import Fate, RecallReceipt, Why, WhyNot
from recollect.domain.answers.recollections import (
    AuditReport,
    Coverage,
    Erasure,
    Explanation,
    History,
    Hit,
    ImportReport,
    Ingested,
    Learned,
    MassErasure,
    Profile,
    Recollection,
    Remembered,
    SpaceSummary,
    Status,
    Tidied,
    Turn,
)
from recollect.domain.answers.sessions import Reflected, ReflectedSlots
from recollect.domain.answers.upkeep import Backup, BackupList, Diagnosis, MaintenanceReport
from recollect.domain.answers.vaults import Reverted, SyncReport, VaultReport
from recollect.domain.changes import Changes
from recollect.domain.notes import Note
from recollect.domain.selections import Count, Page
from recollect.domain.values import to_plain
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.cards import history_tree, hit_list, instant, link_lines, note_card, note_table
from recollect.surfaces.cli.screens.copies import TOLD, backup_asides, backup_card, backup_table, told_lines
from recollect.surfaces.cli.screens.maintenance import told_of_evaluation, told_of_maintenance
from recollect.surfaces.cli.screens.rehearsal import change_lines
from recollect.surfaces.cli.screens.reports import (
    activity_page,
    audit_page,
    check_list,
    count_lines,
    erasure_lines,
    import_lines,
    ingested_asides,
    ingested_lines,
    learned_list,
    mass_erasure_asides,
    mass_erasure_lines,
    profile_asides,
    profile_page,
    remembered_asides,
    remembered_lines,
    residue_lines,
    space_card,
    space_table,
    status_page,
    tidied_lines,
    usage_asides,
    usage_page,
)
from recollect.surfaces.cli.screens.work import block_lines, told_of_work
from recollect.surfaces.cli.terminal import Terminal, count_of, cut, facts, inert, json_text, table, wrap

if TYPE_CHECKING:
    from recollect.domain.answers.kip import KipAnswer


_INDENT = "   "
_LONGEST_TURN = 200  # characters of something that was said; `get` and `--json` have all of it
_MOST_LISTED = 20  # candidates of a receipt on a screen; `--json` has all of them


def explained_hits(found: Recollection, terminal: Terminal) -> Iterator[str]:
    """Each hit, and below it what found it, when it was true and what was said around it."""
    for place, (hit, explanation) in enumerate(zip(found.hits, found.explained, strict=True), start=1):
        if place > 1:
            yield ""
        yield from hit_list([hit], terminal, first=place)
        yield from facts(_reasons(explanation), terminal, indent=_INDENT)


def briefing_asides(briefing: Briefing) -> Iterator[str]:
    """How much it is, how well it covers the question, and how to ask why."""
    if briefing.skipped:
        yield briefing.skipped
    else:
        lines = count_of(len(briefing.lines), "line")
        yield f"{lines}, {briefing.tokens:,} of {briefing.budget:,} tokens; coverage: {briefing.coverage.value}."
    yield from receipt_aside(briefing.receipt)


def receipt_aside(receipt_id: str | None) -> Iterator[str]:
    if receipt_id:
        yield f"`recollect why {receipt_id}` shows how this came about."


def why_page(why: Why, terminal: Terminal) -> Iterator[str]:
    """The receipt of a question: what was answered, which candidates were left out, and the answer if asked again."""
    yield from facts(_receipt_facts(why.receipt), terminal)
    yield ""
    yield terminal.paint("Answered then", "bold")
    for each in why.answered:
        told = each.gone or each.text
        by = f" (read by {', '.join(each.read_by)})" if each.read_by else ""
        yield from facts([(each.id, cut(inert(told), _LONGEST_TURN) + inert(by))], terminal, indent="  ")
    if not why.answered:
        yield "  nothing"
    yield from link_lines(why.links, terminal)
    others = [found for found in why.receipt.found if found.fate is not Fate.SHOWN]
    if others:
        yield ""
        yield terminal.paint("Found, and left out", "bold")
        rows = [
            [found.id, found.fate.value, f"{found.score:.2f}", _channels(found.signals)]
            for found in others[:_MOST_LISTED]
        ]
        yield from table(["id", "why", "score", "found by"], rows, terminal)
    yield ""
    yield from wrap(_replay(why), terminal.width)


def why_not_lines(lost: WhyNot, terminal: Terminal) -> Iterator[str]:
    """The step that lost a note, and the reason."""
    pairs = [
        ("step", lost.step.value),
        ("reason", lost.reason),
        ("place", "" if lost.place is None else f"{lost.place:,}"),
        ("instead", lost.instead or ""),
        ("found by", _channels(lost.signals)),
    ]
    yield from facts(pairs, terminal)


def _reasons(explanation: Explanation) -> Iterator[tuple[str, str]]:
    yield "found by", _channels(explanation.signals)
    yield "valid", explanation.validity
    yield from ((turn.place, _said(turn)) for turn in explanation.evidence if turn.id != explanation.id)


def _said(turn: Turn) -> str:
    speaker = f"{turn.speaker}: " if turn.speaker else ""
    return cut(inert(f"{turn.at:%Y-%m-%d}  {speaker}{turn.text}"), _LONGEST_TURN)


def _channels(signals: Mapping[str, float]) -> str:
    ordered = sorted(signals.items(), key=lambda signal: (-signal[1], signal[0]))
    return ", ".join(f"{channel} {score:.2f}" for channel, score in ordered)


def _receipt_facts(receipt: RecallReceipt) -> Iterator[tuple[str, str]]:
    yield "asked", receipt.query if receipt.query is not None else "forgotten, with something in this space"
    yield "with", ", ".join(f"{name} {value}" for name, value in sorted(receipt.asked.items()))
    yield "when", instant(receipt.at)
    yield "by", receipt.verb
    yield "coverage", receipt.coverage.value
    yield "candidates", f"{receipt.candidates:,}"
    yield "tokens", f"{receipt.tokens:,}" if receipt.tokens else ""
    yield "took", ", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in receipt.took.items())


def _replay(why: Why) -> str:
    if why.receipt.query is None:
        return "It cannot be asked again: the question was forgotten."
    if why.same:
        return "Asked again of memory as it was then, the answer is the same."
    return f"Asked again of memory as it was then, the answer differs: {_texts(why.again)}."


def _texts(hits: Sequence[Hit]) -> str:
    return "; ".join(cut(inert(hit.text), 60) for hit in hits[:3]) or "nothing"


def search_asides(found: Recollection) -> Iterator[str]:
    """Remarks on what the hits do not cover, and on how to see their receipt."""
    if found.coverage is Coverage.PARTIAL:
        yield "Some of what was asked is not in these."
    elif found.coverage is Coverage.NONE:
        yield "Nothing seems to be known about it; these are only the nearest."
    yield from receipt_aside(found.receipt)


def rehearsed_lines(request: Request, result: Any, rehearsed: Sequence[Changes], terminal: Terminal) -> Iterator[str]:
    """The changes a dry run would have written, and of some verbs the answer they would have given."""
    yield from change_lines(rehearsed, terminal)
    if isinstance(result, ImportReport | Diagnosis | Ingested | Remembered | Learned | VaultReport):
        yield ""
        yield from lines_and_asides(request, result, terminal)[0]


def has_problems(result: Any) -> bool:
    """Whether an answer tells of something that is not as it should be."""
    match result:
        case Diagnosis(healthy=False) | AuditReport(whole=False):
            return True
        case ImportReport(failures=failures) | Ingested(failures=failures):
            return bool(failures)
        case BackupList():
            return bool(result.damaged)
        case VaultReport() | SyncReport():
            return bool(result.problems or result.held)
        case Reverted():
            return bool(result.problems)
        case _:
            return False


def lines_and_asides(request: Request, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """An answer in lines, and what else there is to say about it."""
    verb = request.command.operation.name if request.command.operation else ""
    if verb in ("providers", "spend") or verb.startswith(("embeddings.", "provider-keys.")):
        from recollect.surfaces.cli.screens.spending import told_of_spending

        return told_of_spending(result, terminal)
    if verb.startswith("eval."):
        return told_of_evaluation(verb, result, terminal)
    if verb == "kip":
        return told_by_kip(result)
    if verb.startswith("graph."):
        from recollect.surfaces.cli.screens.entities import told_of_graph

        return told_of_graph(verb, result, terminal)
    if verb.startswith("webhooks."):
        from recollect.surfaces.cli.screens.work import told_of_webhooks

        return told_of_webhooks(verb, result, terminal)
    work = told_of_work(verb, result, terminal)
    if work is not None:
        return work
    if isinstance(result, TOLD):
        return told_lines(result, terminal), ()
    match result:
        case Note():
            return note_card(result, terminal), ()
        case Page() if verb == "spaces.list":
            return (space_table(result.items, terminal) if result.items else ()), _about_spaces(result)
        case Page():
            return (note_table(result.items, terminal) if result.items else ()), _about_total(result)
        case Recollection() if result.explained:
            return explained_hits(result, terminal), _about_search(request, result)
        case Briefing():
            return block_lines(result.block, terminal), briefing_asides(result)
        case Reflected() | ReflectedSlots() | MaintenanceReport():
            return told_of_maintenance(result, terminal)
        case CitedAnswer():
            return cited_lines(result, terminal), cited_asides(result)
        case Why():
            return why_page(result, terminal), ()
        case WhyNot():
            return why_not_lines(result, terminal), ()
        case Recollection():
            return hit_list(result.hits, terminal), _about_search(request, result)
        case Remembered():
            return remembered_lines(result, terminal), remembered_asides(result)
        case Learned():
            return learned_list([result], terminal), ()
        case Ingested():
            return ingested_lines(result, terminal, rehearsed=request.dry_run), ingested_asides(result)
        case Profile():
            return profile_page(result, terminal), profile_asides(result)
        case History():
            return [*history_tree(result, terminal), *link_lines(result.links, terminal)], _about_history(
                request, result
            )
        case None if verb == "watch":
            return (), ["Nothing in it asks to be remembered; nothing was kept."]
        case Erasure() if verb == "spaces.delete":
            gone = inert(f"The space `{request.arguments['name']}` was erased, with everything in it.")
            return [gone, *residue_lines(result)], ()
        case Erasure():
            return erasure_lines(result), _about_derived(result)
        case MassErasure():
            return mass_erasure_lines(result), mass_erasure_asides(result)
        case Tidied():
            return tidied_lines(result), () if any(to_plain(result).values()) else ["Nothing had come to its end."]
        case Count():
            return count_lines(result, terminal), ()
        case DailyActivity():
            return activity_page(result, terminal), () if result.days else ["Nothing happened here yet."]
        case NoteUsage():
            return usage_page(result, terminal), usage_asides(result)
        case SpaceSummary() if verb == "spaces.create":
            return [inert(f"The space `{result.name}` is ready.")], ()
        case SpaceSummary():
            return space_card(result, terminal), ()
        case Status():
            return status_page(result, terminal), ()
        case Diagnosis():
            return check_list(result, terminal), ()
        case AuditReport():
            return audit_page(result, terminal), ()
        case ImportReport():
            return import_lines(result, rehearsed=request.dry_run), ()
        case Backup() if verb == "restore":
            space = request.arguments.get("space")
            what = "Memory" if space is None else f"The space `{space}`"
            return [inert(f"{what} is again what it was in this backup:"), *backup_card(result, terminal)], ()
        case Backup():
            return backup_card(result, terminal), ()
        case BackupList():
            return backup_table(result, terminal), backup_asides(result)
        case _:
            return [json_text(to_plain(result), indent=2)], ()


def _about_spaces(page: Page[SpaceSummary]) -> Iterator[str]:
    if not page.items:
        yield 'There are no spaces yet; the first note makes one: `recollect save "…" --space NAME`.'


def _about_total(page: Page[Any]) -> Iterator[str]:
    if page.total is not None:
        yield f"{page.total:,} in all."


def _about_search(request: Request, found: Recollection) -> Iterator[str]:
    if not found.hits:
        yield f"Nothing was found. Try other words; `recollect list{request.in_space}` shows what is there."
    else:
        yield from search_asides(found)


def _about_history(request: Request, history: History) -> Iterator[str]:
    if not history.steps:
        subject, attribute = request.arguments.get("subject"), request.arguments.get("attribute")
        yield inert(f"Nothing is known of the {attribute} of `{subject}`.") if subject else "There was nothing then."


def _about_derived(erasure: Erasure) -> Iterator[str]:
    if erasure.derived:
        yield "`recollect forget ID --cascade` forgets a note with everything derived from it."


def told_by_kip(answer: KipAnswer) -> tuple[Iterable[str], Iterable[str]]:
    """The lines of an answer, and how to go on where it is only a page."""
    result = answer.result
    more = [f'There is more: repeat it with CURSOR "{answer.next_cursor}".'] if answer.next_cursor else []
    if isinstance(result, dict) and isinstance(result.get("capsule"), str):
        counted = f"{result['concepts']} concepts, {result['propositions']} propositions."
        return [inert(line) for line in result["capsule"].split("\n")], [*more, counted]
    if isinstance(result, list) and all(isinstance(each, str | int | float) for each in result):
        return [inert(str(each)) for each in result], more or ([] if result else ["Nothing matches."])
    return [json_text(to_plain(result), indent=2)], more


def cited_lines(answer: CitedAnswer, terminal: Terminal) -> Iterator[str]:
    """The sentences and the gaps, then each citation: its id, and whose word it is."""
    for line in answer.text.split("\n"):
        yield from wrap(inert(line), terminal.width)
    if answer.citations:
        yield ""
        yield from facts(
            [(f"[{each.number}]", inert(f"{each.id}  {each.origin}, {each.date}")) for each in answer.citations],
            terminal,
        )


def cited_asides(answer: CitedAnswer) -> Iterator[str]:
    """The model that worded it, or why none did, and how to ask why."""
    if answer.model:
        yield f"Worded by {inert(answer.model)} from these records."
    if answer.fallback:
        yield f"In the words of the records: {inert(answer.fallback)}"
    if answer.receipt:
        yield f"`recollect why {answer.receipt}` shows how this came about."
