"""The command: `python -m bench.trace`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.command import Command
from bench.trace.trails import run
from recollect import Settings


def main(arguments: Sequence[str] | None = None) -> int:
    command = Command("trace", "The files that a call enters.")
    command.parser.add_argument("--files", action="store_true", help="list the files that each verb enters")
    asked = command.parser.parse_args(arguments)
    settings = Settings(home=Path("/nonexistent"), store=":memory:", embedding=asked.embedding, models=asked.models)
    command.show(run(settings, files=asked.files), arguments, asked.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
