"""The screens beside the notes: time, sessions, the working set of agents, and what looks after the store."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from recollect import Memory
from recollect.domain.changes import WriteJudgement
from recollect.domain.links.statement_link import Judgement, Stance, StatementLink, StatementRelation
from tests.dashboard.desk import SPACE
from tests.dashboard.test_screens import show

pytestmark = pytest.mark.xdist_group("dashboard")


def test_the_time_machine_goes_back_to_what_was_true_then(page: Page, memory: Memory) -> None:
    berlin = memory.list(space=SPACE, state="superseded", attribute="location").items[0]
    assert berlin.valid_until is not None
    show(page, "time")
    expect(page.get_by_text("User lives in Austin.")).to_be_visible()
    page.goto(f"/ui/{SPACE}/time?at={berlin.valid_from:%Y-%m-%dT%H:%M:%SZ}")
    expect(page.get_by_text(re.compile("lives in Berlin"))).to_be_visible()
    expect(page.get_by_text("User lives in Austin.")).to_have_count(0)
    page.get_by_label("Only what was known then").check()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    page.get_by_label("Moment").press("End")
    expect(page.get_by_text("User lives in Austin.")).to_be_visible()


def test_a_session_tells_what_was_asked_and_what_happened(page: Page) -> None:
    show(page, "sessions")
    page.get_by_role("link", name=re.compile("Fix the connection leak")).click()
    expect(page.get_by_text("Why does the gateway run out of connections?").first).to_be_visible()
    expect(page.get_by_text("src/pool.py").first).to_be_visible()
    page.get_by_role("button", name="20×").click()
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("pytest: 1 failed")).to_be_visible()


def test_slots_lessons_and_actions_are_kept_by_hand(page: Page, memory: Memory) -> None:
    show(page, "slots")
    page.get_by_role("listitem").filter(has_text="focus").get_by_role("button", name="Edit").click()
    page.get_by_label("Text").fill("The release of the fix.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The release of the fix.")).to_be_visible()
    show(page, "lessons")
    page.get_by_label("A lesson").fill("Never trust a green test that was skipped.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=re.compile("Never trust a green test"))).to_be_visible()
    show(page, "actions")
    page.get_by_label("Status of Write a test for the leak").select_option("done")
    expect(page.get_by_role("region", name="Done").get_by_text("Write a test for the leak")).to_be_visible()
    ready = page.get_by_role("region", name="To do").locator("li", has_text="Release the fix")
    expect(ready.get_by_text("ready")).to_be_visible()
    assert memory.slot("focus", project="gateway", space=SPACE).text == "The release of the fix."


def test_a_profile_and_the_graph_show_whom_memory_knows(page: Page) -> None:
    show(page, "profile")
    expect(page.get_by_role("link", name="penicillin")).to_be_visible()
    page.get_by_label("Of whom").select_option(label="Ana")
    expect(page.get_by_role("link", name="Paris")).to_be_visible()
    show(page, "graph")
    drawn = page.get_by_role("group", name=re.compile("A map of"))
    drawn.get_by_role("button", name="Ana, Person").click()
    beside = page.locator("section", has=page.get_by_role("heading", name="Ana", exact=True))
    expect(beside.get_by_role("button", name="Paris")).to_be_visible()
    expect(drawn.get_by_role("button", name="Berlin, Place")).to_have_count(0)
    page.get_by_label("Also what is over").check()
    expect(drawn.get_by_role("button", name="Berlin, Place")).to_be_visible()
    beside.get_by_role("button", name="Put in the middle").click()
    expect(page).to_have_url(re.compile("subject=ana"))
    page.get_by_label("As of").fill("2001-01-01")
    expect(page.get_by_text("Nothing ties it to anybody.")).to_be_visible()


def test_a_token_is_shown_once_and_revoked(page: Page, memory: Memory) -> None:
    show(page, "access")
    page.get_by_role("button", name="New token").click()
    page.get_by_label("In whose name does it write?").fill("robot")
    page.get_by_role("button", name="Make it").click()
    secret = page.get_by_role("dialog").locator("pre").inner_text()
    admitted = memory.access.admit(secret)
    assert admitted is not None
    assert (admitted.name, admitted.space, admitted.scope) == ("robot", SPACE, "read")
    page.get_by_role("button", name="Done").click()
    page.locator("li", has_text="robot").get_by_role("button", name="Revoke").click()
    expect(page.locator("li", has_text="robot").get_by_text("revoked")).to_be_visible()
    assert memory.access.admit(secret) is None


def test_health_jobs_and_evaluation_are_looked_after(page: Page) -> None:
    show(page, "health")
    page.get_by_role("button", name="Examine everything").click()
    expect(page.get_by_text("healthy", exact=True)).to_be_visible()
    page.get_by_role("button", name="Quick").click()
    expect(page.get_by_text("Queued: it is done in the background.")).to_be_visible()
    show(page, "jobs")
    expect(page.get_by_text("upkeep").first).to_be_visible()
    show(page, "evaluation")
    page.get_by_role("button", name="Make questions").click()
    expect(page.get_by_text(re.compile(r"\d+ questions? made"))).to_be_visible()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Asked all of them.")).to_be_visible()
    expect(page.get_by_text("Last run")).to_be_visible()


def test_a_change_in_doubt_is_denied_with_a_key(page: Page, memory: Memory) -> None:
    older, newer = (
        memory.add(each, extract=False, space=SPACE).observation_ids[0] for each in ("Tea?", "Rather coffee.")
    )
    now = memory._engine.clock.now()
    link = StatementLink(older, newer, StatementRelation.REPLACES, 0.5, "tiny", now)
    judged = Judgement(newer, 0, "tiny", Stance.ASSERTED, 0.9, now, (link,))
    memory._carry_out("judge", SPACE, WriteJudgement(judged))
    show(page, "review")
    waiting = page.locator("main li", has_text="Rather coffee.").last
    expect(waiting).to_contain_text("The newer one replaces the older one, with 50% certainty.")
    waiting.get_by_text("Rather coffee.").click()
    expect(waiting.locator("[aria-current]")).to_have_count(1)
    page.keyboard.press("r")
    expect(page.get_by_text("Noted: this is not a change.")).to_be_visible()
    assert newer not in [each.newer_id for each in memory.review(doubts=True, space=SPACE).doubts]
