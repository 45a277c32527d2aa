"""A commit that an agent makes is linked to its session, by what git said or by what the repository knows."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.surfaces.hooks.hosts import HookMoment
from recollect.surfaces.hooks.intake import Attendant, attendant_of
from recollect.surfaces.hooks.notice import Notice
from recollect.surfaces.hooks.transcripts import committed, is_commit
from recollect.workspace.repositories import Logged, Repository, repository_above
from tests.support.clock import SteadyClock
from tests.support.repositories import git, made_repository

AT = "2026-11-15T10:00:30Z"
MADE = int(datetime.fromisoformat("2026-11-15T10:00:00Z").timestamp())
WHOLE = "1a2b3c4d" * 5


def ran(command: Any, output: str = "", *, tool: str = "Bash", folder: str | None = None, at: str = AT) -> Notice:
    arguments = {"command": command}
    return Notice(HookMoment.TOOL_USE, "claude-code", "s1", f"k{at}", at, folder, output, tool, arguments)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m 'Fix it'", True),
        ("git add -A && git commit -qm x", True),
        ("pytest -q; git -C ../shop -c user.name=me commit --amend", True),
        ("GIT_EDITOR=true git commit", True),
        (["bash", "-lc", "git commit -m x"], True),
        ("git log --grep commit", False),
        ("git commit-tree abc", False),
        ("grep 'git commit' README.md", False),
        ("echo commit", False),
        (7, False),
    ],
)
def test_a_commit_is_known_by_the_command(command: Any, expected: bool) -> None:
    assert is_commit(ran(command)) is expected
    assert not is_commit(ran(command, tool="Read"))
    assert not is_commit(ran(command)._replace(moment=HookMoment.TOOL_FAILURE))


@pytest.mark.parametrize(
    ("output", "log", "expected"),
    [
        ("[main 1a2b3c4] Fix it\n 1 file changed", (Logged(WHOLE, MADE, "Fix it"),), (WHOLE, "Fix it")),
        ("[main (root-commit) 1a2b3c4] Begin", (), ("1a2b3c4", "Begin")),
        ("ok\n[detached HEAD 1a2b3c4] Fix it", (Logged("f" * 40, MADE, "Other"),), ("1a2b3c4", "Fix it")),
        ("", (Logged("f" * 40, MADE - 60, "Old"), Logged(WHOLE, MADE, "Fix it")), (WHOLE, "Fix it")),
        ("", (Logged(WHOLE, MADE - 3600, "Long ago"),), None),
        ("nothing to commit, working tree clean", (), None),
    ],
)
def test_which_commit_it_was_is_told_by_git_or_by_the_log(
    output: str, log: tuple[Logged, ...], expected: tuple[str, str] | None
) -> None:
    assert committed(ran("git commit", output), log) == expected


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = repository_above(made_repository(tmp_path / "shop"), Path("/nowhere"))
    assert found is not None
    return found


def head(repository: Repository) -> str:
    return git(repository.root, "rev-parse", "HEAD")


def test_the_log_of_a_real_repository_is_read(repository: Repository) -> None:
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "Fix the checkout")
    git(repository.root, "checkout", "-q", "-b", "other")
    assert [each.message for each in repository.log()] == ["begin", "Fix the checkout"]
    assert repository.log()[-1].sha == head(repository)


def test_commits_of_a_session_are_linked_once_whatever_git_said(
    memory: Memory, clock: SteadyClock, repository: Repository
) -> None:
    attendant: Attendant = attendant_of(memory)
    commands = (("git commit -q --allow-empty -m Quietly", ("-q",)), ("git commit --allow-empty -m Loudly", ()))
    made = []
    for command, words in commands:
        said = git(repository.root, "commit", *words, "--allow-empty", "-m", command.rpartition(" ")[2])
        made.append(head(repository))
        clock.moment = datetime.fromtimestamp(repository.log()[-1].at, UTC)
        for _ in range(2):
            attendant.attend(ran(command, said, folder=str(repository.root), at=clock.moment.isoformat()))
    attendant.attend(ran("git status", folder=str(repository.root), at=clock.now().isoformat()))
    session = memory.session("s1").session
    assert [(each.sha, each.message, each.branch) for each in session.commits] == [
        (made[0], "Quietly", "main"),
        (made[1], "Loudly", "main"),
    ]
    assert [each.id for each in memory.sessions(commit=made[1]).items] == ["s1"]
