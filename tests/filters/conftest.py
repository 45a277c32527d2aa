"""The doors, for the one scenario that goes through all of them."""

from __future__ import annotations

from tests.surfaces.conftest import bytecode, door, one_memory

__all__ = ["bytecode", "door", "one_memory"]
