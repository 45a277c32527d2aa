"""What is told to be kept for a time only is not shown after it, and is erased by the daily upkeep."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.errors import Erased, InvalidInput, NotFound
from recollect.domain.origin import Caller, Channel
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of
from tests.support.small_files import picture
from tests.vault.machines import files_with


def test_a_note_is_gone_at_the_end_of_its_time(memory: Memory, clock: SteadyClock) -> None:
    guest = memory.save("Kim sleeps on the sofa", ttl="2d")
    stays = memory.save("Kim plays the violin")
    assert guest.erase_at == guest.recorded_at + timedelta(days=2)
    assert len(memory.list()) == 2

    clock.advance(days=2)

    assert [note.id for note in memory.list(state="any")] == [stays.id]
    assert memory.count(state="any").total == 1
    assert [hit.id for hit in memory.search("Kim")] == [stays.id]
    assert [hit.id for hit in memory.search("Kim", as_of=guest.recorded_at)] == []
    with pytest.raises(Erased):
        memory.get(guest.id)

    assert memory.tidy().erased == (guest.id,)
    assert memory.tidy().erased == ()
    assert [entry.reason for entry in memory.audit().entries][-1] == "tidy: at the end of their time"
    assert memory.describe_space("default").erased == 1


def test_nothing_of_it_is_left_in_the_store(memory: Memory, clock: SteadyClock) -> None:
    memory.add("Tell nobody, but my favourite colour is xanadu", ttl="12h", metadata={"ticket": "xanadu-7"})
    memory.save("The code is xanadu", key="code", ttl="12h")
    clock.advance(days=1)
    memory.tidy()

    held = store_of(memory)
    for table in (
        "note",
        "note_text",
        "note_metadata",
        "note_entity",
        "observation",
        "observation_text",
        "embedding",
        "note_link",
    ):
        assert rows(held, f"SELECT * FROM {table}") == []


def test_what_is_read_from_a_message_goes_with_it(memory: Memory, clock: SteadyClock) -> None:
    heard = memory.add("I live in Rome.", ttl="1d", session="talk")
    [learned] = heard.learned
    assert learned.note is not None
    assert learned.note.erase_at is not None
    clock.advance(days=1)

    assert memory.search("where do I live").hits == ()
    assert set(memory.tidy().erased) == {learned.note.id, *heard.observation_ids}


def test_a_fact_that_is_told_again_for_good_stays(memory: Memory, clock: SteadyClock) -> None:
    memory.add("I live in Rome.", ttl="1d")
    memory.add("I live in Rome.")
    clock.advance(days=2)

    [message] = memory.tidy().erased

    assert [hit.note.value for hit in memory.search("where do I live") if hit.note] == ["Rome"]
    assert all(note.review is None for note in memory.list())
    assert message


@pytest.mark.parametrize("verb", ["save", "add", "learn", "watch", "lessons.add", "observe", "ingest"])
def test_everything_that_is_told_takes_a_time_to_live_and_metadata(
    memory: Memory, clock: SteadyClock, tmp_path: Path, verb: str
) -> None:
    (tmp_path / "page.txt").write_text("Bring the blue tent.")
    given: dict[str, Any] = {"ttl": "1h", "metadata": {"run": 7}}
    match verb:
        case "save":
            memory.save("Bring the tent", **given)
        case "add":
            memory.add("I like camping in a tent.", **given)
        case "learn":
            memory.learn("user", "hobby", "tent camping", **given)
        case "watch":
            memory.watch("Please remember that the tent is blue.", **given)
        case "lessons.add":
            memory.add_lesson("Dry the tent first", **given)
        case "observe":
            memory.observe("prompt", "Please remember that the tent is blue.", session="s", **given)
        case _:
            memory.ingest(tmp_path / "page.txt", **given)
    assert memory.search("tent", where={"metadata.run": 7}).hits
    assert memory.search("tent", where={"metadata.run": 8}).hits == ()

    clock.advance(hours=1)

    assert memory.search("tent").hits == ()
    assert memory.tidy().erased
    assert memory.list(state="any").items == ()


def test_the_daily_job_erases_what_is_due(memory: Memory, clock: SteadyClock) -> None:
    memory.save("Over soon", ttl="1d")
    memory.run_jobs()  # the timer begins with the first run
    clock.advance(days=2)
    assert memory.run_jobs().done == 1
    assert memory.describe_space("default").notes == 0


def test_a_time_to_live_can_be_changed_and_taken_away(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("The badge is valid", ttl="1d", key="badge")
    renewed = memory.save("The badge is valid", ttl="3d", key="badge")
    assert renewed.version == 2
    assert memory.update(note.id, clear=["ttl"]).erase_at is None
    clock.advance(days=9)
    assert memory.tidy().erased == ()


def test_words_that_were_to_go_do_not_come_back_with_their_key(memory: Memory, clock: SteadyClock) -> None:
    old = memory.save("The code is 4711", key="code", ttl="1h")
    clock.advance(hours=2)
    new = memory.save("The code is 1234", key="code")
    assert (new.id != old.id, new.version) == (True, 1)
    assert [step.note.text for step in memory.history("key:code")] == ["The code is 1234"]


@pytest.mark.parametrize("ttl", ["", "soon", "0d", "-1d", "5", "1y", 7])
def test_what_is_no_time_to_live_is_refused_and_nothing_is_written(memory: Memory, ttl: str) -> None:
    for told in (memory.save, memory.add):
        with pytest.raises(InvalidInput) as refusal:
            told("Something", ttl=ttl)
        assert refusal.value.code == "invalid_time"
    assert memory.count().total == 0


def test_a_message_keeps_its_metadata_and_its_end_through_an_export(memory: Memory, tmp_path: Path) -> None:
    import json

    memory.add("Just chatting here", metadata={"channel": "sms"}, ttl="4w")
    lines = [json.dumps(line) for line in memory.export().records]
    with Memory(store=":memory:", home=tmp_path / "other") as other:
        assert other.import_(lines, trust=True).failures == ()
        [said] = [each for each in other.export().records if each["type"] == "observation"]
        assert said["metadata"] == {"channel": "sms"}
        assert said["erase_at"] is not None


def test_a_short_life_of_an_agents_note_does_not_end_that_of_a_persons_message(
    memory: Memory, clock: SteadyClock
) -> None:
    said = memory.add("The safe is behind the picture.", extract=False).observation_ids[0]
    agent = memory.acting_as(Caller(Channel.MCP, "agent"))
    agent.save("A safe was mentioned", derived_from=[said], ttl="1h")
    clock.advance(days=1)

    memory.tidy()

    assert store_of(memory).archive.observation("default", said) is not None


def test_a_note_that_expired_holds_again_when_it_is_saved_anew(memory: Memory, clock: SteadyClock) -> None:
    memory.save("The code is 12", key="code", expires_at=(clock.now() + timedelta(days=1)).isoformat())
    clock.advance(days=2)
    memory.tidy()

    memory.save("The code is 34", key="code")
    memory.tidy()

    assert [note.text for note in memory.list().items] == ["The code is 34"]


def test_what_is_past_its_time_is_shown_by_no_other_way(memory: Memory, clock: SteadyClock) -> None:
    told = memory.add("See the picture", extract=False, ttl="1h", attachments=[picture()])
    note = memory.save("The code is 12", ttl="1h")
    memory.update(note.id, text="The code is 34")
    stays = memory.save("A picture was sent", derived_from=told.observation_ids)
    memory.relate(stays.id, note.id)
    clock.advance(days=1)

    with pytest.raises(NotFound):
        memory.attachment(told.attachments[0].digest)
    with pytest.raises(NotFound):
        memory.timeline(told.observation_ids[0])
    with pytest.raises(Erased):
        memory.diff(note.id)
    with pytest.raises(Erased):
        memory.relations(told.observation_ids[0])
    assert {link.text for link in memory.relations(stays.id)} == {""}


def test_a_key_is_free_when_the_time_of_its_note_is_over(memory: Memory, clock: SteadyClock) -> None:
    folder = Path(memory.open_vault().folder)
    old = memory.save("The code is xanadu", key="code", ttl="12h")
    memory.scan_vault()
    assert files_with(folder, old.id)
    clock.advance(days=1)

    rehearsal = memory.dry_run()
    assert rehearsal.save("The code is kubla", key="code").version == 1
    assert [type(edit).__name__ for changes in rehearsal.changes for edit in changes.edits] == [
        "EraseNote",
        "WriteNote",
    ]
    assert memory.list(state="any").items == () and files_with(folder, old.id)

    new = memory.save("The code is kubla", key="code")
    assert (new.version, memory.get("key:code").id) == (1, new.id)
    assert files_with(folder, old.id) == []
    assert rows(store_of(memory), "SELECT text FROM note_text") == [("The code is kubla",)]
    with pytest.raises(Erased):
        memory.get(old.id)
