"""Which hosts are here, how each of them is connected, and who has the store open. Looks, and changes nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.domain.errors import RecollectError
from recollect.domain.recollections import Check
from recollect.surfaces.hosts.json_text import Broken
from recollect.surfaces.hosts.known import HOSTS, Ground, Hooks, Host, Server, Table, Wiring
from recollect.surfaces.hosts.planning import Ours, Standing, standing

_WHAT = {Server: "MCP", Table: "MCP", Hooks: "hooks"}


def found_hosts(ground: Ground) -> list[Host]:
    """The coding agents that somebody uses here, or could."""
    path = ground.environment.get("PATH")
    return [
        host
        for host in HOSTS.values()
        if any(trace.exists() for trace in host.traces(ground))
        or (path and any(shutil.which(program, path=path) for program in host.programs))
    ]


def checks(ground: Ground, wiring: Wiring, ours: Ours) -> Iterator[Check]:
    """One line for each agent that is here: connected, not connected, or connected in a way that no longer works."""
    for host in found_hosts(ground):
        yield _check(host, ground, wiring, ours)


def _check(host: Host, ground: Ground, wiring: Wiring, ours: Ours) -> Check:
    again = f"`recollect init --agents {host.name}` puts it right."
    parts: dict[str, list[Standing]] = {}
    for target in host.targets(ground, wiring):
        try:
            text = target.path.read_text(encoding="utf-8") if target.path.exists() else None
            how = standing(text, target, ours)
        except (Broken, UnicodeDecodeError, OSError, RecollectError) as problem:
            hint = "Correct the file; the agent cannot read it either."
            return Check(host.title, False, f"{target.path} cannot be read: {problem}", hint)
        what = _WHAT.get(type(target.part), target.path.name)
        parts.setdefault(what, []).append(how)
    told = {what: _worst(standings) for what, standings in parts.items()}
    essential = [how for what, how in told.items() if what in _WHAT.values()]
    if all(how is Standing.MISSING for how in essential):
        return Check(
            host.title, True, "is here and not connected", f"`recollect init --agents {host.name}` connects it."
        )
    words = ", ".join(f"{what} {_IN_WORDS[how]}" for what, how in told.items() if how is not None)
    amiss = [how for how in told.values() if how in (Standing.STALE, Standing.MISSING)]
    return Check(host.title, not amiss, words, again if amiss else "")


_IN_WORDS = {
    Standing.CURRENT: "connected",
    Standing.STALE: "out of date",
    Standing.MISSING: "missing",
    Standing.FOREIGN: "in somebody else's words, left alone",
}
_ORDER = (Standing.STALE, Standing.MISSING, Standing.FOREIGN, Standing.CURRENT)


def _worst(standings: Sequence[Standing]) -> Standing:
    return min(standings, key=_ORDER.index)


def holders(location: str) -> list[tuple[int, str]]:
    """The other processes that have a file of the store open, as far as this system tells: Linux only."""
    processes = Path("/proc")
    if not processes.is_dir() or not Path(location).is_file():
        return []
    wanted = Path(location).stat()
    found = []
    for folder in processes.iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            opened = (each.stat() for each in (folder / "fd").iterdir())
            if any((each.st_dev, each.st_ino) == (wanted.st_dev, wanted.st_ino) for each in opened):
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
                found.append((int(folder.name), words))
        except OSError:
            continue  # it ended, or belongs to somebody else
    return sorted(found)
