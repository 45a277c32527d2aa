"""Notices are taken in: each once, into its own session and project, and the next session is told."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.observations import ObservationKind
from recollect.domain.origin import Caller, Channel
from recollect.surfaces.hooks import spool
from recollect.surfaces.hooks.hosts import HOSTS, HookMoment, moment_named
from recollect.surfaces.hooks.intake import Attendant
from recollect.surfaces.hooks.notice import Notice, noticed
from tests.support.clock import SteadyClock
from tests.support.together import PATIENCE, at_once
from tests.surfaces.hooks.telling import folder_of


class Agent:
    """An agent in a folder, whose host tells us what it does."""

    def __init__(self, attendant: Attendant, clock: SteadyClock, name: str, session: str, folder: str) -> None:
        self._attendant, self._clock = attendant, clock
        self._name, self.session, self._folder = name, session, folder

    def does(self, event: str, **payload: Any) -> str:
        host, at = HOSTS[self._name], self._clock.now().isoformat()
        moment = moment_named(host, event)
        assert moment is not None
        said = {"session_id": self.session, "cwd": self._folder, **payload}
        notice = noticed(host, moment, said, at=at, new_id=self._clock.new_id())
        assert notice is not None
        return self._attendant.attend(notice)


@pytest.fixture
def attendant(memory: Memory) -> Attendant:
    return Attendant(memory.acting_as(Caller(Channel.HOOK, "alice")))


def texts_of(memory: Memory, session: str) -> list[str]:
    return [beat.observation.text for beat in memory.replay(session).beats]


def test_two_agents_in_two_projects_and_a_subagent_do_not_mix(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop, blog = folder_of(tmp_path, "shop"), folder_of(tmp_path, "blog")
    claude = Agent(attendant, clock, "claude-code", "s-claude", shop)
    codex = Agent(attendant, clock, "codex", "s-codex", blog)
    for agent in (claude, codex):
        agent.does("SessionStart", source="startup")
    claude.does("UserPromptSubmit", prompt="Fix the checkout of the shop", prompt_id="p1")
    codex.does("UserPromptSubmit", prompt="Write about the garden", turn_id="t1")
    claude.does("PostToolUse", tool_name="Edit", tool_input={"file_path": f"{shop}/checkout.py"}, tool_use_id="u1")
    codex.does(
        "PostToolUse", tool_name="Bash", tool_input={"command": "hugo build"}, tool_response="ok", tool_use_id="u1"
    )
    claude.does("PostToolUse", tool_name="Grep", tool_input={"pattern": "x"}, tool_use_id="u2", agent_id="a1")
    claude.does("SubagentStop", last_assistant_message="It is in checkout.py", agent_id="a1")
    codex.does("SessionEnd", reason="other")

    assert memory.session("s-claude").session.ended_at is None, "ending one ends only that one"
    assert memory.session("s-codex").session.ended_at is not None
    assert [each.session.id for each in (memory.session(s) for s in ("s-claude", "s-codex"))] == ["s-claude", "s-codex"]
    projects = {each.id: each.scope.project for each in memory.sessions().items}
    assert projects == {"s-claude": "shop", "s-codex": "blog"}
    assert not any("garden" in text or "hugo" in text for text in texts_of(memory, "s-claude"))
    assert not any("checkout" in text for text in texts_of(memory, "s-codex"))
    kinds = [beat.observation.kind for beat in memory.replay("s-claude").beats]
    assert kinds.count(ObservationKind.SUBAGENT) == 1 and kinds.count(ObservationKind.PROMPT) == 1

    claude.does("SessionEnd", reason="other")
    again = Agent(attendant, clock, "claude-code", "s-next", shop).does("SessionStart", source="startup")
    assert "Fix the checkout of the shop" in again and "checkout.py" in again
    assert "garden" not in again and "It is in checkout.py" not in again, (
        "of its own project, and what was trusted of it"
    )


def test_what_is_told_twice_is_kept_once_even_in_other_words(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    agent = Agent(attendant, clock, "claude-code", "s1", folder_of(tmp_path, "shop"))
    for output in ("1 passed", "1 passed", "1 passed, as another source tells it"):
        agent.does(
            "PostToolUse", tool_name="Bash", tool_input={"command": "pytest"}, tool_response=output, tool_use_id="u"
        )
    assert len(texts_of(memory, "s1")) == 1


def test_a_prompt_brings_to_mind_what_a_person_said_and_not_what_a_tool_did(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop = folder_of(tmp_path, "shop")
    memory.save("The checkout tests need a running redis", project="shop")
    memory.acting_as(Caller(Channel.MCP, "agent")).save("The checkout tests need a full moon", project="shop")
    memory.save("The checkout tests of the blog need a garden", project="blog")
    agent = Agent(attendant, clock, "claude-code", "s1", shop)
    told = agent.does("UserPromptSubmit", prompt="What do the checkout tests need?", prompt_id="p1")
    assert "running redis" in told and "full moon" not in told and "garden" not in told
    assert agent.does("UserPromptSubmit", prompt="What do the checkout tests need?", prompt_id="p2") == ""
    agent.does("PreCompact", trigger="auto")
    assert "running redis" in agent.does("UserPromptSubmit", prompt="What do the checkout tests need?", prompt_id="p3")
    assert agent.does("UserPromptSubmit", prompt="Compose a sonnet about whales", prompt_id="p4") == ""


def test_a_session_goes_on_when_it_is_resumed_and_an_end_of_nothing_is_nothing(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    agent = Agent(attendant, clock, "claude-code", "s1", folder_of(tmp_path, "shop"))
    agent.does("SessionEnd", reason="other")
    assert memory.sessions().items == ()
    agent.does("UserPromptSubmit", prompt="Fix the checkout", prompt_id="p1")
    agent.does("Stop", last_assistant_message="It is fixed")
    agent.does("SessionEnd", reason="other")
    assert memory.session("s1").outcome == "It is fixed"
    agent.does("SessionStart", source="resume")
    assert memory.session("s1").session.ended_at is None


def facts_of(memory: Memory, project: str) -> dict[str | None, str | None]:
    """What is known of a project by itself, as attributes and their values."""
    return {note.attribute: note.value for note in memory.list(project=project).items}


def test_what_a_person_tells_an_agent_in_passing_is_known_to_the_next_one(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop = folder_of(tmp_path, "shop")
    claude = Agent(attendant, clock, "claude-code", "s1", shop)
    claude.does("UserPromptSubmit", prompt="We always use pnpm here. Please add lodash.", prompt_id="p1")
    claude.does("UserPromptSubmit", prompt="Our database is PostgreSQL", prompt_id="p2")
    claude.does("UserPromptSubmit", prompt="Our database is PostgreSQL", prompt_id="p2")
    assert facts_of(memory, "shop") == {"package_manager": "pnpm", "database": "PostgreSQL"}
    [note] = [note for note in memory.list(project="shop").items if note.attribute == "database"]
    evidence = memory.replay("s1").beats[1].observation
    assert note.derived_from == (evidence.id,) and evidence.text == "Our database is PostgreSQL"
    assert note.authority.value == "fact" and note.origin.channel is Channel.HOOK

    codex = Agent(attendant, clock, "codex", "s2", shop)
    told = codex.does("SessionStart", source="startup")
    assert "pnpm" in told and "PostgreSQL" in told, "whoever was told, it holds for the project"
    codex.does("UserPromptSubmit", prompt="We use yarn here now, not pnpm.", turn_id="t1")
    assert facts_of(memory, "shop")["package_manager"] == "yarn", "there is one line of time, whichever agent hears it"
    blog = Agent(attendant, clock, "claude-code", "s3", folder_of(tmp_path, "blog"))
    assert "pnpm" not in blog.does("SessionStart", source="startup") and facts_of(memory, "blog") == {}


def test_what_tools_models_and_programs_say_is_never_a_fact_by_itself(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    agent, said = Agent(attendant, clock, "claude-code", "s1", folder_of(tmp_path, "shop")), "We always use pnpm here."
    agent.does("PostToolUse", tool_name="Bash", tool_input={"command": "cat"}, tool_response=said, tool_use_id="t1")
    agent.does("PostToolUseFailure", tool_name="Bash", tool_input={"command": "cat"}, error=said, tool_use_id="t2")
    agent.does("Stop", last_assistant_message=said)
    agent.does("SubagentStop", last_assistant_message=said)
    agent.does("Notification", message=said)
    agent.does("TaskCompleted", task_subject=said)
    agent.does("UserPromptSubmit", prompt=said, prompt_id="p1", source="schedule_wakeup")
    agent.does("UserPromptSubmit", prompt=said, prompt_id="p2", agent_id="a1")
    agent.does("UserPromptSubmit", prompt=f"What does this mean?\n```\n{said}\n```\n> {said}", prompt_id="p3")
    assert memory.list().items == ()


def test_a_session_that_hears_its_own_context_again_learns_nothing(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    shop = folder_of(tmp_path, "shop")
    first = Agent(attendant, clock, "claude-code", "s1", shop)
    first.does("UserPromptSubmit", prompt="We always use pnpm here. Our database is PostgreSQL.", prompt_id="p1")
    memory.save("The checkout tests need a running redis", project="shop")
    before = {(note.id, note.version) for note in memory.list().items}
    agent = Agent(attendant, clock, "claude-code", "s2", shop)
    told = agent.does("SessionStart", source="startup")
    assert "pnpm" in told and "redis" in told
    bare = "\n".join(line for line in told.splitlines() if not line.startswith("<"))
    for number, echo in enumerate((told, f"Here is what I was told:\n{told}\nGo on.", bare)):
        agent.does("UserPromptSubmit", prompt=echo, prompt_id=f"e{number}") if number else None
        agent.does("Stop", last_assistant_message=echo)
        agent.does("PostToolUse", tool_name="Read", tool_input={}, tool_response=echo, tool_use_id=f"r{number}")
    assert {(note.id, note.version) for note in memory.list().items} == before


def test_of_a_long_prompt_only_what_stands_around_what_was_pasted_is_read(
    memory: Memory, attendant: Attendant, clock: SteadyClock, tmp_path: Path
) -> None:
    log = "\n".join(f"2026-11-15 10:00 INFO worker {number} started" for number in range(1_000))
    agent = Agent(attendant, clock, "claude-code", "s1", folder_of(tmp_path, "shop"))
    pasted = f"{log}\nWe deploy with ansible.\n{log}"
    agent.does("UserPromptSubmit", prompt=f"We always use pnpm here.\n{pasted}\nMy editor is vim.", prompt_id="p1")
    values = {note.value for note in memory.list().items}
    assert {"pnpm", "vim"} <= values and not any("ansible" in (value or "") for value in values)
    assert len(texts_of(memory, "s1")[0]) > 80_000, "it is kept whole"


class Lingering(Attendant):
    """Takes its time over the first notice: until the second has been answered, or would be if nobody had to wait."""

    def __init__(self, memory: Memory, home: Path) -> None:
        super().__init__(memory, home)
        self.begun, self.answered = threading.Event(), threading.Event()

    def take(self, notice: Notice) -> None:
        if notice.text == "first":
            self.begun.set()
            self.answered.wait(0.5)
        super().take(notice)


def test_a_notice_comes_after_what_lies_on_disk_even_while_another_thread_takes_that_in(
    memory: Memory, clock: SteadyClock, tmp_path: Path
) -> None:
    attendant = Lingering(memory.acting_as(Caller(Channel.HOOK, "alice")), tmp_path)

    def said(text: str) -> Notice:
        return Notice(HookMoment.PROMPT, "codex", "s1", key=text, at=clock.now().isoformat(), text=text)

    assert spool.append(tmp_path, said("first").as_line())

    def answer() -> None:
        assert attendant.begun.wait(PATIENCE)
        attendant.attend(said("second"))
        attendant.answered.set()

    def drain() -> None:
        attendant.drain()

    for outcome in at_once([drain, answer]):
        assert outcome.error is None
    assert texts_of(memory, "s1") == ["first", "second"]
    assert spool.size(tmp_path) == 0
