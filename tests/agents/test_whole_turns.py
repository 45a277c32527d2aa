"""Real coding agents, offline, through whole turns: connected by `init`, told what is known, captured, disconnected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.desk import Desk, desk_with
from tests.agents.model import ASKED, COMMAND, DONE
from tests.agents.programs import USUAL, Program, required
from tests.surfaces.http.test_serving import serving

KNOWN = "The checkout tests need a running redis"
WARNED = "Stop the cart simulator before the tests of the checkout"
ELSEWHERE = "The checkout tests of the old shop need port 6379"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(params=required() or USUAL, ids=lambda program: program.name)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    program: Program = request.param
    with desk_with(program, tmp_path / "person", bytecode=tmp_path / "bytecode") as found:
        yield found


def test_an_agent_is_connected_told_heard_told_again_and_disconnected(desk: Desk) -> None:
    shell, model = desk.shell, desk.model
    mine = _files_in(shell.folder)
    touched = [Path(each["path"]) for each in shell.ok("init", "--yes", "--agents", desk.program.name)["files"]]
    shell.ok("save", KNOWN, "--project", str(desk.project))
    shell.ok("save", ELSEWHERE, "--project", "old-shop")
    shell.ok("save", WARNED, "--project", str(desk.project), "--when", f"command:{COMMAND}")
    with serving(shell):
        desk.turn(ASKED)
        first, *_, last = model.told()
        assert KNOWN in first, "what is known of the project is in the first request to the model"
        assert ELSEWHERE not in first and ELSEWHERE in last, "what the model asked our tool for is in the last"
        if desk.program.asks_before_tools:
            assert last.count(WARNED) > first.count(WARNED), "what a tool should know is told when it is used"

        [session] = desk.sessions()
        assert session["scope"]["agent"] == desk.program.name and session["branch"] == "main"
        digest = shell.ok("session", "show", session["id"])
        assert digest["ask"] == ASKED
        assert [each["name"] for each in digest["commands"]] == [COMMAND]
        assert digest["outcome"] == DONE
        assert (session["ended_at"] is not None) is desk.program.ends

        model.requests.clear()
        desk.turn("What did we do last time?")
        first, *_ = model.told()
        assert f"Asked: {ASKED}" in first, "the session before is told in the first request"
        assert DONE not in first, "but not what the model said"
        assert len(desk.sessions()) == 2

    shell.ok("init", "--undo", "--yes")
    for path in touched:
        if path.name in desk.program.rewritten:
            assert "recollect" not in path.read_text(), "what the program wrote is still there, and nothing of ours"
        else:
            assert (path.read_bytes() if path.exists() else None) == mine.get(path), path


def _files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts}
