"""`recollect demo`: a short guided tour in the terminal.

Every command that is shown is the command that is run, on a memory of its own in a temporary folder. The
memory of whoever looks on is neither read nor written.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import RecollectError
from recollect.memory import Memory
from recollect.settings import load_settings
from recollect.surfaces.cli.exits import error_lines
from recollect.surfaces.cli.own_memory import open_memory
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal, is_interactive, wrap
from recollect.surfaces.cli.verb_call import carry_out

_WELCOME = (
    "This is a tour of Recollect, a memory for agents and the people they work for. It takes about two minutes "
    "and uses a memory of its own, which is gone afterwards; yours is not touched."
)

_FAREWELL = (
    ('recollect add "…"', "your own first words, and what is learned from them"),
    ("recollect ingest FOLDER", "your own files, to be found like everything else"),
    ("recollect models install", "find by meaning as well as by words: 80 MB, once"),
    ("recollect --help", "all commands"),
    ("recollect config", "where your memory is kept, and what can be set"),
    ("recollect completion bash", "complete commands with the tab key"),
)


@dataclass(frozen=True, slots=True)
class _Stop:
    """One stop of the tour: why one would do this, and the commands."""

    says: str
    commands: tuple[tuple[str, ...], ...]


def tour(_request: Request, terminal: Terminal) -> Screen:
    """Go through every stop, waiting for Enter only where there is somebody to press it."""
    with tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder:
        # Of what is set only the models count: the tour is the same for everybody, and never on a memory in use.
        models = load_settings()[0].models
        settings, _ = load_settings({"home": folder, "principal": "you", "models": models}, environment={})
        with open_memory(settings) as memory:
            _say(_WELCOME, terminal)
            for stop in _stops(memory):
                if not _next_wanted():
                    return Screen(asides=("The tour ends here.",))
                _say(stop.says, terminal)
                for command in stop.commands:
                    _show(memory, command, terminal)
    wide = max(len(command) for command, _ in _FAREWELL)
    _say("That was the tour. What to try next:", terminal)
    return Screen(tuple(f"  {command.ljust(wide)}  {meaning}" for command, meaning in _FAREWELL))


def _stops(memory: Memory) -> Iterator[_Stop]:
    """The stops in order. Later ones name the notes that earlier ones made."""
    yield _Stop(
        "1. Listen. Whatever is said is kept word for word, and the facts in it are learned, with no model: who, what, "
        "since when. What is said later takes over from what was said before. Secrets never reach the disk, nor "
        "does anything that is marked as private.",
        (
            (
                "add",
                "I moved to Berlin last week, and my sister Ana still lives in Paris. I might buy a bike.",
                *("--space", "sam", "--at", "2026-03-09T10:30:00Z"),
            ),
            (
                "add",
                "We're back in Austin! The door code is <private>4711</private>.",
                *("--space", "sam", "--at", "2026-06-01T09:00:00Z"),
            ),
        ),
    )
    yield _Stop(
        "2. Ask. What is true now comes first. The time in a question counts: in April it was another city.",
        (
            ("search", "Where do I live?", "--space", "sam", "--limit", "2"),
            ("search", "Where did I live in April 2026?", "--space", "sam", "--limit", "2"),
            ("history", "--subject", "user", "--attribute", "location", "--space", "sam"),
        ),
    )
    yield _Stop(
        "3. Watch. An agent can listen all day and keep only what it is asked to. A profile sums up what is known.",
        (
            ("watch", "Nice weather today", "--space", "sam"),
            ("watch", "Please remember that I'm allergic to penicillin", "--space", "sam"),
            ("profile", "--space", "sam"),
        ),
    )
    yield _Stop(
        "4. Save. A note can also be written down as it is. It can say what kind it is, what project it belongs to, "
        "and since when it is true.",
        (
            ("save", "We deploy storefront from CI", "--kind", "procedural", "--project", "storefront"),
            (
                "save",
                "Alice lives in Austin",
                *("--subject", "alice", "--attribute", "city", "--valid-from", "2024-01-01"),
            ),
            ("save", "The staging password is hunter2"),
            ("list",),
        ),
    )
    password, austin, deploy = (note.id for note in memory.list().items)
    yield _Stop(
        "5. Correct. The first note was wrong from the start, so it is updated. Every earlier version is kept.",
        (("update", deploy, "--text", "We deploy storefront with make release, never from CI", "--tag", "deploy"),),
    )
    yield _Stop(
        "6. Supersede. Alice moved. The old note was true, and is not any more: a new one takes over from it.",
        (
            ("supersede", austin, "Alice lives in Boston", "--valid-from", "2025-06-01"),
            ("search", "where does Alice live", "--limit", "1"),
            ("search", "where does Alice live", "--as-of", "2024-12-24", "--limit", "1"),
        ),
    )
    yield _Stop("7. History. Nothing that was superseded or corrected is lost.", (("history", austin),))
    yield _Stop(
        "8. Forget. A password does not belong in memory. Forgetting is for good: afterwards not a byte of it is "
        "left in the files, and an import cannot bring it back.",
        (("forget", password), ("get", password)),
    )
    yield _Stop("9. Everything is checked and counted.", (("status",), ("doctor",), ("audit",)))


def _show(memory: Memory, command: tuple[str, ...], terminal: Terminal) -> None:
    """Run a command as if it had been typed, and show both."""
    print(terminal.paint(f"$ {shlex.join(('recollect', *command))}", "bold"))
    request = parse((*command, "--yes"))
    if not isinstance(request, Request):
        raise AssertionError(f"{command} is not something to run")
    try:
        screen = carry_out(memory, request, terminal)
        lines = [*screen.lines, *screen.asides]
    except RecollectError as problem:
        lines = error_lines(problem, terminal, as_json=False)
    print(*lines, "", sep="\n", flush=True)


def _say(text: str, terminal: Terminal) -> None:
    print(*(terminal.paint(line, "cyan") for line in wrap(text, terminal.width or 80)), "", sep="\n", flush=True)


def _next_wanted() -> bool:
    """Wait for Enter; `q` and the end of input mean enough."""
    if not is_interactive():
        return True
    print("Press Enter to go on, q to stop. ", end="", flush=True)
    answer = sys.stdin.readline()
    print(flush=True)
    return bool(answer) and answer.strip().lower() not in ("q", "quit")
