"""mem0: the paths of its platform and of its server, and its classes `Memory` and `AsyncMemory` in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.dialects.mem0.mem0_library import AsyncMem0Memory as AsyncMemory
    from recollect.dialects.mem0.mem0_library import Mem0Memory as Memory

__all__ = ["AsyncMemory", "Memory"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recollect.dialects.mem0 import mem0_library

    return {"AsyncMemory": mem0_library.AsyncMem0Memory, "Memory": mem0_library.Mem0Memory}[name]
