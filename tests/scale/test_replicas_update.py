"""Four servers of a newer version start at once on the schema of the one before, which goes on answering meanwhile."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from select import select
from threading import Event

import psycopg
import pytest

from recollect.stores import migrations
from recollect.stores.postgres.database import _MIGRATION_LOCK
from tests.scale.test_processes import client_of, eventually
from tests.support.postgres import Server
from tests.surfaces.http.client import Client
from tests.surfaces.shell import LIMIT, RECOLLECT, Shell

pytestmark = pytest.mark.postgres

REPLICAS = 4
LEAST = 5  # times that each asks
PACE = 0.1  # seconds between two times, so that the servers have the processor to start
SERVE = ("serve", "--port", "0", "--json", "--rate", "1000000")

STEPS = {
    "9001_expand_moods.postgres.sql": "ALTER TABLE note ADD COLUMN mood TEXT;",
    "9002_expand_mood_index.postgres.concurrent.sql": (
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS note_mood ON recollect.note (space, mood)"
    ),
}

# Each time that a step was written down as done.
WITNESS = """
CREATE TABLE public.witness (number INTEGER);
CREATE FUNCTION public.witnessed() RETURNS TRIGGER LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO public.witness VALUES (NEW.number); RETURN NULL; END $$;
CREATE TRIGGER witnessed AFTER INSERT ON recollect.migration FOR EACH ROW EXECUTE FUNCTION public.witnessed();
"""
WAITING = """SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


def test_four_replicas_do_each_step_once_and_no_request_fails(postgres_server: Server, tmp_path: Path) -> None:
    steps = tmp_path / "steps"
    shutil.copytree(migrations._FOLDER, steps)
    for name, script in STEPS.items():
        (steps / name).write_text(script, encoding="utf-8")
    newer = (sys.executable, "-m", "tests.scale.next_version", str(steps), *SERVE)
    stop = Event()
    with postgres_server.database() as address, ExitStack() as running, asking(stop) as pool:
        old = client_of(said_by(running.enter_context(served("before", (RECOLLECT, *SERVE), address, tmp_path))))
        superuser = running.enter_context(psycopg.connect(address, autocommit=True))
        superuser.execute(WITNESS)
        superuser.execute("SELECT pg_advisory_lock(%s)", (_MIGRATION_LOCK,))
        asked = [pool.submit(keep_asking, old, f"old{number}", stop) for number in range(2)]
        replicas = [running.enter_context(served(str(n), newer, address, tmp_path)) for n in range(REPLICAS)]
        eventually(lambda: superuser.execute(WAITING).fetchone() == (REPLICAS,))
        superuser.execute("SELECT pg_advisory_unlock(%s)", (_MIGRATION_LOCK,))
        for number, replica in enumerate(replicas):
            there = replace(old, port=client_of(said_by(replica)).port)  # tokens are of the store, which all share
            asked.append(pool.submit(keep_asking, there, f"new{number}", stop))
        for each in asked:
            eventually(each.running)
        stop.set()
        statuses = [status for each in asked for status in each.result(LIMIT)]
        witnessed = superuser.execute("SELECT number FROM public.witness ORDER BY number").fetchall()

    assert set(statuses) == {200} and len(statuses) >= (2 + REPLICAS) * LEAST * 2
    assert witnessed == [(9001,), (9002,)]


@contextmanager
def asking(stop: Event) -> Iterator[ThreadPoolExecutor]:
    """Threads that ask until they are told to stop, or something else went wrong."""
    with ThreadPoolExecutor(2 + REPLICAS) as pool:
        try:
            yield pool
        finally:
            stop.set()


@contextmanager
def served(name: str, command: tuple[str, ...], address: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A server that was started, with a home of its own; it has to end in order."""
    shell = Shell(tmp_path / name, tmp_path / "bytecode")
    told = {name: value for name, value in shell.environment.items() if name != "PYTHONPYCACHEPREFIX"}
    told |= {"RECOLLECT_EMBEDDING": "off", "RECOLLECT_STORE": address, "RECOLLECT_BUSY_TIMEOUT": "60"}
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**told, "PYTHONPATH": str(root)}, cwd=root
    )
    try:
        yield process
    finally:
        process.terminate()
        code = process.wait(LIMIT)
        assert process.stdout is not None
        process.stdout.close()
    assert code == 0


def said_by(process: subprocess.Popen[str]) -> str:
    """The first line of a server, as soon as it answers."""
    assert process.stdout is not None
    ready, _, _ = select([process.stdout], [], [], LIMIT)
    assert ready, "it said nothing"
    return process.stdout.readline()


def keep_asking(client: Client, name: str, stop: Event) -> list[int]:
    """Write and read again and again; the status of every answer."""
    statuses: list[int] = []
    while not stop.is_set() or len(statuses) < 2 * LEAST:
        text = f"Note {len(statuses)} of {name}"
        saved = client.post(f"/v1/spaces/{name}/save", {"text": text})
        found = client.post(f"/v1/spaces/{name}/search", {"query": text})
        assert text in str(found.json), "it was saved, and not found"
        statuses += [saved.status, found.status]
        stop.wait(PACE)
    return statuses
