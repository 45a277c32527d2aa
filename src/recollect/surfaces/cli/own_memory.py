"""The memory of the person who types: opened in their name, for every command that needs one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.origin import Caller, Channel
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.memory import Memory


def open_memory(settings: Settings) -> Memory:
    """Open the whole memory that the settings name."""
    from recollect.memory import Memory

    quiet_driver(settings)
    return Memory(settings=settings, caller=Caller(Channel.CLI, settings.principal))


def quiet_driver(settings: Settings) -> None:
    """Have the driver of a server say nothing by itself."""
    if "://" in settings.store:
        import logging

        # A driver logs every attempt it makes to reach a server; the error at the end says it once.
        logging.getLogger().addHandler(logging.NullHandler())
