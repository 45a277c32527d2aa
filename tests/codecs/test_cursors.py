"""A cursor fits the list it came from and no other; anything else is refused, never misread."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.codecs.cursors import decode_cursor, encode_cursor
from recollect.domain.errors import InvalidInput
from tests.support.clock import SteadyClock

PLACES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(PLACES)
def test_a_place_comes_back_as_it_was(place: Any) -> None:
    cursor = encode_cursor(place, of=("list", "alice"))
    assert decode_cursor(cursor, of=("list", "alice"), like=place) == place
    assert cursor.isascii() and "=" not in cursor


@pytest.mark.parametrize("other", [("list", "bob"), ("export", "alice"), ("list", "alice", ("kind", "lesson")), ()])
def test_a_cursor_of_another_list_is_refused(other: tuple[object, ...]) -> None:
    cursor = encode_cursor("place", of=("list", "alice"))
    with pytest.raises(InvalidInput, match="comes from another list") as refusal:
        decode_cursor(cursor, of=other, like="")
    assert refusal.value.code == "invalid_cursor"


GARBAGE = [
    "x", "ä", "🙂", "=", "====", " ", "null", "[]", "[1,2]", "%00", "\x00", "a" * 100_000,
    *(
        base64.urlsafe_b64encode(content).decode().rstrip("=")
        for content in (b"", b"null", b"5", b"[]", b"[1]", b"[1,2,3]", b'{"a":1,"b":2}', b'"ab"', b"\xff\xfe",
                        b"[" * 50_000)
    ),
]  # fmt: skip


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_not_a_cursor(garbage: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        decode_cursor(garbage, of=("list", "alice"), like="")
    assert (refusal.value.code, refusal.value.hint) == ("invalid_cursor", "Start over without a cursor.")


@given(st.text(max_size=60))
def test_no_text_makes_the_reading_of_a_cursor_fail_in_another_way(text: str) -> None:
    with pytest.raises(InvalidInput):
        decode_cursor(text, of=("list", "alice"), like="")


@pytest.fixture
def memory(tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=":memory:", home=tmp_path, clock=clock) as opened:
        for number in range(4):
            opened.save(f"Note {number}", tags=["a"])
        yield opened


def test_a_cursor_of_other_filters_is_refused(memory: Memory) -> None:
    cursor = memory.list(limit=1, tag="a").next_cursor
    assert memory.list(limit=1, tag="a", cursor=cursor).items[0].text == "Note 2"
    for other in ({}, {"tag": "b"}, {"tag": "a", "kind": "lesson"}, {"tag": "a", "pinned": False}):
        with pytest.raises(InvalidInput, match="other filters"):
            memory.list(limit=1, cursor=cursor, **other)


def test_a_page_may_have_another_size_than_the_one_before(memory: Memory) -> None:
    first = memory.list(limit=1)
    rest = memory.list(limit=100, cursor=first.next_cursor)
    assert [note.text for note in (*first.items, *rest.items)] == ["Note 3", "Note 2", "Note 1", "Note 0"]
    assert rest.next_cursor is None


@pytest.mark.parametrize(
    "place", [None, 5, True, [], ["a"], {"a": 1}, 1.5, [0, "note"], [0, 9, "", 0], ["x", "y", "", 0]]
)
def test_a_forged_place_is_refused_like_any_other_garbage(memory: Memory, place: Any) -> None:
    """Anybody can compute the mark of a list, so what stands beside it is looked at as well."""
    for verb, page in (("list", memory.list(limit=1)), ("export", memory.export(limit=2))):
        assert page.next_cursor is not None
        mark, _ = json.loads(base64.urlsafe_b64decode(page.next_cursor + "=" * (-len(page.next_cursor) % 4)))
        forged = base64.urlsafe_b64encode(json.dumps([mark, place]).encode()).decode().rstrip("=")
        with pytest.raises(InvalidInput, match="cannot be read"):
            getattr(memory, verb)(limit=1, cursor=forged)
