"""Tokens on every store: kept as digests, apart from every space, and gone for everybody once revoked."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.access import USE_KEPT_EVERY
from recollect.domain.errors import InvalidInput, NotFound
from tests.support.clock import SteadyClock
from tests.support.raw import database_of, rows, store_of


def test_a_token_admits_its_bearer_as_it_was_made(memory: Memory) -> None:
    issued = memory.access.issue(scope="write", space="alice", expires="30d", name="Alice's agent")
    admitted = memory.access.admit(issued.secret)
    assert admitted == issued.token
    assert (issued.token.scope, issued.token.space, issued.token.name) == ("write", "alice", "Alice's agent")


def test_a_dump_of_the_store_cannot_be_used_to_come_in(memory: Memory) -> None:
    issued = memory.access.issue()
    [kept] = rows(store_of(memory), "SELECT * FROM access_token")
    assert not any(isinstance(cell, str) and memory.access.admit(cell) for cell in kept)
    assert issued.secret not in kept
    assert not any(issued.secret[31:] in str(cell) for cell in kept)


def test_a_revoked_token_opens_nothing_for_any_process(store_address: str, memory: Memory, clock: SteadyClock) -> None:
    issued = memory.access.issue(scope="admin")
    if store_address == ":memory:":
        memory.access.revoke(issued.token.id)
    else:
        with Memory(store=store_address, clock=clock) as other:
            assert other.access.admit(issued.secret) is not None
            other.access.revoke(issued.token.id)
    assert memory.access.admit(issued.secret) is None


def test_revoking_twice_keeps_the_first_time(memory: Memory) -> None:
    issued = memory.access.issue()
    first = memory.access.revoke(issued.token.id)
    assert memory.access.revoke(issued.token.id.lower()) == first
    assert [token.revoked_at for token in memory.access.tokens()] == [first.revoked_at]


def test_a_token_ends_when_it_was_said_to(memory: Memory, clock: SteadyClock) -> None:
    issued = memory.access.issue(expires="1h")
    clock.advance(minutes=58)
    assert memory.access.admit(issued.secret) is not None
    clock.advance(minutes=2)
    assert memory.access.admit(issued.secret) is None


def test_when_a_token_was_used_is_kept_coarsely(memory: Memory, clock: SteadyClock) -> None:
    issued = memory.access.issue()
    memory.access.admit(issued.secret)
    [first] = [token.last_used_at for token in memory.access.tokens()]
    assert first is not None
    memory.access.admit(issued.secret)
    assert [token.last_used_at for token in memory.access.tokens()] == [first]
    clock.advance(seconds=USE_KEPT_EVERY.total_seconds())
    memory.access.admit(issued.secret)
    [later] = [token.last_used_at for token in memory.access.tokens()]
    assert later is not None and later > first


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"scope": "root"}, "unknown_scope"),
        ({"space": "no such/space"}, "invalid_space"),
        ({"expires": "yesterday"}, "invalid_time"),
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(memory: Memory, asked: dict[str, str], code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.access.issue(**asked)
    assert caught.value.code == code
    assert list(memory.access.tokens()) == []


def test_revoking_what_is_not_there_says_so(memory: Memory, clock: SteadyClock) -> None:
    with pytest.raises(NotFound) as caught:
        memory.access.revoke(clock.new_id())
    assert caught.value.code == "token_not_found"
    with pytest.raises(InvalidInput):
        memory.access.revoke("nonsense")


def test_tokens_are_in_no_export_and_no_change_log(memory: Memory) -> None:
    memory.save("The barn is red")
    before = memory.export()
    issued = memory.access.issue(space="default")
    assert memory.export() == before
    assert issued.token.id not in str(memory.audit())


@pytest.mark.parametrize("store_address", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
def test_a_transaction_of_a_space_sees_no_token(memory: Memory) -> None:
    memory.access.issue(space="alice")
    database = database_of(store_of(memory))
    for space in ("alice", "bob"):
        with database.writing(space) as transaction:
            assert transaction.query("SELECT id FROM access_token") == []
            assert transaction.query("UPDATE access_token SET scope = 'admin' RETURNING id") == []
    assert [token.scope for token in memory.access.tokens()] == ["read"]


@pytest.mark.parametrize("store_address", ["sqlite-file", "sqlite-memory"], indirect=True)
def test_a_restore_does_not_bring_a_revoked_token_back(memory: Memory, tmp_path: Path) -> None:
    memory.save("The barn is red")
    issued = memory.access.issue(scope="admin")
    memory.backup(str(tmp_path / "copy.db"))
    memory.access.revoke(issued.token.id)
    newer = memory.access.issue()

    memory.restore(str(tmp_path / "copy.db"))

    assert memory.access.admit(issued.secret) is None
    assert memory.access.admit(newer.secret) is not None


def test_the_tokens_of_a_copy_do_not_open_another_store(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "here.db"), clock=clock) as here:
        issued = here.access.issue(scope="admin")
        here.backup(str(tmp_path / "copy.db"))
    with Memory(store=str(tmp_path / "there.db"), clock=clock) as there:
        there.restore(str(tmp_path / "copy.db"))
        assert there.access.admit(issued.secret) is None
