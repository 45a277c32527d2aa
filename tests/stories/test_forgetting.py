"""Somebody asks that something be forgotten, and it is: no byte of any file has it afterwards."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Erased
from tests.support.companion import Companion, files_with

CANARY = "Quetzalcoatlus"


def _say_it_in_every_field(memory: Memory, canary: str) -> list[str]:
    """Two notes in which every field a caller can fill has the canary, each with several versions."""
    fields = ("title", "subject", "attribute", "value", "user", "agent", "project", "session", "machine")
    note = memory.save(
        f"It is about {canary}",
        **dict.fromkeys(fields, canary),  # type: ignore[arg-type]
        tags=[canary, f"{canary}-tag"],
        source=f"https://example.com/{canary}",
        metadata={canary: [canary]},
        idempotency_key="request-1",
    )
    memory.update(note.id, text=f"{canary} once more", metadata={"other": canary}, idempotency_key="request-2")
    memory.pin(note.id)
    newer = memory.supersede(note.id, f"{canary}, at last", value=canary, idempotency_key="request-3")
    memory.retract(newer.id, reason=f"no {canary}", idempotency_key="request-4")
    return [note.id, newer.id]


def test_nothing_is_left_in_any_byte_of_any_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Memory(home=home) as memory, Companion(home) as other:
        for number in range(20):
            memory.save(f"An ordinary note, number {number}")
        note_ids = _say_it_in_every_field(memory, CANARY)
        assert other.ask("search", CANARY, state="any")["hits"] != []
        assert set(files_with(home, CANARY)) >= {"recollect.db-wal"}

        for note_id in note_ids:
            assert memory.forget(note_id).residue is None

        assert files_with(home, CANARY) == []
        assert other.ask("search", CANARY, state="any")["hits"] == []
        for note_id in note_ids:
            assert other.ask("get", note_id) == "erased"
        assert len(other.ask("list")["items"]) == 20

        for compact in (False, True):
            memory.backup(str(tmp_path / "backups" / f"compact-{compact}.db"), compact=compact)
        assert files_with(tmp_path, CANARY) == []
        assert memory.doctor().healthy
    assert files_with(tmp_path, CANARY) == []


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_left_when_many_are_forgotten_among_many(tmp_path: Path, seed: int) -> None:
    """Pages that were split and joined before are where a trace would stay."""
    chance = random.Random(seed)
    with Memory(home=tmp_path) as memory:
        root = memory.save("The root of all that is to be forgotten")
        for number in range(150):
            doomed = chance.random() < 0.5
            word = f"{CANARY if doomed else 'sparrow'}{number:03}"
            note = memory.save(
                "lorem ipsum " * chance.randint(0, 60) + word,
                title=f"{word} title",
                subject=f"{word} subject",
                project=f"{word} project",
                tags=[f"{word}-tag"],
                derived_from=[root.id] if doomed else [],
            )
            if chance.random() < 0.3:
                memory.update(note.id, text=f"{word} " + "dolor " * chance.randint(0, 300))
        assert files_with(tmp_path, CANARY) != []

        assert memory.forget(root.id, cascade=True).residue is None

        assert files_with(tmp_path, CANARY) == []
        assert memory.search("sparrow title", limit=1).hits != ()
        assert memory.doctor().healthy


def test_a_whole_space_leaves_nothing_either(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        memory.save("Bob prefers beer", space="bob")
        for number in range(50):
            memory.save(f"{CANARY} number {number}", title=CANARY, tags=[CANARY], space="alice")
        memory.create_space("alice", description=f"About {CANARY}")
        assert files_with(tmp_path, CANARY) != []

        assert memory.delete_space("alice").residue is None

        assert files_with(tmp_path, CANARY) == []
        assert [note.text for note in memory.list(space="bob").items] == ["Bob prefers beer"]


def test_an_old_export_does_not_bring_it_back(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        note_ids = _say_it_in_every_field(memory, CANARY)
        lines = [json.dumps(record) for record in memory.export().records]
        for note_id in note_ids:
            memory.forget(note_id)

        report = memory.import_(lines)

        assert report.imported == 0
        assert report.erased == 6
        assert files_with(tmp_path, CANARY) == []


def test_an_import_that_carries_a_tombstone_leaves_nothing(tmp_path: Path) -> None:
    """What was forgotten on one machine is forgotten on the other, down to the bytes."""
    with Memory(home=tmp_path / "here") as here, Memory(home=tmp_path / "there") as there:
        note_ids = _say_it_in_every_field(here, CANARY)
        there.import_([json.dumps(record) for record in here.export().records])
        for note_id in note_ids:
            here.forget(note_id)

        there.import_([json.dumps(record) for record in here.export().records])

        with pytest.raises(Erased):
            there.get(note_ids[0])
        assert files_with(tmp_path, CANARY) == []


def test_the_same_request_sent_again_does_not_bring_it_back(tmp_path: Path) -> None:
    with Memory(home=tmp_path) as memory:
        note = memory.save(CANARY, idempotency_key="request-1")
        memory.forget(note.id)
        with pytest.raises(Erased):
            memory.save(CANARY, idempotency_key="request-1")
        assert files_with(tmp_path, CANARY) == []
