"""The fact card as a client of MCP finds it: named by a tool, read as a resource, answered by text as well."""

from __future__ import annotations

import re

import pytest

from recollect import Memory
from recollect.surfaces.mcp import fact_card
from tests.surfaces.http.client import Client
from tests.surfaces.mcp.speaking import Speaker, said


def test_one_tool_names_a_page_that_can_be_read(speaker: Speaker) -> None:
    pages = {tool.name: tool.meta["ui"] for tool in speaker.tools() if "ui" in (tool.meta or {})}
    assert pages == {"timeline": {"resourceUri": fact_card.FACT_CARD}}
    content = speaker.contents(fact_card.FACT_CARD)
    assert (content.uri, content.mime_type) == (fact_card.FACT_CARD, "text/html;profile=mcp-app")
    assert content.meta["ui"] == {"csp": {}, "prefersBorder": True}
    assert content.text.startswith("<!doctype html>")


def test_the_page_is_small_and_whole_in_itself() -> None:
    page = fact_card.BUILT.read_text(encoding="utf-8")
    assert len(page) < 20_000
    assert "default-src 'none'" in page and "unsafe" not in page
    assert not re.search(r"https?:|src=|href=|@import|url\(|\bfetch\(|innerHTML", page)


def test_who_cannot_show_a_page_reads_the_same_as_text(one_memory: Memory, speaker: Speaker) -> None:
    old = one_memory.save("Alice lives in Boston")
    one_memory.supersede(old.id, "Alice lives in Berlin")
    result = speaker.call("timeline", note_id=old.id)
    assert [step["text"] for step in result.structured_content["steps"]] == [
        "Alice lives in Boston",
        "Alice lives in Berlin",
    ]
    assert "Alice lives in Berlin" in result.content[0].text  # type: ignore[union-attr]


def test_a_change_is_denied_instead_of_judged(one_memory: Memory, speaker: Speaker) -> None:
    note, other = one_memory.save("I like tea"), one_memory.save("I like coffee")
    both = speaker.call("feedback", note_id=note.id, verdict="wrong", not_a_change_of=other.id)
    assert both.is_error and "invalid_field" in both.content[0].text  # type: ignore[union-attr]
    unlinked = speaker.call("feedback", note_id=note.id, not_a_change_of=other.id)
    assert unlinked.is_error and "link_not_found" in unlinked.content[0].text  # type: ignore[union-attr]
    assert speaker.call("feedback", note_id=note.id).is_error
    assert speaker.told("feedback", note_id=note.id, verdict="outdated")["id"] == note.id


def test_a_copy_without_the_page_names_none(
    one_memory: Memory, anybody: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_card, "is_built", lambda: False)
    client = anybody.with_token(one_memory.access.issue(scope="read", name="reader").secret)
    assert "resourceUri" not in said(client, "tools/list").body.decode()
    assert "make dashboard" in said(client, "resources/read", {"uri": fact_card.FACT_CARD}).body.decode()
