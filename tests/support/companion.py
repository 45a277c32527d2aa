"""Another process that has the same memory open, and does what it is asked.

`python -m tests.support.companion HOME` reads one request per line, as JSON, and answers each with one line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]


class Companion:
    """The other process, from this side."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.companion", str(home)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, verb: str, *values: Any, **named: Any) -> Any:
        """Let it do a verb; the answer comes as plain JSON, an error as its code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([verb, values, named]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the other process is gone"
        return json.loads(line)

    def __enter__(self) -> Self:
        assert self.ask("status")["store"] == "sqlite"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=60)


def files_with(folder: Path, needle: str) -> list[str]:
    """The files below a folder that have a text in any of their bytes, in any case.

    Looked at by a process of its own: to open a database file here would drop the locks this process has on it.
    """
    script = (
        "import pathlib, sys\n"
        "folder, needle = pathlib.Path(sys.argv[1]), sys.argv[2].lower().encode()\n"
        "files = [file for file in folder.rglob('*') if file.is_file()]\n"
        "assert files\n"
        "print('\\n'.join(sorted(file.name for file in files if needle in file.read_bytes().lower())))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder), needle], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.split()


def _main(home: str) -> None:
    from recollect import Memory, RecollectError
    from recollect.domain.values import to_plain

    with Memory(home=home) as memory:
        for line in sys.stdin:
            verb, values, named = json.loads(line)
            try:
                answer = to_plain(getattr(memory, verb)(*values, **named))
            except RecollectError as problem:
                answer = problem.code
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main(*sys.argv[1:])
