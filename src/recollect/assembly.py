"""The only place that chooses: settings become an engine."""

from __future__ import annotations

from recollect.domain.clock import Clock, SystemClock
from recollect.engine import Engine
from recollect.settings import Settings
from recollect.stores.opening import open_store


def assemble(settings: Settings, *, clock: Clock | None = None) -> Engine:
    """Open everything the settings name."""
    clock = clock or SystemClock()
    store = open_store(settings.store, clock=clock, busy_timeout=settings.busy_timeout)
    return Engine(settings, clock, store)
