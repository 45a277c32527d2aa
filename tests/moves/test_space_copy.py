"""One space is backed up and restored, in any store and between stores, and no other space is touched."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.changes import Changes, DeleteSpace
from recollect.domain.errors import Conflict, Damaged, InvalidInput, NotFound, StorageFull
from recollect.domain.origin import Origin
from recollect.stores.database import Row
from recollect.stores.moves import space_rows
from recollect.stores.moves.space_rows import SpaceRows
from tests.moves.test_space_move import exported, filled
from tests.support.postgres import Server

WAYS = [
    "sqlite-sqlite",
    *(
        pytest.param(way, marks=pytest.mark.postgres)
        for way in ("sqlite-postgres", "postgres-sqlite", "postgres-postgres")
    ),
]


@pytest.fixture(params=WAYS)
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The addresses of two empty stores."""
    first, second = request.param.split("-")
    with address_of(request, first, tmp_path / "0.db") as one, address_of(request, second, tmp_path / "1.db") as two:
        yield one, two


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with address_of(request, request.param, tmp_path / "0.db") as address:
        yield address


@contextmanager
def address_of(request: pytest.FixtureRequest, kind: str, file: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield str(file)
        return
    server: Server = request.getfixturevalue("postgres_server")
    with server.database() as address:
        yield address


def opened(address: str, tmp_path: Path) -> Memory:
    return Memory(store=address, home=tmp_path / "home")


def test_a_space_is_restored_as_it_was_and_no_other_is_touched(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        made = memory.backup(tmp_path / "alice.db", space="alice")
        memory.save("Written after the backup", space="alice")
        memory.update(_current(memory), text="Alice drinks water", space="alice")
        memory.save("Bob drinks wine as well", space="bob")
        beside = exported(memory, "bob")

        restored = memory.restore(tmp_path / "alice.db", space="alice")

        assert (made.space, list(made.changes)) == ("alice", ["alice"]) and restored.sha256 == made.sha256
        assert exported(memory, "alice") == before
        assert exported(memory, "bob") == beside
        assert memory.audit(space="alice").whole and memory.audit(space="bob").whole
        assert memory.audit(space="alice").entries[-1].reason == "restore"
        assert [hit.text for hit in memory.search("coffee", space="alice").hits][:1] == ["Alice drinks coffee"]
        assert all("water" not in hit.text for hit in memory.search("water", space="alice").hits)
        memory.save("And it goes on", space="alice")
        assert memory.doctor().healthy


def test_a_space_goes_into_another_store_by_its_backup(stores: tuple[str, str], tmp_path: Path) -> None:
    old, new = stores
    with opened(old, tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        memory.backup(tmp_path / "alice.db", space="alice")
        chain = [entry.digest for entry in memory.audit(space="alice").entries]
    with opened(new, tmp_path) as memory:
        memory.save("Carol lives here already", space="carol")
        beside = exported(memory, "carol")
        memory.restore(tmp_path / "alice.db", space="alice")

        assert exported(memory, "alice") == before and exported(memory, "carol") == beside
        assert [space.name for space in memory.spaces().items] == ["alice", "carol"]
        told = memory.audit(space="alice")
        assert told.whole and [entry.digest for entry in told.entries][: len(chain)] == chain
        again = memory.save("Alice drinks tea", space="alice", subject="alice", attribute="drink", idempotency_key="k1")
        assert again.id in {record["id"] for record in before if record["type"] == "note"}  # type: ignore[index]
        assert memory.describe_space("alice").max_notes == 1000
        assert memory.doctor().healthy


def test_restoring_again_and_again_keeps_the_audit_chain_of_the_store(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        for number in (1, 2):
            memory.save(f"Note {number}", space="alice")
            memory.backup(tmp_path / f"{number}.db", space="alice")
        for number in (1, 2, 1):
            memory.restore(tmp_path / f"{number}.db", space="alice")
            assert len(memory.list(space="alice").items) == number
            assert memory.audit(space="alice").whole
    with opened(str(tmp_path / "other.db"), tmp_path) as other:
        for number in (1, 2):  # the second chain does not continue the one that is there
            other.restore(tmp_path / f"{number}.db", space="alice")
            assert len(other.list(space="alice").items) == number and other.audit(space="alice").whole


def test_what_was_forgotten_since_stays_forgotten(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        secret = memory.save("A secret of hers", space="alice")
        memory.save("Alice drinks tea", space="alice")
        memory.backup(tmp_path / "alice.db", space="alice")
        memory.forget(secret.id, space="alice")

        memory.restore(tmp_path / "alice.db", space="alice")

        assert [note.text for note in memory.list(space="alice").items] == ["Alice drinks tea"]
        assert "secret" not in str(exported(memory, "alice"))
        memory.delete_space("alice")
        with pytest.raises(Conflict, match="was deleted here") as refused:
            memory.restore(tmp_path / "alice.db", space="alice")
        assert refused.value.code == "space_deleted"
        assert memory.spaces().items == ()


def test_one_space_is_taken_out_of_a_backup_of_the_whole_store(tmp_path: Path) -> None:
    with opened(str(tmp_path / "0.db"), tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        memory.backup(tmp_path / "all.db")
        memory.save("Written after the backup", space="alice")
        memory.save("Bob drinks wine as well", space="bob")
        beside = exported(memory, "bob")

        memory.restore(tmp_path / "all.db", space="alice")

        assert exported(memory, "alice") == before and exported(memory, "bob") == beside


def test_files_that_are_no_backup_of_the_space_are_refused_and_nothing_changes(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        filled(memory)
        memory.backup(tmp_path / "bob.db", space="bob")
        memory.backup(tmp_path / "torn.db", space="alice")
        content = (tmp_path / "torn.db").read_bytes()
        (tmp_path / "torn.db").write_bytes(content[: len(content) // 2])
        (tmp_path / "page.db").write_text("no database at all")
        before = exported(memory, "alice")

        with pytest.raises(NotFound, match="has no space `alice`"):
            memory.restore(tmp_path / "bob.db", space="alice")
        with pytest.raises(Damaged, match="not what its manifest says"):
            memory.restore(tmp_path / "torn.db", space="alice")
        with pytest.raises(NotFound, match=r"page\.db\.json"):
            memory.restore(tmp_path / "page.db", space="alice")
        with pytest.raises(NotFound, match="There is no space `nobody`"):
            memory.backup(tmp_path / "nobody.db", space="nobody")
        assert exported(memory, "alice") == before


def test_a_backup_of_one_space_does_not_become_the_whole_store(tmp_path: Path) -> None:
    with opened(str(tmp_path / "0.db"), tmp_path) as memory:
        filled(memory)
        memory.backup(tmp_path / "alice.db", space="alice")
        with pytest.raises(InvalidInput, match="of the space `alice` alone") as refused:
            memory.restore(tmp_path / "alice.db")
        assert refused.value.code == "one_space" and "--space alice" in str(refused.value.hint)
        assert [space.name for space in memory.spaces().items] == ["alice", "bob"]


def test_targets_keep_backups_of_spaces_apart_from_those_of_the_store(tmp_path: Path) -> None:
    place = tmp_path / "target"
    with opened(str(tmp_path / "0.db"), tmp_path) as memory:
        filled(memory)
        whole = memory.backup(target=place, keep=1)
        before = exported(memory, "alice")
        first, second = (memory.backup(target=place, keep=1, space="alice") for _ in range(2))
        memory.backup(target=place, keep=1, space="bob")
        memory.save("Written after the backup", space="alice")

        assert second.stored and first.stored and second.stored.removed == (first.stored.name,)
        assert [each.space for each in memory.backups(target=place)] == ["bob", "alice", None]
        assert memory.restore(target=place, space="alice").sha256 == second.sha256
        assert exported(memory, "alice") == before
        assert memory.restore(target=place).sha256 == whole.sha256
        assert whole.stored
        memory.restore(target=place, backup=whole.stored.name, space="alice")
        assert exported(memory, "alice") == before


def _current(memory: Memory) -> str:
    [found] = [note for note in memory.list(space="alice").items if note.text == "Alice drinks coffee"]
    return found.id


def test_backups_by_timer_end_with_their_space(store: str, tmp_path: Path) -> None:
    with Memory(store=store, home=tmp_path / "home", targets={"nightly": str(tmp_path / "0")}) as memory:
        filled(memory)
        for space in ("alice", "bob"):
            memory.backup(target="nightly", every="1d", space=space)
        memory.delete_space("alice")
        assert _backup_timers(memory) == ["backup_space:bob/nightly"]


def test_a_target_with_backups_of_spaces_alone_says_which_it_has(store: str, tmp_path: Path) -> None:
    with Memory(store=store, home=tmp_path / "home") as memory:
        filled(memory)
        memory.backup(target=tmp_path / "0", space="alice")
        with pytest.raises(NotFound, match=r"of the space `bob`.*backups of `alice`"):
            memory.restore(target=tmp_path / "0", space="bob")


def test_a_timer_that_was_left_of_a_deleted_space_can_be_dropped(store: str, tmp_path: Path) -> None:
    with Memory(store=store, home=tmp_path / "home", targets={"nightly": str(tmp_path / "0")}) as memory:
        filled(memory)
        memory.backup(target="nightly", every="1d", space="alice")
        # As a process does that was killed in between, or one of the version before.
        at = memory._engine.clock.now()
        memory._engine.store.apply(Changes("alice", "delete_space", at, Origin(), (DeleteSpace(),)))
        assert _backup_timers(memory) == ["backup_space:alice/nightly"]
        with pytest.raises(NotFound, match="`alice` by timer were ended"):
            memory.backup(target="nightly", every="never", space="alice")
        assert _backup_timers(memory) == []


def test_nothing_is_written_to_the_folder_of_temporary_files(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    left = tmp_path / "home" / ".backup-killed"
    with opened(store, tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        left.mkdir(parents=True)
        (left / "space.db").write_text("What a process that was killed left behind")
        left.with_name(".backup-killed.lock").touch()

        memory.backup(tmp_path / "alice.db", space="alice")
        memory.restore(tmp_path / "alice.db", space="alice")

        assert exported(memory, "alice") == before
    assert list((tmp_path / "home").glob(".backup-*")) == []


def test_a_disk_without_room_is_said_in_our_words(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with opened(store, tmp_path) as memory:
        filled(memory)
        with monkeypatch.context() as patched, pytest.raises(StorageFull):
            patched.setattr(Path, "mkdir", full)
            memory.backup(tmp_path / "alice.db", space="alice")
        assert not (tmp_path / "alice.db").exists()


def test_a_file_that_is_there_already_is_refused_before_the_work(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alice.db").write_text("Something of somebody")
    with opened(store, tmp_path) as memory:
        filled(memory)
        worked: list[str] = []
        monkeypatch.setattr(SpaceRows, "add", lambda *_: worked.append("a row was copied"))
        with pytest.raises(InvalidInput) as refused:
            memory.backup(tmp_path / "alice.db", space="alice")
    assert (refused.value.code, worked) == ("file_exists", [])


def test_limits_of_a_space_are_those_of_the_store_and_not_of_the_backup(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        filled(memory)
        memory.limit_space("alice", max_notes=1000)
        memory.backup(tmp_path / "alice.db", space="alice")
        memory.limit_space("alice", max_notes=50)
        memory.restore(tmp_path / "alice.db", space="alice")
        assert memory.describe_space("alice").max_notes == 50


def test_rows_are_taken_away_page_by_page(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One statement for all of them could take longer than the server lets any statement take."""
    dropped: list[int] = []
    drop = SpaceRows.drop

    def counted(rows: SpaceRows, keys: Sequence[Row]) -> None:
        dropped.append(len(keys))
        drop(rows, keys)

    with opened(store, tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        memory.backup(tmp_path / "alice.db", space="alice")
        for number in range(5):
            memory.save(f"Written after the backup: {number}", space="alice")
        monkeypatch.setattr(space_rows, "PAGE", 3)
        monkeypatch.setattr(SpaceRows, "drop", counted)
        memory.restore(tmp_path / "alice.db", space="alice")

        assert exported(memory, "alice") == before
        assert max(dropped) == 3 and sum(dropped) > 10


def _backup_timers(memory: Memory) -> list[str]:
    return [each.name for each in memory.timers(whole_store=True) if each.name.startswith("backup")]
