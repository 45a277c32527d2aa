"""Claude's memory tool (`memory_20250818`): its six commands, on notes that have a path for a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.dialects.memory_tool.memory_files import async_memory_tool, memory_tool

__all__ = ["async_memory_tool", "memory_tool"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recollect.dialects.memory_tool import memory_files

    return getattr(memory_files, name)
