"""A request that is sent twice under one key is done once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.changes import DeleteSpace, EraseNote, Idempotency, WriteNote
from recollect.domain.clock import SystemClock
from recollect.domain.errors import Conflict, Erased
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.together import at_once
from tests.support.writing import a_note, changes, edited


@pytest.fixture
def live(store_address: str, tmp_path: Path) -> Iterator[Memory]:
    """A memory with the machine's own clock, which threads can share."""
    with Memory(store=store_address, home=tmp_path / "home", clock=SystemClock()) as opened:
        yield opened


def test_the_same_key_and_body_give_the_same_receipt(store: SqlStore, clock: SteadyClock) -> None:
    request = changes(clock, WriteNote(a_note(clock)), key="k1")
    first = store.apply(request)
    again = store.apply(changes(clock, WriteNote(a_note(clock)), key="k1"))

    assert not first.replayed
    assert again.replayed
    assert again.changes == first.changes
    assert store.replay("alice", Idempotency("k1", "body")) == again
    assert len(store.log.changes_after("alice", 0, limit=10)) == len(first.changes)


def test_the_same_key_with_another_body_is_a_conflict(store: SqlStore, clock: SteadyClock) -> None:
    store.apply(changes(clock, WriteNote(a_note(clock)), key="k1"))
    other = a_note(clock, "Something else")

    with pytest.raises(Conflict) as refusal:
        store.apply(changes(clock, WriteNote(other), key="k1", body="another body"))

    assert refusal.value.code == "idempotency_key_reused"
    assert store.note("alice", other.id) is None


def test_a_key_belongs_to_one_space(store: SqlStore, clock: SteadyClock) -> None:
    store.apply(changes(clock, WriteNote(a_note(clock)), key="k1"))

    assert store.replay("bob", Idempotency("k1", "another body")) is None
    receipt = store.apply(
        changes(clock, WriteNote(a_note(clock, space="bob")), space="bob", key="k1", body="another body")
    )
    assert not receipt.replayed


def test_a_request_that_failed_does_not_use_up_its_key(store: SqlStore, clock: SteadyClock) -> None:
    note = a_note(clock)
    store.apply(changes(clock, WriteNote(note)))
    with pytest.raises(Conflict):
        store.apply(changes(clock, WriteNote(note), key="k1"))

    assert not store.apply(changes(clock, WriteNote(a_note(clock)), key="k1", body="better")).replayed


def test_after_erasing_the_key_answers_that_it_was_erased(store: SqlStore, clock: SteadyClock) -> None:
    note = a_note(clock)
    store.apply(changes(clock, WriteNote(note), key="k1"))
    store.apply(changes(clock, EraseNote(note.id)))

    for body in ("body", "another body"):
        with pytest.raises(Erased):
            store.replay("alice", Idempotency("k1", body))
        with pytest.raises(Erased):
            store.apply(changes(clock, WriteNote(a_note(clock)), key="k1", body=body))


def test_erasing_blanks_the_fingerprints_of_every_request_that_wrote_the_note(
    store: SqlStore, clock: SteadyClock
) -> None:
    note, other = a_note(clock), a_note(clock, "Another note")
    store.apply(changes(clock, WriteNote(note), key="first", body="fingerprint-1"))
    revision = edited(store, clock, note, pinned=True)
    assert revision.version == 2
    store.apply(changes(clock, WriteNote(other), key="other", body="fingerprint-2"))
    store.apply(changes(clock, EraseNote(note.id)))

    kept = {Idempotency(key, "").kept_key(): print_ for key, print_ in (("first", ""), ("other", "fingerprint-2"))}
    assert dict(rows(store, "SELECT key, fingerprint FROM idempotency")) == kept


def test_a_key_is_not_stored_and_one_that_an_earlier_version_stored_is_still_known(
    store: SqlStore, clock: SteadyClock
) -> None:
    store.apply(changes(clock, WriteNote(a_note(clock)), key="k1"))
    assert "k1" not in {key for (key,) in rows(store, "SELECT key FROM idempotency")}
    rows(store, "UPDATE idempotency SET key = 'k1'")
    assert store.apply(changes(clock, WriteNote(a_note(clock)), key="k1")).replayed


def test_a_deleted_space_lets_go_of_its_keys(store: SqlStore, clock: SteadyClock) -> None:
    store.apply(changes(clock, WriteNote(a_note(clock)), key="k1"))
    store.apply(changes(clock, DeleteSpace()))
    assert not store.apply(changes(clock, WriteNote(a_note(clock)), key="k1", body="another body")).replayed


def test_three_copies_of_one_request_at_once_have_one_effect(live: Memory) -> None:
    save = partial(live.save, "Alice prefers tea", tags=["drink"], idempotency_key="k1", space="alice")

    answers = [outcome.value for outcome in at_once([save, save, save])]

    assert answers[0] == answers[1] == answers[2]
    assert live.list(space="alice").items == (answers[0],)
    assert live.describe_space("alice").versions == 1


def test_a_replay_answers_with_what_was_written_then(memory: Memory) -> None:
    first = memory.save("Alice prefers tea", idempotency_key="k1")
    memory.update(first.id, text="Alice prefers coffee")

    assert memory.save("Alice prefers tea", idempotency_key="k1") == first


def test_every_verb_that_takes_a_key_is_done_once(memory: Memory) -> None:
    note = memory.save("Alice lives in Austin")
    answers = []
    for _ in range(3):
        updated = memory.update(note.id, text="Alice lives in Austin, Texas", idempotency_key="u")
        moved = memory.supersede(note.id, "Alice lives in Boston", idempotency_key="s")
        answers.append((updated, moved, memory.retract(moved.id, reason="a joke", idempotency_key="r")))

    assert answers[0] == answers[1] == answers[2]
    assert [answer.version for answer in answers[0]] == [2, 1, 2]
    assert memory.describe_space("default").versions == 5


@pytest.mark.parametrize(
    "other",
    [{"text": "Alice prefers coffee"}, {"text": "Alice prefers tea", "tags": ["x"]}],
    ids=["other text", "other tags"],
)
def test_a_key_says_exactly_what_was_asked(memory: Memory, other: dict[str, object]) -> None:
    memory.save("Alice prefers tea", idempotency_key="k1")
    with pytest.raises(Conflict, match="was used for another request"):
        memory.save(**other, idempotency_key="k1")  # type: ignore[arg-type]


def test_a_key_that_was_used_for_one_verb_cannot_be_used_for_another(memory: Memory) -> None:
    note = memory.save("Alice prefers tea", idempotency_key="k1")
    with pytest.raises(Conflict):
        memory.update(note.id, text="Alice prefers tea", idempotency_key="k1")


def test_saving_under_a_key_whose_note_was_forgotten_does_not_bring_it_back(memory: Memory) -> None:
    note = memory.save("Alice prefers tea", idempotency_key="k1")
    memory.forget(note.id)

    with pytest.raises(Erased):
        memory.save("Alice prefers tea", idempotency_key="k1")
    assert memory.list(state="any").items == ()


def test_a_dry_run_leaves_the_key_free(memory: Memory) -> None:
    memory.dry_run().save("Alice prefers tea", idempotency_key="k1")
    note = memory.save("Alice prefers coffee", idempotency_key="k1")
    assert memory.list().items == (note,)


def test_no_receipt_holds_a_text(memory: Memory) -> None:
    memory.save("Xylophone", title="Xylophone", idempotency_key="k1")
    kept = rows(store_of(memory), "SELECT key, fingerprint, receipt FROM idempotency")
    assert "ylophone" not in repr(kept)
