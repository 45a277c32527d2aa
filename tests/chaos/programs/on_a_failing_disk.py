"""Lives many short lives, each on a disk that fails at other moments, and says what came of each.

In a life every way of writing is used once. When one fails, nothing of it may have happened; then the disk is
mended and it is tried again, before the disk may fail a next time. The first life is without a fault: the others must
hold what it held, step by step.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from recollect import Caller, Channel, Conflict, InvalidInput, Memory, NotFound, RecollectError, StoreFailure
from recollect.domain.values import to_plain
from tests.chaos.failing_disk import FailingDisk, Fault
from tests.chaos.programs.every_write import LONG, PIECEMEAL, lines_from_elsewhere
from tests.chaos.programs.saying import hear, say
from tests.chaos.soundness import complaints
from tests.support.links import link

AFTER_JOBS = ("brain.restart", "brain.maintain")  # what they find depends on the jobs that the disk let through

Step: TypeAlias = Callable[[Memory], object]
Numbers: TypeAlias = list[dict[str, Any]]


def main(number: str, root: str) -> None:
    disk = FailingDisk(Path(root))
    model: list[Numbers] = []
    with tempfile.TemporaryDirectory() as elsewhere:  # a disk that does not fail
        page = Path(elsewhere, "page.md")
        page.write_text("# A page\n\nAlice lives in Boston.\n")
        for life in count():
            order = hear()
            if not order:
                break
            home = Path(root, f"life-{number}-{life}")
            disk.arm(Fault(**fault) for fault in json.loads(order))
            errors, wrong = live(disk, home, page, model)
            left = [asdict(fault) for fault in disk.left]
            say(home=str(home), calls=disk.done, failed=disk.failed, left=left, errors=errors, wrong=wrong)


def live(disk: FailingDisk, home: Path, page: Path, model: list[Numbers]) -> tuple[list[str], list[str]]:
    """One memory from its making to its end: the errors it was told of, and what must not be."""
    errors: list[str] = []
    wrong: list[str] = []

    def attempt(name: str, call: Callable[[], Any]) -> tuple[bool, Any]:
        try:
            return True, call()
        except StoreFailure as problem:
            errors.append(f"{name}: {type(problem).__name__} {problem.code}")
        except RecollectError as problem:
            wrong.append(f"{name}: {type(problem).__name__} {problem} is not about the disk")
        except Exception as problem:
            wrong.append(f"{name}: {type(problem).__module__}.{type(problem).__name__} came through")
        disk.mend()
        return False, None

    done, memory = attempt("open", lambda: Memory(home=home))
    if not done:
        memory = Memory(home=home)
    held = numbers(memory, disk)
    for place, (name, step) in enumerate(steps(home, page)):
        disk.fail_again()
        done, _ = attempt(name, lambda step=step: step(memory))  # type: ignore[misc]
        if not done:
            wrong += [f"{name}: {complaint}" for complaint in complaints(memory)]
            if name not in PIECEMEAL and numbers(memory, disk) != held:
                wrong.append(f"{name}: it failed, and yet it holds something else than before")
            if not attempt(f"{name} again", lambda step=step: step(memory))[0]:  # type: ignore[misc]
                wrong.append(f"{name}: it failed again on a disk that was mended")
        held = numbers(memory, disk)
        if place == len(model):
            model.append(held)
        elif name not in (*PIECEMEAL, *AFTER_JOBS) and held != model[place]:
            wrong.append(f"{name}: it holds {held} and not {model[place]}")
    attempt("close", memory.close)
    disk.mend()
    with Memory(home=home) as again:
        wrong += complaints(again)
        if numbers(again, disk) != held:
            wrong.append(f"opened again it holds {numbers(again, disk)} and not {held}")
    return errors, wrong


def numbers(memory: Memory, disk: FailingDisk) -> Numbers:
    """How much of everything there is, in every space. This look at it never fails and is not counted."""
    with disk.quiet():
        spaces = [to_plain(space) for space in memory.spaces().items]
    return [{name: value for name, value in space.items() if name != "created_at"} for space in spaces]


def steps(home: Path, page: Path) -> list[tuple[str, Step]]:
    """Every way of writing. Each can be done again after it failed."""
    ids: dict[str, str] = {}
    lines = lines_from_elsewhere()
    copy = str(home / "copies" / "copy.db")

    def save(name: str, text: str, **about: Any) -> Step:
        def step(memory: Memory) -> None:
            ids[name] = memory.save(text, idempotency_key=name, **about).id

        return step

    def act(name: str, text: str) -> Step:
        def step(memory: Memory) -> None:
            ids[name] = memory.add_action(text, idempotency_key=name).id

        return step

    def learn(name: str, text: str) -> Step:
        def step(memory: Memory) -> None:
            note = memory.add_lesson(text, idempotency_key=name).note
            ids[name] = note.id if note else ""

        return step

    def propose(name: str, city: str) -> Step:
        def step(memory: Memory) -> None:
            note = memory.acting_as(Caller(Channel.HTTP, "bot")).learn("alice", "location", city).note
            ids[name] = note.id if note else ""

        return step

    return [
        ("spaces.create", lambda memory: memory.create_space("team", description="what we all know")),
        ("spaces.limit", lambda memory: memory.limit_space("team", max_notes=100)),
        ("save", save("tea", "Alice prefers tea")),
        ("save a long one", save("long", LONG)),
        ("save elsewhere", save("team", "the office is closed on Mondays", space="team")),
        ("update", lambda memory: memory.update(ids["tea"], text="Alice prefers green tea")),
        ("supersede", lambda memory: memory.supersede(ids["tea"], "Alice prefers coffee")),
        ("pin", lambda memory: memory.pin(ids["long"])),
        ("feedback", lambda memory: memory.feedback(ids["long"], "outdated")),
        ("retract", lambda memory: memory.retract(ids["long"])),
        ("unpin", lambda memory: memory.unpin(ids["team"], space="team")),
        ("add", lambda memory: memory.add("I live in Boston.", idempotency_key="said")),
        ("watch", lambda memory: memory.watch("Remember that I live in Austin.")),
        ("learn", lambda memory: memory.learn("alice", "location", "Boston")),
        ("learn from below", propose("paris", "Paris")),
        ("settle", lambda memory: memory.settle(ids["paris"], "reject")),
        ("session.start", lambda memory: memory.start_session("work")),
        ("observe", lambda memory: memory.observe("prompt", "Sweep", session="work", idempotency_key="seen")),
        ("session.link", lambda memory: memory.link_commit("work", "0123456789abcdef")),
        ("session.end", lambda memory: memory.end_session("work", at="2030-01-01")),
        ("relate", lambda memory: memory.relate(ids["tea"], ids["long"])),
        ("judge", lambda memory: link(memory, ids["tea"], ids["long"])),
        ("refute", lambda memory: memory.refute(ids["tea"], ids["long"])),
        *((f"session.start {n}", lambda memory, n=n: memory.start_session(f"short-{n}")) for n in range(4)),
        *(
            (f"session.end {n}", lambda memory, n=n: memory.end_session(f"short-{n}", at="2030-01-01"))
            for n in range(4)
        ),
        ("crystals.make", lambda memory: memory.make_crystal(days=0)),
        ("reflect", lambda memory: memory.reflect(apply=True)),
        ("slots.reflect", lambda memory: memory.reflect_slots("work", apply=True)),
        ("slots.set", lambda memory: memory.set_slot("motto", "Mind the gap.", idempotency_key="slot")),
        ("slots.append", lambda memory: memory.append_slot("motto", "Stand clear.", idempotency_key="line")),
        ("slots.delete", lambda memory: delete_slot(memory, "motto")),
        ("lessons.add", learn("sweep", "Sweep first")),
        ("lessons.strengthen", lambda memory: memory.strengthen_lesson(ids["sweep"])),
        ("actions.add", act("plants", "Water the plants")),
        ("actions.update", lambda memory: memory.update_action(ids["plants"], status="done")),
        ("anchor", lambda memory: memory.anchor(ids["tea"], anchors=[f"file:{page.name}"], path=str(page.parent))),
        ("import", lambda memory: memory.import_(lines)),
        ("forget", lambda memory: memory.forget(ids["long"])),
        ("backup", lambda memory: back_up(memory, copy, compact=False)),
        ("backup compactly", lambda memory: back_up(memory, f"{copy}.compact", compact=True)),
        ("spaces.delete", lambda memory: memory.delete_space("team")),
        ("restore", lambda memory: memory.restore(copy)),
        ("reindex", lambda memory: memory.reindex()),
        ("save what is over", save("over", "a guest, for a night", valid_from="2020-01-01", expires_at="2020-01-02")),
        ("tidy", lambda memory: memory.tidy()),
        ("maintain", lambda memory: memory.maintain(background=True)),
        ("save a relation", save("bea", "Bea's manager is Ann", subject="Bea", attribute="manager", value="Ann")),
        ("graph.alias", lambda memory: memory.graph_alias("Bea", "Beatrice")),
        ("graph.merge", lambda memory: memory.graph_merge("Bea", "Ann")),
        ("graph.split", lambda memory: split(memory, "Bea", "Ann")),
        ("brain.form", lambda memory: memory.form_conversation("I moved to Oslo", idempotency_key="moved")),
        ("brain.change", lambda memory: memory.change_brain(owner="me", tier=2)),
        ("eval.build", lambda memory: memory.build_questions()),
        ("eval.edit", lambda memory: memory.edit_question(memory.questions()[0].id, "Which one is it?")),
        ("eval.run", lambda memory: memory.run_questions()),
        ("eval.experiment", lambda memory: memory.experiment(reranker="off")),
        ("eval.drop", lambda memory: memory.drop_question(memory.questions()[-1].id)),
        ("save at the end", save("end", "the last note")),
        ("save something twice", save("twice", "said twice", project="old", tags=["import"])),
        ("save it again", save("again", "said twice", project="old", tags=["import"])),
        ("migrate", lambda memory: memory.migrate({"old": "new"}, apply=True)),
        ("dedup", lambda memory: memory.dedup(apply=True)),
        ("backfill-provenance", lambda memory: memory.backfill_provenance(apply=True)),
        ("forget-all", lambda memory: forget_all(memory, {"tag": "import"})),
        ("save for a guest", save("guest", "of a guest", user="guest")),
        ("reset", lambda memory: memory.reset(user="guest", confirm=memory.reset(user="guest").confirm)),
        ("webhooks.add", lambda memory: memory.add_webhook("ops", "https://127.0.0.1/")),
        ("save something that is to be told", save("told", "told to nobody")),
        ("webhooks.test", lambda memory: memory.test_webhook("ops")),
        ("webhooks.remove", lambda memory: remove_webhook(memory, "ops")),
        ("vault.open", lambda memory: memory.open_vault()),
        ("save for a file", save("file", "a note that becomes a file")),
        ("vault.scan", lambda memory: memory.scan_vault()),
        ("reindex later", lambda memory: memory.reindex(background=True)),
        ("jobs.cancel", lambda memory: memory.cancel_job(memory.jobs(whole_store=True)[0].id)),
        ("jobs.retry", lambda memory: memory.retry_job(memory.jobs(whole_store=True)[0].id)),
        ("ingest", lambda memory: memory.ingest(str(page))),
        # A job that the disk stopped is tried again later: from here on not every life holds the same.
        ("jobs.run", lambda memory: memory.run_jobs()),
        ("brain.restart", restart_conversation),
        ("jobs.run again", lambda memory: memory.run_jobs()),
        ("brain.maintain", maintain_brain),
    ]


def restart_conversation(memory: Memory) -> None:
    """One that is open already was restarted by the attempt before."""
    with suppress(Conflict):
        memory.restart_conversation(1)


def maintain_brain(memory: Memory) -> None:
    """While one is under way there is no other: the attempt before queued it."""
    with suppress(Conflict):
        memory.maintain_brain()


def remove_webhook(memory: Memory, name: str) -> None:
    """One that is gone already was removed by the attempt before."""
    with suppress(NotFound):
        memory.remove_webhook(name)


def forget_all(memory: Memory, where: dict[str, str]) -> None:
    """Whatever was forgotten by an attempt before is not found again."""
    memory.forget_all(where=where, confirm=memory.forget_all(where=where).confirm)


def delete_slot(memory: Memory, label: str) -> None:
    """One that is gone already was deleted by the attempt before: the last that can fail is to clean what is left."""
    with suppress(NotFound):
        memory.delete_slot(label)


def split(memory: Memory, entity: str, other: str) -> None:
    """Names that are apart already were split by the attempt before."""
    with suppress(NotFound):
        memory.graph_split(entity, other)


def back_up(memory: Memory, target: str, *, compact: bool) -> None:
    """A copy that is there already is whole: the last that can fail is to make its name safe."""
    try:
        memory.backup(target, compact=compact)
    except InvalidInput as problem:
        if problem.code != "file_exists":
            raise
        with Memory(store=":memory:") as other:
            other.restore(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
