"""A hundred thousand notes put straight into the tables, for what is about their number and not about their words."""

from __future__ import annotations

from recollect.domain.ports import Store
from recollect.stores.sql_store import SqlStore

SPACE = "default"

# Most notes are alike, and every filter of a list has a few that pass it: one of a thousand is pinned, another one of a
# thousand a lesson, and so on. Half of them came after the middle of the time there is.
_NOTE = """
INSERT INTO note (
    space, id, version, text_version, kind, subject, attribute, value, scope_user, scope_agent, scope_project,
    scope_session, scope_machine, state, confidence, importance, pinned, channel, principal, authority, recorded_at,
    updated_at, replaced_at, valid_from, last_seen_at, supersedes, derived_from, metadata
)
SELECT :space, id, 1, 1,
    CASE WHEN place = 1 THEN 'lesson' ELSE 'semantic' END,
    CASE WHEN place = 2 THEN 'person:ana' WHEN place > 500 THEN 'user' END,
    CASE WHEN place = 2 THEN 'city' WHEN place = 501 THEN 'job' WHEN place > 501 THEN 'thought' END,
    NULL,
    CASE WHEN place = 3 THEN 'u' END, CASE WHEN place = 4 THEN 'a' END, CASE WHEN place = 5 THEN 'p' END,
    CASE WHEN place = 6 THEN 's' END, CASE WHEN place = 7 THEN 'm' END,
    CASE WHEN place = 8 THEN 'retracted' ELSE 'active' END,
    1.0, 0.5, CASE WHEN place = 9 THEN 1 ELSE 0 END, 'import', 'tester', 'quoted', moment, moment,
    NULL, moment, moment, '[]', '[]', '{}'
FROM made
"""
_TEXT = """
INSERT INTO note_text (space, note_id, version, title, text, tags)
SELECT :space, id, 1, NULL, 'note', CASE WHEN place = 10 THEN ' rare ' ELSE '' END FROM made
"""
_MADE = {
    "sqlite": """WITH RECURSIVE counted (number) AS (
    SELECT 0 UNION ALL SELECT number + 1 FROM counted WHERE number + 1 < :size
), made AS (
    SELECT printf('01J%023d', number) AS id, number % 1000 AS place,
    printf('20%02d-01-01T00:00:00.%06dZ', 10 + 20 * number / :size, number % 1000000) AS moment FROM counted
)""",
    "postgres": """WITH made AS (
    SELECT '01J' || lpad(CAST(number AS TEXT), 23, '0') AS id, number % 1000 AS place,
    '20' || lpad(CAST(10 + 20 * number / CAST(:size AS INTEGER) AS TEXT), 2, '0') || '-01-01T00:00:00.'
    || lpad(CAST(number % 1000000 AS TEXT), 6, '0') || 'Z' AS moment
    FROM generate_series(0, CAST(:size AS INTEGER) - 1) AS number
)""",
}


def put_many(store: Store, size: int) -> SqlStore:
    """Fill the default space. PostgreSQL counts what it has, as it does by itself sooner or later; not so SQLite."""
    assert isinstance(store, SqlStore)
    database = store._database
    with database.writing(SPACE) as transaction:
        for sql in (_NOTE, _TEXT):
            transaction.query(f"{_MADE[store.kind]}{sql}", space=SPACE, size=size)
    if store.kind == "postgres":
        with database.migrating() as transaction:
            transaction.script("ANALYZE note; ANALYZE note_text")
    return store
