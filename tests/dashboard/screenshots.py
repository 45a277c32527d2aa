"""Pictures of every screen, on a desktop and a phone, light and dark: `make screenshots` writes those of the docs.

`python -m tests.dashboard.screenshots FOLDER` writes all of them elsewhere, to be looked at.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, expect

from recollect import Memory
from tests.dashboard.desk import SCREENS, SPACE, Desk, browsing, seed
from tests.support.clock import SteadyClock
from tests.support.project import ROOT

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
ASKED = {"ask": "ask?q=Where+do+I+live%3F"}
IN_DOCS = {
    *(f"{name}-desktop-light" for name in ("overview", "note", "ask", "ask-two", "chat", "graph", "time", "actions")),
    *(f"{name}-phone-dark" for name in ("overview", "memories")),
    "graph-3d-desktop-dark",
}
_SETTLED = 400  # milliseconds for what moves


def _talk(page: Page) -> None:
    """Two messages, and what the second one would teach."""
    for said in ("Where do I live?", "My dentist is Dr. Okafor."):
        page.get_by_label("Message").fill(said)
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name=said).get_by_text("known").first).to_be_visible()
    page.get_by_role("button", name="Keep this").last.click()
    expect(page.get_by_role("heading", name="It would learn")).to_be_visible()


def _write(page: Page) -> None:
    """A text with Markdown in the editor."""
    page.keyboard.press("e")
    page.locator(".cm-content").fill("# Austin\n\nSince **June**, near `5th Street`:\n\n- keys at Tom's\n- no parking")


FIRST = {"chat": _talk, "note-editor": _write}  # done before the picture


def pictures(folder: Path, wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Take the pictures whose names are wanted, one after the other."""
    for name in ("EMBEDDING", "JUDGE", "RERANKER"):
        os.environ.setdefault(f"RECOLLECT_{name}", "off")
    expect.set_options(timeout=60_000)
    folder.mkdir(parents=True, exist_ok=True)
    clock = SteadyClock()
    with Memory(store=":memory:", principal="sam", clock=clock) as memory, browsing() as browser:
        seed(memory, clock)
        desk = Desk(memory)
        desk.start()
        try:
            note = memory.list(space=SPACE, attribute="location", subject="user").items[0].id
            before = (clock.moment - timedelta(days=9)).date()
            screens = {path or "overview": ASKED.get(path, path) for path in SCREENS} | {
                "note": f"memories/{note}",
                "note-editor": f"memories/{note}",
                "ask-two": f"{ASKED['ask']}&two=yes&b_at={before}",
                "chat": "teach?tab=chat",
                "graph-3d": "graph?tab=3d",
            }
            for (size, (width, height)), theme in product(SIZES.items(), ("light", "dark")):
                viewport = {"width": width, "height": height}
                context = desk.signed_in(browser, viewport=viewport, color_scheme=theme)
                page = context.new_page()
                for name, path in screens.items():
                    if not wanted(f"{name}-{size}-{theme}"):
                        continue
                    page.goto(f"/ui/{SPACE}/{path}")
                    expect(page.locator("main h1:visible").first).to_be_visible()
                    expect(page.locator("[aria-busy]")).to_have_count(0)
                    FIRST.get(name, lambda _: None)(page)
                    page.wait_for_timeout(_SETTLED)
                    file = folder / f"{name}-{size}-{theme}.png"
                    page.screenshot(path=file)
                    yield file
                context.close()
        finally:
            desk.stop()


if __name__ == "__main__":
    for taken in (
        pictures(Path(sys.argv[1]), lambda _: True)
        if len(sys.argv) > 1
        else pictures(ROOT / "docs" / "dashboard", IN_DOCS.__contains__)
    ):
        sys.stdout.write(f"{taken}\n")
