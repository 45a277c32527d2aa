"""`recollect project`: which project a folder belongs to, and why; and folders named where a project is due."""

from __future__ import annotations

import re
from typing import Any

from recollect.domain.values import to_plain
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.render import Screen
from recollect.surfaces.cli.tables import facts, table
from recollect.surfaces.cli.terminal import Terminal, inert, json_text
from recollect.workspace.projects import project_of

# What nobody calls a project: `.`, `..`, and what begins like a path.
_FOLDER = re.compile(r"\.{1,2}(?:[/\\].*)?|[/\\~].*|[A-Za-z]:[/\\].*", re.DOTALL)


def project(request: Request, terminal: Terminal) -> Screen:
    """The answer, and what each rule found."""
    found = project_of(request.arguments.get("path", "."))
    if request.json:
        return Screen((json_text(to_plain(found)),))
    told = [
        ("project", found.name),
        ("known by", found.rule.value),
        ("root", found.root),
        ("branch", found.branch or ""),
    ]
    rows = [[each.rule.value, each.name or "-", each.detail] for each in found.findings]
    lines = [*facts(told, terminal), "", *table(["rule", "name", "found"], rows, terminal)]
    aside = inert("The first rule that finds a name decides. A `.recollect-project` file with a name settles it.")
    return Screen(tuple(lines), (terminal.paint(aside, "dim"),))


def name_projects(verb: str, arguments: dict[str, Any]) -> None:
    """Where `--project` names a folder, put the project of that folder; `inject` then looks into the folder, too."""
    said = arguments.get("project")
    if not isinstance(said, str) or not _FOLDER.fullmatch(said):
        return
    found = project_of(said)
    arguments["project"] = found.name
    if verb == "inject":
        arguments.setdefault("path", found.root)
