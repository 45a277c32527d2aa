"""A home in which hooks find no server and start none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect.surfaces.resident.process import claim_start
from tests.surfaces.shell import Shell


@pytest.fixture
def no_server_starts(shell: Shell) -> Iterator[None]:
    """Unless a test does it: the right to is ours."""
    mine = claim_start(shell.home)
    assert mine is not None
    with mine:
        yield
