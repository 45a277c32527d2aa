"""What is exported comes back whole; what is broken is named by its line, and the rest still comes in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Erased
from recollect.domain.origin import Authority, Caller, Channel
from recollect.domain.plain import to_plain
from tests.support.clock import SteadyClock
from tests.support.raw import store_of
from tests.support.writing import a_full_note


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Memory]:
    """Another, empty memory."""
    clock = SteadyClock("2027-01-01T00:00:00+00:00")
    with Memory(store=str(tmp_path / "other.db"), home=tmp_path, principal="tester", clock=clock) as opened:
        yield opened


def _lines(memory: Memory, *, limit: int = 500, space: str | None = None) -> list[str]:
    lines: list[str] = []
    cursor: str | None = None
    while True:
        page = memory.export(cursor=cursor, limit=limit, space=space)
        assert len(page.records) <= limit
        lines += [json.dumps(record) for record in page.records]
        cursor = page.next_cursor
        if cursor is None:
            return lines


def _undated(lines: list[str]) -> list[str]:
    """Lines without the moment of an erasure, which is that of each store's own."""
    return [line.partition('"erased_at"')[0] for line in lines]


def _a_life(memory: Memory) -> None:
    """Two spaces with everything in them: versions, chains, links, dates, tombstones."""
    memory.create_space("alice", description="Alice's own")
    first = memory.save(
        "Alice lives in Austin", space="alice", valid_from="2020-01-01", tags=["a"], metadata={"k": [1]}
    )
    memory.update(first.id, text="Alice lives in Austin, Texas", space="alice", confidence=0.5)
    memory.pin(first.id, space="alice")
    moved = memory.supersede(first.id, "Alice lives in Boston", space="alice", valid_from="2024-01-01")
    memory.save("Alice moves", space="alice", derived_from=[first.id, moved.id], authority="instruction")
    memory.retract(memory.save("Alice is a robot", space="alice").id, reason="a joke", space="alice")
    memory.forget(memory.save("A secret", space="alice").id, space="alice")
    memory.save("Bob prefers beer", space="bob", occurred_at="1999-01-01", expires_at="2099-01-01")


def test_an_export_keeps_every_version_date_and_link(memory: Memory, other: Memory) -> None:
    _a_life(memory)
    lines = _lines(memory)
    report = other.import_(lines)

    assert report.failures == ()
    assert (report.imported, report.erased) == (len(lines) - 3, 0)
    assert _undated(_lines(other)) == _undated(lines)
    for space in ("alice", "bob"):
        there, here = (store_of(each).export(space, after=("", 0), limit=100) for each in (other, memory))
        assert there == here
        for note in here:
            assert other.history(note.id, space=space) == memory.history(note.id, space=space)
            assert other.get(note.id, known_at=note.updated_at, space=space) == note
    assert other.describe_space("alice").description == "Alice's own"
    assert other.doctor().healthy


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000])
def test_pages_of_any_size_are_the_same_export(memory: Memory, limit: int) -> None:
    _a_life(memory)
    assert _lines(memory, limit=limit) == _lines(memory)


def test_one_space_can_be_exported_and_imported_under_another_name(memory: Memory) -> None:
    _a_life(memory)
    lines = _lines(memory, space="alice")
    assert "Bob" not in "".join(lines)

    memory.import_(lines, space="carol")

    texts = [[note.text for note in memory.list(space=name, state="any").items] for name in ("alice", "carol")]
    assert texts[0] == texts[1]
    assert len(memory.list(space="bob").items) == 1


def test_importing_twice_changes_nothing(memory: Memory, other: Memory) -> None:
    _a_life(memory)
    lines = _lines(memory)
    other.import_(lines)
    before = other.spaces()

    again = other.import_(lines)

    assert (again.imported, again.erased, again.failures) == (0, 0, ())
    assert other.spaces() == before
    assert memory.import_(lines).imported == 0


def test_a_space_made_while_exporting_does_not_disturb_the_export(memory: Memory) -> None:
    _a_life(memory)
    whole = _lines(memory)
    first = memory.export(limit=3)
    memory.save("Made in between", space="aaron")
    memory.save("Made in between", space="zoe")
    memory.save("Made in between", space="bill")
    seen = [json.dumps(record) for record in first.records]
    cursor = first.next_cursor
    while cursor:
        page = memory.export(limit=3, cursor=cursor)
        seen += [json.dumps(record) for record in page.records]
        cursor = page.next_cursor

    assert [line for line in seen if line in whole] == whole
    assert len(seen) == len(set(seen))


BROKEN = {
    "not json": ("{", "invalid_json"),
    "cut off": ('{"type": "note", "id": "01', "invalid_json"),
    "not an object": ("[1]", "invalid_json"),
    "a bomb": ("[" * 100_000, "invalid_json"),
    "another bomb": ('{"a":' * 100_000, "invalid_json"),
    "no type": ("{}", None),
    "an unknown type": ('{"type": "poem", "space": "alice"}', "unknown_type"),
    "no space": ('{"type": "note"}', "invalid_space"),
    "a bad space": ('{"type": "note", "space": "two words"}', "invalid_space"),
    "no id": ('{"type": "note", "space": "alice", "version": 1}', "field_missing"),
    "a bad tombstone": ('{"type": "tombstone", "space": "alice", "note_id": "x"}', "invalid_id"),
    "a bad description": ('{"type": "space", "name": "alice", "description": 5}', "invalid_field"),
    "a newer format": ('{"type": "recollect-export", "format": 99}', "unknown_format"),
    "binary": ("\x00\x01\x02", "invalid_json"),
    "a number": ("5", "invalid_json"),
    "not a number": ("NaN", "invalid_json"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_line_is_named_and_the_rest_comes_in(memory: Memory, other: Memory, what: str) -> None:
    _a_life(memory)
    lines = _lines(memory)
    broken, code = BROKEN[what]

    report = other.import_([*lines[:5], broken, *lines[5:]], first_line=11)

    [failure] = report.failures
    assert failure.line == 16
    assert failure.code == code or code is None
    assert failure.message.endswith(".")
    assert report.imported == len(lines) - 3
    assert _undated(_lines(other)) == _undated(lines)


def test_running_it_again_with_the_line_mended_brings_only_what_was_missing(memory: Memory, other: Memory) -> None:
    _a_life(memory)
    lines = _lines(memory)
    broken = [line if number % 3 else line[:40] for number, line in enumerate(lines)]
    first = other.import_(broken)
    assert [failure.line for failure in first.failures] == [n + 1 for n in range(len(lines)) if n % 3 == 0]

    again = other.import_(lines)

    assert again.failures == ()
    assert first.imported + again.imported >= len(lines) - 3
    assert store_of(other).export("alice", after=("", 0), limit=100) == store_of(memory).export(
        "alice", after=("", 0), limit=100
    )
    assert other.import_(lines).imported == 0


def test_a_field_of_a_newer_version_is_not_dropped_silently(memory: Memory) -> None:
    record = {"type": "note", **to_plain(a_full_note(SteadyClock())), "mood": "happy"}
    report = memory.import_([json.dumps(record)])
    assert [failure.code for failure in report.failures] == ["unknown_field"]
    assert memory.spaces().items == ()


def test_empty_lines_and_the_header_are_passed_over(memory: Memory) -> None:
    report = memory.import_(["", "  ", "\n", '{"type": "recollect-export", "format": 1}'])
    assert (report.imported, report.unchanged, report.failures) == (0, 0, ())


def test_a_version_that_was_changed_apart_is_named_and_left_alone(memory: Memory, other: Memory) -> None:
    note = memory.save("Alice prefers tea", space="alice")
    other.import_(_lines(memory))
    memory.update(note.id, text="Alice prefers coffee", space="alice")
    mine = other.update(note.id, text="Alice prefers water", space="alice")

    report = other.import_(_lines(memory))

    assert [failure.code for failure in report.failures] == ["version_differs"]
    assert other.get(note.id, space="alice") == mine


def test_what_was_forgotten_stays_forgotten_whichever_came_first(memory: Memory, other: Memory) -> None:
    note = memory.save("A secret", space="alice")
    before = _lines(memory)
    memory.forget(note.id, space="alice")

    other.import_(before)
    report = other.import_(_lines(memory))
    assert report.imported == 1
    with pytest.raises(Erased):
        other.get(note.id, space="alice")

    again = other.import_(before)
    assert (again.imported, again.erased, again.failures) == (0, 1, ())
    assert memory.import_(before).erased == 1


@pytest.mark.parametrize("channel", [Channel.HTTP, Channel.MCP, Channel.SYNC, Channel.CLI])
def test_authority_is_kept_up_to_what_the_importer_could_give(memory: Memory, channel: Channel) -> None:
    note = replace(a_full_note(SteadyClock()), authority=Authority.INSTRUCTION)
    line = json.dumps({"type": "note", **to_plain(note)})
    caller = Caller(channel)

    memory.acting_as(caller).import_([line])

    kept = memory.get(note.id, space="alice")
    assert kept == replace(note, authority=caller.ceiling)
    assert memory.import_([line]).unchanged == 1
    assert memory.get(note.id, space="alice") == kept


def test_an_import_is_done_by_its_importer(memory: Memory) -> None:
    note = a_full_note(SteadyClock())
    line = json.dumps({"type": "note", **to_plain(note)})
    memory.acting_as(Caller(Channel.IMPORT, "carol")).import_([line])

    assert memory.get(note.id, space="alice").origin == note.origin
    [entry] = memory.audit(space="alice").entries
    assert (entry.reason, entry.channel, entry.principal) == ("import", "import", "carol")


def test_a_dry_run_of_an_import_counts_and_writes_nothing(memory: Memory) -> None:
    line = json.dumps({"type": "note", **to_plain(a_full_note(SteadyClock()))})
    report = memory.dry_run().import_([line, "{"])

    assert (report.imported, len(report.failures)) == (1, 1)
    assert memory.spaces().items == ()


def test_one_line_that_stands_in_the_way_does_not_stop_a_long_import(memory: Memory) -> None:
    clock = SteadyClock()
    records: list[dict[str, Any]] = [{"type": "note", **to_plain(a_full_note(clock))} for _ in range(40)]
    for number in (3, 17, 39):
        memory.import_([json.dumps({**records[number], "text": "Changed apart"})])

    report = memory.import_([json.dumps(record) for record in records])

    assert [failure.line for failure in report.failures] == [4, 18, 40]
    assert report.imported == 37
