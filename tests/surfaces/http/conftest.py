"""A server on a store of each kind, and clients with every sort of token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect import Memory
from tests.surfaces.http.client import Client, served


@pytest.fixture
def client(memory: Memory) -> Iterator[Client]:
    """A server on each kind of store, and a client whose token may do everything."""
    with served(memory) as anybody:
        yield anybody.with_token(memory.access.issue(scope="admin", name="tester").secret)


@pytest.fixture
def one_client(one_memory: Memory) -> Iterator[Client]:
    with served(one_memory) as anybody:
        yield anybody.with_token(one_memory.access.issue(scope="admin", name="tester").secret)
