"""A selection as SQL conditions and the values they bind, and counts. No text of a user becomes SQL here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.domain.clock import format_time
from recollect.domain.notes import State
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.domain.selections import Facet, Selection
from recollect.stores.database import Database, Row, Transaction, Value
from recollect.stores.statements import SqlPart

# As they stand in the indexes of those notes only: a value that is bound would not be recognised.
_NOT_ACTIVE, _PINNED, _NOT_PINNED = "note.state <> 'active'", "note.pinned = 1", "note.pinned = 0"

MOST_MEMBERS = 500  # of one list in a statement; longer ones are asked for in pieces


def in_pieces(members: Sequence[str], most: int = MOST_MEMBERS) -> Iterator[Sequence[str]]:
    """The members, each once, as many at a time as a statement takes."""
    each_once = list(dict.fromkeys(members))
    for start in range(0, len(each_once), most):
        yield each_once[start : start + most]


def conditions(selection: Selection) -> tuple[str, dict[str, Value]]:
    """The conditions after a statement's WHERE, beginning with AND, and its parameters."""
    found: list[str] = []
    values: dict[str, Value] = {}

    if selection.known_at is None:
        found.append("note.replaced_at IS NULL")
    else:
        found.append("note.updated_at <= :known_at")
        found.append("(note.replaced_at IS NULL OR note.replaced_at > :known_at)")
        values["known_at"] = format_time(selection.known_at)

    if selection.valid_at is not None:
        found.append("(note.valid_from IS NULL OR note.valid_from <= :valid_at)")
        found.append("(note.valid_until IS NULL OR note.valid_until > :valid_at)")
        found.append("(note.expires_at IS NULL OR note.expires_at > :valid_at)")
        found.append("(note.erase_at IS NULL OR note.erase_at > :valid_at)")
        values["valid_at"] = format_time(selection.valid_at)

    if selection.kept_at is not None and selection.kept_at != selection.valid_at:
        found.append("(note.erase_at IS NULL OR note.erase_at > :kept_at)")
        values["kept_at"] = format_time(selection.kept_at)

    lists = (("state", selection.states), ("kind", selection.kinds), ("authority", selection.authorities))
    for column, members in lists:
        if members:
            names = {f"{column}_{number}": member.value for number, member in enumerate(sorted(members))}
            found.append(f"note.{column} IN ({', '.join(':' + name for name in names)})")
            values.update(names)
    if selection.states and State.ACTIVE not in selection.states:
        found.append(_NOT_ACTIVE)

    equal: dict[str, Value] = {"subject": selection.subject, "attribute": selection.attribute}
    equal.update({f"scope_{name}": getattr(selection.scope, name) for name in SCOPE_FIELDS})
    for column, value in equal.items():
        if value is not None:
            found.append(f"note.{column} = :{column}")
            values[column] = value

    if selection.pinned is not None:
        found.append(_PINNED if selection.pinned else _NOT_PINNED)

    if selection.within is not None:
        found.append("(note.scope_project = :within OR note.scope_project IS NULL)")
        values["within"] = selection.within

    if selection.tag is not None:
        found.append(r"words.tags LIKE :tag ESCAPE '\'")
        values["tag"] = f"% {_escaped(selection.tag)} %"

    if selection.where is not None:
        from recollect.stores.filters.filter_sql import condition_sql

        where, bound = condition_sql(selection.where)
        found.append(where)
        values |= bound

    return "".join(f"\nAND {condition}" for condition in found), values


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


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_GROUPED = {
    Facet.KIND: "note.kind",
    Facet.STATE: "note.state",
    Facet.TAG: "words.tags",
    Facet.SUBJECT: "note.subject",
    Facet.ATTRIBUTE: "note.attribute",
    Facet.USER: "note.scope_user",
    Facet.AGENT: "note.scope_agent",
    Facet.PROJECT: "note.scope_project",
    Facet.SESSION: "note.scope_session",
    Facet.MACHINE: "note.scope_machine",
    Facet.DAY: "substr(note.recorded_at, 1, 10)",
}


class SqlTallies(SqlPart):
    """Implements `Tallies`."""

    def count(self, space: str, selection: Selection) -> int:
        [(total,)] = self._counted(space, selection, "COUNT(*)")
        return int(total)

    def counts(self, space: str, selection: Selection, facet: Facet) -> dict[str, int]:
        column = _GROUPED[facet]
        found: Counter[str] = Counter()
        for value, count in self._counted(space, selection, f"{column}, COUNT(*)", f"\nGROUP BY {column}"):
            # Tags stand together; each is counted.
            for each in ((value or "").split() or [""]) if facet is Facet.TAG else [value or ""]:
                found[each] += count
        return dict(found)

    def _counted(self, space: str, selection: Selection, columns: str, grouped: str = "") -> list[Row]:
        where, values = conditions(selection)
        statement = "selected_ids_by_tag" if "words." in f"{columns}{where}" else "selected_ids"
        sql = self._statements[statement].replace("SELECT note.id", f"SELECT {columns}", 1)
        with self._database.reading(space) as transaction:
            return transaction.query(f"{sql}{where}{grouped}", space=space, **values)
