"""A root changes: everything that rests on it is marked and queued to be derived anew, in the same commit."""

from __future__ import annotations

from recollect import Memory
from recollect.domain.jobs.job import REDERIVE, REDERIVE_ONE
from tests.reflect.test_distilling import noted, with_model


def queued(memory: Memory) -> list[str]:
    """The notes that wait to be derived anew, each as often as it waits."""
    waiting = [job for job in memory.jobs(stage="waiting") if job.kind == REDERIVE]
    return sorted(each for job in waiting for each in job.payload["notes"])


def test_each_note_that_rests_on_a_root_is_queued_once(memory: Memory) -> None:
    root = memory.save("The warehouse opens at six")
    resting = [memory.save(f"Gate {gate} is manned at six", depends_on=[root.id]).id for gate in (1, 2)]
    memory.save("The canteen serves soup")
    memory.update(root.id, text="The warehouse opens at seven")
    memory.update(root.id, text="The warehouse opens at eight")

    assert queued(memory) == sorted(resting)


def test_many_notes_that_rest_on_one_root_are_queued_in_a_few_jobs(memory: Memory) -> None:
    root = memory.save("The warehouse opens at six")
    resting = [memory.save(f"Gate {gate} is manned at six", depends_on=[root.id]).id for gate in range(25)]
    memory.update(root.id, text="The warehouse opens at seven")

    assert queued(memory) == sorted(resting)
    assert [job.kind for job in memory.jobs(stage="waiting")].count(REDERIVE) == 2


def test_what_the_sources_still_say_is_renewed_and_the_rest_keeps_its_reason(memory: Memory) -> None:
    root = memory.save("Parcels leave on Tuesday through the north gate")
    kept = memory.save("Parcels leave on Tuesday", depends_on=[root.id])
    lost = memory.save("The north gate is open on Tuesday morning", depends_on=[root.id])
    memory.update(root.id, text="Parcels leave on Tuesday through the south gate")

    memory.run_jobs()

    assert (memory.get(kept.id).review, memory.get(kept.id).depends_on) == (None, (root.id,))
    assert str(memory.get(lost.id).review).endswith("which has changed.") and not queued(memory)


def test_a_note_goes_over_to_what_took_the_place_of_its_source(memory: Memory) -> None:
    root = memory.save("Parcels leave on Tuesday through the north gate")
    note = memory.save("Parcels leave on Tuesday", depends_on=[root.id])
    after = memory.supersede(root.id, "Parcels leave on Tuesday through the south gate")

    memory.run_jobs()

    assert (memory.get(note.id).review, memory.get(note.id).depends_on) == (None, (after.id,))


def test_a_forgotten_root_queues_what_was_made_from_it_at_any_remove(memory: Memory) -> None:
    root = memory.save("Ann moves to Oslo")
    near = memory.save("Ann's room is free", derived_from=[root.id])
    far = memory.save("A tenant is wanted", derived_from=[near.id])
    memory.forget(root.id)

    assert queued(memory) == sorted([near.id, far.id])
    memory.run_jobs()
    assert all(str(memory.get(each.id).review).startswith("It was made from") for each in (near, far))


def test_a_model_reflects_on_what_is_left_and_nothing_is_derived_twice(memory: Memory) -> None:
    told = ("Parcels leave through the north gate on Tuesdays.", "The gate is painted blue.", "The gate is new.")
    kept, *others = [memory.observe("prompt", text, session="one", project="post").observation_id for text in told]
    notes = [memory.save(f"Gate keeper {each} comes on Tuesdays", derived_from=[kept, each]) for each in others]
    model = with_model(memory, lambda _: [noted(told[0], 1)])
    for note, each in zip(notes, others, strict=True):
        memory.forget(each)
        memory.run_jobs()
        assert str(memory.get(note.id).review).startswith("It was made from")

    assert len(model.asked) == 2
    assert [each.text for each in memory.list(tag="reflection")] == [told[0]]


def test_notes_that_rest_on_one_root_are_put_to_a_model_together(memory: Memory) -> None:
    told = ("Parcels leave through the north gate on Tuesdays.", "The gate is painted blue.")
    kept, gone = [memory.observe("prompt", text, session="one", project="post").observation_id for text in told]
    notes = [memory.save(f"Keeper {each} comes on Tuesdays", derived_from=[kept, gone]) for each in range(5)]
    model = with_model(memory, lambda _: [noted(told[0], 1)])
    memory.forget(gone)
    memory.run_jobs()

    assert len(model.asked) == 1
    assert [each.text for each in memory.list(tag="reflection")] == [told[0]]
    assert all(str(memory.get(each.id).review).startswith("It was made from") for each in notes)


def test_an_earlier_version_leaves_jobs_alone_that_name_many_notes(memory: Memory) -> None:
    root = memory.save("The warehouse opens at six")
    note = memory.save("Gate 1 is manned at six", depends_on=[root.id])
    memory.update(root.id, text="The warehouse opens at seven")

    assert queued(memory) == [note.id]
    assert REDERIVE_ONE not in [job.kind for job in memory.jobs(stage="waiting")]


def test_messages_that_do_not_fit_into_one_request_come_in_the_next(memory: Memory) -> None:
    same, filler = "Parcels leave through the north gate on Tuesdays.", "The gate keeper has a long day. " * 15
    told = [{"role": "user", "content": f"{same} {filler}"} for _ in range(50)]
    *said, gone = memory.add([*told, {"role": "user", "content": "It is blue."}]).observation_ids
    for some in (said[:25], said[25:]):
        memory.save("The keeper comes on Tuesdays", derived_from=[*some, gone])
    model = with_model(memory, lambda _: [noted(same, 1)])
    memory.forget(gone)
    memory.run_jobs()

    shown = [asked.count(same) for asked in model.asked]
    assert len(shown) == 2 and sum(shown) == len(said)
    assert [each.text for each in memory.list(tag="reflection")] == [same]


def test_a_job_that_an_earlier_version_queued_is_done(memory: Memory) -> None:
    root = memory.save("Parcels leave on Tuesday through the north gate")
    note = memory.save("Parcels leave on Tuesday", depends_on=[root.id])
    memory.update(root.id, text="Parcels leave on Tuesday through the south gate")
    [job] = [job for job in memory.jobs(stage="waiting") if job.kind == REDERIVE]
    memory.cancel_job(job.id)
    memory._queue("test", memory._new_job(REDERIVE_ONE, "default", payload={"note": note.id}))
    memory.run_jobs()

    assert memory.get(note.id).review is None


def test_what_one_user_said_is_not_distilled_for_another(memory: Memory) -> None:
    told = "Parcels leave through the north gate on Tuesdays."
    kept, gone = [
        memory.observe("prompt", text, session="one", user="ana").observation_id for text in (told, "It is new.")
    ]
    memory.save("The gate keeper comes on Tuesdays", user="bob", derived_from=[kept, gone])
    with_model(memory, lambda _: [noted(told, 1)])

    memory.forget(gone)
    memory.run_jobs()

    assert [each.scope.user for each in memory.list(tag="reflection")] == ["ana"]
