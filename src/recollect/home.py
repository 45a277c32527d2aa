"""Where Recollect's own folder is: a part of the settings, and all of them that a hook has the time to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

PREFIX = "RECOLLECT_"


def home_folder(given: str | Path | None = None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that was given, that the environment names, or where this platform keeps the data of programs."""
    return Path(given or environment.get(f"{PREFIX}HOME") or _data_folder(environment)).expanduser().absolute()


def _data_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "recollect"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "recollect"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "recollect"
