"""Our own folder, and settings from the environment alone: the only ones that a hook has the time to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

TYPE_CHECKING = False  # type checkers take it for true; a hook has no time for `typing`
if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "RECOLLECT_"


def home_folder(given: str | Path | None = None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that was given, that the environment names, or where this platform keeps the data of programs."""
    from pathlib import Path

    return Path(given or said_of("HOME", environment) or _data_folder(environment)).expanduser().absolute()


def said_of(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The value of a setting in the environment alone; `None` if it is missing or empty."""
    return environment.get(f"{PREFIX}{name}") or None


def _data_folder(environment: Mapping[str, str]) -> Path:
    from pathlib import Path

    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "recollect"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "recollect"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "recollect"
