"""One memory, one server and one browser for all tests of the dashboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from recollect import Memory
from tests.dashboard.desk import Desk, Watched, browsing, seed
from tests.support.clock import SteadyClock


@pytest.fixture(scope="package")
def clock() -> SteadyClock:
    return SteadyClock()


@pytest.fixture(scope="package")
def memory(clock: SteadyClock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    file = tmp_path_factory.mktemp("dashboard") / "memory.db"
    with Memory(store=str(file), principal="sam", clock=clock) as opened:
        seed(opened, clock)
        yield opened


@pytest.fixture(scope="package")
def desk(memory: Memory) -> Iterator[Desk]:
    running = Desk(memory)
    running.start()
    try:
        yield running
    finally:
        running.stop()


expect.set_options(timeout=60_000)  # milliseconds; a machine that is busy with other tests is slow, not wrong


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@pytest.fixture(scope="package")
def context(desk: Desk, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody who may do everything."""
    signed_in = desk.signed_in(browser, viewport={"width": 1280, "height": 800})
    yield signed_in
    signed_in.close()


@pytest.fixture
def page(desk: Desk, context: BrowserContext) -> Iterator[Page]:
    """A page of it. Whatever goes wrong in there fails the test."""
    opened = context.new_page()
    watched = Watched(opened, desk.url)
    yield opened
    opened.close()
    assert watched.wrong == []
