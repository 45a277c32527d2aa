"""The dialects that there are, by name. One is loaded only when a server speaks it."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from recollect.domain.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.dialects.table import Dialect

# Each is a module with a `DIALECT`.
MODULES: dict[str, str] = {
    "agentmemory": "recollect.dialects.agentmemory.http",
    "anamnesis": "recollect.dialects.anamnesis.http",
    "anda": "recollect.dialects.anda.anda_paths",
    "anima": "recollect.dialects.anima.anima_paths",
    "mem0": "recollect.dialects.mem0.mem0_paths",
    "memoire": "recollect.dialects.memoire.memoire_paths",
    "memory-tool": "recollect.dialects.memory_tool.memory_files",
    "server-memory": "recollect.dialects.server_memory.tools",
}


def known_dialect(name: str) -> str:
    """The name of a dialect; a clear error for any other."""
    if name not in MODULES:
        near = difflib.get_close_matches(name[:60], MODULES, 1)
        meant = f"Did you mean `{near[0]}`?" if near else f"There are: {', '.join(sorted(MODULES))}."
        raise InvalidInput(f"There is no dialect `{name[:60]}`.", code="unknown_dialect", hint=meant)
    return name


def chosen(setting: str, *, loopback: bool) -> tuple[Dialect, ...]:
    """The dialects that a server speaks: those of the setting, which are all on this machine and none elsewhere when it
    is empty. `all` and `none` say so."""
    named = [name.strip() for name in setting.split(",") if name.strip()] or ["all" if loopback else "none"]
    if named == ["none"]:
        return ()
    return loaded(MODULES if named == ["all"] else map(known_dialect, named))


def loaded(names: Iterable[str]) -> tuple[Dialect, ...]:
    """These dialects, in the order of their names."""
    return tuple(importlib.import_module(MODULES[name]).DIALECT for name in sorted(set(names)))
