"""Which project a folder belongs to: pure, from what was seen on the disk.

The name must be the same on every machine, so what people wrote down goes before what the disk happens to be called:
a marker file, the origin remote of the repository, the name of its root, the name of the folder.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote

from recollect.domain.late import Late

MARKER = ".recollect-project"  # a file with the name of the project, or with nothing: a part of a larger repository
LONGEST_NAME = 300  # characters; a project is a key, and keys stand in indexes


class ProjectRule(StrEnum):
    """By what a project is known, the strongest first."""

    MARKER = "marker"
    REMOTE = "remote"
    REPOSITORY = "repository"
    FOLDER = "folder"


class Sighting(NamedTuple):
    """The signs of a project seen from a folder upward. `None` means: there is none.

    `repository` is the root of the working tree; `repository_name` what the main repository is called, which for a
    linked worktree is not the name of its folder. `marker_place` is the marker's folder below the repository.
    """

    folder: str
    marker: str | None = None  # the first line of the marker file
    marker_folder: str | None = None
    marker_place: str = ""
    repository: str | None = None
    repository_name: str | None = None
    remote: str | None = None
    branch: str | None = None


class ProjectFinding(NamedTuple):
    """The result of one rule, in words. `name` is empty where it found nothing."""

    rule: ProjectRule
    name: str
    detail: str


class Project(NamedTuple):
    """The answer: `name` is what memory knows the project by, `root` its folder here, `findings` why."""

    name: str
    rule: ProjectRule
    root: str
    folder: str
    branch: str | None
    findings: tuple[ProjectFinding, ...]


def project_from(seen: Sighting) -> Project:
    """The project, by the strongest rule that found a name."""
    repository = _repository_names(seen)
    findings = (
        _marked(seen, repository),
        *repository,
        ProjectFinding(ProjectRule.FOLDER, folder_name(seen.folder), "its own name"),
    )
    # A folder at the very top has no name of its own; it still needs one.
    chosen = next((each for each in findings if each.name), ProjectFinding(ProjectRule.FOLDER, "root", ""))
    root = seen.marker_folder if chosen.rule is ProjectRule.MARKER else seen.repository
    if chosen.rule is ProjectRule.FOLDER:
        root = seen.folder
    return Project(chosen.name, chosen.rule, root or seen.folder, seen.folder, seen.branch, findings)


_SCHEME = Late(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SCP = Late(r"(?:[^@/\s]+@)?(?P<host>\[[^]]+\]|[^:/\s]{2,}):(?!//)(?P<path>.+)", re.DOTALL)
_HOSTS = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org"}
_REMOTE_SCHEMES = frozenset(("ssh", "git", "http", "https", "git+ssh", "ssh+git", "git+https", "git+http"))


def normalised_remote(address: str) -> str | None:
    """A remote as `host/path`, alike for every way of reaching it; `None` for a folder of this machine.

    Scheme, user, password and port say how to get there, not what is there. Case is dropped: hosts never tell it
    apart, and the places that keep repositories hardly ever do.
    """
    address = address.strip()
    found = _SCHEME.fullmatch(address)
    if found:
        if found["scheme"].lower() not in _REMOTE_SCHEMES:
            return None
        place, _, path = found["rest"].partition("/")
        host = re.sub(r":\d*$", "", place.rpartition("@")[2])
    else:
        short = _SCP.fullmatch(address)
        if not short or "\\" in address:
            return None
        host, path = short["host"], short["path"]
    path = unquote(re.split(r"[?#]", path, maxsplit=1)[0])
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    if parts:
        parts[-1] = parts[-1].removesuffix(".git")
    host = _HOSTS.get(host.strip("[]").lower(), host.strip("[]").lower())
    named = "/".join((host, *parts)).lower().rstrip("/")
    return clean_name(named) if host and any(parts) else None


def clean_name(text: str) -> str:
    """A name on one line, without what cannot be seen, and not too long to be a key."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())[:LONGEST_NAME].strip()


def folder_name(folder: str) -> str:
    """The name of a folder from its path, wherever it is or was."""
    parts = [part for part in re.split(r"[/\\]", folder) if part]
    return clean_name(parts[-1]) if parts else ""


def _marked(seen: Sighting, repository: tuple[ProjectFinding, ...]) -> ProjectFinding:
    if seen.marker is None:
        return ProjectFinding(ProjectRule.MARKER, "", f"no {MARKER} here or above")
    where = f"{MARKER} in {seen.marker_folder}"
    said = clean_name(seen.marker)
    if said:
        return ProjectFinding(ProjectRule.MARKER, said, where)
    whole = next((each.name for each in repository if each.name), "")
    if not whole or not seen.marker_place:
        return ProjectFinding(ProjectRule.MARKER, "", f"{where} is empty, and not in a folder of a repository")
    return ProjectFinding(
        ProjectRule.MARKER, clean_name(f"{whole}/{seen.marker_place}"), f"{where}: a part of the repository"
    )


def _repository_names(seen: Sighting) -> tuple[ProjectFinding, ...]:
    if seen.repository is None:
        nothing = "no repository here or above"
        return ProjectFinding(ProjectRule.REMOTE, "", nothing), ProjectFinding(ProjectRule.REPOSITORY, "", nothing)
    remote = normalised_remote(seen.remote) if seen.remote else None
    if remote:
        detail = f"origin of the repository {seen.repository}"
    elif seen.remote:
        detail = "its origin is a folder of this machine"
    else:
        detail = f"the repository {seen.repository} has no origin"
    root = clean_name(seen.repository_name or folder_name(seen.repository))
    return ProjectFinding(ProjectRule.REMOTE, remote or "", detail), ProjectFinding(
        ProjectRule.REPOSITORY, root, f"root {seen.repository}"
    )
