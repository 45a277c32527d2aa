"""A server on one memory, and the official client of MCP speaking with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect import Memory
from tests.surfaces.http.client import Client, served
from tests.surfaces.mcp.speaking import Speaker, over_http


@pytest.fixture
def anybody(one_memory: Memory) -> Iterator[Client]:
    """A client of the server that shows no token."""
    with served(one_memory) as client:
        yield client


@pytest.fixture
def speaker(one_memory: Memory, anybody: Client) -> Iterator[Speaker]:
    """The eight tools, for somebody who may do everything."""
    secret = one_memory.access.issue(scope="admin", name="tester").secret
    with over_http(anybody.port, secret) as opened:
        yield opened
