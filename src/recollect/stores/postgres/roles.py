"""The roles of a shared database: one that owns the tables and migrates them, and one that every server uses.

The second is bound by row-level security, changes no table and no past entry of the audit log. What a superuser has to
run is printed, never run. A reader who is bound to a part of a space sees views, which ask by that reader's rights.
"""

from __future__ import annotations

from pathlib import Path

import psycopg
import psycopg.conninfo
from psycopg import sql

from recollect.domain.scopes import BOUND_BY
from recollect.stores.bound.bound_database import views
from recollect.stores.database import Row

SCHEMA = "recollect"
BOUND = "recollect_bound"  # the schema of the views that a bound reader sees
MEMBER = "recollect_member"  # the role whose transactions row-level security binds

# Make the role whose transactions row-level security binds, for owners whom it does not.
PREPARE_MEMBER = """
DO $$
BEGIN
    CREATE ROLE recollect_member NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;
DO $$
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        GRANT recollect_member TO CURRENT_USER;
    END IF;
END
$$;
"""

GRANT_MEMBER = f"""
GRANT USAGE ON SCHEMA {SCHEMA} TO {MEMBER};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {MEMBER};
REVOKE UPDATE, DELETE ON {SCHEMA}.audit FROM {MEMBER};
REVOKE INSERT, UPDATE, DELETE ON {SCHEMA}.migration FROM {MEMBER};
"""

GRANT_VIEWS = f"""
GRANT USAGE ON SCHEMA {BOUND} TO {MEMBER};
GRANT SELECT ON ALL TABLES IN SCHEMA {BOUND} TO {MEMBER};
"""

# One that is not there is not marked either.
_MAY_USE_WORDS = """SELECT count(*) = 2 FROM pg_proc WHERE proleakproof AND oid IN
(to_regprocedure('pg_catalog.ts_match_vq(tsvector, tsquery)'), to_regprocedure('recollect.formed(text, text)'))"""


def use_of_words(connection: psycopg.Connection[Row]) -> tuple[str, str]:
    """Whether searches use the index of words, in words, and what to do if not."""
    if connection.execute(_MAY_USE_WORDS).fetchone() == (True,):
        return "made by the server from the texts", ""
    hint = "`recollect store grants` prints what lets a search use it; until then one reads every text of its space."
    return "made by the server from the texts; row-level security keeps searches from it", hint


def grants(owner: str = "recollect_owner", app: str = "recollect_app") -> str:
    """The statements that make both roles and give each the least it needs."""
    spelled = {name: sql.Identifier(each).as_string() for name, each in (("owner", owner), ("app", app))}
    script = Path(__file__).with_name("grants.psql").read_text(encoding="utf-8")
    quoted = sql.Literal(owner).as_string().replace("::text", "")
    both = ", ".join(spelled.values()).replace("'", "''")
    names = {**spelled, "both": both, "owner_name": quoted, "schema": SCHEMA, "schema_name": SCHEMA}
    for name, said in {**names, "bound": BOUND, "bound_name": BOUND}.items():
        script = script.replace("{" + name + "}", said)
    return script


_SETTINGS = {name: f"nullif(current_setting('recollect.{name}', true), '')" for name in (*BOUND_BY, "part")}

_TABLES = """SELECT relname FROM pg_class
WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'p') ORDER BY relname"""


def make_views(connection: psycopg.Connection[Row]) -> bool:
    """Make the views of a bound reader, which see rows by the rights of whoever asks; whether there are any."""
    tables = [row[0] for row in connection.execute(_TABLES, (SCHEMA,)).fetchall()]
    if "sign_in" not in tables:
        return False  # a schema of before there were bound readers
    connection.execute(f"CREATE SCHEMA {BOUND}")
    for name, text in views(tables, main=f"{SCHEMA}.", settings=_SETTINGS).items():
        connection.execute(f"CREATE VIEW {BOUND}.{name} WITH (security_invoker = true) AS {text}".encode())
    return True
