"""The page of a note tells how often it was recalled, by whom, and what it is linked with, or why it cannot."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from recollect import Memory
from tests.dashboard.desk import SPACE

pytestmark = pytest.mark.xdist_group("dashboard")


def test_a_note_tells_how_often_it_was_recalled_and_by_whom(page: Page, memory: Memory) -> None:
    memory.search("Where do I live?", space=SPACE)
    found = memory.search("Where do I live?", limit=1, space=SPACE).hits[0]
    assert found.note is not None
    page.goto(f"/ui/{SPACE}/memories/{found.note.id}")
    page.get_by_role("tab", name="Use").click()
    expect(page.get_by_role("cell", name="sam").first).to_be_visible()
    expect(page.get_by_text("times since")).to_be_visible()


def test_a_use_that_cannot_be_told_says_why(page: Page, memory: Memory) -> None:
    broken_tab(page, memory, "Use", "**/usage", "The counts are gone.")


def test_links_that_cannot_be_had_are_asked_for_again(page: Page, memory: Memory) -> None:
    broken_tab(page, memory, "Links", "**/relations", "The links are gone.")
    page.unroute("**/relations")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The links are gone.")).to_have_count(0)
    expect(page.get_by_text("Loading")).to_have_count(0)


def broken_tab(page: Page, memory: Memory, tab: str, path: str, reason: str) -> None:
    """Open a tab of a note whose request fails; it must say why."""
    note = memory.list(space=SPACE, limit=1).items[0]
    broken = {"code": "internal", "detail": reason, "hint": ""}
    page.route(path, lambda route: route.fulfill(status=500, json=broken))
    page.goto(f"/ui/{SPACE}/memories/{note.id}")
    page.get_by_role("tab", name=tab).click()
    expect(page.get_by_text(reason)).to_be_visible()
