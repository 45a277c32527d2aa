"""mem0: the paths of its platform and of its server, and its classes `Memory` and `AsyncMemory` in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.dialects.library import exported_by

if TYPE_CHECKING:
    from recollect.dialects.mem0.mem0_library import AsyncMem0Memory as AsyncMemory
    from recollect.dialects.mem0.mem0_library import Mem0Memory as Memory

__all__ = ["AsyncMemory", "Memory"]
__getattr__ = exported_by(
    __name__, {"AsyncMemory": "mem0_library.AsyncMem0Memory", "Memory": "mem0_library.Mem0Memory"}
)
