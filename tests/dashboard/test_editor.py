"""The editor of note texts: Markdown as it is typed and as it is meant, by the keyboard, and nothing in it runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from recollect import Memory
from tests.dashboard.desk import SPACE
from tests.dashboard.test_hostile_text import PAYLOADS
from tests.dashboard.test_screens import barriers, load_axe, saved, show

pytestmark = pytest.mark.xdist_group("dashboard")

HOSTILE = "[run](javascript:alert(1)) <img src=x onerror=alert(1)> ![x](http://evil.example/x.png)"
ALL = "\n\n".join([HOSTILE, *PAYLOADS])


def test_a_note_is_written_with_the_keyboard_previewed_and_sent(page: Page, memory: Memory) -> None:
    show(page, "memories")
    page.keyboard.press("n")
    field = page.locator(".cm-content")
    expect(field).to_be_focused()
    page.keyboard.type("# Boiler\n\nkeep **never** above `1.5 bar`")
    page.get_by_role("button", name="Preview").click()
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_role("heading", name="Boiler")).to_be_visible()
    expect(preview.locator("strong")).to_have_text("never")
    page.evaluate(load_axe())
    assert barriers(page, "editor", within="'dialog'") == {}
    page.get_by_role("button", name="Write", exact=True).click()
    expect(field).to_be_focused()
    assert barriers(page, "editor", within="'dialog'") == {}
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    note = memory.list(space=SPACE, limit=1).items[0]
    assert note.text == "# Boiler\n\nkeep **never** above `1.5 bar`"


def test_hostile_markdown_is_named_and_neither_run_nor_loaded(page: Page, memory: Memory) -> None:
    note = saved(memory, ALL)
    show(page, f"memories/{note}")
    page.keyboard.press("e")
    page.get_by_role("button", name="Preview").click()
    preview = page.get_by_role("region", name="Preview")
    expect(preview).to_contain_text("Picture: x")
    expect(preview).to_contain_text("<img src=x onerror=alert(1)>")
    expect(preview).to_contain_text(PAYLOADS[-1].partition(" ")[0])
    assert preview.locator("img, script, svg, iframe, form, a:not([href^='http'])").count() == 0
    memory.forget(note, space=SPACE)


def test_an_edit_that_was_left_is_not_there_the_next_time(page: Page, memory: Memory) -> None:
    note = saved(memory, "The ladder is in the shed")
    show(page, f"memories/{note}")
    page.keyboard.press("e")
    field = page.locator(".cm-content")
    field.fill("The ladder is on the roof")
    expect(page.locator("dialog ins").last).to_have_text("roof")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("e")
    expect(field).to_have_text("The ladder is in the shed")
    page.get_by_role("button", name="Cancel").click()
    assert memory.get(note, space=SPACE).version == 1
