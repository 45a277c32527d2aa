"""A shell to type `recollect …` into: the real program, in a process of its own, on a pipe or on a screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECOLLECT = str(Path(sys.executable).with_name("recollect"))
LIMIT = 240  # seconds that any one command may take, on a machine that is busy with other things


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The error a program reads."""
        return json.loads(self.err)["error"]


class Shell:
    """Runs commands in one folder, with an environment that holds nothing of ours but what is said here."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.home = folder / "home"
        self.program = RECOLLECT
        inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH")}
        self.environment = {
            **inherited,
            "HOME": str(folder),
            "RECOLLECT_HOME": str(self.home),
            "RECOLLECT_PRINCIPAL": "tester",
            "PYTHONPYCACHEPREFIX": str(bytecode),
            "TERM": "xterm",
        }

    def run(self, *argv: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> Ended:
        """`recollect` with these words, on pipes. A variable set to nothing is not there."""
        done = subprocess.run(
            [self.program, *argv],
            input=stdin,
            check=False,
            capture_output=True,
            cwd=cwd or self.folder,
            env=self._with(environment),
            timeout=LIMIT,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *argv: str, **more: Any) -> Any:
        """The JSON answer to a command that must succeed."""
        ended = self.run(*argv, "--json", **more)
        assert ended.code == 0, ended.err
        return ended.json

    def on_screen(self, *argv: str, typed: bytes = b"", columns: int = 80, **environment: str) -> Ended:
        """The same in front of a person: a terminal of that width, and what is typed into it beforehand.

        A terminal shows one stream, so everything is in `out`, with the ends of lines as they are in a file.
        """
        import fcntl
        import struct
        import termios

        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        attributes = termios.tcgetattr(theirs)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        process = subprocess.Popen(
            [self.program, *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=self.folder,
            env=self._with(environment),
            start_new_session=True,
        )
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side has closed
                break
            if not piece:
                break
            shown += piece
        os.close(ours)
        return Ended(process.wait(timeout=LIMIT), shown.decode().replace("\r\n", "\n"), "")

    def _with(self, changes: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in {**self.environment, **changes}.items() if value}
