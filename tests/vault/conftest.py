"""What several tests of the vault begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.vault.machines import machines


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Memory, Memory]]:
    """Two machines with a remote between them."""
    with machines(tmp_path, 2) as (here, there):
        yield here, there
