"""Pure: an event a hook saw as an observation, and which observations of a long session make room.

A tool says what it did by its name and its arguments; its output is only quoted, and cut where it is long.

Nothing goes silently: a summary says how many there were, what they were about, and from when to when. What notes point
to stays. The least weighty go first, and of those the oldest.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from recollect.domain.clock import format_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.domain.observations import Activity, Observation, ObservationKind

LONGEST_OUTPUT = 8000  # characters of what a tool said
LONGEST_INPUT = 4000  # characters of what it was given
LONGEST_TITLE = 160  # characters
MOST_FILES = 50  # of one observation
_LONGEST_PATH = 300  # characters


class Event(StrEnum):
    """The kinds of event that a hook can tell of."""

    PROMPT = "prompt"
    TOOL_USE = "tool_use"
    TOOL_FAILURE = "tool_failure"
    SUBAGENT = "subagent"
    NOTIFICATION = "notification"
    TASK = "task"


_ROLES = {Event.PROMPT: "user", Event.TOOL_USE: "tool", Event.TOOL_FAILURE: "tool", Event.SUBAGENT: "assistant"}

# By the words of a tool's name; the first that fits decides.
_BY_NAME = (
    (Activity.WEB, ("fetch", "http", "web", "browser", "url")),
    (Activity.SEARCH, ("grep", "search", "glob", "find", "ls", "list")),
    (Activity.COMMAND, ("bash", "shell", "exec", "run", "terminal", "command", "powershell")),
    (Activity.EDIT, ("edit", "multiedit", "update", "patch", "replace", "notebookedit")),
    (Activity.WRITE, ("write", "create")),
    (Activity.READ, ("read", "view", "open", "cat")),
    (Activity.SUBAGENT, ("task", "agent")),
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PATHS = ("file_path", "filepath", "filePath", "path", "file", "notebook_path", "paths", "files", "absolute_path")
_COMMANDS = ("command", "cmd", "script")


@dataclass(frozen=True, slots=True)
class Seen:
    """The parts of an event that are kept."""

    kind: ObservationKind
    role: str | None
    text: str
    title: str | None
    activity: Activity | None
    files: tuple[str, ...]


def seen(event: Event, text: str, *, tool: str | None, arguments: Mapping[str, Any] | None, folder: str | None) -> Seen:
    """Return what to keep of an event. `text` is what was said or put out; `folder` is what paths are told below."""
    given = dict(arguments or {})
    of_tool = event in (Event.TOOL_USE, Event.TOOL_FAILURE)
    if of_tool and not tool:
        raise InvalidInput(f"A `{event.value}` needs the name of the tool.", code="field_missing")
    if not text.strip() and not of_tool:
        raise InvalidInput("`text` is empty.", code="empty_text", hint="Say what happened.")
    if not of_tool or tool is None:
        kind = ObservationKind(event.value)
        return Seen(kind, _ROLES.get(event), cut(text, LONGEST_OUTPUT) if kind is not _PROMPT else text, None, None, ())
    activity = activity_of(tool)
    parts = [tool]
    if given:
        parts.append(cut(json.dumps(given, ensure_ascii=False, default=str), LONGEST_INPUT))
    if text.strip():
        parts.append(cut(text, LONGEST_OUTPUT))
    files = files_in(given, folder) if activity in _ON_FILES else ()
    return Seen(ObservationKind(event.value), "tool", "\n".join(parts), _title(tool, given, files), activity, files)


def activity_of(tool: str) -> Activity:
    """The activity of a tool, by the words of its name; of `server__tool` only the tool's own."""
    words = {word.lower() for word in _WORD.findall(tool.rpartition("__")[2] or tool)}
    return next((activity for activity, names in _BY_NAME if words.intersection(names)), Activity.OTHER)


def files_in(arguments: Mapping[str, Any], folder: str | None) -> tuple[str, ...]:
    """The files that a tool was given, below the folder as they are called there."""
    found: dict[str, None] = {}
    for name in _PATHS:
        told = arguments.get(name)
        for path in told if isinstance(told, list) else [told]:
            if isinstance(path, str) and path.strip() and len(path) <= _LONGEST_PATH and path.isprintable():
                found[_below(path.strip(), folder)] = None
    return tuple(found)[:MOST_FILES]


def weight_of(observation: Observation) -> int:
    """How much an observation matters when room is scarce, from 0; what a person said matters most."""
    if observation.kind is _PROMPT:
        return 3
    if observation.kind is ObservationKind.SUMMARY:
        return 4  # it stands for many already
    if observation.kind in (ObservationKind.TOOL_FAILURE, ObservationKind.TASK, ObservationKind.MESSAGE):
        return 2
    if observation.kind is ObservationKind.SUBAGENT or observation.activity in _WORK:
        return 1
    return 0


def cut(text: str, longest: int) -> str:
    """The beginning and the end of a long text, and how much is left out between them."""
    if len(text) <= longest:
        return text
    head, tail = longest * 2 // 3, longest // 3
    return f"{text[:head]}\n… {len(text) - head - tail:,} characters left out …\n{text[-tail:]}"


_PROMPT = ObservationKind.PROMPT
_ON_FILES = frozenset({Activity.READ, Activity.EDIT, Activity.WRITE, Activity.OTHER})
_WORK = frozenset({Activity.EDIT, Activity.WRITE, Activity.COMMAND, Activity.SUBAGENT})


def _title(tool: str, arguments: Mapping[str, Any], files: tuple[str, ...]) -> str:
    """A short title for what was done: the command itself, or the tool and its first file."""
    command = next((arguments[name] for name in _COMMANDS if isinstance(arguments.get(name), str)), "")
    told = " ".join(command.split()) if command else f"{tool} {files[0]}" if files else tool
    return told if len(told) <= LONGEST_TITLE else told[: LONGEST_TITLE - 1] + "…"


def _below(path: str, folder: str | None) -> str:
    root = folder.rstrip("/\\") if folder else ""
    if root and path.startswith((f"{root}/", f"{root}\\")):
        return path[len(root) + 1 :].replace("\\", "/")
    return path


MOST_OBSERVATIONS = 500  # of one session
FOLDED_AT_ONCE = 100  # so that a long session is looked through once in a hundred observations
_LONGEST_SUMMARY = 4000  # characters
_MOST_TOLD = 20  # commands and requests in a summary, each in short


def to_fold(observations: Sequence[Observation], evidence: Collection[str]) -> list[Observation]:
    """The observations that make room, in the order in which they happened; none while there is room."""
    if len(observations) < MOST_OBSERVATIONS:
        return []
    free = [each for each in observations if each.id not in evidence]
    lightest = sorted(free, key=lambda each: (weight_of(each), each.position))[:FOLDED_AT_ONCE]
    return sorted(lightest, key=lambda each: each.position) if len(lightest) > 1 else []


def told_of(folded: Sequence[Observation]) -> str:
    """The text of a summary that stands for folded observations."""
    kinds = Counter((each.activity or each.kind).value for each in folded)
    parts = [
        f"{len(folded)} observations were folded, from {format_time(folded[0].observed_at)[:19]} to "
        f"{format_time(folded[-1].observed_at)[:19]} UTC: "
        + ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kinds.most_common())
    ]
    files = files_of(folded)
    if files:
        parts.append(f"Files: {', '.join(files)}")
    commands = Counter(each.title for each in folded if each.activity is Activity.COMMAND and each.title)
    if commands:
        told = (f"{command} ({times} times)" if times > 1 else command for command, times in commands.most_common())
        parts.append("Commands:\n" + "\n".join(list(told)[:_MOST_TOLD]))
    asked = [" ".join(each.text.split())[:200] for each in folded if each.kind is ObservationKind.PROMPT]
    if asked:
        parts.append("Asked:\n" + "\n".join(asked[-_MOST_TOLD:]))
    parts += [each.text for each in folded if each.kind is ObservationKind.SUMMARY]
    return cut("\n".join(parts), _LONGEST_SUMMARY)


def files_of(observations: Sequence[Observation]) -> tuple[str, ...]:
    """The files that observations were about, the most frequent first."""
    files = Counter(file for each in observations for file in each.files)
    return tuple(file for file, _ in files.most_common(MOST_FILES))
