"""What the commands of single benchmarks have in common: how they are asked, and how their card is shown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.card import Card, Table, as_json, as_text
from bench.machine import facts
from bench.places import Places
from recollect import __version__
from recollect.domain.clock import SystemClock


class Command:
    """One benchmark on the command line: `python -m bench.NAME`."""

    def __init__(self, name: str, description: str) -> None:
        self._name = f"python -m bench.{name}"
        self.parser = argparse.ArgumentParser(prog=self._name, description=description)
        add = self.parser.add_argument
        add("--embedding", default="off", help="`off`, `auto`, a model's name or folder; default: off")
        add("--models", type=Path, default=Path("models"), help="the folder of installed models")
        add("--json", nargs="?", const="-", metavar="FILE", help="write the figures as JSON too; no name: only that")

    def show(self, tables: Sequence[Table], arguments: Sequence[str] | None, json: str | None) -> None:
        """Print the card, or its figures where only those are wanted."""
        card = Card(
            recollect=__version__,
            date=SystemClock().now().isoformat(timespec="seconds"),
            command=" ".join([self._name, *(sys.argv[1:] if arguments is None else arguments)]),
            machine=facts(Places(Path.cwd())),
            tables=list(tables),
        )
        print(as_json(card) if json == "-" else as_text(card), end="")
        if json and json != "-":
            Path(json).write_text(as_json(card), encoding="utf-8")
