"""A program: hold a store open, fork, and let the child use it. Run as `python -m tests.support.forking PATH HOW`.

The child remembers something of its own and ends, politely or at once; or it ends without using it. Prints what
the parent's locks were before and after, and what can be read in the end.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from recollect import Memory


def main(address: str, how: str) -> None:
    memory = Memory(store=address, home=Path.cwd())
    memory.save("Written before the fork")
    # Another thread's connection is there too when the fork happens.
    ready, done = threading.Event(), threading.Event()

    def read_and_wait() -> None:
        memory.list()
        ready.set()
        done.wait(60)

    other = threading.Thread(target=read_and_wait)
    other.start()
    ready.wait(60)
    before = _locks(address)

    child = os.fork()
    if child == 0:
        if how == "without using it":
            sys.exit(0)
        memory.save("Written by the child")
        assert len(memory.list().items) == 2
        if how == "at once":
            os._exit(0)
        memory.close()
        sys.exit(0)
    _, status = os.waitpid(child, 0)

    after = _locks(address)
    memory.save("Written after the fork")
    done.set()
    other.join()
    texts = [note.text for note in memory.list().items]
    sys.stdout.write(json.dumps({"status": status, "before": before, "after": after, "texts": texts}))


def _locks(address: str) -> list[str]:
    """This process's locks on the database and its shared memory, as the kernel has them; nothing is opened."""
    files = [Path(address), Path(f"{address}-shm")]
    inodes = {file.stat().st_ino for file in files if file.exists()}
    lines = [line.replace("-> ", "").split() for line in Path("/proc/locks").read_text().splitlines()]
    return sorted(
        " ".join([kind, place, *span])
        for _, _, _, kind, pid, place, *span in lines
        if int(pid) == os.getpid() and int(place.rpartition(":")[2]) in inodes
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
