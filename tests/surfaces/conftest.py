"""The doors, each opened on a store of its own, and a shell to type into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from tests.surfaces.doors import DOORS, Door
from tests.surfaces.shell import Shell


@pytest.fixture(scope="session")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for compiled modules, so that starting the command line often stays quick."""
    return tmp_path_factory.mktemp("bytecode")


@pytest.fixture
def shell(tmp_path: Path, bytecode: Path) -> Shell:
    """A shell in an empty folder, whose `recollect` keeps its memory in that folder too."""
    return Shell(tmp_path, bytecode)


@pytest.fixture(params=sorted(DOORS))
def door(request: pytest.FixtureRequest, tmp_path: Path, bytecode: Path) -> Iterator[Door]:
    """Each door there is."""
    opened = DOORS[request.param](tmp_path / "here", bytecode)
    yield opened
    opened.close()


@pytest.fixture
def one_memory() -> Iterator[Memory]:
    """A memory for what has nothing to do with the kind of store."""
    with Memory(store=":memory:", principal="tester") as opened:
        yield opened
