"""The chosen parts, side by side, typed by ports."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.domain.clock import Clock
from recollect.domain.ports import Store
from recollect.settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """What every verb works with."""

    settings: Settings
    clock: Clock
    store: Store
