"""Where Recollect's own folder is, and which space is named: all of the settings that a hook has the time to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

PREFIX = "RECOLLECT_"


def home_folder(given: str | Path | None = None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that was given, that the environment names, or where this platform keeps the data of programs."""
    return Path(given or environment.get(f"{PREFIX}HOME") or _data_folder(environment)).expanduser().absolute()


def space_named(given: str | None = None, environment: Mapping[str, str] = os.environ) -> str | None:
    """The space that was given or that the environment names; `None` for the one that the settings of the home name."""
    return given or environment.get(f"{PREFIX}SPACE")


def is_set_elsewhere(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the settings are in another file than that of the home."""
    return bool(environment.get(f"{PREFIX}CONFIG"))


def _data_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "recollect"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "recollect"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "recollect"
