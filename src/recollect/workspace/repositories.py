"""A git repository, read from its files: no process is started to know its origin or its branch."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.domain.late import Late

_LARGEST = 1_000_000  # bytes of a file that we read; no configuration is larger
_SECTION = Late(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_ENTRY = Late(r"([A-Za-z][\w-]*)\s*=\s*(.*)")

_MADE = Late(
    r"[0-9a-f]{40,64} (?P<sha>[0-9a-f]{40,64}) .*? (?P<at>\d{1,12}) [+-]\d{4}\tcommit(?: \([a-z]+\))?: (?P<message>.*)"
)


class Logged(NamedTuple):
    """A commit that was made in a working tree; `at` is in seconds since 1970."""

    sha: str
    at: int
    message: str


class Repository(NamedTuple):
    """A working tree. `own` is its git folder, `shared` that of the repository it is a worktree of, or the same."""

    root: Path
    own: Path
    shared: Path

    @property
    def name(self) -> str:
        """The name of the repository: that of its main working tree, so that every worktree says the same."""
        if self.shared.name == ".git":
            return self.shared.parent.name
        if self.shared.parent.name == "modules" or self.own == self.shared:
            return self.root.name
        return self.shared.name.removesuffix(".git")

    def origin(self) -> str | None:
        """The address of the remote `origin`, as it is written or as `insteadOf` spells it out."""
        written, instead = None, list[tuple[str, str]]()
        for section, name, key, value in _entries(text_of(self.shared / "config") or ""):
            if (section, name, key) == ("remote", "origin", "url") and written is None:
                written = value
            elif (section, key) == ("url", "insteadof"):
                instead.append((value, name))
        if written is None:
            return None
        # The longest beginning wins, as it does for git.
        for beginning, whole in sorted(instead, key=lambda pair: -len(pair[0])):
            if beginning and written.startswith(beginning):
                return whole + written[len(beginning) :]
        return written

    def branch(self) -> str | None:
        """The branch that is checked out; `None` if none is."""
        head = (text_of(self.own / "HEAD") or "").strip()
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None

    def head(self) -> str | None:
        """The commit that is checked out; `None` if the files do not tell."""
        told = (text_of(self.own / "HEAD") or "").strip()
        if told.startswith("ref: "):
            name = told.removeprefix("ref: ")
            told = (text_of(self.own / name) or text_of(self.shared / name) or "").strip() or self._packed(name)
        return told if re.fullmatch(r"[0-9a-f]{40,64}", told) else None

    def log(self) -> tuple[Logged, ...]:
        """The commits that were made here, oldest first; none where git keeps no log of its `HEAD`."""
        found = []
        for line in (text_of(self.own / "logs" / "HEAD") or "").splitlines():
            entry = _MADE.fullmatch(line)
            if entry:
                found.append(Logged(entry["sha"], int(entry["at"]), entry["message"]))
        return tuple(found)

    def _packed(self, name: str) -> str:
        found = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", text_of(self.shared / "packed-refs") or "", re.MULTILINE)
        return found[1] if found else ""


def repository_above(folder: Path, home: Path) -> Repository | None:
    """The repository a folder is in. One that is the whole home is only meant by somebody who is right there."""
    for place in (folder, *folder.parents):
        if place == home and folder != home:
            return None
        found = _repository_at(place)
        if found is not None:
            return found
    return None


def text_of(file: Path) -> str | None:
    """A small file's text; `None` if it is not there, cannot be read or is no small file.

    Nor is a link followed to a file of another name. A folder that somebody else made could have one to the database,
    and whoever opens and closes that drops the locks this process has on it.
    """
    try:
        if os.path.basename(os.path.realpath(file)) != file.name:  # noqa: PTH119
            return None
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        return file.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return None


def _repository_at(place: Path) -> Repository | None:
    mark = place / ".git"
    try:
        if mark.is_dir():
            own = mark
        else:
            said = text_of(mark)
            if said is None or not said.startswith("gitdir:"):
                return None
            own = Path(place, said.removeprefix("gitdir:").strip()).resolve()
        if not (own / "HEAD").is_file():
            return None  # an empty folder of that name is no repository
        common = text_of(own / "commondir")
        shared = Path(own, common.strip()).resolve() if common else own
    except (OSError, ValueError, RuntimeError):
        return None
    return Repository(place, own, shared)


def _entries(configuration: str) -> Iterator[tuple[str, str, str, str]]:
    """Section, name of the section, key and value of each entry of a git configuration."""
    section, name = "", ""
    for line in configuration.splitlines():
        heading = _SECTION.match(line.strip())
        if heading:
            section, name = heading[1].lower(), re.sub(r"\\(.)", r"\1", heading[2] or "")
        entry = _ENTRY.match(line.strip()[heading.end() if heading else 0 :].strip())
        if entry:
            yield section, name, entry[1].lower(), _value(entry[2])


def _value(written: str) -> str:
    """A value without its quotation marks, and without the comment behind it."""
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"', written)
    if quoted:
        return re.sub(r"\\(.)", r"\1", quoted[1])
    return re.split(r"\s[#;]", f" {written}", maxsplit=1)[0].strip()
