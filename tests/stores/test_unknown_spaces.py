"""A space that is not there yet is empty to whoever may write to it, and is made by the first write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from recollect import Caller, Channel, Memory
from recollect.domain.answers.recollections import Coverage
from recollect.domain.errors import InvalidInput, NotFound
from recollect.operations import Effect, operations_of

AN_ID = "01HZZZZZZZZZZZZZZZZZZZZZZZ"
READER = Caller(Channel.HTTP, "reader", reads_only=True)

# What is read of a space and is not about one record: nothing, while the space is not there.
READS: dict[str, Callable[[Memory], object]] = {
    "list": lambda memory: memory.list(space="nobody").items,
    "count": lambda memory: memory.count(space="nobody").total,
    "search": lambda memory: memory.search("tea", space="nobody").hits,
    "recall": lambda memory: memory.recall("tea", space="nobody").block,
    "answer": lambda memory: memory.answer("Who likes tea?", space="nobody").sentences,
    "brief": lambda memory: memory.brief("tea", space="nobody").block,
    "context": lambda memory: memory.context(space="nobody").block,
    "inject": lambda memory: memory.inject(space="nobody").block,
    "remind": lambda memory: memory.remind(command="git push", space="nobody").block,
    "profile": lambda memory: memory.profile(space="nobody").fields,
    "history": lambda memory: memory.history(subject="user", attribute="city", space="nobody").steps,
    "timeline": lambda memory: memory.timeline("2026-01-01", space="nobody").before,
    "project-profile": lambda memory: memory.project_profile("shop", space="nobody").notes,
    "crystals.list": lambda memory: memory.crystals(space="nobody").items,
    "sessions": lambda memory: memory.sessions(space="nobody").items,
    "lessons.list": lambda memory: memory.lessons(space="nobody").items,
    "actions.list": lambda memory: memory.actions(space="nobody").items,
    "frontier": lambda memory: memory.frontier(space="nobody").items,
    "review": lambda memory: memory.review(space="nobody").items,
    "activity": lambda memory: memory.activity(space="nobody").days,
    "jobs.list": lambda memory: memory.jobs(space="nobody").items,
    "jobs.timers": lambda memory: memory.timers(space="nobody").items,
    "graph.list": lambda memory: memory.graph_list(space="nobody").items,
    "graph.communities": lambda memory: memory.graph_communities(space="nobody").groups,
    "graph.central": lambda memory: memory.graph_central(space="nobody").entities,
    "graph.export": lambda memory: memory.graph_export(space="nobody").entities,
    "kip": lambda memory: memory.kip('FIND(?e) WHERE { ?e {type: "Organization"} }', space="nobody").result,
    "slots.list": lambda memory: [slot for slot in memory.slots(space="nobody").items if slot.text],
}

# What is about one record of a space: that record is not there.
OF_A_RECORD: dict[str, Callable[[Memory], object]] = {
    "get": lambda memory: memory.get(AN_ID, space="nobody"),
    "attachment": lambda memory: memory.attachment("0" * 64, space="nobody"),
    "history": lambda memory: memory.history(AN_ID, space="nobody"),
    "relations": lambda memory: memory.relations(AN_ID, space="nobody"),
    "why": lambda memory: memory.why(AN_ID, space="nobody"),
    "usage": lambda memory: memory.usage(AN_ID, space="nobody"),
    "session.show": lambda memory: memory.session(AN_ID, space="nobody"),
    "replay": lambda memory: memory.replay(AN_ID, space="nobody"),
    "slots.get": lambda memory: memory.slot("nothing", space="nobody"),
    "jobs.show": lambda memory: memory.job(AN_ID, space="nobody"),
    "graph.show": lambda memory: memory.graph_show("Alice", space="nobody"),
    "graph.path": lambda memory: memory.graph_path("Alice", "Bob", space="nobody"),
    "graph.around": lambda memory: memory.graph_around("Alice", space="nobody"),
    "graph.timeline": lambda memory: memory.graph_timeline("Alice", space="nobody"),
    "diff": lambda memory: memory.diff(AN_ID, space="nobody"),
    "blame": lambda memory: memory.blame(AN_ID, space="nobody"),
}

# What is about the space itself: a typing error must not look like an empty export or a whole audit.
OF_THE_SPACE: dict[str, Callable[[Memory], object]] = {
    "backup": lambda memory: memory.backup("nobody.db", space="nobody"),
    "export": lambda memory: memory.export(space="nobody"),
    "audit": lambda memory: memory.audit(space="nobody"),
    "eval.questions": lambda memory: memory.questions(space="nobody"),
    "eval.history": lambda memory: memory.evaluation_runs(space="nobody"),
    "webhooks.list": lambda memory: memory.webhooks(space="nobody"),
    "webhooks.deliveries": lambda memory: memory.deliveries(space="nobody"),
    "provider-keys.list": lambda memory: memory.provider_keys(space="nobody"),
    "embeddings.compare": lambda memory: memory.compare_embeddings(space="nobody"),
    "spaces.describe": lambda memory: memory.describe_space("nobody"),
    "log": lambda memory: memory.log(space="nobody"),
    "show": lambda memory: memory.show("abc", space="nobody"),
    "machines": lambda memory: memory.machines(space="nobody"),
    "brain.show": lambda memory: memory.brain(space="nobody"),
    "brain.recall": lambda memory: memory.ask_brain("Who?", space="nobody"),
    "brain.conversations": lambda memory: memory.conversations(space="nobody"),
}

CHANGES: dict[str, Callable[[Memory], object]] = {
    "update": lambda memory: memory.update(AN_ID, text="x", space="nobody"),
    "supersede": lambda memory: memory.supersede(AN_ID, "x", space="nobody"),
    "retract": lambda memory: memory.retract(AN_ID, space="nobody"),
    "pin": lambda memory: memory.pin(AN_ID, space="nobody"),
    "unpin": lambda memory: memory.unpin(AN_ID, space="nobody"),
    "forget": lambda memory: memory.forget(AN_ID, space="nobody"),
    "cancel_job": lambda memory: memory.cancel_job(AN_ID, space="nobody"),
    "retry_job": lambda memory: memory.retry_job(AN_ID, space="nobody"),
    "run_jobs": lambda memory: memory.run_jobs(space="nobody"),
    "delete_space": lambda memory: memory.delete_space("nobody"),
    "reflect": lambda memory: memory.reflect(apply=True, space="nobody"),
    "maintain": lambda memory: memory.maintain(space="nobody"),
    "build_questions": lambda memory: memory.build_questions(space="nobody"),
    "run_questions": lambda memory: memory.run_questions(space="nobody"),
    "graph_alias": lambda memory: memory.graph_alias("Alice", "Ali", space="nobody"),
    "graph_merge": lambda memory: memory.graph_merge("Alice", "Ali", space="nobody"),
    "graph_split": lambda memory: memory.graph_split("Alice", "Ali", space="nobody"),
    "add_webhook": lambda memory: memory.add_webhook("ops", "https://example.org", space="nobody"),
    "remove_webhook": lambda memory: memory.remove_webhook("ops", space="nobody"),
    "test_webhook": lambda memory: memory.test_webhook("ops", space="nobody"),
    "form_conversation": lambda memory: memory.form_conversation("x", space="nobody"),
    "restart_conversation": lambda memory: memory.restart_conversation(1, space="nobody"),
    "maintain_brain": lambda memory: memory.maintain_brain(space="nobody"),
    "change_brain": lambda memory: memory.change_brain(public=True, space="nobody"),
    "set_provider_key": lambda memory: memory.set_provider_key("openai", "sk-0123456789", space="nobody"),
    "remove_provider_key": lambda memory: memory.remove_provider_key("openai", space="nobody"),
}


def test_every_verb_that_reads_a_space_is_tried_here() -> None:
    reads = {
        operation.name
        for operation in operations_of(Memory).values()
        if operation.effect is Effect.READ
        and "space" in inspect.signature(getattr(Memory, operation.method)).parameters
    }
    assert reads - {*READS, *OF_A_RECORD, *OF_THE_SPACE} == {"why-not"}, "it says what it finds of a note, or does not"


@pytest.mark.parametrize("verb", READS)
def test_a_space_that_is_not_there_yet_is_empty(memory: Memory, verb: str) -> None:
    assert not READS[verb](memory)
    assert memory.spaces().items == (), "reading makes no space"


@pytest.mark.parametrize("verb", OF_A_RECORD)
def test_nothing_is_in_a_space_that_is_not_there_yet(memory: Memory, verb: str) -> None:
    with pytest.raises(NotFound) as refusal:
        OF_A_RECORD[verb](memory)
    assert refusal.value.code != "space_not_found"
    assert memory.spaces().items == ()


def test_nothing_is_known_before_anything_was_said(memory: Memory) -> None:
    for answer in (memory.search("tea", space="alice"), memory.recall("tea", space="alice")):
        assert (answer.coverage, answer.receipt) == (Coverage.NONE, None)
    memory.add("I prefer tea.", space="alice")
    assert memory.search("tea", space="alice").hits


@pytest.mark.parametrize("verb", [*OF_THE_SPACE, *CHANGES])
def test_a_space_that_is_not_there_is_not_found(memory: Memory, verb: str) -> None:
    with pytest.raises(NotFound, match="There is no space `nobody`") as refusal:
        (OF_THE_SPACE | CHANGES)[verb](memory)

    assert refusal.value.code == "space_not_found"
    assert "spaces list" in refusal.value.hint
    assert memory.spaces().items == ()


@pytest.mark.parametrize("verb", [*READS, *OF_A_RECORD, *OF_THE_SPACE])
def test_to_a_reader_it_is_as_a_space_of_somebody_else(memory: Memory, verb: str) -> None:
    reader: Any = memory.acting_as(READER)
    with pytest.raises(NotFound, match="There is no space `nobody`") as refusal:
        (READS | OF_A_RECORD | OF_THE_SPACE)[verb](reader)
    assert refusal.value.code == "space_not_found"


def test_a_reader_reads_the_default_space_and_those_that_are_there(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    reader = memory.acting_as(READER)
    assert reader.list().items == ()
    assert len(reader.list(space="alice").items) == 1


def test_a_deleted_space_is_empty_again(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="nobody")
    memory.delete_space("nobody")
    for read in READS.values():
        assert not read(memory)


def test_the_default_space_is_there_before_its_first_note(memory: Memory) -> None:
    assert memory.list().items == ()
    assert memory.search("tea").hits == ()
    assert memory.describe_space("default").notes == 0
    assert memory.audit().whole
    assert len(memory.export(space="default").records) == 1
    with pytest.raises(NotFound) as refusal:
        memory.get(AN_ID)
    assert refusal.value.code == "note_not_found"


def test_the_first_note_makes_its_space(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    assert [space.name for space in memory.spaces().items] == ["alice"]


def test_a_first_note_that_is_refused_makes_no_space(memory: Memory) -> None:
    for broken in (
        {"confidence": 7.0},
        {"attribute": "mood"},
        {"valid_from": "2026-01-02", "valid_until": "2026-01-01"},
    ):
        with pytest.raises(InvalidInput):
            memory.save("Alice prefers tea", space="alice", **broken)
    assert memory.spaces().items == ()


def test_a_space_can_be_made_described_and_described_anew(memory: Memory) -> None:
    made = memory.create_space("alice", description="Alice's own")
    memory.save("Alice prefers tea", space="alice")
    again = memory.create_space("alice", description="What Alice said")

    assert (made.name, made.description, made.notes) == ("alice", "Alice's own", 0)
    assert (again.description, again.notes) == ("What Alice said", 1)
    assert memory.describe_space("alice") == again


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a/b", "../x", "*", "-a", "_a", ".a", "a" * 128, "ä", "a\n", "a\x00", "a'b"]
)
def test_a_name_that_no_space_can_have_is_refused(memory: Memory, name: str) -> None:
    for attempt in (
        lambda: memory.save("x", space=name),
        lambda: memory.list(space=name),
        lambda: memory.create_space(name),
        lambda: memory.delete_space(name),
    ):
        with pytest.raises(InvalidInput) as refusal:
            attempt()
        assert refusal.value.code == "invalid_space"
