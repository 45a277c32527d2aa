"""`python -m bench.languages`: are messages of any language found by the words of a question?

All messages lie in one space, each in a session of its own, and every question asks for one of them in other forms of
its words. Words do the work unless `--embedding` says otherwise. A message is found at 1 or at 5 if it is among so many
first hits. `notes` counts what the rules have read from the messages: they know English only.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from bench.card import Row, Table
from bench.command import Command
from bench.playing import WorldClock, fresh_memory
from recollect import Memory

MESSAGES = Path(__file__).parent / "messages.tsv"
_TOP = 5


def run(embedding: str = "off", models: Path = Path("models"), *, misses: bool = False) -> list[Table]:
    """The table of all languages, and of the questions that were missed, if they are wanted."""
    lines = asked()
    clock = WorldClock()
    with closing(fresh_memory(clock, "languages", embedding, models)) as memory:
        for number, (language, message, _) in enumerate(lines):
            clock.moment += timedelta(hours=1)
            memory.add(message, session=f"{language}-{number}")
        places = [place_of(memory, message, question) for _, message, question in lines]
        notes = len(list(memory.list(limit=100).items))
    tables = [Table("languages", [*rows_of(lines, places), {"language": "notes", "questions": notes}])]
    if misses:
        missed = [line for line, place in zip(lines, places, strict=True) if place is None or place >= _TOP]
        tables.append(
            Table("missed", [dict(zip(("language", "message", "question"), each, strict=True)) for each in missed])
        )
    return tables


def asked() -> list[tuple[str, str, str]]:
    """Language, message and question of each line."""
    lines = (line.split("\t") for line in MESSAGES.read_text(encoding="utf-8").splitlines() if line)
    return [(language, message, question) for language, message, question in lines]


def place_of(memory: Memory, message: str, question: str) -> int | None:
    """At which place a question finds a message; `None` if it does not."""
    hits = memory.search(question, limit=_TOP).hits
    return next((place for place, hit in enumerate(hits) if hit.text == message), None)


def rows_of(lines: Sequence[tuple[str, str, str]], places: Sequence[int | None]) -> list[Row]:
    """A row for each language, and one for all of them; shares are percent."""
    first: Counter[str] = Counter()
    among: Counter[str] = Counter()
    asked_in: Counter[str] = Counter()
    for (language, _, _), place in zip(lines, places, strict=True):
        for name in (language, "all"):
            asked_in[name] += 1
            first[name] += place == 0
            among[name] += place is not None and place < _TOP
    return [
        {
            "language": name,
            "questions": count,
            "found@1": round(100 * first[name] / count, 1),
            "found@5": round(100 * among[name] / count, 1),
        }
        for name, count in asked_in.items()
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the card."""
    command = Command("languages", "Are messages of any language found by the words of a question?")
    command.parser.add_argument("--misses", action="store_true", help="list the questions that were missed")
    given = command.parser.parse_args(arguments)
    command.show(run(given.embedding, given.models, misses=given.misses), arguments, given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
