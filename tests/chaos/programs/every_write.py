"""Goes once through every way of writing there is, and says after each what memory holds by then.

The clock holds still, so that two runs make the same calls. SQLite is told to move pages from its log into the
database every few of them instead of every thousand: the same code, but often enough to be met at every step.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from unittest.mock import patch

import apsw

from recollect import Attachment, Caller, Channel, Memory
from recollect.domain.errors import RecollectError
from recollect.stores.sqlite.database import SqliteDatabase
from tests.chaos.programs.saying import say
from tests.chaos.soundness import exported, fingerprint, record_marks
from tests.support.clock import SteadyClock
from tests.support.links import link

PAGES_PER_CHECKPOINT = 40
# Takes in piece after piece, each whole; whoever does it again goes on with it. Running jobs is that, job by job.
PIECEMEAL = frozenset(
    {"ingest", "jobs.run", "jobs.run for it", "jobs.run again", "jobs.run for a conversation", "jobs.run for it again"}
)
LONG = "a long text that fills several pages of the database, one after the other. " * 150


def main(root: str, how: str = "") -> None:
    home, copies = Path(root, "data", "recollect"), Path(root, "copies", "daily")
    apsw.connection_hooks.append(lambda connection: connection.wal_autocheckpoint(PAGES_PER_CHECKPOINT))
    if how.startswith("synchronous="):
        weaken(how.removeprefix("synchronous="))
    clock = SteadyClock()
    lines = lines_from_elsewhere()
    for chapter in () if how == "only open" else (first_life, second_life):
        with Memory(home=home, clock=clock) as memory:
            acknowledge("open", memory)
            for step in chapter(memory, copies, lines):
                acknowledge(step, memory)
    with Memory(home=home, clock=clock) as memory:
        acknowledge("open", memory)


def first_life(memory: Memory, copies: Path, lines: list[str]) -> Iterator[str]:
    """Every verb that writes, in an order in which each has something to do; its name is given once it is done."""
    memory.create_space("team", description="what we all know")
    yield "spaces.create"
    memory.limit_space("team", max_notes=100, max_messages=100)
    yield "spaces.limit"
    tea = memory.save("Alice prefers tea", tags=["drink"], subject="alice", attribute="drink", value="tea")
    yield "save"
    long = memory.save(LONG, metadata={"pages": 3})
    yield "save a long one"
    wrong = memory.save("done only once", idempotency_key="one")
    yield "save with a key"
    derived = memory.save("Alice drinks something warm", derived_from=[tea.id])
    yield "save a derived one"
    memory.update(long.id, text=LONG + LONG)
    yield "update"
    memory.supersede(tea.id, "Alice prefers coffee", value="coffee")
    yield "supersede"
    memory.pin(derived.id)
    yield "pin"
    memory.unpin(derived.id)
    yield "unpin"
    memory.feedback(derived.id, "wrong", remark="she drinks it cold")
    yield "feedback"
    memory.retract(wrong.id, reason="it was never true")
    yield "retract"
    memory.learn("user", "job", "nurse")
    yield "learn a job"
    proposed = memory.acting_as(Caller(Channel.HTTP, "bot")).learn("user", "job", "cook").note
    yield "learn from below"
    assert proposed is not None
    memory.settle(proposed.id, "reject")
    yield "settle"
    memory.save("the office is closed on Mondays", space="team")
    yield "save elsewhere"
    memory.add("I live in Boston.")
    yield "add"
    memory.add("A dot.", attachments=[Attachment("dot.gif", b"GIF89a of nothing" * 1000)])
    yield "add a file"
    memory.watch("Remember that I live in Austin.")
    yield "watch"
    memory.learn("alice", "location", "Boston")
    yield "learn"
    memory.start_session("work", project="home")
    yield "session.start"
    memory.observe("tool_use", "ok", tool="Bash", arguments={"command": "make"}, session="work")
    yield "observe"
    memory.link_commit("work", "0123456789abcdef")
    yield "session.link"
    memory.end_session("work")
    yield "session.end"
    for number in range(5):
        memory.start_session(f"short-{number}", project="home")
        yield "session.start again"
        memory.end_session(f"short-{number}")
        yield "session.end again"
    memory.make_crystal(project="home", days=0)
    yield "crystals.make"
    memory.observe("prompt", "We decided to sweep the cellar twice.", session="work")
    yield "observe for reflecting"
    memory.reflect(project="home", apply=True)
    yield "reflect"
    memory.reflect_slots("work", apply=True)
    yield "slots.reflect"
    memory.relate(derived.id, wrong.id)
    yield "relate"
    link(memory, derived.id, wrong.id)
    yield "judge"
    memory.refute(derived.id, wrong.id)
    yield "refute"
    memory.set_slot("persona", "A calm engineer.")
    yield "slots.set"
    memory.append_slot("persona", "Of few words.")
    yield "slots.append"
    memory.delete_slot("persona")
    yield "slots.delete"
    lesson = memory.add_lesson("Sweep first").note
    yield "lessons.add"
    memory.strengthen_lesson(lesson.id if lesson else "")
    yield "lessons.strengthen"
    errand = memory.add_action("Water the plants", project="home")
    yield "actions.add"
    memory.update_action(errand.id, status="done")
    yield "actions.update"
    with tempfile.NamedTemporaryFile("w", suffix=".md") as page:
        page.write("# A page\n\nAlice lives in Boston.\n")
        page.flush()
        memory.ingest(page.name)
        yield "ingest"
        file = Path(page.name)
        memory.anchor(derived.id, anchors=[f"file:{file.name}"], path=str(file.parent))
    yield "anchor"
    memory.forget(long.id)
    yield "forget"
    memory.import_(lines)
    yield "import"
    memory.backup(str(copies / "plain.db"))
    yield "backup plain.db"
    memory.backup(str(copies / "compact.db"), compact=True)
    yield "backup compact.db"
    memory.save("something that the copies do not know")
    yield "save after the copies"
    memory.delete_space("team")
    yield "spaces.delete"
    memory.forget(derived.id)
    yield "forget something that the copies know"
    memory.restore(str(copies / "plain.db"))
    yield "restore"
    memory.save("news")
    yield "save after the restore"
    memory.reindex()
    yield "reindex"
    memory.save("a guest, for a night", valid_from="2020-01-01", expires_at="2020-01-02")
    yield "save something that is over"
    memory.tidy()
    yield "tidy"
    memory.maintain(background=True)
    yield "maintain"
    memory.save("Bea's manager is Ann", subject="Bea", attribute="manager", value="Ann")
    yield "save a relation"
    memory.graph_alias("Bea", "Beatrice")
    yield "graph.alias"
    memory.graph_merge("Bea", "Ann")
    yield "graph.merge"
    memory.graph_split("Bea", "Ann")
    yield "graph.split"
    memory.build_questions()
    yield "eval.build"
    question = memory.questions()[0]
    memory.edit_question(question.id, "Which one is it?")
    yield "eval.edit"
    memory.run_questions()
    yield "eval.run"
    memory.experiment(reranker="off")
    yield "eval.experiment"
    memory.drop_question(question.id)
    yield "eval.drop"
    memory.form_conversation("I moved to Oslo", topic="moving")
    yield "brain.form"
    memory.run_jobs()
    yield "jobs.run for a conversation"
    memory.restart_conversation(1)
    yield "brain.restart"
    memory.run_jobs()
    yield "jobs.run for it again"
    memory.maintain_brain()
    yield "brain.maintain"
    memory.change_brain(owner="me", tier=2)
    yield "brain.change"
    memory.reindex(background=True)
    yield "reindex later"
    job = memory.jobs(whole_store=True)[0]
    memory.cancel_job(job.id)
    yield "jobs.cancel"
    memory.retry_job(job.id)
    yield "jobs.retry"
    memory.run_jobs()
    yield "jobs.run"
    memory.save("said twice", project="old", tags=["import"])
    yield "save something"
    memory.save("said twice", project="old", tags=["import"])
    yield "save it again"
    memory.migrate({"old": "new"}, apply=True)
    yield "migrate"
    memory.dedup(apply=True)
    yield "dedup"
    memory.backfill_provenance(apply=True)
    yield "backfill-provenance"
    memory.forget_all(where={"tag": "import"}, confirm=memory.forget_all(where={"tag": "import"}).confirm)
    yield "forget-all"
    memory.save("of a guest", user="guest")
    yield "save something of a guest"
    memory.reset(user="guest", confirm=memory.reset(user="guest").confirm)
    yield "reset"
    memory.add_webhook("ops", "https://127.0.0.1/")  # it is not public, so nothing is ever sent there
    yield "webhooks.add"
    memory.save("told to nobody")
    yield "save something that is to be told"
    memory.test_webhook("ops")
    yield "webhooks.test"
    memory.remove_webhook("ops")
    yield "webhooks.remove"
    yield from refused_verbs(memory)
    folder = Path(memory.open_vault().folder)
    yield "vault.open"
    file = next((folder / "memory").rglob("*.md"))
    file.write_text(file.read_text() + "and a line by hand\n")
    memory.scan_vault()
    yield "vault.scan"


def refused_verbs(memory: Memory) -> Iterator[str]:
    """Verbs that need a provider or a model, of which there is none here: they write nothing."""
    calls: dict[str, Callable[[], object]] = {
        "provider-keys.set": lambda: memory.set_provider_key("openai", "sk-0123456789"),
        "provider-keys.remove": lambda: memory.remove_provider_key("openai"),
        "embeddings.prepare": lambda: memory.prepare_embeddings("hashed"),
        "embeddings.switch": lambda: memory.switch_embeddings(),
        "embeddings.drop": lambda: memory.drop_embeddings(),
    }
    for name, call in calls.items():
        with suppress(RecollectError):
            call()
        yield name


def second_life(memory: Memory, copies: Path, lines: list[str]) -> Iterator[str]:
    """The log file went with the first life; it is made anew."""
    memory.save("the newest news")
    yield "save after it was closed"
    memory.import_(lines)
    yield "import what is there already"


def acknowledge(step: str, memory: Memory) -> None:
    """Say that a step is done; the test takes every such line for a promise."""
    say(step=step, holds=fingerprint(memory), records=record_marks(memory))


@cache
def lines_from_elsewhere() -> list[str]:
    """An export of another memory: several notes of a third space, with several versions."""
    with Memory(store=":memory:", clock=SteadyClock("2025-06-01T00:00:00+00:00")) as memory:
        for number in range(6):
            note = memory.save(f"imported note {number}", space="elsewhere")
            memory.update(note.id, text=f"imported note {number}, corrected", space="elsewhere")
        return [json.dumps(record) for record in exported(memory)]


def weaken(synchronous: str) -> None:
    """The mistake that the explorer must find: acknowledging what was not synced."""
    connect = SqliteDatabase.connect

    def weaker(self: SqliteDatabase) -> apsw.Connection:
        connection = connect(self)
        connection.pragma("synchronous", synchronous)
        return connection

    patch.object(SqliteDatabase, "connect", weaker).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
