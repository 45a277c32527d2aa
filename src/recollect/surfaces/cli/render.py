"""A result becomes a screen: what was asked for goes to standard output, what else there is to say beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from recollect.domain.backups import Backup, BackupList
from recollect.domain.briefings import Briefing
from recollect.domain.changes import Changes
from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.plain import changes_to_plain, to_plain
from recollect.domain.receipts import Why, WhyNot
from recollect.domain.recollections import (
    AuditReport,
    Diagnosis,
    Erasure,
    History,
    ImportReport,
    Ingested,
    Learned,
    Page,
    Profile,
    Recollection,
    Remembered,
    SpaceSummary,
    Status,
)
from recollect.domain.vaults import Reverted, SyncReport, VaultReport
from recollect.surfaces.cli.backing import backup_asides, backup_card, backup_table
from recollect.surfaces.cli.cards import PINNED, history_tree, hit_list, note_card, note_table
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
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


@dataclass(frozen=True, slots=True)
class Screen:
    """Lines for standard output, lines for standard error, and how it ended."""

    lines: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    exit_code: int = DONE


_DONE = {
    "save": "Note {id} was saved in `{space}`.",
    "update": "Note {id} was corrected; it is at version {version} now.",
    "supersede": "Note {id} took over from note {before}.",
    "retract": "Note {id} was taken back; its history keeps it.",
    "feedback": "Noted on note {id}; its history keeps every verdict.",
    "pin": "Note {id} is pinned.",
    "unpin": "Note {id} is no longer pinned.",
    "relate": "Note {id} knows what it has to do with.",
    "anchor": "Note {id} is anchored; it is at version {version} now.",
}


def screen(request: Request, result: Any, terminal: Terminal) -> Screen:
    """A verb's answer, as JSON or for people."""
    code = PROBLEMS_FOUND if _has_problems(result) else DONE
    if request.json:
        return Screen((json_text(to_plain(result)),), exit_code=code)
    lines, asides = _for_people(request, result, terminal)
    painted = tuple(terminal.paint(aside, "dim") for aside in asides)
    return Screen(tuple(lines), painted, code)


def rehearsal_screen(request: Request, result: Any, rehearsed: Sequence[Changes], terminal: Terminal) -> Screen:
    """What a verb would have written, and what it would have answered."""
    code = PROBLEMS_FOUND if _has_problems(result) else DONE
    if request.json:
        changes = [changes_to_plain(each) for each in rehearsed]
        return Screen((json_text({"changes": changes, "result": to_plain(result)}),), exit_code=code)
    lines = list(change_lines(rehearsed, terminal))
    if isinstance(result, ImportReport | Diagnosis | Ingested | Remembered | Learned | VaultReport):
        lines.extend(["", *_for_people(request, result, terminal)[0]])
    nothing = "This was a dry run: nothing was written."
    return Screen(tuple(lines), (terminal.paint(nothing, "dim"),), code)


def _has_problems(result: Any) -> bool:
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


def _for_people(request: Request, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    verb = request.command.operation.name if request.command.operation else ""
    work = told_of_work(verb, result, terminal)
    if work is not None:
        return work
    if isinstance(result, TOLD):
        return told_lines(result, terminal), ()
    match result:
        case Note() if verb in _DONE:
            return [_done(verb, result)], ()
        case Note():
            return note_card(result, terminal), ()
        case Page() if verb == "spaces.list":
            return (space_table(result.items, terminal) if result.items else ()), _about_spaces(result)
        case Page():
            return (note_table(result.items, terminal) if result.items else ()), _about_list(request, result)
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


def _done(verb: str, note: Note) -> str:
    before = ", ".join(note.supersedes)
    return inert(_DONE[verb].format(id=note.id, space=note.space, version=note.version, before=before))


def _about_spaces(page: Page[SpaceSummary]) -> Iterator[str]:
    if not page.items:
        yield 'There are no spaces yet; the first note makes one: `recollect save "…" --space NAME`.'


def _about_list(request: Request, page: Page[Note]) -> Iterator[str]:
    if not page.items:
        if _filters(request.arguments):
            yield "No note fits. `--state any` also shows what no longer holds."
        else:
            yield f'Nothing is remembered here yet. Begin with: `recollect save "…"{_in_space(request)}`.'
        return
    if any(note.pinned for note in page.items):
        yield f"{PINNED} pinned"
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"


def _about_search(request: Request, found: Recollection) -> Iterator[str]:
    if not found.hits:
        yield f"Nothing was found. Try other words; `recollect list{_in_space(request)}` shows what is there."
    else:
        yield from search_asides(found)


def _about_history(request: Request, history: History) -> Iterator[str]:
    if not history.steps:
        subject, attribute = request.arguments.get("subject"), request.arguments.get("attribute")
        yield inert(f"Nothing is known of the {attribute} of `{subject}`.") if subject else "There was nothing then."


def _about_derived(erasure: Erasure) -> Iterator[str]:
    if erasure.derived:
        yield "`recollect forget ID --cascade` forgets a note with everything derived from it."


def _filters(arguments: Mapping[str, Any]) -> bool:
    return bool(set(arguments) - {"space", "limit"})


def _in_space(request: Request) -> str:
    space = request.arguments.get("space")
    return f" --space {space}" if space else ""
