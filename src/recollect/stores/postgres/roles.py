"""The roles of a shared database: one that owns the tables and migrates them, and one that every server uses.

The second is bound by row-level security, changes no table and no past entry of the audit log. What a superuser has to
run is printed, never run.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

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

_SCRIPT = """\
-- As a superuser, in the database of the store; passwords or certificates are yours to add. Run it again after the
-- owner has opened the store: it changes nothing that is right already.
DO $$ BEGIN CREATE ROLE {owner} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE {app} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
ALTER ROLE {owner} NOSUPERUSER NOBYPASSRLS;
ALTER ROLE {app} NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
-- The owner makes and migrates the tables: open the store with it once, and after each update.
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO %I', current_database(), {owner_name}); END $$;
CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {owner};
-- The role of servers and workers reads and writes rows, as row-level security allows, and defines nothing.
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE ON SCHEMAS TO {app};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app};
GRANT USAGE ON SCHEMA {schema} TO {app};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {app};
DO $$ DECLARE vectors text; BEGIN
    SELECT extnamespace::regnamespace INTO vectors FROM pg_extension WHERE extname = 'vector';
    IF vectors IS NOT NULL THEN
        EXECUTE 'GRANT USAGE ON SCHEMA ' || vectors || ' TO {both}';
    END IF;
    IF to_regclass('{schema_name}.audit') IS NOT NULL THEN
        REVOKE UPDATE, DELETE, TRUNCATE ON {schema}.audit FROM {app};
        REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {schema}.migration FROM {app};
    END IF;
    IF to_regnamespace('{bound_name}') IS NOT NULL THEN
        GRANT USAGE ON SCHEMA {bound} TO {app};
        GRANT SELECT ON ALL TABLES IN SCHEMA {bound} TO {app};
    END IF;
END $$;
-- Searches that row-level security binds use the indexes of words only if the server takes it that comparing words
-- tells nobody of them. Otherwise each reads every text of its space.
DO $$ BEGIN
    ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
    IF to_regprocedure('{schema_name}.formed(text, text)') IS NOT NULL THEN
        ALTER FUNCTION {schema}.formed(text, text) LEAKPROOF;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'Only a superuser can let searches use the index of words.';
END $$;
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
    script = _SCRIPT
    quoted = sql.Literal(owner).as_string().replace("::text", "")
    both = ", ".join(spelled.values()).replace("'", "''")
    names = {**spelled, "both": both, "owner_name": quoted, "schema": SCHEMA, "schema_name": SCHEMA}
    for name, said in {**names, "bound": BOUND, "bound_name": BOUND}.items():
        script = script.replace("{" + name + "}", said)
    return script
