"""The first screen: the few commands that people need, and where the rest is.

It is written down and not derived, so that nothing needs to be loaded for it; a test compares it with the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator

from recollect.surfaces.cli.terminal import Terminal, wrap

_GREETING = "Recollect: long-term memory for AI agents. What is true now, and what was true then."

NEEDED = (
    (
        "Remember",
        (
            ("add", '"I moved to Berlin"', "listen, and learn the facts in it"),
            ("save", '"Alice prefers tea"', "keep one thing, word for word"),
            ("ingest", "docs/", "read a file or a folder"),
        ),
    ),
    (
        "Find",
        (
            ("search", '"where do I live"', "find what answers a question"),
            ("list", "", "show what is remembered"),
            ("history", "ID", "show how a note came to be"),
        ),
    ),
    (
        "Change",
        (
            ("update", "ID", "correct a note"),
            ("retract", "ID", "take a note back; its history stays"),
            ("forget", "ID", "erase a note for good"),
        ),
    ),
    (
        "Set up",
        (
            ("init", "", "connect the coding agents of this machine"),
            ("backup", "PATH", "copy everything to a safe place"),
            ("doctor", "", "check that everything is well"),
        ),
    ),
)
_REST = (
    ("recollect demo", "see it work, in two minutes"),
    ("recollect help all", "every command"),
    ("recollect COMMAND --help", "one command, with what it takes"),
)
_COLUMN = max(len(f"{name} {example}") for _, commands in NEEDED for name, example, _ in commands) + len("recollect ")


def overview(terminal: Terminal) -> Iterator[str]:
    """The overview for somebody who typed nothing but the name."""
    yield from wrap(_GREETING, terminal.width)
    for title, commands in NEEDED:
        yield ""
        yield terminal.paint(title, "bold")
        for name, example, meaning in commands:
            yield from _entry(f"recollect {name} {example}".rstrip(), meaning, terminal.width)
    yield ""
    yield terminal.paint("More", "bold")
    for typed, meaning in _REST:
        yield from _entry(typed, meaning, terminal.width)


def _entry(typed: str, meaning: str, width: int | None) -> Iterator[str]:
    """A command and its meaning side by side, or one below the other where there is no room."""
    line = f"  {typed.ljust(_COLUMN)}  {meaning}"
    if width is None or len(line) <= width:
        yield line
        return
    yield f"  {typed}"
    yield from (f"      {each}" for each in wrap(meaning, width - 6))
