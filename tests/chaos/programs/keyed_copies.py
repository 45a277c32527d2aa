"""Makes many requests, each under a key of its own, and dies at some of them after the commit and before the answer.

Like a client behind a balancer it begins anew from the first request; forked, so that being born takes no time.
"""

from __future__ import annotations

import os
import random
import sys
from unittest.mock import patch

from recollect import Memory
from recollect.domain.changes import Changes, Receipt
from recollect.stores.sql_store import SqlStore
from tests.chaos.programs.keyed_request import commit, die
from tests.chaos.programs.saying import say


def main(number: str, address: str, home: str, requests: str, deaths: str, seed: str) -> None:
    chance = random.Random(f"{seed} {number}")
    fatal = sorted(chance.sample(range(int(requests)), int(deaths)))
    for life in range(len(fatal) + 1):
        child = os.fork()
        if child == 0:
            live(address, home, int(requests), fatal[life] if life < len(fatal) else None)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(ended=os.waitstatus_to_exitcode(status))
    say(done=True)


def live(address: str, home: str, requests: int, fatal: int | None) -> None:
    """Ask for everything, and die behind the first commit of its own from one request on."""
    deadly = range(requests if fatal is None else fatal, requests)
    with Memory(store=address, home=home) as memory:
        for number in range(requests):
            key = f"key {number}"
            with patch.object(SqlStore, "apply", commit_then_die) if number in deadly else patch.dict({}):
                memory.save(f"request {number}", space="keyed", idempotency_key=key)


def commit_then_die(self: SqlStore, changes: Changes, *, rehearse: bool = False) -> Receipt:
    commit(self, changes, rehearse=rehearse)
    die()


if __name__ == "__main__":
    main(*sys.argv[1:])
