"""A step of the build: a wheel without the dashboard is refused, rather than shipped with an empty page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = "src/recollect/surfaces/dashboard/static"
PAGES = ("index.html", "fact-card.html")  # the dashboard, and the card that chats show


class RequireDashboard(BuildHookInterface):  # type: ignore[type-arg]
    """Looks whether `make dashboard` was run. An editable install does without: it serves what is on the disk."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before anything is packed."""
        del build_data
        missing = [page for page in PAGES if not (Path(self.root) / BUILT / page).is_file()]
        if version != "editable" and missing:
            raise SystemExit(
                f"{BUILT}/{missing[0]} is missing. Run `make dashboard` first, which needs Node 20 or newer."
            )
