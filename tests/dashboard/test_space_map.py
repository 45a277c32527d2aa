"""Notes in three dimensions: turned with keys, gone through without sight, and flat where there is no WebGL."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from tests.dashboard.desk import SPACE, Desk, Watched
from tests.dashboard.test_screens import show

pytestmark = pytest.mark.xdist_group("dashboard")

PLACE = "map => [...map.parentElement.querySelectorAll('span')].map(each => each.style.left)"
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def at_rest(page: Page, drawn: Locator) -> list[str]:
    """Where the names stand once the camera has been fitted to the map and moves no more."""
    places: list[str] = drawn.evaluate(PLACE)
    while True:
        page.evaluate(NEXT_FRAME)
        before, places = places, drawn.evaluate(PLACE)
        if places == before:
            return places


def test_the_map_is_turned_by_keys_filtered_by_kind_and_leads_to_notes(page: Page) -> None:
    show(page, "graph")
    page.get_by_role("tab", name="Notes in 3D").click()
    drawn = page.get_by_role("application", name=re.compile(r"A map of \d+ notes in \d+ project"))
    drawn.focus()
    before = at_rest(page, drawn)
    page.keyboard.press("ArrowRight")
    expect(drawn).to_be_focused()
    turned = drawn.evaluate(PLACE)
    assert len(before) >= 2
    assert turned != before
    kind = page.get_by_role("group", name="Kinds").get_by_role("button", name=re.compile("^Lesson"))
    kind.press("Enter")
    expect(kind).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name=re.compile("^gateway")).press("Enter")
    page.get_by_role("link", name=re.compile("Close the cursor before a retry")).press("Enter")
    expect(page.get_by_role("heading", name=re.compile("Close the cursor before a retry"))).to_be_visible()


def test_without_webgl_the_flat_map_is_drawn_and_says_why(desk: Desk, browser: Browser) -> None:
    context = desk.signed_in(browser)
    page = context.new_page()
    watched = Watched(page, desk.url)
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); };"
    )
    show(page, "graph?tab=3d")
    expect(page.get_by_text("This browser has no WebGL")).to_be_visible()
    expect(
        page.get_by_role("group", name=re.compile("A map of")).get_by_role("button", name="Ana, Person")
    ).to_be_visible()
    assert watched.wrong == []
    context.close()


def test_a_map_that_is_lost_while_it_is_looked_at_becomes_flat_and_does_not_blame_the_browser(page: Page) -> None:
    show(page, "graph?tab=3d")
    drawn = page.get_by_role("application", name=re.compile("A map of"))
    drawn.evaluate("map => map.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    expect(page.get_by_text("The map in 3D could not be drawn")).to_be_visible()
    expect(page.get_by_text("This browser has no WebGL")).to_have_count(0)
    expect(page.get_by_role("group", name=re.compile("A map of"))).to_be_visible()


def test_a_later_page_that_fails_is_said_and_not_asked_for_again_and_again(page: Page) -> None:
    asked: list[str] = []

    def answer(route: Route, request: Request) -> None:
        if "cursor" in (request.post_data_json or {}):
            asked.append("later")
            route.fulfill(status=500, json={"code": "internal", "detail": "It broke.", "hint": ""})
            return
        asked.append("first")
        first = route.fetch()
        route.fulfill(response=first, json={**first.json(), "next_cursor": "more"})

    page.route(f"**/v1/spaces/{SPACE}/list", answer)
    page.goto(f"/ui/{SPACE}/graph?tab=3d")
    expect(page.get_by_text("It broke.")).to_be_visible()
    for _ in range(10):
        page.evaluate(NEXT_FRAME)
    assert asked.count("later") <= asked.count("first")
