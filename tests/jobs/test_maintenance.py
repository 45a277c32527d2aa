"""Maintenance: a space is put in order phase by phase, one round at a time, and nothing in it is lost."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Caller, Channel, InvalidInput, Memory
from recollect.domain.answers.upkeep import PHASES, MaintenanceReport, MaintenanceScope, Phase
from recollect.domain.dataclass import replace
from recollect.domain.jobs.job import UPKEEP, JobProgress
from recollect.jobs.runner import JobRunner
from recollect.jobs.works import WORKS
from tests.support.clock import SteadyClock


def changed(report: MaintenanceReport) -> dict[str, int]:
    return {each.phase.value: each.changed for each in report.phases if each.changed}


def test_notes_that_say_the_same_become_one_and_the_others_say_why(memory: Memory) -> None:
    first = memory.save("The harbour office opens at nine.", project="port")
    second = memory.save("the harbour office opens at nine", project="port")
    others = [
        memory.save("The harbour office does not open at nine.", project="port"),
        memory.save("The harbour office opens at ten.", project="port"),
        memory.save("The harbour office opens at nine?", project="port"),
        memory.save("The harbour office opens at nine.", project="bridge"),
    ]

    assert changed(memory.maintain()) == {"consolidate": 2}

    stays, ended = memory.get(first.id), memory.get(second.id)
    assert stays.supersedes == (second.id,) and ended.state.value == "superseded"
    assert ended.metadata["superseded_because"] == f"Note {first.id} says the same."
    assert all(memory.get(each.id).version == 1 for each in others)
    assert changed(memory.maintain()) == {}, "a second round finds nothing left to do"


def test_a_sign_or_a_time_keeps_notes_apart(memory: Memory) -> None:
    for pair in (
        ("The tool is written in C++", "The tool is written in C#"),
        ("The store is kept at -5 degrees", "The store is kept at 5 degrees"),
        ("Show it with tags >= 3", "Show it with tags <= 3"),
        ("Push with --force", "Push with force"),
        ("It takes 1.5 seconds", "It takes 1-5 seconds"),
    ):
        for text in pair:
            memory.save(text)
    memory.save("Ana sails on Sundays")
    for time in ("occurred_at", "valid_from", "valid_until"):
        memory.save("Ana sails on Sundays", **{time: "2030-05-01"})  # type: ignore[arg-type]

    assert changed(memory.maintain()) == {}


def test_a_note_that_lost_a_source_is_cleared_only_if_another_says_every_word(memory: Memory) -> None:
    sources = [memory.save("The parcels leave on Tuesday"), memory.save("Parcels leave on Tuesday, says Ana")]
    kept = memory.save("Parcels leave on Tuesday", derived_from=[each.id for each in sources], project="post")
    lost = memory.save("Letters leave on Tuesday", derived_from=[each.id for each in sources], project="post")
    memory.retract(sources[0].id)
    assert len(memory.review().items) == 2

    report = memory.maintain()

    assert changed(report)["rederive"] == 1
    assert [item.path for item in memory.review().items] == [lost.id]
    assert memory.get(kept.id).derived_from == (sources[1].id,)


@pytest.mark.parametrize("link", ["derived_from", "depends_on"])
def test_support_that_is_found_again_settles_no_other_reason_to_look_at_a_note(memory: Memory, link: str) -> None:
    sources = [memory.save("The parcels leave on Tuesday"), memory.save("Parcels leave on Tuesday, says Ana")]
    note = memory.save("Parcels leave on Tuesday", project="post", **{link: [each.id for each in sources]})  # type: ignore[arg-type]
    objection = memory.feedback(note.id, "wrong").review
    if link == "derived_from":
        memory.retract(sources[0].id)
    else:
        memory.update(sources[0].id, text="The parcels leave when they are ready")
    marked = str(memory.get(note.id).review)
    assert sources[0].id in marked and marked.endswith(str(objection))

    assert changed(memory.maintain()) == {"rederive": 1}

    assert memory.get(note.id).review == objection


def test_what_proved_itself_again_and_again_does_not_fade(memory: Memory) -> None:
    note = memory.save("Use the side door after six")
    for _ in range(3):
        memory.feedback(note.id, "useful")
    assert changed(memory.maintain()) == {"promote": 1}
    assert memory.get(note.id).importance == 0.9


def test_a_daydream_only_ends_what_is_over_and_a_full_round_also_reflects(memory: Memory, clock: SteadyClock) -> None:
    memory.save("A guest for a night", expires_at="2026-01-02")
    memory.save("The gate is blue")
    memory.save("The gate is blue!")
    for day in range(6):
        memory.start_session(f"s{day}", project="shop")
        memory.observe("prompt", "The invoices go out through the blue gateway.", session=f"s{day}")
        memory.end_session(f"s{day}")
    clock.advance(days=20)

    assert changed(memory.maintain(scope="daydream")) == {"expire": 1}
    full = memory.maintain(scope="full")
    assert tuple(each.phase for each in full.phases) == PHASES[MaintenanceScope.FULL]
    assert changed(full) == {"consolidate": 2, "reflect": 1, "crystallize": 1}
    assert memory.crystals(project="shop").items and memory.review().items
    assert memory.job(full.job_id).stage.value == "done"
    assert memory.job(full.job_id).progress == JobProgress("consolidate 2, reflect 1, crystallize 1", 8, 8)


def test_a_caller_from_below_changes_nothing_that_a_person_said(memory: Memory) -> None:
    notes = [memory.save("The gate is blue"), memory.save("The gate is blue!")]
    agent = memory.acting_as(Caller(Channel.MCP, "bot"))
    quoted = [agent.save("The wall is green"), agent.save("The wall is green.")]

    assert changed(agent.maintain()) == {"consolidate": 2}

    assert [memory.get(each.id).state.value for each in (*notes, *quoted)] == [
        "active",
        "active",
        "active",
        "superseded",
    ]


def test_an_interrupted_round_goes_on_with_the_phase_it_was_in(memory: Memory) -> None:
    memory.save("The gate is blue")
    memory.save("The gate is blue!")
    job_id = memory.maintain(background=True).job_id
    assert memory.maintain(background=True).job_id == job_id, "what waits is not queued twice"
    found: list[Any] = []

    def interrupted(hands: Any, task: Any) -> None:
        task.job = replace(task.job, progress=JobProgress("promote", 3, 6))
        found.append(WORKS[UPKEEP](hands, task))

    JobRunner(memory._engine, {UPKEEP: interrupted}).run_due(limit=1, timers=False)

    assert found[0].resumed == (Phase.EXPIRE, Phase.CONSOLIDATE, Phase.REDERIVE)
    assert changed(found[0]) == {}


def test_a_round_waits_while_another_is_under_way(memory: Memory) -> None:
    memory.save("The gate is blue")
    memory.maintain(scope="full", background=True)
    now = memory._engine.clock.now()
    held = memory._engine.jobs.claim([UPKEEP], worker="elsewhere", now=now, until=now.replace(year=now.year + 1))
    assert held is not None

    report = memory.maintain()

    assert report.phases == () and memory.job(report.job_id).stage.value == "waiting"


def test_it_is_done_again_by_itself_in_the_scope_that_was_asked_for(memory: Memory, clock: SteadyClock) -> None:
    memory.save("The gate is blue")
    memory.maintain(every="6h", scope="full")
    [timer] = memory.timers()
    assert (timer.name, timer.every_seconds, timer.payload) == ("upkeep", 21_600, {"scope": "full"})
    clock.advance(hours=7)
    memory.run_jobs()
    assert [job.payload for job in memory.jobs(stage="done")] == [{"scope": "full"}, {"scope": "full"}]

    memory.maintain(every="never")
    assert [(timer.every_seconds, timer.payload) for timer in memory.timers()] == [(86_400, {})]
    with pytest.raises(InvalidInput, match="deep"):
        memory.maintain(scope="deep")
    with pytest.raises(InvalidInput, match="sometimes"):
        memory.maintain(every="sometimes")


def test_many_changes_queue_a_round_where_a_runner_is_at_hand(memory: Memory) -> None:
    memory._engine = replace(memory._engine, settings=replace(memory._engine.settings, maintain_after=5))
    for number in range(6):
        memory.save(f"Crate {number}")
    assert memory.jobs().items == ()

    with memory._engine.bell.attended():
        for number in range(6):
            memory.save(f"Barrel {number}")

    assert [(job.kind, job.payload) for job in memory.jobs()] == [("upkeep", {"scope": "quick"})]
