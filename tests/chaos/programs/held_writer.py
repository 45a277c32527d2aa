"""A writer that is held up in the middle of a save: everything is written, the commit is still to come."""

from __future__ import annotations

import sys
from unittest.mock import patch

from recollect import Memory
from recollect.domain.changes import Changes, Receipt
from recollect.domain.scopes import Scope
from recollect.stores import application
from recollect.stores.application import apply
from recollect.stores.database import Transaction
from tests.chaos.programs.saying import hear, say


def apply_and_wait(transaction: Transaction, changes: Changes, within: Scope) -> Receipt:
    receipt = apply(transaction, changes, within)
    say(holding=True)
    hear()
    return receipt


def main(home: str) -> None:
    with Memory(home=home) as memory:
        with patch.object(application, "apply", apply_and_wait):
            note = memory.save("a save that took its time")
        say(note=note.id)


if __name__ == "__main__":
    main(*sys.argv[1:])
