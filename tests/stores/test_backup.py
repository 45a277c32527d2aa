"""A backup holds all that was acknowledged, is checked before it is used, and never brings back what was forgotten."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from recollect import Memory
from recollect.domain.changes import ChangeKind, EraseNote, WriteNote
from recollect.domain.clock import SystemClock
from recollect.domain.errors import Damaged, Erased, InvalidInput, NotFound, Refused, StoreFailure, Unsupported
from recollect.domain.notes import Note
from recollect.stores.migrations import migrations
from recollect.stores.opening import open_store
from recollect.stores.sqlite.store import SqliteStore, manifest_of
from tests.support.clock import SteadyClock
from tests.support.postgres import Server
from tests.support.raw import store_of, tampering
from tests.support.together import PATIENCE, at_once
from tests.support.writing import a_note, changes

FLIPS = 200


@pytest.fixture(params=["file", "memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    address = str(tmp_path / "memory.db") if request.param == "file" else ":memory:"
    with Memory(store=address, home=tmp_path / "home", clock=clock) as opened:
        yield opened


@pytest.fixture(params=[False, True], ids=["online", "compact"])
def compact(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@contextmanager
def _opened(copy: Path) -> Iterator[Memory]:
    """A fresh memory that was restored from a backup."""
    with Memory(store=":memory:", home=copy.parent, clock=SystemClock()) as fresh:
        fresh.restore(str(copy))
        yield fresh


def test_a_backup_holds_everything_and_says_so(memory: Memory, tmp_path: Path, compact: bool) -> None:
    note = memory.save("Alice prefers tea", space="alice", tags=["drink"])
    memory.update(note.id, text="Alice prefers coffee", space="alice")
    memory.save("Bob prefers beer", space="bob")
    memory.forget(memory.save("A secret", space="bob").id, space="bob")

    backup = memory.backup(str(tmp_path / "copy.db"), compact=compact)

    assert (backup.path, backup.manifest) == (str(tmp_path / "copy.db"), str(tmp_path / "copy.db.json"))
    assert (backup.notes, backup.schema) == (2, memory.status().schema)
    assert backup.changes == {"alice": 3, "bob": 4}
    assert backup.size_bytes == (tmp_path / "copy.db").stat().st_size
    assert json.loads((tmp_path / "copy.db.json").read_text())["sha256"] == backup.sha256
    with _opened(tmp_path / "copy.db") as copy:
        assert copy.history(note.id, space="alice") == memory.history(note.id, space="alice")
        assert copy.list(space="bob") == memory.list(space="bob")
        assert copy.doctor().healthy


def test_a_backup_leaves_two_files_and_nothing_else(memory: Memory, tmp_path: Path, compact: bool) -> None:
    memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "new" / "folder" / "copy.db"), compact=compact)
    assert sorted(file.name for file in (tmp_path / "new" / "folder").iterdir()) == ["copy.db", "copy.db.json"]


def test_a_file_that_is_there_is_never_overwritten(memory: Memory, tmp_path: Path, compact: bool) -> None:
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(InvalidInput, match="is there already") as refusal:
        memory.backup(str(tmp_path / "copy.db"), compact=compact)

    assert refusal.value.code == "file_exists"
    assert (tmp_path / "copy.db").read_text() == "precious"


def test_a_place_that_cannot_be_written_is_a_clear_error(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailure) as refusal:
        memory.backup(str(tmp_path / "file" / "copy.db"))
    assert refusal.value.code == "not_writable"


def test_a_backup_under_four_writers_holds_every_write_acknowledged_before_it(
    tmp_path: Path, clock: SteadyClock, compact: bool
) -> None:
    with closing(open_store(str(tmp_path / "memory.db"), clock=SystemClock(), busy_timeout=30)) as store:
        assert isinstance(store, SqliteStore)
        plans = [[a_note(clock, f"Note {number}") for number in range(150)] for _ in range(4)]
        acknowledged: list[str] = []
        going, enough = threading.Event(), threading.Event()
        failures: list[BaseException] = []

        def write(notes: list[Note]) -> None:
            try:
                for note in notes:
                    if enough.is_set():
                        return
                    store.apply(changes(SteadyClock(), WriteNote(note)))
                    acknowledged.append(note.id)
                    if len(acknowledged) >= 20:
                        going.set()
            except BaseException as problem:
                failures.append(problem)

        threads = [threading.Thread(target=write, args=(plan,), daemon=True) for plan in plans]
        for thread in threads:
            thread.start()
        assert going.wait(PATIENCE)
        before = list(acknowledged)
        backup = store.backup(tmp_path / "copy.db", compact=compact, at=clock.now())
        enough.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert failures == []

    with _opened(tmp_path / "copy.db") as copy:
        held = store_of(copy).log.changes_after("alice", 0, limit=100_000)
        written = [change for change in held if change.kind is ChangeKind.WRITTEN]
        assert {change.record_id for change in written} >= set(before)
        assert len(written) == backup.notes
        assert [change.seq for change in held[: len(written) + 1]] == list(range(1, len(written) + 2))
        assert copy.doctor().healthy


def test_restoring_brings_back_the_state_of_the_backup(memory: Memory, tmp_path: Path, compact: bool) -> None:
    note = memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "copy.db"), compact=compact)
    memory.update(note.id, text="Alice prefers coffee")
    memory.save("Written since")

    memory.restore(str(tmp_path / "copy.db"))

    assert memory.list().items == (note,)
    assert [hit.text for hit in memory.search("tea coffee since").hits] == ["Alice prefers tea"]
    assert memory.doctor().healthy
    assert memory.save("Written afterwards").version == 1


def test_what_was_forgotten_since_the_backup_stays_forgotten(memory: Memory, tmp_path: Path) -> None:
    secret = memory.save("A secret")
    kept = memory.save("Not a secret")
    memory.backup(str(tmp_path / "copy.db"))
    memory.forget(secret.id)

    memory.restore(str(tmp_path / "copy.db"))

    assert memory.list(state="any").items == (kept,)
    assert memory.search("secret").hits[0].text == "Not a secret"
    with pytest.raises(Erased):
        memory.get(secret.id)


@pytest.mark.parametrize("deleted", ["before the backup", "after the backup", "made and deleted after the backup"])
def test_a_deleted_space_stays_deleted(memory: Memory, tmp_path: Path, deleted: str) -> None:
    memory.save("Bob prefers beer", space="bob")
    steps = {
        "before the backup": ["save", "delete", "backup"],
        "after the backup": ["save", "backup", "delete"],
        "made and deleted after the backup": ["backup", "save", "delete"],
    }
    note_ids = []
    for step in steps[deleted]:
        match step:
            case "save":
                note_ids.append(memory.save("Alice prefers tea", space="alice").id)
            case "delete":
                memory.delete_space("alice")
            case _:
                memory.backup(str(tmp_path / "copy.db"))

    memory.restore(str(tmp_path / "copy.db"))

    assert [space.name for space in memory.spaces().items] == ["bob"]
    assert memory.list(space="alice").items == ()
    memory.save("A new beginning", space="alice")
    with pytest.raises(Erased):
        memory.get(note_ids[0], space="alice")


def test_numbers_never_go_back(memory: Memory, tmp_path: Path) -> None:
    memory.save("Alice prefers tea", space="alice")
    memory.save("Gone before", space="gone")
    memory.backup(str(tmp_path / "copy.db"))
    for number in range(5):
        memory.save(f"Note {number}", space="alice")
        memory.save(f"Note {number}", space="gone")
        memory.save(f"Note {number}", space="new")
    memory.delete_space("gone")
    store = store_of(memory)
    last = {name: store.log.changes_after(name, 0, limit=100)[-1].seq for name in ("alice", "gone", "new")}

    memory.restore(str(tmp_path / "copy.db"))
    for name in last:
        memory.save("Written afterwards", space=name)

    for name, seq in last.items():
        fresh = store.log.changes_after(name, seq, limit=100)
        assert [change.seq for change in fresh] == list(range(seq + 1, seq + 1 + len(fresh)))
        assert fresh[-1].kind is ChangeKind.WRITTEN
    kinds = [change.kind for change in store.log.changes_after("alice", last["alice"], limit=10)]
    assert kinds == [ChangeKind.SPACE_RESTORED, ChangeKind.WRITTEN]
    assert memory.doctor().healthy


def test_a_restore_among_writers_loses_no_erasure_and_gives_no_number_twice(tmp_path: Path) -> None:
    with Memory(home=tmp_path, clock=SystemClock(), busy_timeout=30) as memory:
        secrets = [memory.save(f"Secret {number}").id for number in range(60)]
        memory.backup(str(tmp_path / "copy.db"))
        numbers: list[int] = []
        forgotten: list[str] = []
        over, writers_clock = threading.Event(), SteadyClock()

        def write() -> None:
            while not over.is_set():
                note = a_note(writers_clock, space="default")
                decided = changes(SteadyClock(), WriteNote(note), space="default")
                numbers.append(store_of(memory).apply(decided).changes[-1].seq)

        def forget() -> None:
            for note_id in secrets:
                erased = changes(SteadyClock(), EraseNote(note_id), space="default")
                store_of(memory).apply(erased)
                forgotten.append(note_id)

        def restore() -> None:
            try:
                while len(forgotten) < len(secrets):
                    memory.restore(str(tmp_path / "copy.db"))
            finally:
                over.set()

        assert [outcome.error for outcome in at_once([write, forget, restore])] == [None] * 3

        assert len(numbers) == len(set(numbers))
        assert [note_id for note_id in secrets if store_of(memory).note("default", note_id)] == []
        assert memory.doctor().healthy


def test_any_flipped_bit_is_found_and_nothing_is_restored(memory: Memory, tmp_path: Path) -> None:
    memory.save("Alice prefers tea")
    copy = tmp_path / "copy.db"
    memory.backup(str(copy))
    memory.save("Written since")
    sound = copy.read_bytes()
    chance = random.Random(1)

    for _ in range(FLIPS):
        flipped = bytearray(sound)
        place = chance.randrange(len(flipped) * 8)
        flipped[place // 8] ^= 1 << place % 8
        copy.write_bytes(flipped)
        with pytest.raises(Damaged) as refusal:
            memory.restore(str(copy))
        assert refusal.value.code == "backup_damaged"
    assert len(memory.list().items) == 2

    copy.write_bytes(sound)
    memory.restore(str(copy))
    assert len(memory.list().items) == 1


@pytest.mark.parametrize("length", [0, 1, 100, 4096, -1])
def test_a_backup_that_was_cut_off_is_refused(memory: Memory, tmp_path: Path, length: int) -> None:
    memory.save("Alice prefers tea")
    copy = tmp_path / "copy.db"
    memory.backup(str(copy))
    copy.write_bytes(copy.read_bytes()[:length])
    with pytest.raises(Damaged):
        memory.restore(str(copy))


def test_a_copy_whose_contents_are_not_those_of_its_manifest_is_refused(memory: Memory, tmp_path: Path) -> None:
    """Somebody who can change both files is still found out when the counts do not fit."""
    memory.save("Alice prefers tea")
    copy = tmp_path / "copy.db"
    backup = memory.backup(str(copy))
    said = json.loads(Path(backup.manifest).read_text())
    for field, value in {"notes": 7, "changes": {"default": 99}, "sha256": "0" * 64}.items():
        Path(backup.manifest).write_text(json.dumps({**said, field: value}))
        with pytest.raises(Damaged):
            memory.restore(str(copy))


@pytest.mark.parametrize("manifest", ["", "{", "[]", "null", "{}", '{"path": 1}', "\x00"])
def test_a_manifest_that_cannot_be_read_is_refused(memory: Memory, tmp_path: Path, manifest: str) -> None:
    memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "copy.db"))
    manifest_of(tmp_path / "copy.db").write_text(manifest)
    with pytest.raises(Damaged, match="manifest"):
        memory.restore(str(tmp_path / "copy.db"))


@pytest.mark.parametrize("missing", ["copy.db", "copy.db.json"])
def test_half_a_backup_is_not_a_backup(memory: Memory, tmp_path: Path, missing: str) -> None:
    memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "copy.db"))
    (tmp_path / missing).unlink()
    with pytest.raises(NotFound, match=missing) as refusal:
        memory.restore(str(tmp_path / "copy.db"))
    assert refusal.value.code == "backup_not_found"


def test_a_backup_of_a_newer_version_is_refused_and_nothing_changes(
    memory: Memory, tmp_path: Path, clock: SteadyClock
) -> None:
    with Memory(store=str(tmp_path / "future.db"), home=tmp_path, clock=clock) as future:
        future.save("From the future")
        newest = migrations("sqlite")[-1].number
        with tampering(store_of(future)) as transaction:
            transaction.rows("insert_migration", number=newest + 1, name="from_the_future", at="2030")
        future.backup(str(tmp_path / "copy.db"))
    note = memory.save("Alice prefers tea")

    with pytest.raises(Refused) as refusal:
        memory.restore(str(tmp_path / "copy.db"))

    assert refusal.value.code == "newer_database"
    assert memory.list().items == (note,)


def test_a_restore_leaves_no_draft_behind(memory: Memory, tmp_path: Path) -> None:
    memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "backups" / "copy.db"))
    memory.restore(str(tmp_path / "backups" / "copy.db"))
    names = sorted(file.name for folder in (tmp_path, tmp_path / "backups") for file in folder.iterdir())
    assert [name for name in names if name.startswith(".")] == []


def test_a_compact_copy_has_no_free_page(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "memory.db"), home=tmp_path, clock=clock) as memory:
        for number in range(30):
            memory.save(f"Note {number}: " + "many words " * 200)
        memory.delete_space("default")
        memory.save("What is left")
        memory.backup(str(tmp_path / "copy.db"), compact=True)
    copy = apsw.Connection(str(tmp_path / "copy.db"))
    try:
        assert copy.pragma("freelist_count") == 0
    finally:
        copy.close()


def test_a_restore_has_no_dry_run(memory: Memory, tmp_path: Path) -> None:
    memory.save("Alice prefers tea")
    memory.backup(str(tmp_path / "copy.db"))
    with pytest.raises(Unsupported):
        memory.dry_run().restore(str(tmp_path / "copy.db"))


@pytest.mark.postgres
def test_a_server_is_backed_up_with_its_own_tools(postgres_server: Server, tmp_path: Path) -> None:
    with postgres_server.database() as address, Memory(store=address, home=tmp_path) as remote:
        for attempt in (remote.backup, remote.restore):
            with pytest.raises(Unsupported, match="server's own tools"):
                attempt(str(tmp_path / "copy.db"))
