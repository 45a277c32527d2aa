"""A real Claude Code in two more situations. A plain run of pytest does not find these: `make test-agents` does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.desk import Desk, desk_with
from tests.agents.model import ASKED
from tests.agents.programs import CLAUDE_CODE

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_with(CLAUDE_CODE, tmp_path / "person", bytecode=tmp_path / "bytecode") as found:
        found.shell.ok("init", "--yes", "--agents", "claude-code")
        yield found


def test_a_transcript_of_what_hooks_told_already_adds_nothing(desk: Desk) -> None:
    desk.turn(ASKED)
    [session] = desk.sessions()
    before = _kinds_in(desk, session["id"])
    [transcript] = (desk.shell.folder / ".claude" / "projects").glob(f"*/{session['id']}.jsonl")
    desk.shell.ok("capture", "--transcript", str(transcript))
    assert "prompt" in before and _kinds_in(desk, session["id"]) == before


def test_a_home_that_cannot_be_written_to_is_not_in_the_way(desk: Desk) -> None:
    desk.shell.run("serve", "--stop")
    desk.shell.home.rename(desk.shell.home.with_name("put away"))
    desk.shell.home.write_text("a file where the folder should be")
    desk.turn(ASKED)


def _kinds_in(desk: Desk, session: str) -> list[str]:
    """What was seen in a session, but for what the agent said, which a transcript has in more pieces."""
    kinds = [beat["observation"]["kind"] for beat in desk.shell.ok("replay", session)["beats"]]
    return [kind for kind in kinds if kind != "message"]
