"""Worlds of dated messages from an author's slots, as `bench.updates` plays them: figures of authors no model has seen.

    python -m training.worlds t23 t24 --each 2 --to worlds.json
    python -m bench.updates --data worlds.json --tracks raw --own 0 --embedding auto --models .models

Once a model has learned from an author, the worlds of that author no longer tell how well it understands others.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from training.data import banks
from training.lists import world_of
from training.settings import BANKS

FIRST = 100  # number of the first world; the lists that nets learn from have lower ones


def main() -> None:
    """Write the worlds of the named authors into one file."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("authors", nargs="+")
    arguments.add_argument("--each", type=int, default=2, help="worlds of each author")
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--to", type=Path, default=Path("worlds.json"))
    given = arguments.parse_args()
    made = [
        world_of(bank, FIRST + number)
        for bank in banks(given.banks, given.authors)
        if bank.slots
        for number in range(given.each)
    ]
    given.to.parent.mkdir(parents=True, exist_ok=True)
    given.to.write_text(json.dumps({"worlds": made}, ensure_ascii=False), encoding="utf-8")
    print(f"{given.to}: {len(made)} worlds, {sum(len(each['queries']) for each in made)} questions")


if __name__ == "__main__":
    main()
