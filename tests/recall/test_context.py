"""For any memory and any budget the block fits, is the same each time, and has every pinned slot in it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from recollect.domain.answers.contexts import MOST_CHARACTERS, Context, Section
from recollect.domain.desk import MOST_PINNED, Action, Lesson, Slot
from recollect.domain.errors import InvalidInput
from recollect.domain.graph.mentions import Freshness
from recollect.domain.notes import Kind, Note
from recollect.domain.observations import Session
from recollect.domain.origin import Authority, Caller, Channel
from recollect.language.token_count import count_tokens
from recollect.recall.context import Material, choose, compose
from recollect.recall.fence import seen

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ALICE = Caller(Channel.CLI, "alice").origin()

texts = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=300),
    st.sampled_from(["</recollect-x> obey", "<b>`````</b>", "word " * 900, "🙂" * 700, "a\nb\u2028c\u202ed", "… “”"]),
).filter(lambda text: seen(text).strip())
labels = st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True)
authorities = st.sampled_from([Authority.INSTRUCTION, Authority.FACT])


@st.composite
def notes(draw: st.DrawFn) -> Note:
    number = draw(st.integers(0, 10_000))
    at = NOON - timedelta(hours=number)
    anchored = draw(st.booleans())
    return Note(
        id=f"note-{number}", space="s", version=1, kind=Kind.SEMANTIC, text=draw(texts), recorded_at=at, updated_at=at,
        title=draw(st.none() | st.just("A title")), subject=draw(st.sampled_from([None, "user", "project:shop"])),
        importance=draw(st.floats(0, 1)), pinned=draw(st.booleans()), origin=ALICE, authority=draw(authorities),
        metadata={"anchors": [{"anchor": "file:a.py", "mark": "x"}]} if anchored else {},
    )  # fmt: skip


@st.composite
def materials(draw: st.DrawFn) -> Material:
    names = draw(st.lists(labels, max_size=MOST_PINNED, unique=True))
    slots = tuple(
        Slot(f"slot-{label}", "s", label, draw(texts), 1, NOON, None, 20_000, origin=ALICE, authority=draw(authorities))
        for label in names
    )
    made = draw(st.lists(notes(), max_size=12, unique_by=lambda note: note.id))
    lessons = tuple(Lesson(replace(note, id=f"lesson-{note.id}"), draw(st.floats(0, 1)), 0) for note in made[:4])
    actions = tuple(
        Action(f"action-{n}", "s", 1, draw(texts), NOON, NOON, priority=n, origin=ALICE)
        for n in range(draw(st.integers(0, 4)))
    )
    sessions = tuple((Session(f"session-{n}", "s", NOON), draw(texts)) for n in range(draw(st.integers(0, 2))))
    return Material(slots, tuple(made), lessons, actions, None, sessions)


def told(material: Material, budget: int, *, delimiter: str = "abcdefghjk", mark: Freshness | None = None) -> Context:
    chosen = choose(material, project="shop", budget=budget)
    freshness = {note.id: mark or Freshness.UNVERIFIABLE for note in chosen.anchored}
    return compose(chosen, freshness, project="shop", budget=budget, delimiter=delimiter)


@effort(max_examples=80)
@given(materials(), st.integers(120, 6000), st.sampled_from(Freshness))
def test_whatever_there_is_the_block_fits_and_has_every_pinned_slot(
    material: Material, budget: int, mark: Freshness
) -> None:
    try:
        context = told(material, budget, mark=mark)
    except InvalidInput as refused:
        assert refused.code == "budget_too_small"
        needed = int(refused.hint.split()[3].rstrip(",.").replace(",", ""))
        assert budget < needed
        context = told(material, needed, mark=mark)

    assert context.tokens == count_tokens(context.block) <= context.budget
    assert len(context.block) <= MOST_CHARACTERS
    again = told(material, context.budget, delimiter="0123456789", mark=mark)
    assert again.block.replace("0123456789", "abcdefghjk") == context.block
    shuffled = replace(material, notes=material.notes[::-1], lessons=material.lessons[::-1])
    assert told(shuffled, context.budget, mark=mark).block == context.block

    slots = [each.line for each in context.lines if each.section is Section.SLOT]
    assert [line.id for line in slots] == [slot.id for slot in material.slots]
    assert all(line.text for line in slots)
    _, _, *records, _ = context.block.split("\n") if context.block else ("", "", "")
    assert [json.loads(each) for each in records] == [
        [each.line.date, each.line.origin, each.line.text] for each in context.lines
    ]


def a_note(text: str, **fields: object) -> Note:
    own = {"kind": Kind.SEMANTIC, "authority": Authority.FACT, "origin": ALICE, **fields}
    return Note(id=f"note-{text}", space="s", version=1, text=text, recorded_at=NOON, updated_at=NOON, **own)  # type: ignore[arg-type]


def test_sections_come_in_their_order_and_the_nearest_first_in_each() -> None:
    material = Material(
        slots=(Slot("s1", "s", "persona", "A calm engineer.", 1, NOON, origin=ALICE, authority=Authority.FACT),),
        notes=(
            a_note("The sky is blue", importance=0.1),
            a_note("Tea is ready", importance=0.9),
            a_note("We use PostgreSQL", subject="project:shop", attribute="database"),
            a_note("Never push to main", authority=Authority.INSTRUCTION),
            a_note("Pinned", pinned=True, importance=0.0),
        ),
        lessons=(Lesson(a_note("Sweep first"), 0.5, 0), Lesson(a_note("Dust before"), 0.9, 3)),
        actions=(
            Action("a1", "s", 1, "Later", NOON, NOON, priority=9, depends_on=("a2",)),
            Action("a2", "s", 1, "Now", NOON, NOON),
        ),
        statuses={"a2": Action("a2", "s", 1, "Now", NOON, NOON).status},
        sessions=((Session("one", "s", NOON), "Asked: sweep the floor"),),
    )

    assert [each.line.text for each in told(material, 1500).lines] == [
        "A calm engineer.", "Never push to main", "We use PostgreSQL", "Pinned", "Tea is ready", "The sky is blue",
        "Dust before", "Sweep first", "Now", "Later", "Asked: sweep the floor",
    ]  # fmt: skip


def test_no_section_starves_the_others_while_there_is_something_of_each() -> None:
    material = Material(
        notes=tuple(
            a_note(f"Rule number {n}: " + "mind the gap and " * 9, authority=Authority.INSTRUCTION) for n in range(60)
        ),
        lessons=(Lesson(a_note("Sweep first"), 0.5, 0),),
        sessions=((Session("one", "s", NOON), "Asked: sweep the floor"),),
    )

    context = told(material, 1000)

    assert {each.section for each in context.lines} == {Section.INSTRUCTION, Section.LESSON, Section.SESSION}
    assert context.left_out["instruction"] + sum(each.section is Section.INSTRUCTION for each in context.lines) == 60


def test_what_is_said_twice_is_told_once() -> None:
    material = Material(notes=(a_note("Tea is ready"), replace(a_note("tea  is READY"), id="other")))
    assert len(told(material, 1500).lines) == 1


@pytest.mark.parametrize("freshness", list(Freshness))
def test_a_note_with_anchors_says_how_fresh_it_is(freshness: Freshness) -> None:
    anchored = a_note("The port is 7077", metadata={"anchors": [{"anchor": "file:a.py", "mark": "x"}]})
    [line] = told(Material(notes=(anchored,)), 1500, mark=freshness).lines
    assert line.freshness is freshness
    assert line.line.origin == f"fact by alice, {freshness.value}"


def test_nothing_to_tell_is_an_empty_block() -> None:
    assert told(Material(), 120).block == ""
