"""The commands of a page run from top to bottom, on any date, in a folder with a repository and some memories in it.

Commands that run until they are stopped, or that need another machine, are only parsed; each kind with its reason.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.recollections import Learned
from recollect.surfaces.cli.main import main
from recollect.surfaces.cli.parsing import Request, parse
from tests.documentation.dates import DATES, live_on
from tests.documentation.pages import Command, blocks_of, commands_in, pages
from tests.support.project import name_of

ONLY_PARSED = {
    "bench": "measures for minutes",
    "capture": "reads a transcript of a coding agent",
    "demo": "is a tour for a person at a terminal",
    "import": "reads the folders of another program",
    "init": "changes the settings of coding agents",
    "dashboard": "starts a server that outlives it",
    "mcp": "speaks with a client until that one leaves",
    "models install": "obtains weights from elsewhere",
    "serve": "runs until it is stopped",
    "worker": "runs until it is stopped",
    "show": "needs a revision of a vault that is synced",
    "revert": "needs a revision of a vault that is synced",
    "sync": "needs a remote",
    "webhooks test": "sends something elsewhere",
    "webhooks remove": "needs a webhook, which leads elsewhere",
    "top": "watches a server",
    "log": "needs a vault that is synced",
    "diff": "needs a vault that is synced",
    "blame": "needs a vault that is synced",
    "machines": "needs a vault that is synced",
}
ELSEWHERE = ("://", "me@host", "…", "PATH")

# The kinds of things that `ID` stands for, by the command; everything else means a note.
MEANT = {
    "actions add": "action",
    "actions update": "action",
    "jobs cancel": "job",
    "jobs retry": "job",
    "jobs show": "job",
    "lessons strengthen": "lesson",
    "observe": "session",
    "session end": "session",
    "session link": "session",
    "session show": "session",
    "session start": "session",
    "replay": "session",
    "tokens revoke": "token",
    "tokens rotate": "token",
    "tokens link": "token",
}


def _commands(page: Path) -> list[Command]:
    found = (
        command for block in blocks_of(page) if block.language in ("sh", "console") for command in commands_in(block)
    )
    return [command for command in found if command.words[0] == "recollect" and _is_run(command)]


def _is_run(command: Command) -> bool:
    request = parse(command.words[1:])
    named = request.command.spelled if isinstance(request, Request) else "help"
    return named not in ONLY_PARSED and not any(sign in command.typed for sign in ELSEWHERE)


WITH_COMMANDS = [page for page in pages() if _commands(page)]


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_the_commands_of_a_page_run(
    page: Path, date: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    live_on(date, monkeypatch)
    folder = tmp_path / "shop"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PWD", str(folder))
    things = {**_repository(folder), **_memories()}
    monkeypatch.chdir(folder)
    for command in _commands(page):
        words = [_filled_in(word, command, things) for word in command.words[1:]]
        code = main([*words, *(["--yes"] if _asks(words) else [])])
        shown = capsys.readouterr()
        assert code == 0, f"{command.place}: {command.typed}\n{shown.out}{shown.err}"


def _repository(folder: Path) -> dict[str, str]:
    """A project in a repository, beside another one, and one commit."""
    for each in (folder, folder.parent / "api"):
        (each / "src").mkdir(parents=True)
        (each / "src" / "app.py").write_text("PORT = 8080\n")
    git = ["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Begin"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    return {"commit": head}


def _memories() -> dict[str, str]:
    """One of each kind of thing that a command may name."""
    with Memory() as memory:
        memory.start_session("monday", project="shop")
        memory.save("Alice lives in Austin", space="alice")
        return {
            "note": memory.save("The dashboard listens on port 8080").id,
            "other": memory.save("The dashboard is behind a proxy").id,
            "lesson": _id_of(memory.add_lesson("Run the migrations before the tests")),
            "action": memory.add_action("Renew the certificate").id,
            "job": memory.jobs(whole_store=True, stage="waiting")[0].id if memory.reindex(background=True) else "",
            "session": "monday",
            "token": memory.access.issue().token.id,
        }


def _id_of(learned: Learned) -> str:
    assert learned.note is not None
    return learned.note.id


def _newest_note() -> str:
    with Memory() as memory:
        return memory.list(limit=1).items[0].id


def _filled_in(word: str, command: Command, things: dict[str, str]) -> str:
    """What a placeholder stands for; a word that is none, as it is."""
    request = parse(command.words[1:])
    assert isinstance(request, Request)
    match word:
        case "<id>":
            return _newest_note()
        case "ID":
            return things[MEANT.get(request.command.spelled, "note")]
        case "OTHER":
            return things["other"]
        case "COMMIT" | "SHA":
            return things["commit"]
        case "$PWD":
            return str(Path.cwd())
        case _:
            return word


def _asks(words: list[str]) -> bool:
    return words[0] in ("forget", "restore") or words[:2] == ["slots", "delete"]
