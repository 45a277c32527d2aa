"""A webhook is told of every change that it wants, in order, signed, until it has heard it; on every store."""

from __future__ import annotations

import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import apsw
import pytest

from recollect import Memory
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import JobStage
from recollect.domain.jobs.webhook import EVENTS, MOST_DELIVERIES, TRIES, Endpoint, Webhook
from recollect.domain.scopes import ANYWHERE
from recollect.sealing import new_key
from recollect.stores.sql_store import SqlStore
from recollect.webhooks.delivery import REFUSALS
from recollect.webhooks.signature import is_genuine
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.receiver import Receiver, receiving, says
from tests.support.writing import saved


def run(memory: Memory, clock: SteadyClock, times: int = 1) -> None:
    """Run what is due, an hour apart: no pause of a job is longer."""
    for _ in range(times):
        memory.run_jobs()
        clock.advance(hours=1)


def events(receiver: Receiver) -> list[tuple[str, str]]:
    return [(told["event"], told["record_id"]) for told in receiver.told]


def test_a_change_is_told_signed_and_with_ids_only(memory: Memory, clock: SteadyClock) -> None:
    memory.save("Before anybody listened")
    with receiving() as receiver:
        made = receiver.added_to(memory)
        note = memory.save("Alice prefers tea", tags=["taste"])
        assert [job.kind for job in memory.jobs(stage="waiting")] == ["webhook"]
        run(memory, clock)
    [(headers, body)] = receiver.came
    [told] = receiver.told
    assert (told["event"], told["space"], told["record_id"], told["version"]) == ("written", "default", note.id, 1)
    assert told["id"] == headers["webhook-id"] == f"default:{told['seq']}"
    assert b"tea" not in body and b"taste" not in body
    [delivery] = memory.deliveries()
    assert is_genuine(made.secret, headers, body, delivery.at)
    assert (delivery.webhook, delivery.event_id, delivery.status, delivery.code) == ("ops", told["id"], 204, "")


def test_a_runner_in_the_background_sends_at_once(memory: Memory) -> None:
    came = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        says(204)(handler)
        came.set()

    with receiving(answer) as receiver, memory.runner.started():
        receiver.added_to(memory)
        note = memory.save("Alice prefers tea")
        assert came.wait(60)
    assert events(receiver) == [("written", note.id)]


def test_texts_are_sent_where_they_were_asked_for(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, content=True)
        memory.save("Alice prefers tea", title="Taste")
        memory.add([{"role": "user", "content": "My name is Ana."}])
        run(memory, clock)
    notes = [told["note"]["text"] for told in receiver.told if "note" in told]
    assert notes[0] == "Alice prefers tea"
    assert {"role": "user", "text": "My name is Ana."} in [told.get("message") for told in receiver.told]


def test_only_the_events_and_the_space_that_were_asked_for_are_told(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        memory.save("The first of hers", space="alice")
        receiver.added_to(memory, space="alice", events=["erased"])
        note = memory.save("Alice prefers tea", space="alice")
        memory.save("Bob prefers coffee", space="bob")
        assert not memory.jobs(space="alice").items and not memory.jobs(space="bob").items
        memory.forget(note.id, space="alice")
        run(memory, clock)
    assert events(receiver) == [("erased", note.id)]


def test_a_note_that_was_erased_meanwhile_is_not_told(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, content=True)
        gone, kept = memory.save("It was never said"), memory.save("Alice prefers tea")
        memory.forget(gone.id)
        run(memory, clock)
    assert events(receiver) == [("written", kept.id), ("erased", gone.id)]
    assert b"never said" not in b"".join(body for _, body in receiver.came)


def test_a_webhook_of_a_part_hears_of_that_part(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, content=True, user="ana")
        memory.save("Of nobody")
        hers = memory.save("Ana prefers tea", user="ana")
        memory.save("Ben prefers coffee", user="ben")
        newest = memory.following.newest("default")
        run(memory, clock)
        assert memory.webhooks()[0].seq >= newest, "it is not looked through again what it may not hear of"
    assert events(receiver) == [("written", hers.id)]


def test_many_changes_wait_as_one_job_and_are_told_in_their_order(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory)
        notes = [memory.save(f"Fact number {number}").id for number in range(120)]
        assert len(memory.jobs(stage="waiting").items) == 1
        run(memory, clock)
    assert [record for _, record in events(receiver)] == notes


def test_a_receiver_that_was_down_hears_everything_later_with_the_same_ids(memory: Memory, clock: SteadyClock) -> None:
    with receiving(says(503)) as receiver:
        receiver.added_to(memory)
        first = memory.save("Said while nobody listened")
        run(memory, clock, 3)
        second = memory.save("And this, too")
        run(memory, clock, 2)
        receiver.answer = says(200)
        run(memory, clock, 2)
    assert [each["id"] for each in receiver.told[:-1]] == [receiver.told[0]["id"]] * 6
    assert events(receiver)[-2:] == [("written", first.id), ("written", second.id)]
    log = memory.deliveries().items
    assert [(each.attempt, each.status) for each in reversed(log)] == [
        (1, 503), (2, 503), (3, 503), (4, 503), (5, 503), (6, 200), (1, 200),
    ]  # fmt: skip
    assert {job.stage for job in memory.jobs()} == {JobStage.DONE}


def test_a_receiver_that_stays_down_leaves_a_dead_letter_and_nothing_is_lost(
    memory: Memory, clock: SteadyClock
) -> None:
    with receiving(says(500)) as receiver:
        receiver.added_to(memory)
        note = memory.save("Said while nobody listened")
        run(memory, clock, TRIES)
        [dead] = memory.jobs(stage="dead")
        assert (dead.failure, dead.attempts) == ("webhook_refused", TRIES)
        assert receiver.url.partition("://")[2].split("/")[0] not in str(dead.to_dict())
        receiver.answer = says(200)
        memory.retry_job(dead.id)
        run(memory, clock)
    assert events(receiver)[-1] == ("written", note.id)
    assert memory.deliveries().items[0].status == 200


def test_what_fails_after_something_was_told_has_all_its_tries(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:

        def first_only(handler: BaseHTTPRequestHandler) -> None:
            says(200 if len(receiver.came) == 1 else 503)(handler)

        receiver.answer = first_only
        receiver.added_to(memory)
        memory.save("one")
        memory.save("two")
        run(memory, clock, TRIES - 1)
        assert not memory.jobs(stage="dead").items
        run(memory, clock)
        assert [job.attempts for job in memory.jobs(stage="dead")] == [TRIES]
        assert memory.deliveries().items[0].attempt == TRIES


def test_an_event_that_its_receiver_does_not_want_holds_up_no_other(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory)
        unwanted, wanted = memory.save("one"), memory.save("two")
        receiver.answer = lambda handler: says(422 if receiver.told[-1]["record_id"] == unwanted.id else 200)(handler)
        run(memory, clock, REFUSALS + 1)
    assert events(receiver) == [("written", unwanted.id)] * REFUSALS + [("written", wanted.id)]
    assert [job.stage for job in memory.jobs()] == [JobStage.DONE]


def test_a_change_is_passed_by_for_refusals_and_not_for_tries(memory: Memory, clock: SteadyClock) -> None:
    statuses = iter([503] * REFUSALS + [400] * (REFUSALS - 1))

    with receiving(lambda handler: says(next(statuses, 204))(handler)) as receiver:
        receiver.added_to(memory)
        note = memory.save("Alice prefers tea")
        run(memory, clock, 2 * REFUSALS)

    assert (len(receiver.came), events(receiver)[-1]) == (2 * REFUSALS, ("written", note.id))
    assert memory.deliveries().items[0].status == 204, "it was told in the end"


def test_what_is_past_its_time_is_told_without_its_words(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, content=True)
        memory.save("The door code is 1234", ttl="1h")
        clock.advance(days=1)
        run(memory, clock)

    assert b"1234" not in b"".join(body for _, body in receiver.came)


def test_the_same_name_again_replaces_address_and_secret_and_leaves_nothing_out(
    memory: Memory, clock: SteadyClock
) -> None:
    with receiving() as old, receiving() as new:
        before = old.added_to(memory)
        note = memory.save("Said to the old one, which has gone")
        after = new.added_to(memory)
        run(memory, clock)
    assert (old.came, events(new)) == ([], [("written", note.id)])
    assert (before.webhook.id, before.secret != after.secret) == (after.webhook.id, True)


def test_a_webhook_that_is_removed_is_told_nothing_and_its_log_goes(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory)
        memory.save("one")
        run(memory, clock)
        memory.save("two")
        memory.remove_webhook("ops")
        run(memory, clock)
        assert (len(receiver.came), memory.webhooks().items, memory.deliveries().items) == (1, (), ())
        receiver.added_to(memory)
        assert memory.deliveries().items == ()


def test_webhooks_and_their_log_go_with_their_space(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        memory.save("one", space="alice")
        receiver.added_to(memory, space="alice")
        memory.save("two", space="alice")
        run(memory, clock)
        assert memory.deliveries(space="alice").items
        memory.save("three", space="alice")
        memory.delete_space("alice")
        run(memory, clock)
        assert "alice" not in {each.name for each in memory.spaces()}
        memory.save("made anew", space="alice")
        run(memory, clock)
        assert [told["event"] for told in receiver.told] == ["written", "space-deleted"]
        assert (memory.webhooks(space="alice").items, memory.deliveries(space="alice").items) == ((), ())


def test_the_log_keeps_the_newest_attempts_and_has_pages(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory)
        for number in range(MOST_DELIVERIES + 5):
            memory.save(f"Fact number {number}")
        run(memory, clock)
    first = memory.deliveries(webhook="ops", limit=150)
    rest = memory.deliveries(webhook="ops", limit=150, cursor=first.next_cursor)
    assert (len(first.items), len(rest.items), rest.next_cursor) == (150, MOST_DELIVERIES - 150, None)
    assert [each.id for each in (*first, *rest)] == sorted((each.id for each in (*first, *rest)), reverse=True)


def test_a_worker_that_lost_its_place_cannot_move_it(store: SqlStore, clock: SteadyClock) -> None:
    """Two workers, one of them frozen past its lease: the late one writes neither a place nor a line of the log."""
    saved(store, clock, "one", space="alice")
    webhook = Webhook(
        clock.new_id(), "alice", "ops", "https://example.org", EVENTS, False, False, False, False, ANYWHERE, clock.now()
    )
    kept = store.webhooks.put(Endpoint(webhook, "https://example.org/hooks", "a secret of enough characters"))
    assert store.webhooks.move(kept, kept.seq + 3)
    assert not store.webhooks.move(kept, kept.seq + 1)
    assert store.webhooks.webhooks("alice")[0].seq == kept.seq + 3


def test_a_restored_copy_tells_those_that_this_store_tells(tmp_path: Path, clock: SteadyClock) -> None:
    with receiving() as old, receiving() as new, Memory(store=str(tmp_path / "m.db"), clock=clock) as memory:
        old.added_to(memory, "old")
        memory.save("one")
        memory.test_webhook("old")
        memory.backup(tmp_path / "copy")
        memory.remove_webhook("old")
        new.added_to(memory, "new")
        memory.restore(tmp_path / "copy")
        with closing(apsw.Connection(str(tmp_path / "m.db"))) as raw:
            assert raw.execute("SELECT count(*) FROM webhook_delivery").get == 0
        run(memory, clock)
        assert [each.name for each in memory.webhooks()] == ["new"]
    assert len(old.came) == 1  # the test
    assert "space-restored" in {told["event"] for told in new.told}


def test_the_end_of_a_space_is_told_and_then_nothing_of_its_webhooks_is_left(
    memory: Memory, clock: SteadyClock
) -> None:
    with receiving(says(503)) as whole, receiving() as part, receiving() as other:
        whole.added_to(memory, "whole", space="team")
        part.added_to(memory, "part", space="team", user="ana", events=["space-deleted"])
        other.added_to(memory, "other", space="team", events=["written"])
        run(memory, clock)
        memory.save("Alice prefers tea", space="team")
        memory.delete_space("team")
        run(memory, clock)
        whole.answer = says(204)
        run(memory, clock)
        assert "team" not in {each.name for each in memory.spaces()}, "a delivery does not bring it back"
        assert rows(store_of(memory), "SELECT * FROM webhook") == []
        assert rows(store_of(memory), "SELECT * FROM webhook_delivery") == []
    assert [told["event"] for told in part.told] == ["space-deleted"]
    assert {(told["event"], told["record_id"]) for told in whole.told} == {("space-deleted", "team")}
    assert other.came == []


def test_whoever_could_not_be_told_of_the_end_hears_nothing_of_a_new_space(memory: Memory, clock: SteadyClock) -> None:
    with receiving(says(503)) as receiver:
        receiver.added_to(memory, space="team")
        memory.delete_space("team")
        run(memory, clock)
        memory.save("Bob's own words", space="team")
        receiver.answer = says(204)
        run(memory, clock, times=2)
        assert memory.webhooks(space="team").items == ()
    assert {told["event"] for told in receiver.told} == {"space-deleted"}


def test_a_receiver_that_never_answers_is_given_up_with_its_space(memory: Memory, clock: SteadyClock) -> None:
    with receiving(says(503)) as receiver:
        receiver.added_to(memory, space="team")
        memory.delete_space("team")
        run(memory, clock, times=TRIES + 1)
    assert len(receiver.came) == TRIES
    assert rows(store_of(memory), "SELECT * FROM webhook") == []


def test_a_worker_that_died_after_the_last_telling_leaves_no_webhook_of_a_space_that_is_gone(
    memory: Memory, clock: SteadyClock
) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, space="team")
        memory.save("Alice prefers tea", space="team")
        memory.delete_space("team")
        dying = store_of(memory).webhooks
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(dying), "remove", lambda *_: 1 / 0)
            run(memory, clock)
        assert len(rows(store_of(memory), "SELECT * FROM webhook")) == 1
        run(memory, clock)
    assert [told["event"] for told in receiver.told] == ["space-deleted"]
    assert rows(store_of(memory), "SELECT * FROM webhook") == []


def test_a_webhook_whose_secret_cannot_be_opened_goes_with_its_space(memory: Memory, clock: SteadyClock) -> None:
    with receiving() as receiver:
        receiver.added_to(memory, space="team")
        memory.delete_space("team")
        memory._engine.seals.made = replace(memory._engine.sealing, key=new_key())
        run(memory, clock, times=TRIES + 1)
    assert receiver.came == [] and rows(store_of(memory), "SELECT * FROM webhook") == []


def test_a_dry_run_neither_adds_nor_removes(memory: Memory) -> None:
    rehearsal = memory.dry_run()
    rehearsal.add_webhook("ops", "https://example.org/hooks")
    assert memory.webhooks().items == ()
    memory.add_webhook("ops", "https://example.org/hooks")
    rehearsal.remove_webhook("ops")
    assert [each.name for each in memory.webhooks()] == ["ops"]
