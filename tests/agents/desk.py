"""A person's machine: a home in which an agent is set up, a project, a memory, and a model that is only here."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.agents.model import DONE, Model, model
from tests.agents.programs import INSTALLED, Program, filled, required
from tests.surfaces.shell import Shell

LIMIT = 280  # seconds for a turn, on a machine that is busy
NOWHERE = "http://127.0.0.1:9"  # whatever would leave this machine ends here


@dataclass(frozen=True, slots=True)
class Desk:
    """Where one agent is used."""

    program: Program
    command: list[str]
    shell: Shell
    project: Path
    model: Model

    def turn(self, prompt: str) -> str:
        """One run of the program, as a person would type it; what it put out."""
        said = self.started(*self.program.turn(prompt))
        assert DONE in said, said
        self.shell.run("hooks", "drain")  # what came too late on a busy machine
        return said

    def started(self, *words: str) -> str:
        """The program with these words, from the project; what it put out."""
        done = subprocess.run(
            [*self.command, *words],
            cwd=self.project,
            env={**self.shell.environment, **self._variables()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sessions(self) -> list[Any]:
        """The sessions of the project, the newest first."""
        found: list[Any] = self.shell.ok("sessions", "--project", str(self.project))["items"]
        return found

    def _variables(self) -> dict[str, str]:
        said = self.program.environment.items()
        own = {name: filled(text, model=self.model.url, project=self.project) for name, text in said}
        return {"HTTPS_PROXY": NOWHERE, "HTTP_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost", "CI": "1", **own}


@contextmanager
def desk_with(program: Program, folder: Path, *, bytecode: Path) -> Iterator[Desk]:
    """A desk in a folder, with what the person had there before us."""
    command = program.command()
    if command is None:
        missing = (
            f"{program.name} is not in {INSTALLED}: `make .agents/{program.name}/.installed` puts it there, with npm."
        )
        if program in required():
            pytest.fail(missing)
        pytest.skip(missing)
    shell = Shell(folder, bytecode)
    project = folder / "work" / "shop"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True, timeout=LIMIT)
    with model() as running:
        for name, text in program.settings.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(filled(text, model=running.url, project=project))
        yield Desk(program, command, shell, project, running)
    shell.run("serve", "--stop")
