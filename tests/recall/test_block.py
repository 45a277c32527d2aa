"""Which lines go into a prompt: the best that fit, with what was said around them, each once and in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.answers.bounds import SMALLEST_BUDGET
from recollect.domain.answers.receipts import Fate
from recollect.domain.answers.recollections import Hit
from recollect.domain.clock import encode_id
from recollect.domain.notes import Kind, Note
from recollect.domain.observations import Observation, ObservationKind
from recollect.domain.origin import Authority, Channel, Origin
from recollect.language.token_count import count_tokens
from recollect.recall.block import Packed, pack
from recollect.recall.words import stem_in
from tests.recall.test_fence import records_in

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DELIMITER = "0123456789"


def a_note(number: int, text: str, **fields: Any) -> Hit:
    told = {"valid_from": NOON, "authority": Authority.FACT, "origin": Origin(Channel.CLI, "alice"), **fields}
    note = Note(encode_id(number), "s", 1, Kind.SEMANTIC, text, NOON, NOON, **told)
    return Hit(note, 1.0 - number / 100, ())


def said(position: int, text: str, *, session: str = "monday", speaker: str = "Ana") -> Observation:
    at = NOON + timedelta(minutes=position)
    number = 1000 + position + sum(map(ord, session)) * 1000
    return Observation(
        encode_id(number), "s", session, position, ObservationKind.MESSAGE, text, at, at, "user", speaker
    )


def heard(observation: Observation) -> Hit:
    return Hit(None, 0.5, (), observation)


def packed(hits: list[Hit], *, budget: int = 1500, asked: tuple[str, ...] = (), **around: Any) -> Packed:
    return pack(hits, around.get("around", {}), asked, budget=budget, delimiter=DELIMITER)


def texts(result: Packed) -> list[str]:
    return [line.text for line in result.lines]


def test_every_line_says_when_and_from_whom() -> None:
    ended = {"valid_from": NOON - timedelta(days=300), "valid_until": NOON}
    hits = [a_note(1, "Alice lives in Boston"), a_note(2, "Alice lives in Austin", **ended), heard(said(1, "Hello"))]
    assert [record[:2] for record in records_in(packed(hits).block)] == [
        ["since 2026-03-02", "fact by alice"],
        ["2025-05-06 to 2026-03-02", "fact by alice"],
        ["2026-03-02", "said by Ana"],
    ]


def test_the_same_hits_make_the_same_block_but_for_the_delimiter() -> None:
    hits = [a_note(number, f"Fact number {number}") for number in range(20)]
    first = pack(hits, {}, (), budget=800, delimiter="aaaaaaaaaa")
    second = pack(hits, {}, (), budget=800, delimiter="bbbbbbbbbb")
    assert first.block.replace("aaaaaaaaaa", "") == second.block.replace("bbbbbbbbbb", "")


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=400)


@given(st.lists(WORDS, max_size=12), st.integers(SMALLEST_BUDGET, 2000))
def test_a_block_never_takes_more_than_its_budget(words: list[str], budget: int) -> None:
    hits = [a_note(number, text or "x") for number, text in enumerate(words, start=1)]
    result = packed(hits, budget=budget)
    assert count_tokens(result.block) == result.tokens <= budget
    assert set(result.fates) == {hit.id for hit in hits}
    if result.block:
        assert [record[2] for record in records_in(result.block)] == texts(result)


def test_a_long_text_is_cut_to_what_was_asked_by_the_words_of_its_language() -> None:
    filler = "Heute war wieder viel los, und der Regen wollte gar nicht enden. " * 200
    hit = a_note(1, f"{filler}Die Wohnungen der Nachbarn stehen seit Montag unter Wasser. {filler}")

    [line] = pack([hit], {}, ("wohnung",), budget=600, delimiter=DELIMITER, compare=stem_in("de")).lines

    assert "Die Wohnungen der Nachbarn" in line.text


def test_the_best_lines_come_first_and_the_rest_is_cut_by_the_budget() -> None:
    hits = [a_note(number, f"Box {number} is in the {number}. cellar, behind the shelf") for number in range(1, 40)]
    result = packed(hits, budget=400)
    shown = [hit.id for hit in hits if result.fates[hit.id] is Fate.SHOWN]
    assert [line.id for line in result.lines] == shown == [hit.id for hit in hits[: len(shown)]]
    assert 3 <= len(shown) < 20
    assert result.fates[hits[-1].id] is Fate.BUDGET


def test_the_smallest_budget_has_room_for_a_short_line() -> None:
    assert len(packed([a_note(1, "Alice prefers tea")], budget=SMALLEST_BUDGET).lines) == 1


def test_a_long_text_is_cut_to_the_passage_that_speaks_of_what_was_asked() -> None:
    filler = "Nothing of interest happened on that day. " * 200
    result = packed([a_note(1, f"{filler}The parrot is called Rio. {filler}")], asked=("parrot", "called"), budget=600)
    [line] = result.lines
    assert line.cut
    assert "The parrot is called Rio." in line.text
    assert line.text.startswith("… ") and line.text.endswith(" …")


def test_one_long_text_leaves_room_for_others() -> None:
    result = packed([a_note(1, "word " * 5000), a_note(2, "Alice prefers tea")], budget=600)
    assert len(result.lines) == 2


@pytest.mark.parametrize(
    ("one", "other", "collapsed"),
    [
        ("Alice prefers green tea", "alice prefers green tea!", True),
        ("The release is cut on Friday at noon", "The releases are cut on Friday, at noon", False),
        ("Alice lives in Boston with two cats", "Alice lives in Boston with 2 cats", False),
        ("The API runs on port 8080", "The API runs on port 8081", False),
        (
            "we decided that the shop will open on Sunday for everybody in town",
            "we decided that the shop will not open on Sunday for everybody in town",
            False,
        ),
        (
            "we decided that the shop will open on Sunday for everybody in town",
            "we decided that the shop will open on Sunday for everybody in the town",
            True,
        ),
    ],
)
def test_what_says_the_same_is_shown_once(one: str, other: str, collapsed: bool) -> None:
    hits = [a_note(1, one), a_note(2, other)]
    assert (packed(hits).fates[hits[1].id] is Fate.DUPLICATE) is collapsed


def test_two_values_of_an_attribute_are_never_taken_for_one() -> None:
    about = {"subject": "user", "attribute": "pets"}
    hits = [a_note(1, "User has a pet", value="cat", **about), a_note(2, "User has a pet", value="dog", **about)]
    assert len(packed(hits).lines) == 2


def test_what_was_said_stands_between_the_turns_around_it() -> None:
    before, middle, after = said(4, "Where do you go?"), said(5, "To the agency"), said(6, "Good luck with it")
    result = packed([heard(middle)], around={middle.id: [before, middle, after]})
    assert texts(result) == ["Where do you go?", "To the agency", "Good luck with it"]
    assert [line.beside for line in result.lines] == [middle.id, "", middle.id]


def test_a_note_is_followed_by_the_words_it_was_read_from() -> None:
    quote = said(7, "We finally moved, it is Berlin now")
    note = a_note(1, "User lives in Berlin")
    assert texts(packed([note], around={note.id: [quote]})) == ["User lives in Berlin", quote.text]


def test_neighbours_come_only_when_every_hit_has_its_place() -> None:
    hits = [heard(said(10 * number, f"Answer number {number}")) for number in range(1, 8)]
    around = {
        hit.id: [said(10 * number - 1, f"Question number {number}, somewhat longer than the answer to it")]
        for number, hit in enumerate(hits, start=1)
    }
    result = packed(hits, budget=360, around=around)
    assert all(fate is Fate.SHOWN for fate in result.fates.values())
    assert len(hits) <= len(result.lines) < 2 * len(hits)


def test_what_is_far_below_the_best_is_left_out() -> None:
    good, faint = a_note(1, "Alice prefers tea"), a_note(99, "Bob has a bike")
    assert packed([good, faint]).fates == {good.id: Fate.SHOWN, faint.id: Fate.LOWER_SCORE}


def test_what_was_said_beside_a_notes_own_words_stands_with_the_note() -> None:
    question, quote = said(6, "Where do you live these days?"), said(7, "We moved, it is Berlin now")
    note, other = a_note(1, "User lives in Berlin"), a_note(2, "User has a bike")
    result = packed([note, other, heard(question)], around={note.id: [question, quote]})
    assert texts(result) == [note.text, question.text, quote.text, other.text]


def test_close_turns_of_a_session_become_one_region_and_distant_ones_stay_apart() -> None:
    late, early, far, other = said(6, "second"), said(5, "first"), said(40, "far"), said(5, "else", session="friday")
    result = packed([heard(late), heard(far), heard(early), heard(other)])
    assert texts(result) == ["first", "second", "far", "else"]
