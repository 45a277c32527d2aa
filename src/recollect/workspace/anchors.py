"""Whether anchors still hold: files, symbols, commits, packages and settings of a project, as they are now.

Nothing outside the project's folder is ever read, and nothing large. What cannot be read is unverifiable, not stale.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import InvalidInput
from recollect.domain.graph.mentions import Anchor, AnchorKind, Freshness
from recollect.workspace.repositories import repository_above, text_of

PATIENCE = 0.5  # seconds for all anchors together; what is not looked at by then is unverifiable
_GONE = "gone"  # the mark of what is no longer there
_DIGITS = 16  # of a digest: two texts that differ in meaning, not an attack

_LOCKS = ("uv.lock", "poetry.lock", "Cargo.lock", "pdm.lock")
_PINS = ("requirements.txt", "requirements.lock", "constraints.txt")


def marked(anchors: Iterable[Anchor], root: Path, avoid: frozenset[tuple[int, int]] = frozenset()) -> list[Anchor]:
    """Anchors with what is there now; raises for one that cannot be fastened."""
    look = AnchorLook(root, avoid)
    found = []
    for anchor in anchors:
        mark = look.mark(anchor)
        if mark is None or mark == _GONE:
            raise InvalidInput(
                f"There is nothing in {root} to fasten `{anchor.spelled}` to.",
                code="anchor_not_found",
                hint="Name what is there now, below the folder given as `path`.",
            )
        target = mark if anchor.kind is AnchorKind.COMMIT else anchor.target
        found.append(replace(anchor, target=target, mark=mark))
    return found


@dataclass(slots=True)
class AnchorLook:
    """One look at a project: each file is read once, and all of it has an end."""

    root: Path
    avoid: frozenset[tuple[int, int]] = frozenset()  # files that must not be opened, as device and number
    patience: float = PATIENCE
    begun: float = field(default_factory=perf_counter)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _marks: dict[Anchor, str | None] = field(default_factory=dict)

    def freshness(self, anchor: Anchor) -> Freshness:
        """Whether an anchor still holds."""
        bare = replace(anchor, mark="")
        if bare not in self._marks:
            if perf_counter() - self.begun > self.patience:
                return Freshness.UNVERIFIABLE
            self._marks[bare] = self.mark(bare)
        mark = self._marks[bare]
        if mark is None:
            return Freshness.UNVERIFIABLE
        return Freshness.FRESH if mark == anchor.mark else Freshness.STALE

    def mark(self, anchor: Anchor) -> str | None:
        """The present state of an anchor's target: a digest, a version or a commit; `None` if it cannot be told."""
        match anchor.kind:
            case AnchorKind.FILE:
                return self._file(anchor)
            case AnchorKind.CONFIG:
                return self._setting(anchor)
            case AnchorKind.PACKAGE:
                return self._package(anchor.target)
            case AnchorKind.COMMIT:
                return self._commit(anchor.target)

    def _file(self, anchor: Anchor) -> str | None:
        place = self._inside(anchor.target)
        if place is None:
            return None
        if not place.exists():
            return _GONE
        text = self._text(place)
        if text is None:
            return None
        if not anchor.part:
            return _digest(text)
        found = symbol_in(text.splitlines(), anchor.part.split("."))
        return _GONE if found is None else _digest("\n".join(found))

    def _setting(self, anchor: Anchor) -> str | None:
        place = self._inside(anchor.target)
        if place is None:
            return None
        if not place.exists():
            return _GONE
        value = _read_settings(place.suffix, self._text(place))
        if value is None:
            return None
        for key in anchor.part.split("."):
            if not isinstance(value, dict) or key not in value:
                return _GONE
            value = value[key]
        return _digest(json.dumps(value, sort_keys=True, default=str))

    def _package(self, name: str) -> str | None:
        """The version a lock file has; the first file that knows the package decides."""
        read = False
        patterns = [(file, rf'^name = "{re.escape(name)}"\s*\nversion = "([^"]+)"') for file in _LOCKS]
        patterns.append(("package-lock.json", rf'"node_modules/{re.escape(name)}": \{{\s*"version": "([^"]+)"'))
        patterns += [(file, rf"^{re.escape(name)}(?:\[[^]]*\])?==([^\s;\\]+)") for file in _PINS]
        patterns.append(("go.mod", rf"^\s*(?:require )?{re.escape(name)} (v\S+)"))
        for file, pattern in patterns:
            text = self._text(self.root / file)
            read = read or text is not None
            found = re.search(pattern, text, re.MULTILINE | re.IGNORECASE) if text else None
            if found:
                return found[1]
        return _GONE if read else None

    def _commit(self, sha: str) -> str | None:
        """The commit itself while the branch contains it; reading alone tells only of the newest one."""
        repository = repository_above(self.root, self.root.parent)
        if repository is None:
            return None
        head = repository.head()
        if sha == "HEAD":
            return head
        if head is not None and head.startswith(sha):
            return sha
        done = _git(self.root, "merge-base", "--is-ancestor", sha, "HEAD")
        if done is None or done.returncode not in (0, 1):
            return None
        return sha if done.returncode == 0 else _GONE

    def _inside(self, target: str) -> Path | None:
        """The path of a target, if it stays in the project whatever links there are."""
        root = os.path.realpath(self.root)
        place = os.path.realpath(os.path.join(root, target))  # noqa: PTH118 - realpath has no equal that never raises
        return Path(place) if place.startswith(root.rstrip(os.sep) + os.sep) else None

    def _text(self, place: Path) -> str | None:
        key = str(place)
        if key not in self._texts:
            self._texts[key] = None if identity_of(place) in self.avoid else text_of(place)
        return self._texts[key]


def identity_of(path: Path) -> tuple[int, int] | None:
    """Which file it is, whatever it is called; `None` if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def symbol_in(lines: Sequence[str], names: Sequence[str]) -> list[str] | None:
    """The lines of a definition, by indentation: from where it is named to what stands as far left again.

    `names` leads from the outside in, as in `Cart.total`. The language does not matter much, its layout does.
    """
    defined = re.compile(
        rf"^(\s*)(?:[\w@()<>*&:]+\s+)*?(?:class|def|fn|func|function|interface|struct|enum|type|trait|impl|module|const|"
        rf"let|var|val|object|record)\s+(?:\([^)]*\)\s*)?{re.escape(names[0])}\b|^(\s*){re.escape(names[0])}\s*(?:=|:)"
    )
    for number, line in enumerate(lines):
        if defined.match(line):
            block = _block(lines, number)
            return block if len(names) == 1 else symbol_in(block[1:], names[1:])
    return None


def _block(lines: Sequence[str], start: int) -> list[str]:
    edge = _indent(lines[start])
    found = [lines[start].rstrip()]
    for line in lines[start + 1 :]:
        bare = line.strip()
        if bare and _indent(line) <= edge and bare[0] not in ")]}" and bare not in ("end", "{"):
            break
        if bare:
            found.append(line.rstrip())
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _read_settings(suffix: str, text: str | None) -> Any:
    if text is None:
        return None
    try:
        if suffix == ".toml":
            import tomllib

            return tomllib.loads(text)
        if suffix == ".json":
            return json.loads(text)
        if suffix in (".ini", ".cfg"):
            from configparser import ConfigParser

            parser = ConfigParser(interpolation=None)
            parser.read_string(text)
            return {section: dict(parser[section]) for section in parser.sections()}
    except (ValueError, RecursionError):
        return None
    except Exception as problem:
        if type(problem).__module__ == "configparser":
            return None
        raise
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str] | None:
    try:
        # The words are ours but for the id of a commit, which was checked to be nothing else.
        return subprocess.run(  # noqa: S603
            ["git", *words],  # noqa: S607 - where git is, is the machine's business
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
