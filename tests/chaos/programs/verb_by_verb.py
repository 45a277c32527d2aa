"""A long-lived process that goes through every verb and says, before and after each, which locks it holds.

SQLite's locks belong to the process, not to a descriptor: if any code of ours opens the database file and closes
it again, they are gone, and the next sibling that leaves takes the log file with it.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from recollect import Attachment, Caller, Channel, InvalidInput, Memory, Note
from recollect.domain.answers.sessions import Crystal
from recollect.domain.errors import RecollectError
from recollect.operations import operations_of
from tests.chaos.locks import deleted_files, held_locks
from tests.chaos.programs.saying import hear, say
from tests.chaos.soundness import database_of
from tests.support.links import link

DOT = Attachment("dot.gif", b"GIF89a of nothing")


def main(home: str, *mistakes: str) -> None:
    database = database_of(Path(home))
    with Memory(home=home) as memory:
        memory.save("the first note")
        for ending in mistakes:  # what no code of ours may ever do: open a file of the database and close it
            stray = database.with_name(database.name + ending)
            watch(f"a stray open of {stray.name}", database, lambda stray=stray: stray.open("rb").close())  # type: ignore[misc]
        if not mistakes:
            examples = examples_of(memory, Path(home))
            for verb in operations_of(Memory):
                watch(verb, database, examples.get(verb))
            watch("a verb in another thread", database, lambda: in_a_thread(lambda: memory.save("from a thread")))
            watch("a dry run", database, lambda: memory.dry_run().save("only rehearsed"))
            watch("a restore of the database from itself", database, lambda: restore_from_itself(memory, database))
        say(done=True)
        keep_writing(memory, database)


def watch(verb: str, database: Path, call: Callable[[], Any] | None) -> None:
    """Do it and say which locks there were before and after. A verb without an example is said to be missing."""
    if call is None:
        say(verb=verb, missing=True)
        return
    before = held_locks(database)
    call()
    say(verb=verb, before=before, after=held_locks(database))


def keep_writing(memory: Memory, database: Path) -> None:
    """One write for each line heard, each acknowledged with what became of our files."""
    while hear():
        note = memory.save("another note of the first process")
        say(note=note.id, deleted=deleted_files(database), locks=held_locks(database))


def examples_of(memory: Memory, home: Path) -> dict[str, Callable[[], Any]]:
    """One call of every verb, by its name."""
    kept, doomed, replaced, wrong = (memory.save(f"note {number}") for number in range(4))
    lines = [json.dumps(record) for record in memory.export().records]
    memory.learn("user", "job", "nurse")
    proposed = memory.acting_as(Caller(Channel.HTTP, "bot")).learn("user", "job", "cook").note
    assert proposed is not None
    target = str(home / "copies" / "copy.db")
    page = home / "page.md"
    page.write_text("# A page\n\nAlice lives in Boston.\n")
    return {
        "add": lambda: memory.add("I live in Boston."),
        "attachment": lambda: memory.attachment(memory.add("A dot", attachments=[DOT]).attachments[0].digest),
        "watch": lambda: memory.watch("Remember that I live in Boston."),
        "learn": lambda: memory.learn("user", "location", "Boston"),
        "ingest": lambda: memory.ingest(str(page)),
        "profile": lambda: memory.profile(),
        "save": lambda: memory.save("a new note"),
        "get": lambda: memory.get(kept.id),
        "list": lambda: memory.list(),
        "search": lambda: memory.search("note"),
        "history": lambda: memory.history(kept.id),
        "update": lambda: memory.update(kept.id, text="corrected"),
        "supersede": lambda: memory.supersede(replaced.id, "replaced"),
        "retract": lambda: memory.retract(wrong.id),
        "settle": lambda: memory.settle(proposed.id, "reject"),
        "feedback": lambda: memory.feedback(kept.id, "useful"),
        "pin": lambda: memory.pin(kept.id),
        "unpin": lambda: memory.unpin(kept.id),
        "forget": lambda: memory.forget(doomed.id),
        "relate": lambda: memory.relate(kept.id, replaced.id),
        "relations": lambda: memory.relations(kept.id),
        "refute": lambda: (link(memory, kept.id, replaced.id), memory.refute(kept.id, replaced.id)),
        "timeline": lambda: memory.timeline("2026-01-01"),
        "project-profile": lambda: memory.project_profile("shop"),
        "crystals.make": lambda: crystallize(memory),
        "crystals.list": lambda: memory.crystals(),
        "reflect": lambda: memory.reflect(apply=True),
        "context": lambda: memory.context(),
        "inject": lambda: memory.inject(path=str(home)),
        "anchor": lambda: (
            memory.anchor(kept.id, anchors=["file:page.md"], path=str(home)),
            anchor_itself(memory, kept),
        ),
        "session.start": lambda: memory.start_session("work"),
        "session.end": lambda: memory.end_session("work"),
        "session.link": lambda: memory.link_commit("work", "0123456789abcdef"),
        "observe": lambda: memory.observe("prompt", "Sweep the floor", session="work"),
        "sessions": lambda: memory.sessions(),
        "session.show": lambda: memory.session("work"),
        "replay": lambda: memory.replay("work"),
        "slots.list": lambda: memory.slots(),
        "slots.set": lambda: memory.set_slot("motto", "Mind the gap."),
        "slots.append": lambda: memory.append_slot("motto", "Stand clear."),
        "slots.get": lambda: memory.slot("persona"),
        "slots.reflect": lambda: memory.reflect_slots("short-0", apply=True),
        "slots.delete": lambda: (memory.set_slot("other", "x"), memory.delete_slot("other")),
        "lessons.add": lambda: memory.add_lesson("Sweep first"),
        "lessons.strengthen": lambda: memory.strengthen_lesson(lesson_of(memory)),
        "lessons.list": lambda: memory.lessons(),
        "actions.add": lambda: memory.add_action("Sweep"),
        "actions.update": lambda: memory.update_action(memory.add_action("Dust").id, status="done"),
        "actions.list": lambda: memory.actions(),
        "frontier": lambda: memory.frontier(),
        "export": lambda: memory.export(),
        "import": lambda: memory.import_(lines, space="elsewhere"),
        "backup": lambda: (
            memory.backup(target),
            memory.backup(target + ".compact", compact=True),
            memory.backup(target=target + ".elsewhere", keep=1),
        ),
        "backups": lambda: memory.backups(target=target + ".elsewhere"),
        "restore": lambda: (memory.restore(target=target + ".elsewhere"), memory.restore(target)),
        "spaces.list": lambda: memory.spaces(),
        "spaces.describe": lambda: memory.describe_space("default"),
        "spaces.create": lambda: memory.create_space("made"),
        "spaces.limit": lambda: memory.limit_space("default", max_notes=1_000_000),
        "spaces.delete": lambda: (memory.create_space("short-lived"), memory.delete_space("short-lived")),
        "status": lambda: memory.status(),
        "doctor": lambda: memory.doctor(),
        "audit": lambda: memory.audit(),
        "reindex": lambda: memory.reindex(),
        "tidy": lambda: memory.tidy(),
        "maintain": lambda: memory.maintain(scope="full"),
        "graph.show": lambda: memory.graph_show(related(memory)),
        "graph.list": lambda: memory.graph_list(type="Person"),
        "graph.path": lambda: memory.graph_path(related(memory), "Bea"),
        "graph.around": lambda: memory.graph_around(related(memory)),
        "graph.timeline": lambda: memory.graph_timeline(related(memory)),
        "graph.communities": lambda: memory.graph_communities(),
        "graph.central": lambda: memory.graph_central(),
        "graph.export": lambda: memory.graph_export(format="cypher"),
        "kip": lambda: memory.kip('UPSERT { CONCEPT ?a { {type: "Person", name: "Bea"} } }'),
        "graph.alias": lambda: memory.graph_alias(related(memory), "Beatrice"),
        "graph.merge": lambda: memory.graph_merge(related(memory), "Ann"),
        "graph.split": lambda: memory.graph_split(related(memory), "Ann"),
        "brain.form": lambda: memory.form_conversation("I moved to Oslo", topic="moving"),
        "brain.recall": lambda: memory.ask_brain("Where do I live?"),
        "brain.conversations": lambda: (memory.conversations(), memory.conversations(1)),
        "brain.restart": lambda: (memory.form_conversation("So?"), memory.run_jobs(), memory.restart_conversation(1)),
        "brain.maintain": lambda: (memory.run_jobs(), memory.maintain_brain()),
        "brain.show": lambda: memory.brain(),
        "brain.change": lambda: memory.change_brain(owner="me", public=True, tier=3),
        "eval.build": lambda: memory.build_questions(),
        "eval.questions": lambda: memory.questions(),
        "eval.edit": lambda: memory.edit_question(asked(memory), "Which note?"),
        "eval.drop": lambda: memory.drop_question(asked(memory)),
        "eval.run": lambda: (asked(memory), memory.run_questions()),
        "eval.experiment": lambda: (asked(memory), memory.experiment(reranker="off")),
        "eval.history": lambda: memory.evaluation_runs(),
        "jobs.list": lambda: memory.jobs(),
        "providers": lambda: memory.providers(),
        "spend": lambda: memory.spend(),
        "provider-keys.list": lambda: memory.provider_keys(),
        "embeddings.show": lambda: memory.embeddings(),
        **{
            name: partial(refused, call)
            for name, call in {
                "provider-keys.set": lambda: memory.set_provider_key("openai", "sk-0123456789"),
                "provider-keys.remove": lambda: memory.remove_provider_key("openai"),
                "embeddings.prepare": lambda: memory.prepare_embeddings("hashed"),
                "embeddings.compare": lambda: memory.compare_embeddings(),
                "embeddings.switch": lambda: memory.switch_embeddings(),
                "embeddings.drop": lambda: memory.drop_embeddings(),
            }.items()
        },
        "jobs.show": lambda: memory.job(a_job(memory)),
        "jobs.cancel": lambda: memory.cancel_job(a_job(memory)),
        "jobs.retry": lambda: memory.retry_job(memory.cancel_job(a_job(memory)).id),
        "jobs.run": lambda: memory.run_jobs(),
        "jobs.timers": lambda: memory.timers(),
        "activity": lambda: memory.activity(),
        "usage": lambda: memory.usage(kept.id),
        "webhooks.add": lambda: memory.add_webhook("ops", "https://127.0.0.1/"),
        "webhooks.list": lambda: memory.webhooks(),
        "webhooks.remove": lambda: (
            memory.add_webhook("other", "https://127.0.0.1/"),
            memory.remove_webhook("other"),
        ),
        "webhooks.test": lambda: memory.test_webhook("ops"),
        "webhooks.deliveries": lambda: memory.deliveries(),
        "vault.open": lambda: memory.open_vault(),
        "vault.scan": lambda: (memory.save("for a file"), memory.scan_vault()),
        "sync": lambda: memory.sync(),
        "review": lambda: memory.review(),
        "log": lambda: memory.log(),
        "show": lambda: memory.show(memory.log().revisions[0].id),
        "diff": lambda: memory.diff(kept.id),
        "blame": lambda: memory.blame(kept.id),
        "revert": lambda: memory.revert(memory.log().revisions[0].id),
        "machines": lambda: memory.machines(),
        "migrate": lambda: memory.migrate({"global": "storefront"}, apply=True),
        "dedup": lambda: memory.dedup(apply=True),
        "backfill-provenance": lambda: memory.backfill_provenance(apply=True),
        "count": lambda: memory.count(by=["kind", "tag"], where={"metadata.k": {"exists": False}}),
        "forget-all": lambda: memory.forget_all(
            where={"tag": "gone"}, confirm=memory.forget_all(where={"tag": "gone"}).confirm
        ),
        "reset": lambda: memory.reset(user="nobody", confirm=memory.reset(user="nobody").confirm),
        "recall": lambda: memory.recall("note"),
        "answer": lambda: memory.answer("Is there a note?"),
        "remind": lambda: memory.remind(command="git push", session="chaos"),
        "brief": lambda: memory.brief("note"),
        "why": lambda: memory.why(memory.recall("note").receipt or ""),
        "why-not": lambda: memory.why_not(kept.id, "note"),
    }


def refused(call: Callable[[], object]) -> bool:
    """Whether a verb is refused: there is neither a provider nor a model here."""
    try:
        call()
    except RecollectError:
        return True
    raise AssertionError("it was not refused")


def lesson_of(memory: Memory) -> str:
    """The id of a lesson."""
    note = memory.add_lesson("Dust before you sweep").note
    return note.id if note else ""


def related(memory: Memory) -> str:
    """The name of an entity that is related to another one."""
    memory.save("Bea's manager is Ann", subject="Bea", attribute="manager", value="Ann")
    memory.graph_merge("Bea", "Ann")
    return "Bea"


def asked(memory: Memory) -> str:
    """The id of a question about a note of its own."""
    memory.save(f"The office in Boston is closed in week {len(memory.questions()):02d}")
    return memory.build_questions(limit=1)[0].id


def crystallize(memory: Memory) -> Crystal:
    """Enough short sessions, and the note that stands for them."""
    for number in range(5):
        memory.start_session(f"short-{number}", project="shop")
        memory.end_session(f"short-{number}")
    return memory.make_crystal(project="shop", days=0)


def anchor_itself(memory: Memory, note: Note) -> bool:
    """Whether it is refused to look into the database, by its own name or by that of a marker."""
    database = Path(memory.settings.store)
    (database.parent / ".recollect-project").symlink_to(database)
    memory.inject(path=str(database.parent))
    try:
        memory.anchor(note.id, anchors=[f"file:{database.name}"], path=str(database.parent))
    except InvalidInput:
        return True
    raise AssertionError("a note was anchored to the database it is in")


def restore_from_itself(memory: Memory, database: Path) -> None:
    """What somebody may ask for who put a backup in the place of the database by hand, manifest and all."""
    manifest = database.with_name(f"{database.name}.json")
    manifest.write_text((database.parent / "copies" / "copy.db.json").read_text())
    try:
        memory.restore(str(database))
    except InvalidInput:
        return
    raise AssertionError("a database was restored from itself")


def in_a_thread(call: Callable[[], Any]) -> None:
    """Its connection goes with the thread."""
    thread = threading.Thread(target=call)
    thread.start()
    thread.join(60)


def a_job(memory: Memory) -> str:
    """The id of a job that waits."""
    memory.reindex(background=True)
    return memory.jobs(stage="waiting", whole_store=True)[0].id


if __name__ == "__main__":
    main(*sys.argv[1:])
