"""A result becomes a screen: what was asked for goes to standard output, what else there is to say beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Note
from recollect.domain.selections import Page
from recollect.domain.values import to_plain
from recollect.surfaces.cli.exits import DONE, PROBLEMS_FOUND
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.cards import PINNED, note_card, note_table
from recollect.surfaces.cli.terminal import Terminal, inert, json_text

if TYPE_CHECKING:
    from recollect.domain.changes import Changes


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
    """The screen of a dry run: what the verb would have written, and what it would have answered."""
    code = PROBLEMS_FOUND if _has_problems(result) else DONE
    if request.json:
        from recollect.codecs.plain import changes_to_plain

        changes = [changes_to_plain(each) for each in rehearsed]
        return Screen((json_text({"changes": changes, "result": to_plain(result)}),), exit_code=code)
    from recollect.surfaces.cli.screens.answers import rehearsed_lines

    lines = rehearsed_lines(request, result, rehearsed, terminal)
    nothing = "This was a dry run: nothing was written."
    return Screen(tuple(lines), (terminal.paint(nothing, "dim"),), code)


def _has_problems(result: Any) -> bool:
    if isinstance(result, Note | Page):
        return False
    from recollect.surfaces.cli.screens.answers import has_problems

    return has_problems(result)


def _for_people(request: Request, result: Any, terminal: Terminal) -> tuple[Iterable[str], Iterable[str]]:
    """Notes are shown here; to load what shows all else would take longer than a list of notes."""
    verb = request.command.operation.name if request.command.operation else ""
    if isinstance(result, Note) and verb in _DONE:
        return [_done(verb, result)], ()
    if isinstance(result, Note) and verb == "get":
        return note_card(result, terminal), ()
    if isinstance(result, Page) and verb == "list":
        return (note_table(result.items, terminal) if result.items else ()), _about_list(request, result)
    from recollect.surfaces.cli.screens.answers import lines_and_asides

    return lines_and_asides(request, result, terminal)


def _done(verb: str, note: Note) -> str:
    before = ", ".join(note.supersedes)
    if verb == "save" and note.version > 1:  # a version that was there already is told in the same words
        return inert(f"Note {note.id} in `{note.space}` says so, at version {note.version}.")
    return inert(_DONE[verb].format(id=note.id, space=note.space, version=note.version, before=before))


def _about_list(request: Request, page: Page[Note]) -> Iterator[str]:
    if not page.items:
        if set(request.arguments) - {"space", "limit"}:
            yield "No note fits. `--state any` also shows what no longer holds."
        else:
            yield f'There is no note here yet. Begin with: `recollect save "…"{request.in_space}`.'
            yield "Messages are no notes: `recollect search` finds them."
        return
    if any(note.pinned for note in page.items):
        yield f"{PINNED} pinned"
    if page.next_cursor:
        yield f"There are more: `--cursor {page.next_cursor}`"
