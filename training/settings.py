"""The configuration of a training run: `settings.toml`, with one of its profiles laid over it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BANKS = HERE / "banks"


def settings(profile: str | None = None) -> dict[str, Any]:
    """All tables of `settings.toml`. Raises `KeyError` for a profile that is not in it."""
    read = tomllib.loads((HERE / "settings.toml").read_text(encoding="utf-8"))
    profiles = read.pop("profiles", {})
    for table, values in (profiles[profile] if profile else {}).items():
        read[table] = {**read[table], **values}
    return read
