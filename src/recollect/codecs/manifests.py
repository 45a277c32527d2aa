"""The manifest beside a copy of the store, as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from recollect.domain.answers.backups import Backup
from recollect.domain.values import to_plain


def manifest_text(backup: Backup) -> str:
    """The manifest of a copy that is a plain file."""
    told = to_plain(backup)
    del told["stored"]
    return json.dumps(told, indent=2) + "\n"


def manifest_read(text: str) -> Backup:
    """A manifest as `manifest_text` wrote it; raises `ValueError`, `TypeError` or `KeyError` where it is not one."""
    said: dict[str, Any] = json.loads(text)
    return Backup(**{**said, "made_at": datetime.fromisoformat(said["made_at"])})
