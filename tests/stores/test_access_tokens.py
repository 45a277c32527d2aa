"""Tokens on every store: kept as digests, apart from every space, and gone for everybody once revoked."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.domain.access import USE_KEPT_EVERY, AccessScope
from recollect.domain.brain import Brain
from recollect.domain.errors import Busy, Conflict, InvalidInput, NotAllowed, NotFound
from recollect.verbs.access import shown
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
def test_a_token_that_makes_no_sense_is_not_made(memory: Memory, asked: dict[str, Any], code: str) -> None:
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


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_a_restore_keeps_the_accounts_and_passwords_of_now(memory: Memory, tmp_path: Path) -> None:
    accounts = store_of(memory).sign_ins.accounts
    for name in ("ana", "ben"):
        memory.access.accounts.create(name, space=name)
        accounts.set_password(name, "the digest of before")
    memory.backup(str(tmp_path / "copy.db"))
    accounts.set_password("ana", "the digest of now")
    memory.access.accounts.remove("ben")

    memory.restore(str(tmp_path / "copy.db"))

    assert [(each.name, each.password) for each in accounts.every()] == [("ana", "the digest of now")]


@pytest.mark.parametrize("store_address", ["sqlite-file"], indirect=True)
def test_a_restore_opens_no_space_to_everybody_that_is_closed_now(memory: Memory, tmp_path: Path) -> None:
    brains = store_of(memory).brains
    for space in ("ana", "ben"):
        memory.create_space(space)
        brains.keep(Brain(space, "ana", "Tea", public=True))
    memory.backup(str(tmp_path / "copy.db"))
    brains.keep(Brain("ana", "ana", "Tea", public=False))
    memory.restore(str(tmp_path / "copy.db"))
    assert [(found.space, found.public) for space in ("ana", "ben") if (found := brains.brain(space))] == [
        ("ana", False),
        ("ben", True),
    ]
    with Memory(store=str(tmp_path / "another.db")) as another:
        another.restore(str(tmp_path / "copy.db"))
        found = store_of(another).brains.brain("ben")
        assert found is not None and not found.public


def test_the_tokens_of_a_copy_do_not_open_another_store(tmp_path: Path, clock: SteadyClock) -> None:
    with Memory(store=str(tmp_path / "here.db"), clock=clock) as here:
        issued = here.access.issue(scope="admin")
        here.backup(str(tmp_path / "copy.db"))
    with Memory(store=str(tmp_path / "there.db"), clock=clock) as there:
        there.restore(str(tmp_path / "copy.db"))
        assert there.access.admit(issued.secret) is None


def test_rights_need_not_be_a_ladder(memory: Memory) -> None:
    issued = memory.access.issue(scopes=["write"], space="alice")
    admitted = memory.access.admit(issued.secret)
    assert admitted is not None
    assert [admitted.reaches(each) for each in AccessScope] == [False, True, False]
    assert admitted.scope == "write only"
    assert memory.access.issue(scopes=["write", "read"]).token.scope == "write"
    wrongly: list[dict[str, Any]] = [{"scopes": []}, {"scopes": ["write"], "scope": "read"}, {"scopes": ["root"]}]
    for wrong in wrongly:
        with pytest.raises(InvalidInput):
            memory.access.issue(**wrong)


def test_a_token_can_be_bound_to_a_part_of_its_space(memory: Memory) -> None:
    issued = memory.access.issue(space="alice", user="ana", project="shop")
    assert memory.access.admit(issued.secret) == issued.token
    assert (issued.token.within.user, issued.token.within.project) == ("ana", "shop")
    with pytest.raises(InvalidInput) as caught:
        memory.access.issue(user="ana")
    assert caught.value.code == "space_missing"


def test_a_rotated_token_gives_way_to_one_with_the_same_rights(memory: Memory) -> None:
    old = memory.access.issue(scope="write", space="alice", user="ana", expires="30d", name="Alice's agent")
    new = memory.access.rotate(old.token.id)
    assert memory.access.admit(old.secret) is None
    admitted = memory.access.admit(new.secret)
    assert admitted is not None
    same = ("name", "scopes", "space", "within", "expires_at")
    assert [getattr(admitted, name) for name in same] == [getattr(old.token, name) for name in same]
    with pytest.raises(Conflict) as caught:
        memory.access.rotate(old.token.id)
    assert caught.value.code == "token_not_live"


def test_an_overlap_lets_the_old_secret_go_on_for_a_while(memory: Memory, clock: SteadyClock) -> None:
    old = memory.access.issue()
    new = memory.access.rotate(old.token.id, overlap="1h")
    assert memory.access.admit(old.secret) is not None
    with pytest.raises(Conflict):
        memory.access.rotate(old.token.id)
    clock.advance(minutes=61)
    assert memory.access.admit(old.secret) is None
    assert memory.access.admit(new.secret) is not None


def test_of_many_who_rotate_a_token_at_once_one_gets_a_successor(memory: Memory) -> None:
    old = memory.access.issue(scope="admin")
    together = threading.Barrier(8)

    def rotated() -> str | None:
        together.wait()
        for _ in range(20):
            try:
                return memory.access.rotate(old.token.id).secret
            except Conflict:
                return None
            except Busy:
                continue
        raise AssertionError("it was busy for too long")

    with ThreadPoolExecutor(8) as pool:
        secrets = [secret for secret in pool.map(lambda _: rotated(), range(8)) if secret]
    assert len(secrets) == 1
    live = [token for token in memory.access.tokens() if token.revoked_at is None]
    admitted = memory.access.admit(secrets[0])
    assert admitted is not None
    assert [token.id for token in live] == [admitted.id]


def test_a_token_ends_with_the_one_that_made_it_over_http(memory: Memory) -> None:
    access = memory.access
    root = access.issue(scope="admin")
    child = access.issue(scope="admin", by=root.token)
    grandchild = access.issue(by=child.token)
    beside = access.issue(by=root.token)
    access.revoke(child.token.id)
    assert [access.admit(each.secret) is not None for each in (root, child, grandchild, beside)] == [
        True,
        False,
        False,
        True,
    ]
    renewed = access.rotate(root.token.id)
    assert access.admit(beside.secret) is not None
    access.revoke(renewed.token.id)
    assert access.admit(beside.secret) is None


def test_revoking_a_stolen_token_takes_back_what_it_was_used_for(memory: Memory) -> None:
    access = memory.access
    owner, stolen, other = (access.issue(scope="admin") for _ in range(3))
    renewed = access.rotate(stolen.token.id, by=stolen.token)
    child = access.issue(scope="admin", by=renewed.token)
    taken_over = access.rotate(other.token.id, by=child.token)
    signed_in = access.sign_in(access.link(child.token.id, by=renewed.token))
    assert signed_in is not None
    with pytest.raises(NotAllowed):
        access.link(owner.token.id, by=renewed.token)
    access.revoke(stolen.token.id)
    assert [access.admit(each.secret) for each in (stolen, renewed, child, taken_over)] == [None] * 4
    assert access.admit_browser(signed_in.cookie) is None
    assert access.admit(owner.secret) is not None


def test_no_token_is_made_while_its_maker_is_revoked(memory: Memory) -> None:
    """A stolen token makes others as fast as it can, each of them the next, while it is revoked: none is left."""
    access = memory.access
    stolen = access.issue(scope="admin")
    begun = threading.Event()

    def made() -> list[str]:
        secrets, maker = [], stolen.token
        for number in range(500):
            try:
                issued = access.issue(scope="admin", by=maker)
            except Conflict:
                break
            except Busy:
                continue
            secrets.append(issued.secret)
            maker = issued.token if number % 2 else maker
            if len(secrets) == 5:
                begun.set()
        begun.set()
        return secrets

    with ThreadPoolExecutor(3) as pool:
        thieves = [pool.submit(made) for _ in range(3)]
        begun.wait()
        for _ in range(20):
            try:
                access.revoke(stolen.token.id)
                break
            except Busy:
                continue
        secrets = [secret for each in thieves for secret in each.result()]
    assert secrets
    assert not [secret for secret in secrets if access.admit(secret)]


TOKENS: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    scopes=st.lists(st.sampled_from(["read", "write", "admin"]), min_size=1, unique=True),
    space=st.sampled_from([None, "alice", "bob"]),
    user=st.sampled_from([None, "ana", "ben"]),
    project=st.sampled_from([None, "shop"]),
    expires=st.sampled_from([None, "1h", "2h", "1d"]),
)


@pytest.mark.parametrize("store_address", ["sqlite-memory"], indirect=True)
@given(maker=TOKENS, wanted=TOKENS)
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_token_makes_is_never_more_than_itself(
    memory: Memory, maker: dict[str, Any], wanted: dict[str, Any]
) -> None:
    try:
        by = memory.access.issue(**maker).token
    except InvalidInput:
        return
    try:
        made = memory.access.issue(**wanted, by=by).token
    except (InvalidInput, NotAllowed):
        return
    assert made.scopes <= by.scopes
    assert by.space in (None, made.space)
    assert by.within.user in (None, made.within.user)
    assert by.within.project in (None, made.within.project)
    assert by.expires_at is None or (made.expires_at is not None and made.expires_at <= by.expires_at)


def test_whoever_looks_after_a_part_sees_no_other_token(memory: Memory) -> None:
    access = memory.access
    mine = access.issue(scope="admin", space="alice").token
    theirs = access.issue(space="bob").token
    everywhere = access.issue(scope="admin").token
    assert [token.id for token in access.tokens(by=mine)] == [mine.id]
    for other in (theirs, everywhere):
        for attempt in (access.revoke, access.rotate, access.link):
            with pytest.raises(NotFound) as caught:
                attempt(other.id, by=mine)
            assert caught.value.code == "token_not_found"


def test_a_list_of_tokens_shows_no_digest(memory: Memory) -> None:
    issued = memory.access.issue(scopes=["write"], space="alice", user="ana")
    told = shown(issued.token)
    assert told["prefix"] == issued.secret[:30]
    assert (told["scopes"], told["user"], told["space"]) == (["write"], "ana", "alice")
    assert issued.token.digest not in str(told)
    assert issued.secret[31:] not in str(told)
