"""Every verb on every kind of damage: a right answer or a typed error, and a doctor that always ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.assembly import rescue_from
from recollect.domain.answers.upkeep import Diagnosis
from recollect.domain.errors import RecollectError, StoreFailure
from recollect.settings import load_settings
from recollect.stores.sqlite.damage import damage_of
from recollect.verbs.upkeep import diagnosis_of
from tests.damage.damages import Damage, Sound, damages_of_a_file, damages_of_a_log, exported, key_of, sound

CODES = {
    "truncated", "zeroed", "damaged", "damaged_record", "foreign_database", "newer_database", "busy",
    "nothing_rescued", "not_a_file", "not_a_database",
}  # fmt: skip

VERBS: dict[str, Callable[[Memory, Sound], Any]] = {
    "list": lambda memory, _: memory.list(limit=1000),
    "search": lambda memory, _: memory.search("parrot seeds"),
    "recall": lambda memory, _: memory.recall("What does the parrot like?"),
    "get": lambda memory, known: memory.get(known.note_id),
    "export": lambda memory, _: list(exported(memory)),
    "save": lambda memory, _: memory.save("Written after the damage"),
}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return sound(tmp_path_factory.mktemp("sound"), crashed=False)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return sound(tmp_path_factory.mktemp("sound"), crashed=True)


@pytest.mark.parametrize("damage", list(damages_of_a_file(36)), ids=lambda damage: damage.name)
def test_a_damaged_file_gets_right_answers_or_typed_errors(tmp_path: Path, closed: Sound, damage: Damage) -> None:
    _endure(tmp_path, closed, damage)


@pytest.mark.parametrize("damage", list(damages_of_a_log(10)), ids=lambda damage: damage.name)
def test_a_damaged_log_gets_right_answers_or_typed_errors(tmp_path: Path, crashed: Sound, damage: Damage) -> None:
    _endure(tmp_path, crashed, damage)


def _endure(folder: Path, before: Sound, damage: Damage) -> None:
    path = folder / "recollect.db"
    damage.inflict(path, before)

    left = _exported(path)
    diagnosis = _doctor(path)
    assert all(check.detail for check in diagnosis.checks)
    assert all(check.ok or check.code or check.hint or "audit" in check.name for check in diagnosis.checks)
    if diagnosis.healthy and not damage.silent:
        assert left == before.keys, "the doctor calls it sound"
    for name, verb in VERBS.items():
        try:
            with Memory(store=str(path), home=folder, embedding="off") as memory:
                verb(memory, before)
        except RecollectError as problem:
            if problem.code == "note_not_found":
                assert damage.silent or not diagnosis.healthy, "it is gone, and the doctor calls it sound"
                continue
            assert problem.code in CODES, f"{name}: {problem.code}: {problem}"
            assert problem.hint, name
    rescued: list[dict[str, Any]] = []
    try:
        rescue_from(load_settings({"store": str(path), "home": folder})[0], None, rescued.append)
    except RecollectError as problem:
        assert problem.code in CODES


def _doctor(path: Path) -> Diagnosis:
    try:
        with Memory(store=str(path), home=path.parent, embedding="off") as memory:
            return memory.doctor()
    except StoreFailure as problem:
        return diagnosis_of(problem)


def _exported(path: Path) -> frozenset[tuple[str, str, int]]:
    try:
        with Memory(store=str(path), home=path.parent, embedding="off") as memory:
            return frozenset(key_of(record) for record in exported(memory))
    except RecollectError:
        return frozenset()


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not tell who holds which lock")
def test_looking_at_the_bytes_of_a_file_drops_no_lock_of_this_process(tmp_path: Path) -> None:
    with Memory(home=tmp_path, embedding="off") as memory:
        memory.save("Alice prefers tea")
        path = tmp_path / "recollect.db"
        before = _locks()
        damage_of(path, "for a test")
        rescue_from(memory.settings, None, lambda _: None)

        assert before
        assert _locks() == before


def _locks() -> list[str]:
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return sorted(" ".join(line[1:]) for line in lines if str(os.getpid()) in line)
