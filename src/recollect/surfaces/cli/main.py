"""`recollect`: reads what was typed, has it done, and says how it ended.

Nothing but the version is known here until it is needed: the start must not be felt.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

TYPE_CHECKING = False  # type checkers take it for true; `typing` is not needed for a version or a hook
if TYPE_CHECKING:
    from recollect.surfaces.cli.parsing import Help
    from recollect.surfaces.cli.terminal import Terminal

_FIRST_SCREEN: tuple[list[str], ...] = ([], ["help"], ["--help"], ["-h"])  # known without a look at the catalogue

_OBJECTS_BEFORE_A_LOOK = 50_000  # containers; a start makes about as many, and they take some 5 MB


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code says how it ended. Without one, the process is ours, and ends with it."""
    if argv is not None:
        return _run(list(argv))
    ended = _own_process()
    ended.append(_run(sys.argv[1:]))
    return ended[0]


def anima_mcp() -> int:
    """`anima-mcp`: the tools of Anima for a client that was configured for them."""
    sys.argv[1:1] = ["mcp", "--profile", "anima"]
    return main()


def _own_process() -> list[int]:
    """Tune a process that does one thing and ends; the exit code is to be put into the list.

    Hardly anything that a start makes is garbage, yet looking for some took an eighth of `recollect list`, and taking
    the interpreter apart at the end another tenth. So the collector waits, and once everything that wanted to be told
    of the end was told, the process leaves at once. After an exception that nobody caught it ends as any other.
    """
    import atexit
    import gc

    ended: list[int] = []

    def leave() -> None:
        if ended:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):  # nobody reads any more
                    stream.flush()
            os._exit(ended[0])

    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 50, 50)
    atexit.register(leave)  # the first to be registered is the last to be called
    return ended


def _run(typed: list[str]) -> int:
    if typed in (["--version"], ["-V"]):
        from recollect.version import __version__

        print(f"recollect {__version__}")
        return 0

    if typed[:1] == ["mcp"] and (code := _forwarded(typed[1:])) is not None:
        return code

    if (told := _told_to_hook(typed)) is not None:
        return _noticed(told)

    from recollect.surfaces.cli.exits import INTERRUPTED, PIPE_CLOSED

    _prepare_streams()
    try:
        return _answered(typed)
    except BrokenPipeError:
        _abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def _forwarded(typed: Sequence[str]) -> int | None:
    """`recollect mcp`, by a way on which next to nothing is loaded; `None` if the usual way has something to say."""
    from recollect.surfaces.mcp.stdio import options_in, run

    options = options_in(typed)
    return None if options is None else run(options)


def _told_to_hook(typed: Sequence[str]) -> Sequence[str] | None:
    """The words beside `hook`, its event first; `None` for another command, and for somebody who wants it explained."""
    if "hook" not in typed or {"-h", "--help"} & set(typed):
        return None
    place: int | None = 0
    if typed[0] != "hook":
        from recollect.surfaces.cli.parsing import next_word

        place = next_word(typed, 0)
    return None if place is None or typed[place] != "hook" else [*typed[place + 1 :], *typed[:place]]


def _noticed(typed: Sequence[str]) -> int:
    """`recollect hook`: always 0. Any other code could stop the agent that called, and 2 would throw a prompt away."""
    from recollect.surfaces.hooks.shim import options_in, run

    options = options_in(typed)
    if options is not None:
        return run(options)
    print("recollect hook: say which EVENT, and `--agent NAME`.", file=sys.stderr)
    return 0


def _answered(typed: Sequence[str]) -> int:
    from recollect.domain.errors import RecollectError
    from recollect.surfaces.cli.exits import Unexpected, error_lines, exit_code
    from recollect.surfaces.cli.terminal import terminal_of, wants_traces

    try:
        return _done(typed)
    except RecollectError as problem:
        error = problem
    except BrokenPipeError:
        raise
    except Exception as problem:
        if wants_traces():
            import traceback

            traceback.print_exc()
        error = Unexpected(f"Something unexpected happened: {type(problem).__name__}: {problem}")
    from recollect.surfaces.cli.parsing import wants_json

    _write(error_lines(error, terminal_of(sys.stderr), as_json=wants_json(typed)), to_stderr=True)
    return exit_code(error)


def _done(typed: Sequence[str]) -> int:
    from recollect.surfaces.cli.terminal import terminal_of

    terminal = terminal_of(sys.stdout)
    if typed in _FIRST_SCREEN:
        from recollect.surfaces.cli.overview import overview

        _write(overview(terminal))
        return 0

    from recollect.surfaces.cli.parsing import Help, parse

    request = parse(typed)
    if isinstance(request, Help):
        _write(_helped(request, terminal))
        return 0

    from recollect.surfaces.cli.dispatch import run

    screen = run(request, terminal)
    _write(screen.lines)
    _write(screen.asides, to_stderr=True)
    return screen.exit_code


def _helped(request: Help, terminal: Terminal) -> Iterable[str]:
    from recollect.surfaces.cli.help import all_in_short, explanation
    from recollect.surfaces.cli.overview import overview

    if request.command is not None:
        return explanation(request.command, terminal)
    return all_in_short(terminal) if request.everything else overview(terminal)


def _write(lines: Iterable[str], *, to_stderr: bool = False) -> None:
    """Write lines out, now: what cannot be written is an error of this command, not of its end."""
    if to_stderr:
        print(*(f"{line}\n" for line in lines), sep="", end="", file=sys.stderr, flush=True)
        return
    try:
        print(*(f"{line}\n" for line in lines), sep="", end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError as problem:
        from recollect.domain.errors import StoreFailure

        _abandon_output()
        raise StoreFailure(
            f"The answer cannot be written: {problem.strerror}.",
            code="output_failed",
            hint="Free some space, or send the output elsewhere.",
        ) from None


def _prepare_streams() -> None:
    """Everything is written as UTF-8, and what is not even that as escapes. A closed stream swallows."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a test or a notebook may have put another one there
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _abandon_output() -> None:
    """Python flushes once more at its end; with nobody there to read, that must not complain either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
