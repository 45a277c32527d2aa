"""Any sequence of changes leaves the same memory as a plain dictionary that keeps every version of everything."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from recollect import Memory
from recollect.domain.errors import Conflict, Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note
from tests.support.clock import SteadyClock
from tests.support.writing import at

# Bounded so that each store takes well under a minute on one core.
BOUNDS = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

TICK = timedelta(microseconds=1)
BEGINNING = at("0001-01-01")
WORDS = ("tea", "coffee", "water", "beer", "milk")
TEXTS = st.builds(lambda word, number: f"Alice prefers {word} {number}", st.sampled_from(WORDS), st.integers(0, 3))
TAGS = st.sets(st.sampled_from(["drink", "old", "new"]), max_size=2)
DAYS = st.sampled_from([at(f"{year}-01-01") for year in (2020, 2024, 2025, 2027, 2030)])


@dataclass(frozen=True)
class Version:
    """One version of a note as the model believes it to be."""

    version: int
    text: str
    tags: tuple[str, ...]
    state: str
    pinned: bool
    valid_from: datetime
    valid_until: datetime | None
    updated_at: datetime
    supersedes: tuple[str, ...] = ()

    def true_at(self, moment: datetime) -> bool:
        ended = self.valid_until is not None and moment >= self.valid_until
        return self.state != "retracted" and self.valid_from <= moment and not ended


def _of(note: Note) -> Version:
    assert note.valid_from is not None
    return Version(
        note.version, note.text, note.tags, note.state.value, note.pinned, note.valid_from, note.valid_until,
        note.updated_at, note.supersedes,
    )  # fmt: skip


def machine(memory: Memory, clock: SteadyClock) -> type[RuleBasedStateMachine]:
    """The machine for one store; every run has a space of its own."""
    runs = count()

    class Remembering(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.space = f"run-{next(runs)}"
            self.notes: dict[str, list[Version]] = {}
            self.erased: set[str] = set()
            memory.create_space(self.space)

        # -- what the model says --

        def known(self, note_id: str, moment: datetime | None) -> Version | None:
            """The version that was current at a moment: the last one written by then."""
            written = [v for v in self.notes[note_id] if moment is None or v.updated_at <= moment]
            return written[-1] if written else None

        def listed(self, as_of: datetime, known_at: datetime | None) -> list[tuple[str, Version]]:
            found = ((note_id, self.known(note_id, known_at)) for note_id in sorted(self.notes, reverse=True))
            return [(note_id, version) for note_id, version in found if version and version.true_at(as_of)]

        def chain(self, note_id: str) -> set[str]:
            """Everything that is connected by superseding, among what is left."""
            links = {(a, b) for a, versions in self.notes.items() for b in versions[-1].supersedes}
            found, size = {note_id}, 0
            while len(found) > size:
                size = len(found)
                found |= {b for a, b in links if a in found} | {a for a, b in links if b in found}
            return found & set(self.notes)

        def true_in_chain(self, note_id: str, as_of: datetime, known_at: datetime | None) -> tuple[str, Version] | None:
            known = [(each, self.known(each, known_at)) for each in self.chain(note_id)]
            true = [
                (version.valid_from, each, version) for each, version in known if version and version.true_at(as_of)
            ]
            return max(true)[1:] if true else None

        def moments(self) -> list[datetime]:
            """Every instant at which an answer may change, and the one just before."""
            edges = {at("2019-01-01"), clock.moment}
            for versions in self.notes.values():
                for version in versions:
                    edges |= {version.updated_at, version.valid_from, version.valid_until or version.valid_from}
            return sorted(edges | {edge - TICK for edge in edges if edge > BEGINNING})

        def pick(self, data: st.DataObject) -> str:
            return data.draw(st.sampled_from(sorted(self.notes)), label="note")

        def append(self, note: Note, expected: Version) -> None:
            assert _of(note) == expected
            self.notes[note.id].append(expected)

        # -- what is done to both --

        @rule(text=TEXTS, tags=TAGS, since=st.none() | DAYS, until=st.none() | DAYS, pinned=st.booleans())
        def save(self, text: str, tags: set[str], since: datetime | None, until: datetime | None, pinned: bool) -> None:
            call = {"tags": sorted(tags), "valid_from": since, "valid_until": until, "pinned": pinned}
            if since and until and until <= since:
                with pytest.raises(InvalidInput):
                    memory.save(text, space=self.space, **call)  # type: ignore[arg-type]
                return
            note = memory.save(text, space=self.space, **call)  # type: ignore[arg-type]
            begun = since or (BEGINNING if until and until <= note.recorded_at else note.recorded_at)
            assert note.id not in self.notes
            self.notes[note.id] = []
            self.append(note, Version(1, text, tuple(sorted(tags)), "active", pinned, begun, until, note.recorded_at))

        @precondition(lambda self: self.notes)
        @rule(data=st.data(), text=TEXTS, tags=TAGS, stale=st.booleans())
        def update(self, data: st.DataObject, text: str, tags: set[str], stale: bool) -> None:
            note_id = self.pick(data)
            last = self.notes[note_id][-1]
            if stale:
                with pytest.raises(Conflict):
                    memory.update(note_id, text=text, expected_version=last.version - 1, space=self.space)
                return
            note = memory.update(note_id, text=text, tags=sorted(tags), expected_version=last.version, space=self.space)
            assert note.updated_at > last.updated_at
            changed = replace(last, text=text, tags=tuple(sorted(tags)))
            self.append(note, replace(changed, version=last.version + 1, updated_at=note.updated_at))

        @precondition(lambda self: self.notes)
        @rule(data=st.data(), pinned=st.booleans())
        def pin(self, data: st.DataObject, pinned: bool) -> None:
            note_id = self.pick(data)
            last = self.notes[note_id][-1]
            note = (memory.pin if pinned else memory.unpin)(note_id, space=self.space)
            self.append(note, replace(last, version=last.version + 1, pinned=pinned, updated_at=note.updated_at))

        @precondition(lambda self: self.notes)
        @rule(data=st.data(), text=TEXTS, since=st.none() | DAYS)
        def supersede(self, data: st.DataObject, text: str, since: datetime | None) -> None:
            note_id = self.pick(data)
            last = self.notes[note_id][-1]
            begun = since or clock.moment
            if last.state != "active" or begun <= last.valid_from:
                with pytest.raises(RecollectError) as refusal:
                    memory.supersede(note_id, text, valid_from=begun, space=self.space)
                assert isinstance(refusal.value, InvalidInput if begun <= last.valid_from else Conflict)
                return
            note = memory.supersede(note_id, text, valid_from=begun, space=self.space)
            self.notes[note.id] = []
            self.append(
                note, Version(1, text, last.tags, "active", last.pinned, begun, None, note.recorded_at, (note_id,))
            )
            ended = replace(
                last,
                version=last.version + 1,
                state="superseded",
                valid_until=min(begun, last.valid_until or begun),
                updated_at=note.recorded_at,
            )
            self.append(memory.get(note_id, space=self.space), ended)

        @precondition(lambda self: self.notes)
        @rule(data=st.data())
        def retract(self, data: st.DataObject) -> None:
            note_id = self.pick(data)
            last = self.notes[note_id][-1]
            if last.state != "active":
                with pytest.raises(Conflict):
                    memory.retract(note_id, space=self.space)
                return
            note = memory.retract(note_id, space=self.space)
            self.append(note, replace(last, version=last.version + 1, state="retracted", updated_at=note.updated_at))

        @precondition(lambda self: self.notes)
        @rule(data=st.data())
        def forget(self, data: st.DataObject) -> None:
            note_id = self.pick(data)
            memory.forget(note_id, space=self.space)
            del self.notes[note_id]
            self.erased.add(note_id)

        @precondition(lambda self: self.notes)
        @rule(data=st.data())
        def rehearse(self, data: st.DataObject) -> None:
            rehearsal = memory.dry_run()
            rehearsal.update(self.pick(data), text="Never written", space=self.space)
            rehearsal.forget(self.pick(data), space=self.space)

        @rule()
        def carry_to_another_space_and_back(self) -> None:
            copy = f"{self.space}-copy-{next(runs)}"
            lines = [json.dumps(record) for record in self.exported(self.space)]
            report = memory.import_(lines, trust=True, space=copy)
            assert report.failures == ()
            for ours, theirs in zip(self.exported(self.space), self.exported(copy), strict=True):
                assert {**ours, "space": ""} == {**theirs, "space": ""} or ours["type"] in ("space", "tombstone")
            before = memory.describe_space(self.space)
            assert memory.import_(lines).imported == 0
            assert memory.describe_space(self.space) == before

        def exported(self, space: str) -> list[dict[str, Any]]:
            records: list[dict[str, Any]] = []
            cursor: str | None = None
            while True:
                page = memory.export(cursor=cursor, limit=7, space=space)
                records.extend(page.records)
                cursor = page.next_cursor
                if cursor is None:
                    return records

        # -- what must be the same --

        @invariant()
        def the_present_is_the_same(self) -> None:
            listed = memory.list(limit=1000, space=self.space).items
            assert [(note.id, _of(note)) for note in listed] == self.listed(clock.moment, None)
            everything = memory.list(limit=1000, state="any", space=self.space).items
            current = [(each, self.notes[each][-1]) for each in sorted(self.notes, reverse=True)]
            assert [(note.id, _of(note)) for note in everything] == current

        @precondition(lambda self: self.notes)
        @rule(data=st.data())
        def a_note_of_any_time_is_the_same(self, data: st.DataObject) -> None:
            note_id = self.pick(data)
            known_at = data.draw(st.none() | st.sampled_from(self.moments()), label="known_at")
            as_of = data.draw(st.none() | st.sampled_from(self.moments()), label="as_of")
            known = self.known(note_id, known_at)
            expected = (note_id, known) if as_of is None else self.true_in_chain(note_id, as_of, known_at)
            if known is None or expected is None:
                with pytest.raises(NotFound):
                    memory.get(note_id, as_of=as_of, known_at=known_at, space=self.space)
                return
            note = memory.get(note_id, as_of=as_of, known_at=known_at, space=self.space)
            assert (note.id, _of(note)) == expected

        @rule(data=st.data())
        def a_list_of_any_time_is_the_same(self, data: st.DataObject) -> None:
            as_of = data.draw(st.sampled_from(self.moments()), label="as_of")
            known_at = data.draw(st.none() | st.sampled_from(self.moments()), label="known_at")
            listed = memory.list(as_of=as_of, known_at=known_at, limit=1000, space=self.space).items
            assert [(note.id, _of(note)) for note in listed] == self.listed(as_of, known_at)

        @precondition(lambda self: self.notes)
        @rule(data=st.data())
        def the_history_is_the_same(self, data: st.DataObject) -> None:
            note_id = self.pick(data)
            steps = memory.history(note_id, space=self.space).steps
            told = {step.note.id: [_of(version) for version in step.versions] for step in steps}
            assert told == {each: self.notes[each] for each in self.chain(note_id)}
            assert [step.note.valid_from for step in steps] == sorted(
                version[-1].valid_from for version in told.values()
            )

        @rule(word=st.sampled_from(WORDS))
        def words_find_every_note_that_has_or_had_them(self, word: str) -> None:
            found = memory.search(word, state="any", limit=1000, space=self.space).hits
            had = {each for each, versions in self.notes.items() if any(word in version.text for version in versions)}
            assert {hit.id for hit in found} == had

        @rule(size=st.integers(1, 4))
        def pages_are_the_same_as_the_whole(self, size: int) -> None:
            seen: list[str] = []
            cursor: str | None = None
            while True:
                page = memory.list(state="any", limit=size, cursor=cursor, space=self.space)
                seen.extend(note.id for note in page.items)
                cursor = page.next_cursor
                if cursor is None:
                    break
            assert seen == sorted(self.notes, reverse=True)

        @precondition(lambda self: self.erased)
        @rule(data=st.data())
        def what_was_forgotten_is_gone(self, data: st.DataObject) -> None:
            note_id = data.draw(st.sampled_from(sorted(self.erased)))
            with pytest.raises(Erased):
                memory.get(note_id, space=self.space)

        def teardown(self) -> None:
            summary = memory.describe_space(self.space)
            assert (summary.notes, summary.erased) == (len(self.notes), len(self.erased))
            assert summary.versions == sum(len(versions) for versions in self.notes.values())
            assert memory.audit(space=self.space).whole

    return Remembering


def test_memory_behaves_like_a_dictionary_with_a_history(memory: Memory, clock: SteadyClock) -> None:
    run_state_machine_as_test(machine(memory, clock), settings=BOUNDS)
