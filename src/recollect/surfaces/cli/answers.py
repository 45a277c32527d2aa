"""Answers other than notes: every other kind of result, for people. Loaded when one is to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from recollect.domain.answers.backups import Backup, BackupList
from recollect.domain.answers.briefings import Briefing
from recollect.domain.answers.receipts import Why, WhyNot
from recollect.domain.answers.vaults import Reverted, SyncReport, VaultReport
from recollect.domain.changes import Changes
from recollect.domain.checks import Diagnosis
from recollect.domain.notes import Note
from recollect.domain.recollections import (
    AuditReport,
    Erasure,
    History,
    ImportReport,
    Ingested,
    Learned,
    Profile,
    Recollection,
    Remembered,
    SpaceSummary,
    Status,
)
from recollect.domain.selections import Page
from recollect.domain.values import to_plain
from recollect.surfaces.cli.backing import backup_asides, backup_card, backup_table
from recollect.surfaces.cli.cards import history_tree, hit_list, note_card, note_table
from recollect.surfaces.cli.hearing import (
    ingested_asides,
    ingested_lines,
    learned_list,
    profile_asides,
    profile_page,
    remembered_asides,
    remembered_lines,
)
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.reasons import (
    briefing_asides,
    briefing_lines,
    explained_hits,
    search_asides,
    why_not_lines,
    why_page,
)
from recollect.surfaces.cli.reports import (
    audit_page,
    change_lines,
    check_list,
    erasure_lines,
    import_lines,
    residue_lines,
    space_card,
    space_table,
    status_page,
)
from recollect.surfaces.cli.terminal import Terminal, inert, json_text
from recollect.surfaces.cli.vaulting import TOLD, told_lines
from recollect.surfaces.cli.working import told_of_work


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
            return (note_table(result.items, terminal) if result.items else ()), ()
        case Recollection() if result.explained:
            return explained_hits(result, terminal), _about_search(request, result)
        case Briefing():
            return briefing_lines(result, terminal), briefing_asides(result)
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
            return history_tree(result, terminal), _about_history(request, result)
        case None if verb == "watch":
            return (), ["Nothing in it asks to be remembered; nothing was kept."]
        case Erasure() if verb == "spaces.delete":
            gone = inert(f"The space `{request.arguments['name']}` was erased, with everything in it.")
            return [gone, *residue_lines(result)], ()
        case Erasure():
            return erasure_lines(result), _about_derived(result)
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
            return ["Memory is again what it was in this backup:", *backup_card(result, terminal)], ()
        case Backup():
            return backup_card(result, terminal), ()
        case BackupList():
            return backup_table(result, terminal), backup_asides(result)
        case _:
            return [json_text(to_plain(result), indent=2)], ()


def _about_spaces(page: Page[SpaceSummary]) -> Iterator[str]:
    if not page.items:
        yield 'There are no spaces yet; the first note makes one: `recollect save "…" --space NAME`.'


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
