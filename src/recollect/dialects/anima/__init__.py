"""Anima: facts of users with the time in which they hold, on notes of ours. Its HTTP API, its tools, its Python class.

`Memory` and the records of Anima's library can be imported from here; they are loaded when they are asked for.
"""

from __future__ import annotations

from recollect.dialects.library import exported_by

__version__ = "0.1.0"  # of Anima
_MODELS = ("Episode", "ExtractionResult", "MemoryExport", "MemoryItem", "MemoryListPage", "SearchResult", "UserProfile")
_LIBRARY = {
    "Config": "anima_library.Config",
    "Memory": "anima_library.AnimaMemory",
}  # a class of ours is a `Memory`, too
__getattr__ = exported_by(__name__, {**{name: f"anima_models.{name}" for name in _MODELS}, **_LIBRARY})
