"""Long-term memory for AI agents: what is true now, what was true then, the right few lines at the right moment.

    from recollect import Memory

    memory = Memory()
    note = memory.save("Alice prefers tea", space="alice")
    memory.search("what does Alice drink", space="alice").hits

Names are imported when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from recollect.version import __version__

TYPE_CHECKING = False  # type checkers take it for true; importing it from `typing` would cost half of the start
if TYPE_CHECKING:
    from typing import Any

    from recollect.async_memory import AsyncMemory
    from recollect.domain.attachments.attachment import Attachment
    from recollect.domain.errors import (
        Busy,
        Conflict,
        Damaged,
        Erased,
        InvalidInput,
        Misconfigured,
        NotAllowed,
        NotFound,
        QuotaReached,
        RecollectError,
        Refused,
        StorageFull,
        StoreFailure,
        TooLarge,
        UnknownField,
        Unreachable,
        Unsupported,
    )
    from recollect.domain.filters.builder import Filter
    from recollect.domain.notes import Kind, Note, State
    from recollect.domain.origin import Authority, Caller, Channel
    from recollect.memory import Memory
    from recollect.settings import Settings
    from recollect.wrapping.conversation import attributed
    from recollect.wrapping.wrap import RemoteMemory

__all__ = [
    "AsyncMemory",
    "Attachment",
    "Authority",
    "Busy",
    "Caller",
    "Channel",
    "Conflict",
    "Damaged",
    "Erased",
    "Filter",
    "InvalidInput",
    "Kind",
    "Memory",
    "Misconfigured",
    "NotAllowed",
    "NotFound",
    "Note",
    "QuotaReached",
    "RecollectError",
    "Refused",
    "RemoteMemory",
    "Settings",
    "State",
    "StorageFull",
    "StoreFailure",
    "TooLarge",
    "UnknownField",
    "Unreachable",
    "Unsupported",
    "__version__",
    "attributed",
]

_HOMES = {
    "AsyncMemory": "async_memory",
    "Attachment": "domain.attachments.attachment",
    "Authority": "domain.origin",
    "Caller": "domain.origin",
    "Channel": "domain.origin",
    "Filter": "domain.filters.builder",
    "Kind": "domain.notes",
    "Memory": "memory",
    "Note": "domain.notes",
    "RemoteMemory": "wrapping.wrap",
    "Settings": "settings",
    "State": "domain.notes",
    "attributed": "wrapping.conversation",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'recollect' has no attribute {name!r}")
    import gc
    from importlib import import_module

    # Nothing that is imported becomes garbage; looking for some took an eighth of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        home = import_module(f"recollect.{_HOMES.get(name, 'domain.errors')}")
    finally:
        if collecting:
            gc.enable()
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
