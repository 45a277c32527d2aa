"""SQL is written once, by name, with a comment, for both databases; every statement knows its space."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recollect.stores.database import statements, with_percent_parameters
from tests.support.project import PACKAGE, modules, name_of, tracked

STORES = PACKAGE / "stores"
FILES = tracked(".sql", under="src/recollect/stores")
MIGRATIONS = [path for path in FILES if path.parent.name == "migrations"]
NAMED = [path for path in FILES if path.parent.name != "migrations"]

# What is about the list of spaces or about the schema, and not about memories.
WITHOUT_SPACE = {"spaces", "spaces_elsewhere", "migrations", "insert_migration", "every_metadata"}
# Tokens belong to the store; which space one is for is read from it, not asked by it.
ABOUT_ACCESS = {
    "access_token", "access_tokens", "revoke_access_token", "rotate_access_token", "adopt_access_tokens",
    "hold_access_token", "use_access_token", "drop_access_tokens", "insert_sign_in_link", "take_sign_in_link",
    "drop_old_sign_in_links", "drop_sign_in_links", "insert_sign_in", "sign_in", "see_sign_in", "end_sign_in",
    "end_sign_ins", "drop_old_sign_ins", "drop_sign_ins",
    "insert_account", "accounts", "account", "account_of_identity", "account_of_token", "set_account_password",
    "drop_account", "drop_accounts",
}  # fmt: skip
# Webhooks of all spaces are put into the place of those of a restored copy.
ABOUT_RESTORING = {
    "every_webhook", "drop_webhooks", "drop_stray_deliveries", "every_provider_key", "drop_provider_keys",
}  # fmt: skip
# Which embedding model serves is said for the whole store.
ABOUT_MODELS = {"embedding_choice", "put_embedding_choice"}
# The spend ledger is of all spaces at once: a cap for a day holds for everybody.
ABOUT_SPENDING = {
    "take_spend_turn", "settle_spend", "spend_lines", "drop_old_spend", "every_spend", "drop_spend",
}  # fmt: skip
# Jobs are taken from all spaces in turn; these only look which spaces have some.
ABOUT_TURNS = {"count_jobs", "next_due", "spaces_with_jobs", "spaces_without_timer", "timers_due"}
# Pieces that are put behind another statement.
PIECES = {
    "among", "by_times", "in_order", "matching_order", "observations_matching_order", "sessions_order",
    "unreflected_order", "tagged", "tagged_before", "tagged_order",
}  # fmt: skip

CLOCKS = re.compile(
    r"\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|strftime|julianday|unixepoch|datetime"
    r"|date|time|random|gen_random_uuid|randomblob)\s*\(|\bcurrent_(?:timestamp|time|date)\b|\blocaltime(?:stamp)?\b",
    re.IGNORECASE,
)


def _without_comments(path: Path) -> str:
    return re.sub(r"--.*$", "", path.read_text(), flags=re.MULTILINE)


def _blocks(path: Path) -> list[tuple[str, str]]:
    _, *parts = re.split(r"^-- name: (\w+)$", path.read_text(), flags=re.MULTILINE)
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_statement_asks_the_database_for_the_time_or_for_chance(path: Path) -> None:
    assert CLOCKS.search(_without_comments(path)) is None


@pytest.mark.parametrize("path", NAMED, ids=name_of)
def test_every_statement_has_a_comment_that_says_what_it_is_for(path: Path) -> None:
    blocks = _blocks(path)
    assert blocks
    for name, body in blocks:
        assert re.match(r"\n-- [A-Z].+", body), name
        assert ";" not in re.sub(r"'[^']*'", "", re.sub(r"--.*", "", body)), f"{name} is more than one statement"


@pytest.mark.parametrize("path", MIGRATIONS, ids=name_of)
def test_every_migration_says_what_it_is_for(path: Path) -> None:
    assert re.fullmatch(r"\d{4}_\w+(\.sqlite|\.postgres)?(\.concurrent)?\.sql", path.name)
    assert path.read_text().startswith("-- ")


def test_no_name_is_used_twice() -> None:
    for dialect in ("sqlite", "postgres"):
        files = [path for path in NAMED if path.parent.name in ("statements", dialect)]
        names = [name for path in files for name, _ in _blocks(path)]
        assert sorted(names) == sorted(set(names))
        assert set(statements(dialect).blocks) == set(names)


def test_both_databases_have_the_same_statements() -> None:
    assert set(statements("sqlite").blocks) == set(statements("postgres").blocks)


def test_every_statement_is_used() -> None:
    code = "\n".join(path.read_text() for path in modules() if path.is_relative_to(STORES))
    assert {
        name for name in statements("sqlite").blocks if f'"{name}"' not in code and f"'{name}'" not in code
    } == set()


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_every_statement_about_memories_names_the_space(dialect: str) -> None:
    unbound = {name for name, sql in _ready(dialect).items() if ":space" not in sql}
    of_all = WITHOUT_SPACE | ABOUT_ACCESS | ABOUT_TURNS | ABOUT_RESTORING | ABOUT_SPENDING | ABOUT_MODELS
    assert unbound - PIECES == of_all


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_no_statement_has_a_text_of_a_user_pasted_into_it(dialect: str) -> None:
    """Parameters are bound; the only thing filled in is the list of columns."""
    for name, sql in _ready(dialect).items():
        assert "{" not in sql and "%s" not in sql, name


def test_parameters_are_spelled_for_either_driver() -> None:
    assert with_percent_parameters("SELECT ':' || a::TEXT, 5 % 2 FROM t WHERE b = :b_1 AND c LIKE '%'") == (
        "SELECT ':' || a::TEXT, 5 %% 2 FROM t WHERE b = %(b_1)s AND c LIKE '%%'"
    )


def test_the_space_leads_every_key_and_index() -> None:
    """A question about one space never reads the rows of another."""
    text = "\n".join(_without_comments(path) for path in MIGRATIONS)
    index = r"INDEX (?:CONCURRENTLY IF NOT EXISTS )?\w+ ON (?:recollect\.)?\w+ \(([^)]*)\)"
    keys = re.findall(rf"PRIMARY KEY \(([^)]*)\)|UNIQUE \(([^)]*)\)|{index}", text)
    columns = [next(part for part in key if part) for key in keys]
    assert columns
    others = [key for key in columns if not key.startswith("space")]
    # Of the spend ledger, where a cap for a day is for all spaces together; and the names of spaces themselves.
    assert sorted(others) == ["day, space", "name", "name"]


def _ready(dialect: str) -> dict[str, str]:
    named = statements(dialect)
    return {name: named[name] for name in named.blocks}
