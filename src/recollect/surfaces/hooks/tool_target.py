"""Pure: what a tool is about to change, from its name and arguments; nothing for a tool that only looks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.domain.observations import Activity
from recollect.remember.activity import activity_of, files_in

_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$", re.MULTILINE)
_COMMANDS = ("command", "cmd", "script")
_CHANGING = frozenset({Activity.EDIT, Activity.WRITE, Activity.COMMAND})


class ToolTarget(NamedTuple):
    """Files below the project, and a line for a shell."""

    files: tuple[str, ...] = ()
    command: str = ""


def target_of(tool: str, arguments: Mapping[str, Any], folder: str | None) -> ToolTarget:
    """The files and the command of a call. A patch that is given as text names its files."""
    activity = activity_of(tool)
    if activity not in _CHANGING:
        return ToolTarget()
    line = _line_in(arguments)
    patch = next((each for each in (line, arguments.get("input"), arguments.get("patch")) if _is_patch(each)), None)
    if patch is not None:
        return ToolTarget(files_in({"files": _PATCHED.findall(patch)}, folder))
    if activity is Activity.COMMAND:
        return ToolTarget(command=line)
    return ToolTarget(files_in(arguments, folder))


def _line_in(arguments: Mapping[str, Any]) -> str:
    """The line that a shell is given: as a text, or as words of which the last is the line."""
    for name in _COMMANDS:
        told = arguments.get(name)
        told = told[-1] if isinstance(told, list) and told else told
        if isinstance(told, str) and told.strip():
            return told
    return ""


def _is_patch(text: object) -> bool:
    return isinstance(text, str) and text.lstrip().startswith("*** Begin Patch")
