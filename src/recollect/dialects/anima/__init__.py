"""Anima: facts of users with the time in which they hold, on notes of ours. Its HTTP API, its tools, its Python class.

`Memory` and the records of Anima's library can be imported from here; they are loaded when they are asked for.
"""

from __future__ import annotations

from typing import Any

_MODELS = "recollect.dialects.anima.anima_models"
_LIBRARY = "recollect.dialects.anima.anima_library"
_WHERE = {
    **dict.fromkeys(
        ("Episode", "ExtractionResult", "MemoryExport", "MemoryItem", "MemoryListPage", "SearchResult", "UserProfile"),
        _MODELS,
    ),
    "Config": _LIBRARY,
    "Memory": _LIBRARY,
}
_CALLED = {"Memory": "AnimaMemory"}  # a class of ours has the name already
__version__ = "0.1.0"  # of Anima


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_WHERE[name]), _CALLED.get(name, name))
