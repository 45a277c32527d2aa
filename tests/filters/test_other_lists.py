"""Lists of lessons, sessions, actions and observations are filtered by the same grammar, on every store."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from recollect import InvalidInput, Memory
from recollect.domain.clock import format_time
from tests.support.clock import SteadyClock
from tests.support.filter_data import filters
from tests.support.naive_filter import passes

NOTHING: dict[str, Any] = dict.fromkeys(
    "id key kind state authority subject attribute value title text review pinned confidence importance version "
    "recorded_at updated_at occurred_at expires_at erase_at valid_from valid_until".split()
) | {"tags": [], "metadata": {}}


def as_plain(**fields: Any) -> dict[str, Any]:
    """A record as the plain filter reads it: a note that has only these fields."""
    empty = dict.fromkeys(("user", "agent", "project", "session", "machine"))
    scope = {name: fields.pop(name, None) for name in empty}
    origin = {name: fields.pop(name, None) for name in ("channel", "source")}
    return {**NOTHING, **fields, "scope": scope, "origin": origin}


def filled(memory: Memory, clock: SteadyClock, space: str) -> None:
    for number, (user, project) in enumerate([("ana", "shop"), ("bo", None), ("ana", None), ("it's", "a%b_c")]):
        session = f"{space}-{number}"
        memory.start_session(session, user=user, project=project, title=f"tea {number}", space=space)
        memory.observe("task", f"green tea {number}", session=session, user=user, project=project, space=space)
        memory.add_action(f"green tea {number}", project=project, space=space)
        clock.advance(days=1)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(plain=filters)
def test_each_list_finds_what_a_plain_reading_of_the_filter_finds(
    memory: Memory, clock: SteadyClock, plain: dict[str, Any]
) -> None:
    if "valid" in str(plain):
        return  # what has no period of its own is true at no time: a note without one always is
    space = f"s{clock.new_id()}"
    filled(memory, clock, space)
    now = clock.now()
    sessions = {
        each.id: as_plain(
            id=each.id,
            session=each.id,
            title=each.title,
            user=each.scope.user,
            project=each.scope.project,
            channel=each.origin.channel.value,
            recorded_at=format_time(each.started_at),
            updated_at=format_time(each.ended_at or each.started_at),
            occurred_at=format_time(each.started_at),
        )
        for each in memory.sessions(space=space)
    }
    found = memory.sessions(where=plain, space=space)
    assert {each.id for each in found} == {name for name, each in sessions.items() if passes(plain, each, now)}

    actions = {
        each.id: as_plain(
            id=each.id,
            text=each.text,
            project=each.project,
            authority=each.authority.value,
            channel=each.origin.channel.value,
            version=each.version,
            recorded_at=format_time(each.created_at),
            updated_at=format_time(each.updated_at),
        )
        for each in memory.actions(space=space)
    }
    listed = memory.actions(where=plain, space=space)
    assert {each.id for each in listed} == {name for name, each in actions.items() if passes(plain, each, now)}

    happened = memory.timeline(format_time(now), before=50, space=space).before
    told = {
        each.id: as_plain(
            id=each.id,
            text=each.text,
            title=each.title,
            session=each.session_id,
            user=each.scope.user,
            project=each.scope.project,
            channel=each.origin.channel.value,
            recorded_at=format_time(each.recorded_at),
            updated_at=format_time(each.recorded_at),
            occurred_at=format_time(each.observed_at),
        )
        for each in happened
    }
    around = memory.timeline(format_time(now), before=50, where=plain, space=space).before
    assert {each.id for each in around} == {name for name, each in told.items() if passes(plain, each, now)}


def test_lessons_are_filtered_as_the_notes_they_are(memory: Memory) -> None:
    memory.add_lesson("Drink tea", tags=["tea"])
    memory.add_lesson("Drink water")
    assert [each.note.text for each in memory.lessons(where={"tag": "tea"})] == ["Drink tea"]
    assert not memory.lessons(where={"kind": "semantic"})


def test_a_filtered_list_goes_on_where_its_page_ended(memory: Memory) -> None:
    for number in range(7):
        memory.add_action(f"{'tea' if number % 2 else 'water'} {number}")
    where = {"text": {"contains": "tea"}}
    first = memory.actions(where=where, limit=2)
    second = memory.actions(where=where, limit=2, cursor=first.next_cursor)
    assert [each.text for each in (*first, *second)] == ["tea 5", "tea 3", "tea 1"] and second.next_cursor is None
    with pytest.raises(InvalidInput):
        memory.actions(where={"text": {"contains": "water"}}, limit=2, cursor=first.next_cursor)


@pytest.mark.parametrize("verb", ["lessons", "sessions", "actions"])
def test_a_wrong_filter_is_refused_by_every_list(memory: Memory, verb: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        getattr(memory, verb)(where={"colour": "red"})
    assert caught.value.code == "unknown_filter_field"
