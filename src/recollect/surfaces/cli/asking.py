"""Before something is gone for good: say what, and ask. Once."""

from __future__ import annotations

import sys
from typing import Any

from recollect.domain.clock import checked_id
from recollect.domain.errors import Erased, InvalidInput
from recollect.memory import Memory
from recollect.settings import without_password
from recollect.surfaces.cli.commands import ASKED_FIRST, NEEDS_YES
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.cards import quoted
from recollect.surfaces.cli.terminal import count_of, inert, is_interactive, terminal_of, wrap
from recollect.verbs.actor import BY_KEY


def agreed(memory: Memory, request: Request) -> bool:
    """Whether to go on. Raises where nobody can be asked and the command line does not say so itself."""
    verb = request.command.operation.name if request.command.operation else ""
    if verb not in ASKED_FIRST or request.yes or request.dry_run or _names_no_backup(verb, request.arguments):
        return True
    if not is_interactive():
        if verb in NEEDS_YES:
            raise InvalidInput(
                f"`recollect {request.command.spelled}` takes away what is there now; it was not done.",
                code="confirmation_needed",
                hint="Give `--yes` if it is meant.",
            )
        return True
    return _answered_yes(_consequence(memory, verb, request.arguments))


def _names_no_backup(verb: str, arguments: dict[str, Any]) -> bool:
    """Whether it is a restore that does not say from where: the verb refuses it, and there is nothing to ask."""
    return verb == "restore" and arguments.get("path") is None and arguments.get("target") is None


def _consequence(memory: Memory, verb: str, arguments: dict[str, Any]) -> str:
    match verb:
        case "forget":
            return _loss_of_note(memory, arguments)
        case "spaces.delete":
            space = memory.describe_space(arguments["name"])
            return f"The space `{space.name}` with its {count_of(space.notes, 'note')} will be gone for good."
        case _ if (name := arguments.get("space")) is not None:
            since = "what was written in it since will be gone"
            return f"The space `{name}` becomes what it was in {_source(arguments)}; {since}."
        case _:
            return f"Memory becomes what it was in {_source(arguments)}; what was written since will be gone."


def _source(arguments: dict[str, Any]) -> str:
    """The source of a restore, as it was typed but without its password."""
    if arguments.get("target") is None:
        return str(arguments.get("path"))
    return f"{arguments.get('backup') or 'the newest backup'} at {without_password(arguments['target'])}"


def _loss_of_note(memory: Memory, arguments: dict[str, Any]) -> str:
    """Everything that would be gone; a rehearsal knows it."""
    note_id = arguments["note_id"]
    loss = memory.dry_run().forget(**arguments)
    if loss.others:
        return f"{note_id} will be gone for good."
    derived = "everything derived from it" if arguments.get("cascade") else ""
    if not note_id.startswith(BY_KEY) and checked_id(note_id) in loss.observation_ids:
        return f"The message {note_id} will be gone for good{f', with {derived}' if derived else ''}."
    try:
        note = memory.get(note_id, **{name: arguments.get(name) for name in ("user", "agent", "project", "space")})
    except Erased:
        return f"Note {note_id} is forgotten already; what may be left of it in files will be cleaned."
    said = len(loss.observation_ids)
    read_from = f"the {'message' if said == 1 else f'{said:,} messages'} it was read from" if said else ""
    gone = ", ".join(each for each in ("every version of it", derived, read_from) if each)
    return f"Note {note.id}, {quoted(note.text)}, will be gone for good, with {gone}."


def _answered_yes(consequence: str) -> bool:
    print(*wrap(inert(consequence), terminal_of(sys.stderr).width), sep="\n", file=sys.stderr)
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    return answer in ("y", "yes")
