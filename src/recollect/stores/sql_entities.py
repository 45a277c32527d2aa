"""Notes by the entities they name, read from any SQL database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from recollect.domain.graph.mentions import MAX_KEY, NamedPair, Role, TypeVotes
from recollect.domain.notes import Note
from recollect.domain.selections import Selection
from recollect.stores.conditions import among, in_pieces
from recollect.stores.database import Row, SqlPart, Transaction, Value
from recollect.stores.records import note_from_row
from recollect.stores.sql_store import conditions

_LAST = "\U0010ffff"  # comes after every sign that a key goes on with
_A_PAGE, _MOST_PAGES = 500, 20  # of notes that are looked at for those of a selection
_MOST_BESIDE = 4_000  # pairs of names that are read before the newest notes of each name are told apart


class SqlEntities(SqlPart):
    """Implements `EntityIndex` for any SQL database."""

    def naming(
        self,
        space: str,
        key: str,
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        selection: Selection | None = None,
        before: str | None = None,
        limit: int,
    ) -> Sequence[Note]:
        where, values = self._parts(roles, attributes)
        found: list[Note] = []
        size = limit
        with self._database.reading(space) as transaction:
            for _ in range(_MOST_PAGES):
                further = "" if before is None else "\nAND note_id < :before"
                values |= {} if before is None else {"before": before}
                sql = f"{self._statements['naming']}{where}{further}\nORDER BY note_id DESC\nLIMIT :limit"
                page = transaction.query(sql, space=space, key=key, limit=size, **values)
                found += self._notes(transaction, space, [row[0] for row in page], selection)
                if len(page) < size or len(found) >= limit:
                    break
                before, size = str(page[-1][0]), _A_PAGE
        return sorted(found, key=lambda note: note.id, reverse=True)[:limit]

    def naming_any(
        self,
        space: str,
        keys: Collection[str],
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        selection: Selection | None = None,
        limit: int,
    ) -> Mapping[str, Sequence[Note]]:
        with self._database.reading(space) as transaction:
            ids = self._newest(transaction, space, keys, self._parts(roles, attributes), limit + 1)
            many = [key for key, named in ids.items() if len(named) > limit]
            wanted = {each for key, named in ids.items() if key not in many for each in named}
            notes = {note.id: note for note in self._notes(transaction, space, sorted(wanted), selection)}
        found: dict[str, Sequence[Note]] = {
            key: [notes[each] for each in sorted(named, reverse=True) if each in notes] for key, named in ids.items()
        }
        for key in many:  # of these some may not be selected, and older ones take their place
            found[key] = self.naming(space, key, roles=roles, attributes=attributes, selection=selection, limit=limit)
        return {key: named for key, named in found.items() if named}

    def beside(self, space: str, keys: Collection[str], *, selection: Selection, limit: int) -> Sequence[NamedPair]:
        found: list[Row] = []
        with self._database.reading(space) as transaction:
            for some in in_pieces(sorted(keys)):
                within, bound = among(self._statements, "naming.key", some)
                sql = f"{self._statements['named_beside']}{within}\nLIMIT :most"
                rows = transaction.query(sql, space=space, most=_MOST_BESIDE, **bound)
                if len(rows) == _MOST_BESIDE:  # one of them may be named by very many notes
                    selected, given = conditions(selection)
                    near = f"{self._statements['newest_selected']}{within}{selected}"
                    grouped = f"WITH near AS ({near}\nGROUP BY naming.key, naming.note_id)"
                    sql = f"{grouped}\n{self._statements['newest_beside']}"
                    rows = transaction.query(sql, space=space, limit=limit, **bound, **given)
                found += rows
        return [NamedPair._make(row) for row in found]

    def selected(self, space: str, note_ids: Collection[str], *, selection: Selection) -> frozenset[str]:
        selected, given = conditions(selection)
        return frozenset(row[0] for row in self._among(space, "selected_ids", "note.id", note_ids, selected, given))

    def _newest(
        self,
        transaction: Transaction,
        space: str,
        keys: Collection[str],
        parts: tuple[str, Mapping[str, Value]],
        limit: int,
    ) -> dict[str, list[str]]:
        """The ids of the newest notes that name each of some keys in such parts."""
        where, values = parts
        ids: dict[str, list[str]] = {}
        for some in in_pieces(sorted(keys)):
            within, bound = among(self._statements, "key", some)
            # All that are wanted of each key come before any that are not.
            order = "\nGROUP BY key, note_id\nORDER BY place\nLIMIT :most"
            sql, most = f"{self._statements['newest_naming']}{where}{within}{order}", len(some) * limit
            for key, note_id, place in transaction.query(sql, space=space, most=most, **bound, **values):
                if place <= limit:
                    ids.setdefault(key, []).append(note_id)
        return ids

    def keys(
        self,
        space: str,
        *,
        roles: Collection[Role] = (),
        attributes: Collection[str] = (),
        beginning: str = "",
        after: str = "",
        limit: int,
    ) -> Sequence[str]:
        where, values = self._parts(roles, attributes)
        sql = f"{self._statements['mentioned_keys']}{where}\nORDER BY key\nLIMIT :limit"
        if attributes:
            # Each with a limit of its own: no more keys are read of any attribute than are given out.
            named, some = self._statements["mentioned_keys"], "\nORDER BY key\nLIMIT :limit) AS part"
            parts = [
                f"SELECT key FROM ({named}\nAND role = '{role.value}' AND attribute = :{name}{some}"  # noqa: S608 - our words
                for role in sorted(roles or Role)
                for name in values
            ]
            sql = "\nUNION\n".join(parts) + "\nORDER BY key\nLIMIT :limit"
        values |= {"after": after, "least": max(after, beginning), "beyond": f"{beginning[:MAX_KEY]}{_LAST}"}
        values["limit"] = limit
        with self._database.reading(space) as transaction:
            return [row[0] for row in transaction.query(sql, space=space, **values)]

    def known(
        self, space: str, keys: Collection[str], *, roles: Collection[Role] = (), attributes: Collection[str] = ()
    ) -> frozenset[str]:
        where, values = self._parts(roles, attributes)
        return frozenset(row[0] for row in self._among(space, "named_keys", "key", keys, where, values))

    def settled(self, space: str, votes: TypeVotes, *, selection: Selection, limit: int) -> frozenset[str]:
        selected, given = conditions(selection)
        lists = votes._asdict()
        values: dict[str, Value] = {"limit": limit, "kind": lists.pop("kind")}
        within = dict[str, str]()
        for name, attributes in lists.items():
            condition, bound = among(self._statements, "attribute", sorted(attributes), name=name)
            within[name] = condition.removeprefix("\nAND ")
            values |= bound
        value = "role IN ('object', 'target')"
        told = f"role = 'subject' AND {within['by_subject']} OR {value} AND {within['by_value']}"
        against = f"role = 'subject' AND {within['subject_against']} OR {value} AND {within['value_against']}"
        part = (
            "SELECT space, key, note_id,"
            f"\nCASE WHEN {told} OR role = 'kind' AND attribute = :kind THEN 1 ELSE 0 END AS speaks_for,"
            f"\nCASE WHEN {against} OR role = 'kind' AND attribute <> :kind OR role IN ('project', 'tag', 'file')"
            "\nTHEN 1 ELSE 0 END AS speaks_against\nFROM note_entity WHERE space = :space"
        )
        sql = f"WITH part AS ({part})\n{self._statements['unopposed_keys']}"
        with self._database.reading(space) as transaction:
            named = [(str(key), str(note_id)) for key, note_id in transaction.query(sql, space=space, **values)]
        ids = {note_id for _, note_id in named}
        unchanged = {row[0] for row in self._among(space, "unchanged_notes", "note.id", ids, selected, given)}
        return frozenset(key for key, note_id in named if note_id in unchanged)

    def related_to(self, space: str, note_ids: Collection[str]) -> Sequence[tuple[str, str]]:
        found = {
            (row[0], row[1])
            for column in ("note_id", "target_id")
            for row in self._among(space, "related_from", column, note_ids)
        }
        return sorted(found)

    def related_naming(self, space: str, keys: Collection[str], *, limit: int) -> Sequence[tuple[str, str]]:
        found = set[tuple[str, str]]()
        with self._database.reading(space) as transaction:
            for some in in_pieces(sorted(keys)):
                within, bound = among(self._statements, "naming.key", some)
                related = "\nUNION\n".join(
                    f"{self._statements['related_naming']}\nAND link.{column} = naming.note_id{within}"
                    for column in ("note_id", "target_id")
                )
                sql = f"WITH related AS ({related})\n{self._statements['newest_related']}"
                found.update((row[0], row[1]) for row in transaction.query(sql, space=space, limit=limit, **bound))
        return sorted(found)

    def _notes(
        self, transaction: Transaction, space: str, ids: Sequence[str], selection: Selection | None
    ) -> list[Note]:
        """Those of some notes that a selection takes, in no order."""
        selected, given = conditions(selection or Selection())
        found: list[Note] = []
        for some in in_pieces(ids):
            within, members = among(self._statements, "note.id", some)
            sql = f"{self._statements['notes']}{within}{selected}"
            found += map(note_from_row, transaction.query(sql, space=space, **members, **given))
        return found

    def _among(
        self,
        space: str,
        statement: str,
        column: str,
        members: Collection[str],
        where: str = "",
        values: Mapping[str, Value] | None = None,
    ) -> list[Row]:
        found: list[Row] = []
        with self._database.reading(space) as transaction:
            for some in in_pieces(sorted(members)):
                within, bound = among(self._statements, column, some)
                sql = f"{self._statements[statement]}{where}{within}"
                found += transaction.query(sql, space=space, **bound, **(values or {}))
        return found

    def _parts(self, roles: Collection[Role], attributes: Collection[str]) -> tuple[str, dict[str, Value]]:
        """The conditions on parts and attributes. The words for parts are ours, and no text of a user."""
        where = f"\nAND role IN ({', '.join(repr(role.value) for role in sorted(roles))})" if roles else ""
        names: dict[str, Value] = {f"attribute_{number}": name for number, name in enumerate(sorted(attributes))}
        if names:
            where += f"\nAND attribute IN ({', '.join(':' + name for name in names)})"
        return where, names
