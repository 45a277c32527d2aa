"""Pure: whether what a tool did was a commit, and which one.

Git says in its answer what it made, if only by the beginning of its id. Where it was told to be quiet, the log of the
repository knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from recollect.domain.clock import parse_time
from recollect.domain.observations import Activity
from recollect.remember.activity import activity_of
from recollect.surfaces.hooks.hosts import Moment
from recollect.surfaces.hooks.noticing import Notice
from recollect.workspace.repositories import Logged

# Each repeat has a limit: the command is an agent's, of any length, and every `;` in it may begin another one.
_COMMIT = re.compile(
    r"(?:^|[;&|(\n])[^\S\n]*+(?:\w{1,64}+=\S{0,256}+\s++){0,8}+"
    r"git\s++(?:-\S{1,256}+\s++(?:[^-\s]\S{0,256}+\s++)?+){0,16}+commit(?![\w-])"
)
_SAID = re.compile(r"^\[(?P<where>[^\]\n]{1,200}?) (?P<sha>[0-9a-f]{7,64})\] (?P<message>[^\n]*)", re.MULTILINE)
_JUST_NOW = timedelta(minutes=15)  # what a tool does after it has committed may take its time
_A_SECOND = timedelta(seconds=1)  # clocks are not that exact


class Committed(NamedTuple):
    """A commit that was made. The id is the beginning of one where nothing else is known."""

    sha: str
    message: str


def is_commit(notice: Notice) -> bool:
    """Whether a tool was told to commit, and did not fail."""
    if notice.moment is not Moment.TOOL_USE or not notice.tool or activity_of(notice.tool) is not Activity.COMMAND:
        return False
    return any(_COMMIT.search(command) for command in _commands(notice))


def committed(notice: Notice, log: Sequence[Logged]) -> Committed | None:
    """The commit that was made, with the help of what the repository's log says, oldest first."""
    said = _SAID.search(notice.text)
    if said is not None:
        whole = next((each for each in reversed(log) if each.sha.startswith(said["sha"])), None)
        return Committed(whole.sha if whole else said["sha"], said["message"].strip())
    if not log:
        return None
    last = log[-1]
    ago = parse_time(notice.at, field="at") - datetime.fromtimestamp(last.at, UTC)
    return Committed(last.sha, last.message) if -_A_SECOND <= ago <= _JUST_NOW else None


def _commands(notice: Notice) -> list[str]:
    """The command lines that a shell was given: as a line, or as words of which the last is the line."""
    given = notice.arguments or {}
    told = [given.get(name) for name in ("command", "cmd", "script")]
    lines = [each[-1] if isinstance(each, list) and each else each for each in told]
    return [line for line in lines if isinstance(line, str)]
