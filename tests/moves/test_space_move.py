"""A space goes from any store to any other with everything in it, and is served by one of them at every moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from recollect import Memory
from recollect.assembly import move_space
from recollect.domain.answers.recollections import ExportPage
from recollect.domain.errors import Conflict, InvalidInput, NotFound, RecollectError
from recollect.domain.values import to_plain
from recollect.settings import Settings, load_settings
from recollect.stores.moves.space_move import LOGGED
from recollect.stores.moves.space_rows import SpaceRows, common_tables, space_tables
from recollect.stores.opening import open_store
from tests.support.clock import SteadyClock
from tests.support.postgres import Server

WAYS = [
    "sqlite-sqlite",
    *(pytest.param(way, marks=pytest.mark.postgres) for way in ("sqlite-postgres", "postgres-sqlite")),
]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The addresses of two empty stores."""
    kinds = request.param.split("-")
    files = [str(tmp_path / f"{number}.db") for number in range(2)]
    if "postgres" not in kinds:
        yield files[0], files[1]
        return
    server: Server = request.getfixturevalue("postgres_server")
    with server.database() as address:
        yield (address, files[1]) if kinds[0] == "postgres" else (files[0], address)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return str(tmp_path / "old.db"), str(tmp_path / "new.db")


@contextmanager
def opened(address: str, tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=address, home=tmp_path / "home") as memory:
        yield memory


def settings_for(address: str, tmp_path: Path) -> Settings:
    return load_settings({"store": address, "home": tmp_path / "home"})[0]


def filled(memory: Memory) -> None:
    """Something of everything that a space can hold."""
    tea = memory.save("Alice drinks tea", space="alice", subject="alice", attribute="drink", idempotency_key="k1")
    memory.update(tea.id, text="Alice drinks green tea", space="alice", metadata={"cup": {"size": 2}})
    memory.supersede(tea.id, text="Alice drinks coffee", space="alice")
    gone = memory.save("A secret of hers", space="alice")
    memory.forget(gone.id, space="alice")
    memory.add("I live in Lisbon. Мой брат живёт в Осло.", space="alice", session="s1")
    memory.set_slot("mood", "calm", space="alice")
    memory.limit_space("alice", max_notes=1000)
    memory.save("Bob drinks beer", space="bob")


def exported(memory: Memory, space: str) -> list[object]:
    records: list[object] = []
    cursor = None
    while True:
        page: ExportPage = memory.export(space=space, cursor=cursor)
        records += to_plain(page.records)
        if (cursor := page.next_cursor) is None:
            return records


def rows_of(address: str, other: str, clock: SteadyClock) -> dict[str, set[tuple[object, ...]]]:
    """Every row of the space, whoever serves it, by table; of the columns that both stores have."""
    with (
        closing(open_store(address, clock=clock, busy_timeout=5)) as store,
        closing(open_store(other, clock=clock, busy_timeout=5)) as beside,
    ):
        found: dict[str, set[tuple[object, ...]]] = {}
        for table in common_tables(store.database, beside.database):
            with store.database.reading("alice") as transaction:
                rows = SpaceRows(transaction, table, "alice")
                found[table.name] = set(rows.whole([row[: len(table.key)] for row in rows.page(None)]))
        return found


def test_everything_arrives_and_the_old_store_refuses(way: tuple[str, str], tmp_path: Path, clock: SteadyClock) -> None:
    old, new = way
    with opened(old, tmp_path) as memory:
        filled(memory)
        before = exported(memory, "alice")
        told: list[str] = []
        report = move_space(settings_for(old, tmp_path), "alice", new, tell=told.append)
        assert report.switched and report.rows > 20 and "Round 1" in " ".join(told)

        with pytest.raises(Conflict, match="another store") as refused:
            memory.save("Lost?", space="alice")
        assert refused.value.code == "space_moved"
        assert [space.name for space in memory.spaces().items] == ["bob"]
        assert any("served by" in check.detail for check in memory.measuring.checks())
    with opened(old, tmp_path) as memory, pytest.raises(Conflict, match="another store"):
        memory.search("tea", space="alice")

    here, there = rows_of(old, new, clock), rows_of(new, old, clock)
    for table in ("change_log", "audit"):  # the new store wrote down that it arrived
        assert here[table] < there.pop(table) and here.pop(table)
    assert here == there
    with opened(new, tmp_path) as memory:
        assert exported(memory, "alice") == before
        assert memory.audit(space="alice").whole
        again = memory.save("Alice drinks tea", space="alice", subject="alice", attribute="drink", idempotency_key="k1")
        assert again.id == next(record["id"] for record in before if record["type"] == "note")  # type: ignore[index]
        assert "Alice drinks coffee" in str(memory.search("coffee", space="alice").hits)
        assert memory.describe_space("alice").max_notes == 1000
        assert [space.name for space in memory.spaces().items] == ["alice"]


def test_a_space_comes_back_with_what_was_written_elsewhere(files: tuple[str, str], tmp_path: Path) -> None:
    old, new = files
    with opened(old, tmp_path) as memory:
        filled(memory)
    move_space(settings_for(old, tmp_path), "alice", new, erase=True)
    assert b"green tea" not in Path(old).read_bytes()
    with opened(new, tmp_path) as memory:
        memory.save("Written in the new store", space="alice")
        before = exported(memory, "alice")
    move_space(settings_for(new, tmp_path), "alice", old)
    with opened(old, tmp_path) as memory:
        assert exported(memory, "alice") == before
        assert memory.audit(space="alice").whole
        memory.save("And written here again", space="alice")


class Interrupted(BaseException):
    """The end of a process, as far as one process can play it."""


def test_a_move_that_is_interrupted_anywhere_goes_on(way: tuple[str, str], tmp_path: Path) -> None:
    """After each word that a move says, it ends; somebody writes; the next one goes on. One store takes each note."""
    old, new = way
    notes: list[str] = []
    with opened(old, tmp_path) as before, opened(new, tmp_path) as after:
        filled(before)
        for words in range(1, 100):
            left = words

            def tell(_: str) -> None:
                nonlocal left
                left -= 1
                if not left:
                    raise Interrupted

            try:
                move_space(settings_for(old, tmp_path), "alice", new, tell=tell)
                break
            except Interrupted:
                taken = [_saved(memory, f"Note {words}") for memory in (before, after)]
                assert sum(note is not None for note in taken) <= 1
                notes += [note for note in taken if note]
        assert len(notes) >= 5
        assert all(after.get(note, space="alice") for note in notes)
        assert after.audit(space="alice").whole
        assert _saved(before, "Late") is None and _saved(after, "Late") is not None


def _saved(memory: Memory, text: str) -> str | None:
    try:
        return memory.save(text, space="alice").id
    except RecollectError as problem:
        assert problem.code == "space_moved"
        return None


def test_a_space_goes_back_the_way_it_came(files: tuple[str, str], tmp_path: Path) -> None:
    first, second, third = *files, str(tmp_path / "third.db")
    with opened(first, tmp_path) as memory:
        note = memory.save("Alice drinks tea", space="alice")
    move_space(settings_for(first, tmp_path), "alice", second)
    move_space(settings_for(second, tmp_path), "alice", third)
    with pytest.raises(Conflict, match=r"says that .*new\.db serves it") as refused:
        move_space(settings_for(third, tmp_path), "alice", first)
    assert "Move it to" in refused.value.hint
    move_space(settings_for(third, tmp_path), "alice", second)
    move_space(settings_for(second, tmp_path), "alice", first)
    with opened(first, tmp_path) as memory:
        assert memory.get(note.id, space="alice") == note


def test_a_dry_run_writes_nothing(files: tuple[str, str], tmp_path: Path) -> None:
    old, new = files
    with opened(old, tmp_path) as memory:
        filled(memory)
    report = move_space(settings_for(old, tmp_path), "alice", new, dry_run=True)
    assert not report.switched and report.rows > 20 and not Path(new).exists()


def test_a_move_is_given_up_and_leaves_no_text_behind(files: tuple[str, str], tmp_path: Path) -> None:
    old, new = files
    with opened(old, tmp_path) as memory:
        filled(memory)

        def tell(line: str) -> None:
            if line.startswith("Round 1"):
                raise Interrupted

        with pytest.raises(Interrupted):
            move_space(settings_for(old, tmp_path), "alice", new, tell=tell)
        move_space(settings_for(old, tmp_path), "alice", new, cancel=True)
        assert b"green tea" not in Path(new).read_bytes()
        memory.save("It is served here as before", space="alice")
    move_space(settings_for(old, tmp_path), "alice", new)
    with pytest.raises(Conflict, match="handed over"):
        move_space(settings_for(old, tmp_path), "alice", new, cancel=True)


def test_what_cannot_be_moved_is_refused_and_stays(files: tuple[str, str], tmp_path: Path) -> None:
    old, new = files
    for address in files:
        with opened(address, tmp_path) as memory:
            memory.save("Her own", space="alice")
    settings = settings_for(old, tmp_path)
    with pytest.raises(Conflict, match="of its own") as refused:
        move_space(settings, "alice", new)
    assert refused.value.code == "space_exists"
    with pytest.raises(NotFound, match="nobody"):
        move_space(settings, "nobody", new)
    with pytest.raises(InvalidInput, match="already"):
        move_space(settings, "alice", f"sqlite:///{old}")
    with opened(old, tmp_path) as memory:
        memory.save("Still here", space="alice")


def test_a_space_that_is_deleted_while_it_moves_is_nowhere(files: tuple[str, str], tmp_path: Path) -> None:
    old, new = files
    with opened(old, tmp_path) as memory:
        filled(memory)

        def tell(line: str) -> None:
            if line.startswith("Round 2"):
                memory.delete_space("alice")

        with pytest.raises(NotFound):
            move_space(settings_for(old, tmp_path), "alice", new, tell=tell)
    assert b"green tea" not in Path(new).read_bytes()


@pytest.mark.postgres
def test_both_databases_have_the_same_tables_and_keys(
    postgres_server: Server, tmp_path: Path, clock: SteadyClock
) -> None:
    with (
        postgres_server.database() as address,
        closing(open_store(address, clock=clock, busy_timeout=5)) as remote,
        closing(open_store(str(tmp_path / "m.db"), clock=clock, busy_timeout=5)) as file,
    ):
        keys = [{table.name: table.key for table in space_tables(each.database)} for each in (remote, file)]
        assert keys[0] == keys[1] and keys[0]["note"] == ("id", "version") and keys[0]["quota"] == ()


def test_what_is_made_from_notes_is_not_compared_whole_while_writers_wait(tmp_path: Path, clock: SteadyClock) -> None:
    with closing(open_store(str(tmp_path / "m.db"), clock=clock, busy_timeout=5)) as store:
        of_notes = {table.name for table in space_tables(store.database) if "note_id" in table.key}
    # Uses are counted without an entry in the log, a row for each note, day and actor: no more than that is compared.
    assert of_notes and of_notes - {"note_use"} <= LOGGED.keys()
