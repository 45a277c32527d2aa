"""What people see of work: it fits the screen, and nothing in it can drive one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.cli.terminal import Terminal, width_of
from recollect.surfaces.cli.verb_call import carry_out
from tests.support.clock import SteadyClock
from tests.surfaces.test_screens import EVIL

LONG = "0123abcd-0123-0123-0123-0123456789ab"


def filled(memory: Memory) -> dict[str, str]:
    """Work of every sort, with a hostile name wherever a name can be."""
    memory.set_slot("guidance", f"Mind the gap. {EVIL}\n" * 5, project=f"github.com/acme/{EVIL}")
    memory.start_session(LONG, branch=EVIL, agent=EVIL, title=EVIL, project=EVIL)
    memory.observe("prompt", f"Make it faster {EVIL}", session=LONG)
    memory.observe("tool_failure", EVIL, tool="Bash", arguments={"command": f"make {EVIL}"}, session=LONG)
    lesson = memory.add_lesson(f"Run the migrations before the tests {EVIL}", project=EVIL).note
    action = memory.add_action(f"Renew the certificate {EVIL} before it is too late for everybody")
    memory.add_action("Deploy", depends_on=[action.id])
    note = memory.save(f"Alice lives in Austin {EVIL}")
    memory.relate(note.id, lesson.id if lesson else "")
    return {"action": action.id, "note": note.id}


@pytest.mark.parametrize("columns", [72, 140])
def test_every_screen_of_work_fits_its_width_and_is_inert(
    tmp_path: Path, clock: SteadyClock, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("x")
    memory = Memory(store=":memory:", home=tmp_path, clock=clock, caller=Caller(Channel.CLI, "tester"))
    ids = filled(memory)
    asked = [
        ["slots"],
        ["slots", "get", "persona"],
        ["slots", "get", "guidance", "--project", f"github.com/acme/{EVIL}"],
        ["slots", "append", "motto", EVIL],
        ["slots", "delete", "motto", "--yes"],
        ["lessons"],
        ["lessons", "add", f"Run the migrations before the tests {EVIL}", "--project", EVIL],
        ["actions"],
        ["actions", "update", ids["action"], "--status", "done", "--dry-run"],
        ["frontier"],
        ["sessions"],
        ["session", "show", LONG],
        ["session", "link", LONG, "0123abcd"],
        ["session", "end", LONG],
        ["replay", LONG],
        ["observe", "task", EVIL, "--session", LONG],
        ["timeline", "2020-01-01"],
        ["project-profile", EVIL],
        ["crystals"],
        ["crystals", "make"],
        ["reflect", "--apply"],
        ["maintain", "--scope", "full"],
        ["eval", "build"],
        ["eval", "questions"],
        ["eval", "run"],
        ["eval", "experiment", "--reranker", "off"],
        ["eval", "history"],
        ["slots", "reflect", LONG],
        ["relations", ids["note"]],
        ["anchor", ids["note"], "--path", ".", "--anchor", "file:a.txt"],
        ["inject", "--project", "."],
        ["context", "--project", EVIL],
        ["forget", ids["action"], "--yes"],
        ["audit"],
    ]
    with memory:
        for typed in asked:
            request = parse(typed)
            assert isinstance(request, Request)
            screen = carry_out(memory, request, Terminal(width=columns))
            for line in (*screen.lines, *screen.asides):
                assert line.isprintable(), (typed, line)
                if typed[0] != "audit":
                    assert width_of(line) <= columns, (typed, line)
