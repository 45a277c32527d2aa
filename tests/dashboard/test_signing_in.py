"""A person with an account chooses a password after the first link, and comes back by name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from recollect import Memory
from tests.dashboard.desk import SPACE, Desk, Watched
from tests.dashboard.test_screens import barriers, load_axe, settled, step_to

pytestmark = pytest.mark.xdist_group("dashboard")

PASSWORD = "four quiet herons waiting"


def show_token(page: Page, secret: str) -> None:
    page.get_by_label("Or show a token").fill(secret)
    page.keyboard.press("Enter")


def come_in(page: Page, password: str) -> None:
    page.get_by_label("Name").fill("zoë")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_an_account_chooses_a_password_and_comes_back_by_name(desk: Desk, browser: Browser, memory: Memory) -> None:
    _, link = memory.access.accounts.create("zoë", space=SPACE)
    context = browser.new_context(base_url=desk.url)
    page = context.new_page()
    watched = Watched(page, desk.url)
    page.goto(f"/sign-in#{link}")
    chosen = page.get_by_role("dialog", name="Choose a password")
    chosen.get_by_label("New password").fill("zoë zoë zoë zoë")
    chosen.get_by_role("button", name="Keep the password").click()
    expect(chosen.get_by_text("This password is easy to guess.")).to_be_visible()
    chosen.get_by_label("New password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(chosen).to_have_count(0)
    page.goto(f"/ui/{SPACE}/access")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    come_in(page, "three loud herons")
    expect(page.get_by_role("alert")).to_be_visible()
    come_in(page, PASSWORD)
    expect(page.get_by_role("heading", name="Spaces and access")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in with your organisation")).to_have_count(0)
    assert watched.wrong == []
    context.close()
    memory.access.accounts.remove("zoë")


def test_a_link_that_is_over_says_how_to_come_in_and_the_next_one_is_taken_in_the_same_tab(
    desk: Desk, browser: Browser
) -> None:
    context = browser.new_context(base_url=desk.url)
    page = context.new_page()
    page.goto("/sign-in#rco_of_yesterday")
    expect(
        page.get_by_text("This link was used already, or is over. `recollect dashboard` makes another.")
    ).to_be_visible()
    expect(page.get_by_role("link", name="Sign in another way")).to_be_visible()
    page.goto(desk.link())
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    context.close()


def test_whoever_signs_in_next_finds_nothing_that_the_one_before_looked_at(
    desk: Desk, browser: Browser, memory: Memory
) -> None:
    context = browser.new_context(base_url=desk.url)
    page = context.new_page()
    page.goto(f"/ui/{SPACE}/memories")
    show_token(page, memory.access.issue(scope="read", space=SPACE, name="first").secret)
    expect(page.get_by_label("Search memories")).to_be_visible()
    settled(page)
    step_to(page, SPACE, "access")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Or show a token")).to_be_visible()
    page.route("**/v1/spaces/**", lambda _: None)  # no answer comes: all that is shown was there before
    show_token(page, memory.access.issue(scope="read", space=SPACE, name="second").secret)
    page.locator(f"aside a[href='/ui/{SPACE}/memories']").click()
    expect(page.get_by_label("Search memories")).to_be_visible()
    expect(page.locator("main [aria-busy]").first).to_be_visible()
    context.close()


def test_a_shared_server_says_what_it_is_and_shows_nothing_of_anybody(
    desk: Desk, browser: Browser, memory: Memory
) -> None:
    memory.access.accounts.create("yusuf", space=SPACE)
    context = browser.new_context(base_url=desk.url)
    page = context.new_page()
    watched = Watched(page, desk.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(desk.url)))
    page.goto("/")
    expect(page.get_by_role("heading", name="A memory that agents and people share")).to_be_visible()
    expect(page.get_by_label("Name")).to_be_focused()
    assert {path for path in asked if not path.startswith("/ui/")} == {"/", "/v1/info", "/sign-in/ways"}
    page.evaluate(load_axe())
    assert barriers(page, "landing", within="document") == {}
    page.goto(f"/ui/{SPACE}/memories")
    expect(page.get_by_role("heading", name="Sign in to your memory")).to_be_visible()
    expect(page.get_by_text("A memory that agents and people share")).to_have_count(0)
    assert watched.wrong == []
    context.close()
    memory.access.accounts.remove("yusuf")
