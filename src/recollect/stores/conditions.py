"""Lists, words and scopes as SQL conditions and the values they bind. No text of a user becomes SQL here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.stores.database import Database, Row, Transaction, Value

MOST_MEMBERS = 500  # of one list in a statement; longer ones are asked for in pieces


def in_pieces(members: Sequence[str], most: int = MOST_MEMBERS) -> Iterator[Sequence[str]]:
    """The members, each once, as many at a time as a statement takes."""
    each_once = list(dict.fromkeys(members))
    for start in range(0, len(each_once), most):
        yield each_once[start : start + most]


def told_in(scope: Scope) -> tuple[str, dict[str, Value]]:
    """That an observation was told in a scope, as conditions that begin with AND, and their parameters."""
    columns = {"session": "session_id"}
    given = {name: value for name in SCOPE_FIELDS if (value := getattr(scope, name)) is not None}
    where = "".join(f"\nAND observation.{columns.get(name, f'scope_{name}')} = :told_{name}" for name in given)
    return where, {f"told_{name}": value for name, value in given.items()}


def found_by(
    database: Database,
    transaction: Transaction,
    index: str,
    words: Sequence[str],
    sql: str,
    *,
    beginnings: bool,
    **values: Any,
) -> list[Row]:
    """The rows that a statement finds by words, in one way after the other until there are enough; each row once."""
    found: dict[tuple[Value, Value], Row] = {}
    for search in database.searches(transaction, index, words, values["space"], beginnings=beginnings):
        for row in transaction.query(sql, **search, **values):
            found.setdefault((row[0], row[-1]), row)  # its id, and of a note the words it was found by
        if len(found) >= values["limit"]:
            break
    return list(found.values())[: values["limit"]]


def known_by(database: Database, statement: str, words: Sequence[str], *, space: str) -> frozenset[str]:
    """Those of the words for which a statement finds something."""
    with database.reading(space) as transaction:
        return frozenset(
            word
            for word in words
            if transaction.rows(statement, terms=database.terms([word], space, beginnings=False), space=space)
        )


def has_words(text: str) -> bool:
    """Whether every text index finds something in it to look for: which signs of other scripts they take for letters
    differs.
    """
    return any(letter.isascii() and letter.isalnum() for letter in text)


def among(
    named: Mapping[str, str], column: str, members: Sequence[str], *, name: str = "members"
) -> tuple[str, dict[str, Value]]:
    """The condition that a column is one of some texts, beginning with AND, and its parameters.

    It is the same however many they are: a statement that is spelled anew has to be read and planned anew. A statement
    with two lists gives the second another name.
    """
    return f"\nAND {column} {named['among'].replace(':members', f':{name}')}", {name: json.dumps(list(members))}
