"""Makes one request under an idempotency key, twice, and says both answers; or is killed on the way to the first."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn
from unittest.mock import patch

from recollect import Memory, Note
from recollect.domain.changes import Changes, Receipt
from recollect.domain.scopes import Scope
from recollect.stores import application
from recollect.stores.application import apply
from recollect.stores.database import Transaction
from recollect.stores.sql_store import SqlStore
from tests.chaos.programs.saying import say
from tests.chaos.soundness import note_mark

commit = SqlStore.apply


def main(address: str, home: str, verb: str, note_id: str, key: str, moment: str = "") -> None:
    match moment:
        case "before the commit":
            patch.object(application, "apply", apply_and_die).start()
        case "after the commit":
            patch.object(SqlStore, "apply", commit_and_die).start()
        case _:
            assert not moment
    with Memory(store=address, home=home) as memory:
        for _ in range(2):
            say(answer=note_mark(request(memory, verb, note_id, key)))


def request(memory: Memory, verb: str, note_id: str, key: str) -> Note:
    match verb:
        case "save":
            return memory.save("saved under a key", idempotency_key=key)
        case "update":
            return memory.update(note_id, text="corrected under a key", idempotency_key=key)
        case "supersede":
            return memory.supersede(note_id, "replaced under a key", idempotency_key=key)
        case "retract":
            return memory.retract(note_id, idempotency_key=key)
        case _:
            raise AssertionError(f"{verb} takes no key")


def apply_and_die(transaction: Transaction, changes: Changes, within: Scope) -> Receipt:
    apply(transaction, changes, within)
    die()


def commit_and_die(self: SqlStore, changes: Changes, *, rehearse: bool = False) -> Receipt:
    commit(self, changes, rehearse=rehearse)
    die()


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


if __name__ == "__main__":
    main(*sys.argv[1:])
