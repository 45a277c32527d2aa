"""A chat that answers from memory, and a question under two settings, with the keyboard alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from recollect import Memory
from tests.dashboard.desk import SPACE, Desk
from tests.dashboard.test_screens import settled, show

pytestmark = pytest.mark.xdist_group("dashboard")


def say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=text)).to_be_visible()
    settled(page)


def test_a_chat_answers_with_sources_says_what_it_does_not_know_and_stays_when_one_comes_back(page: Page) -> None:
    show(page, "teach")
    page.get_by_role("tab", name="Chat").click()
    say(page, "Where do I live?")
    answer = page.get_by_role("region", name="Where do I live?")
    expect(answer.get_by_text("User lives in Austin.").first).to_be_visible()
    say(page, "Which colour has my bicycle?")
    unknown = page.get_by_role("region", name="Which colour has my bicycle?")
    expect(unknown.get_by_text(re.compile("^Nothing is known about"))).to_be_visible()
    answer.get_by_role("link", name="Source 1").click()
    expect(page.get_by_role("heading", name="User lives in Austin.")).to_be_visible()
    page.go_back()
    expect(answer.get_by_text("User lives in Austin.").first).to_be_visible()
    page.get_by_role("button", name="Begin anew").click()
    expect(answer).to_have_count(0)


def test_a_message_goes_on_from_the_one_before_it(page: Page) -> None:
    show(page, "teach?tab=chat")
    say(page, "Where do I live?")
    say(page, "and before that?")
    answer = page.get_by_role("region", name="and before that?")
    expect(answer.get_by_text("User lives in Berlin").first).to_be_visible()


def test_a_message_of_the_chat_is_kept_only_after_it_was_shown(page: Page, memory: Memory) -> None:
    show(page, "teach?tab=chat")
    before = memory.count(space=SPACE).total
    said = "My therapist is Dr. Lindqvist."
    say(page, said)
    turn = page.get_by_role("region", name=said)
    turn.get_by_role("button", name="Keep this").press("Enter")
    expect(turn.get_by_role("heading", name="It would learn")).to_be_visible()
    expect(turn.get_by_text("nothing is written yet")).to_be_visible()
    assert memory.count(space=SPACE).total == before
    turn.get_by_role("button", name="Keep", exact=True).press("Enter")
    expect(turn.get_by_role("heading", name="Kept")).to_be_visible()
    assert memory.count(space=SPACE).total == before + 1
    turn.get_by_role("link", name=re.compile("Lindqvist")).first.click()
    expect(page.get_by_role("heading", name=re.compile("Lindqvist"))).to_be_visible()
    page.go_back()
    expect(turn.get_by_role("heading", name="Kept")).to_be_visible()
    expect(turn.get_by_role("button", name="Keep this")).to_have_count(0)


def test_whoever_may_only_read_may_chat_and_keep_nothing(desk: Desk, browser: Browser, memory: Memory) -> None:
    context = browser.new_context(base_url=desk.url)
    page = context.new_page()
    page.goto(f"/ui/{SPACE}/teach?tab=chat")
    page.get_by_label("Or show a token").fill(memory.access.issue(scope="read", space=SPACE, name="guest").secret)
    page.keyboard.press("Enter")
    say(page, "Who is my manager?")
    expect(page.get_by_role("link", name="Source 1")).to_be_visible()
    expect(page.get_by_role("button", name="Keep this")).to_have_count(0)
    context.close()


def test_two_settings_stand_side_by_side_and_what_differs_is_marked(page: Page, memory: Memory) -> None:
    berlin = memory.list(space=SPACE, state="superseded", attribute="location").items[0]
    assert berlin.valid_until is not None
    show(page, "ask?q=Where+do+I+live%3F")
    page.get_by_role("button", name="Compare two settings").press("Enter")
    expect(page.get_by_text("Both sides are the same")).to_be_visible()
    first, second = page.get_by_role("region", name="First"), page.get_by_role("region", name="Second")
    expect(first.get_by_text("only here")).to_have_count(0)
    second.get_by_label("True on").fill(f"{berlin.valid_until - timedelta(days=2):%Y-%m-%d}")
    expect(page.get_by_text("They differ in the day that is asked about.")).to_be_visible()
    changed = first.get_by_role("listitem").filter(has_text="User lives in Austin.")
    expect(changed.first.get_by_text("only here")).to_be_visible()
    expect(second.get_by_role("link", name=re.compile("^User lives in Austin"))).to_have_count(0)
    expect(page.get_by_label("The difference of the two blocks").locator("del").first).to_be_visible()
    page.reload()
    expect(changed.first.get_by_text("only here")).to_be_visible()
    page.get_by_role("button", name="One setting").click()
    expect(page).not_to_have_url(re.compile("b_at|two"))


def test_a_model_can_be_left_out_of_one_side(page: Page) -> None:
    show(page, "ask?q=Where+do+I+live%3F&two=yes")
    second = page.get_by_role("region", name="Second")
    reranker = second.get_by_role("button", name="reranker")
    expect(reranker).to_have_attribute("aria-pressed", "true")
    reranker.press("Enter")
    expect(page.get_by_text("They differ in the models that take part.")).to_be_visible()
    expect(page).to_have_url(re.compile("b_without=reranker"))
    expect(second.get_by_text("User lives in Austin.").first).to_be_visible()
    page.reload()
    expect(reranker).to_have_attribute("aria-pressed", "false")
