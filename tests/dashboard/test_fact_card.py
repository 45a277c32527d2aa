"""The fact card in a browser, inside a host that speaks the protocol of MCP Apps and passes calls on to our server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from recollect import Memory
from recollect.surfaces.mcp import fact_card
from tests.dashboard.desk import Watched
from tests.dashboard.test_hostile_text import PAYLOADS
from tests.support.links import link
from tests.surfaces.http.client import served
from tests.surfaces.mcp.speaking import Speaker, over_http

pytestmark = pytest.mark.xdist_group("dashboard")

# A host: an iframe without any right but to run scripts, the handshake, one answer of a tool, and calls passed on.
HOST = """
async ({ html, given, answer }) => {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.width = "600"; frame.height = "500";
  window.heard = [];
  window.addEventListener("message", async ({ data, source }) => {
    if (source !== frame.contentWindow) return;
    window.heard.push(data.method);
    const send = (message) => source.postMessage({ jsonrpc: "2.0", ...message }, "*");
    if (data.method === "ui/initialize") {
      const theme = { theme: "dark" };
      send({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: {}, hostCapabilities: {}, hostContext: theme } });
    } else if (data.method === "ui/notifications/initialized") {
      send({ method: "ui/notifications/tool-input", params: { arguments: given } });
      send({ method: "ui/notifications/tool-result", params: answer });
    } else if (data.method === "tools/call") {
      send({ id: data.id, result: await window.passedOn(data.params) });
    }
  });
  frame.srcdoc = html;
  document.body.append(frame);
}
"""  # noqa: E501


@pytest.fixture
def told() -> Iterator[Memory]:
    with Memory(store=":memory:", principal="sam") as opened:
        yield opened


@pytest.fixture
def speaker(told: Memory) -> Iterator[Speaker]:
    with served(told) as client, over_http(client.port, told.access.issue(scope="write", name="chat").secret) as opened:
        yield opened


@pytest.fixture
def chat(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    watched = Watched(opened, "about:")
    yield opened
    opened.close()
    assert watched.wrong == []


def shown(chat: Page, speaker: Speaker, **given: Any) -> tuple[FrameLocator, list[dict[str, Any]]]:
    """The card of a fact in a host, and the calls that the host passed on."""
    calls: list[dict[str, Any]] = []

    def passed_on(params: dict[str, Any]) -> Any:
        calls.append(params)
        return speaker.call(params["name"], **params["arguments"]).model_dump(mode="json", by_alias=True)

    chat.expose_function("passedOn", passed_on)
    answer = speaker.call("timeline", **given).model_dump(mode="json", by_alias=True)
    chat.evaluate(HOST, {"html": speaker.contents(fact_card.FACT_CARD).text, "given": given, "answer": answer})
    return chat.frame_locator("iframe"), calls


def test_a_fact_is_shown_with_its_life_and_a_button_calls_the_tool(chat: Page, told: Memory, speaker: Speaker) -> None:
    old = told.save("Alice lives in Boston")
    new = told.supersede(old.id, "Alice lives in Berlin")
    card, calls = shown(chat, speaker, note_id=old.id)
    expect(card.locator(".step .text")).to_have_text(["Alice lives in Berlin", "Alice lives in Boston"])
    expect(card.locator(".holds .why")).to_contain_text("written down")
    expect(card.locator("html")).to_have_css("color-scheme", "dark")
    card.get_by_role("button", name="Outdated").click()
    expect(card.locator(".review")).to_be_visible()
    expect(card.locator("p.said")).to_have_text("Noted. It counts from now on.")
    assert calls == [
        {"name": "feedback", "arguments": {"note_id": new.id, "verdict": "outdated"}},
        {"name": "timeline", "arguments": {"note_id": old.id}},
    ]
    assert told.get(new.id).review
    assert "ui/notifications/size-changed" in chat.evaluate("window.heard")


def test_a_change_that_is_none_is_denied_and_a_refusal_is_told(chat: Page, told: Memory, speaker: Speaker) -> None:
    tea, coffee = (speaker.told("remember", text=f"I like {drink}")["id"] for drink in ("tea", "coffee"))
    link(told, tea, coffee)
    card, _ = shown(chat, speaker, note_id=coffee)
    card.get_by_role("button", name="Not a change").click()
    expect(card.get_by_text("denied: not a change")).to_be_visible()
    assert told.history(coffee).links[0].is_refuted
    told.forget(coffee)
    card.get_by_role("button", name="Wrong").click()
    expect(card.locator("p.said")).to_contain_text("forgotten")


def test_hostile_texts_are_shown_as_text(chat: Page, told: Memory, speaker: Speaker) -> None:
    note = told.save(PAYLOADS[0])
    for each in PAYLOADS[1:40]:
        note = told.supersede(note.id, each)
    card, _ = shown(chat, speaker, note_id=note.id)
    expect(card.locator(".step")).to_have_count(40)
    assert card.locator("#card :is(script, img, svg, iframe, a, form, style)").count() == 0
    assert chat.evaluate("window.heard").count("tools/call") == 0
