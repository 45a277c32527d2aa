"""A shared database has two roles: the owner migrates, and the one that serves sees one space at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from recollect import Memory
from recollect.domain.clock import SystemClock
from recollect.stores.database import statements
from recollect.stores.opening import open_store
from recollect.stores.postgres.roles import grants, use_of_words
from tests.support.postgres import Server

pytestmark = pytest.mark.postgres

OWNER, APP = f"own'er \"{os.getpid()}", f"app {os.getpid()}"


@pytest.fixture
def address(postgres_server: Server) -> Iterator[str]:
    """A database to which the statements were given, before and after the owner made the tables."""
    with postgres_server.database(migrated=False) as fresh:
        with psycopg.connect(fresh, autocommit=True) as superuser:
            if postgres_server.has_vectors:
                superuser.execute('CREATE SCHEMA "Ext ra"')
                superuser.execute('CREATE EXTENSION vector SCHEMA "Ext ra"')
            superuser.execute(grants(OWNER, APP).encode())
            with Memory(store=_as(fresh, OWNER), principal="tester") as memory:
                memory.save("Alice prefers tea", space="alice")
                memory.save("Bob prefers coffee", space="bob")
            superuser.execute(grants(OWNER, APP).encode())
        yield fresh
    with psycopg.connect(postgres_server.address, autocommit=True) as superuser:
        for role in (OWNER, APP):
            superuser.execute(psycopg.sql.SQL("DROP ROLE {}").format(psycopg.sql.Identifier(role)))


def _as(address: str, role: str) -> str:
    return psycopg.conninfo.make_conninfo(address, user=role) if "://" not in address else _url(address, role)


def _url(address: str, role: str) -> str:
    from urllib.parse import quote

    scheme, _, rest = address.partition("://")
    return f"{scheme}://{quote(role, safe='')}@{rest.partition('@')[2]}"


def test_the_role_that_serves_does_everything_a_memory_does(address: str) -> None:
    with Memory(store=_as(address, APP), principal="tester") as memory:
        note = memory.save("Alice prefers green tea", space="alice")
        assert note.id in {hit.id for hit in memory.search("green tea", space="alice").hits}
        memory.forget(note.id, space="alice")
        assert memory.doctor().healthy
        memory.delete_space("bob")
        assert [space.name for space in memory.spaces().items] == ["alice"]


def test_the_role_that_serves_backs_a_space_up_and_restores_it(address: str, tmp_path: Path) -> None:
    with Memory(store=_as(address, APP), principal="tester") as memory:
        memory.backup(tmp_path / "alice.db", space="alice")
        memory.save("Alice prefers green tea", space="alice")
        memory.restore(tmp_path / "alice.db", space="alice")
        assert [note.text for note in memory.list(space="alice").items] == ["Alice prefers tea"]
        assert [note.text for note in memory.list(space="bob").items] == ["Bob prefers coffee"]
        assert memory.audit(space="alice").whole


def test_every_search_for_words_that_is_bound_to_a_space_uses_the_indexes(address: str) -> None:
    """The statements as they are asked: one part that the server may not look up keeps all of it from every index."""
    rows = "SELECT 'alice', 'id ' || n, {version}, 'word' || n, '' {tags} FROM generate_series(1, 3000) AS n"
    with psycopg.connect(address, autocommit=True) as superuser:
        for table, columns, more in (
            ("note_text", "note_id, version, text, forms, tags", {"version": "1", "tags": ", ''"}),
            ("observation_text", "observation_id, speaker, text, forms", {"version": "''", "tags": ""}),
        ):
            filled = f"INSERT INTO recollect.{table} (space, {columns}) {rows.format(**more)}"
            superuser.execute(filled.encode())
            superuser.execute(f"ANALYZE recollect.{table}".encode())
    asked = {"space": "alice", "terms": "'word1500'"}
    with closing(open_store(_as(address, APP), clock=SystemClock(), busy_timeout=5)) as store:
        for table in ("note", "observation"):
            with store.database.reading("alice") as transaction:
                plan = str(transaction.query(f"EXPLAIN {statements('postgres')[f'{table}_with']}", **asked))
            assert f"{table}_words" in plan and f"{table}_forms" in plan, plan


def test_the_doctor_says_where_searches_are_kept_from_the_index_of_words(address: str, postgres_server: Server) -> None:
    with postgres_server.database() as other, Memory(store=_as(address, APP)) as told, Memory(store=other) as untold:
        [granted, lacking] = [
            {check.name: check.hint for check in memory.measuring.checks()}["text index"] for memory in (told, untold)
        ]
    assert granted == "" and "recollect store grants" in lacking


def test_a_function_that_is_not_there_is_no_reason_to_fail(postgres_server: Server) -> None:
    with postgres_server.database(migrated=False) as fresh, psycopg.connect(fresh, autocommit=True) as superuser:
        superuser.execute("ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF")
        assert "recollect store grants" in use_of_words(superuser)[1]


def test_a_role_that_may_not_use_the_extension_does_without_it(address: str, postgres_server: Server) -> None:
    if not postgres_server.has_vectors:
        return
    with Memory(store=_as(address, APP), principal="tester") as memory:
        assert memory.status().vector_search.startswith("compared by the server")
    with psycopg.connect(address, autocommit=True) as superuser:
        revoke = psycopg.sql.SQL('REVOKE USAGE ON SCHEMA "Ext ra" FROM {}')
        superuser.execute(revoke.format(psycopg.sql.Identifier(APP)))
    with Memory(store=_as(address, APP), principal="tester") as memory:
        [check] = [each for each in memory.doctor().checks if each.name == "vector search"]
        assert "may not use the schema" in check.detail and "store grants" in check.hint
        note = memory.save("Alice prefers green tea", space="alice")
        assert note.id in {hit.id for hit in memory.search("green tea", space="alice").hits}


def test_the_role_that_serves_sees_no_other_space_and_changes_no_table(address: str) -> None:
    with psycopg.connect(_as(address, APP), autocommit=True) as app:
        assert app.execute("SELECT count(*) FROM recollect.note").fetchone() == (0,)
        app.execute("SET recollect.space = 'alice'")  # left behind by somebody
        assert app.execute("SELECT DISTINCT space FROM recollect.note_text").fetchall() == [("alice",)]
        assert app.execute("SELECT count(*) FROM recollect.note_text WHERE space = 'bob'").fetchone() == (0,)
        for forbidden in (
            "DELETE FROM recollect.audit",
            "UPDATE recollect.audit SET principal = 'nobody'",
            "DELETE FROM recollect.migration",
            "ALTER TABLE recollect.note DISABLE ROW LEVEL SECURITY",
            "DROP TABLE recollect.note",
            "CREATE TABLE recollect.mine (a INT)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(forbidden.encode())
