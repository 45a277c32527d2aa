"""The one store, written for any SQL database: every read, and the one write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

from recollect.domain.clock import format_time
from recollect.domain.notes import Note, State
from recollect.domain.scopes import ANYWHERE, SCOPE_FIELDS, Scope, Space, moved_away
from recollect.domain.selections import Selection
from recollect.stores.conditions import MOST_MEMBERS, among, found_by, in_pieces, known_by
from recollect.stores.damaged_rows import reads
from recollect.stores.database import NOTE_WIDTH, Database, Row, Search, SqlPart, Transaction, Value
from recollect.stores.records import note_from_row, time_from

if TYPE_CHECKING:
    from recollect.domain.answers.recollections import Match, SpaceSummary
    from recollect.domain.changes import Changes, Idempotency, Receipt
    from recollect.stores.filters.sql_upkeep import SqlUpkeep
    from recollect.stores.jobs.sql_brains import SqlBrains
    from recollect.stores.jobs.sql_jobs import SqlJobs
    from recollect.stores.jobs.sql_webhooks import SqlWebhooks
    from recollect.stores.sql_access import SqlAccessTokens, SqlSignIns
    from recollect.stores.sql_activity import SqlActivity, SqlTallies
    from recollect.stores.sql_archive import SqlArchive, SqlDesk
    from recollect.stores.sql_attachments import SqlAttachments
    from recollect.stores.sql_entities import SqlEntities
    from recollect.stores.sql_evaluations import SqlEvaluations
    from recollect.stores.sql_links import SqlStatementLinks
    from recollect.stores.sql_log import SqlLineage, SqlLog, SqlReceipts, SqlReminders
    from recollect.stores.sql_spend import SqlProviderKeys, SqlSpendLedger
    from recollect.stores.sql_vectors import SqlVectors

P_co = TypeVar("P_co", covariant=True)

_SERVED_SEEN_WITHIN = 5.0  # seconds after which every process knows that a space was moved; a write knows at once
_SEEN_SPACES = 10_000
_MORE = 50  # notes that are looked at beyond those that are wanted, since a filter may let some not pass


class _Part(Generic[P_co]):
    """A part of the store, loaded by the first verb that needs it: a short command needs few."""

    def __init__(self, module: str, kind: str, *, in_part: bool = False) -> None:
        self._module, self._kind, self._in_part = f"recollect.stores.{module}", kind, in_part

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, store: SqlStore, owner: type) -> P_co:
        kind = getattr(import_module(self._module), self._kind)
        part: P_co = kind(store._database, store._within) if self._in_part else kind(store._database)
        vars(store)[self._name] = part
        return part


class SqlStore(SqlPart):
    """Memory in an SQL database."""

    lineage: _Part[SqlLineage] = _Part("sql_log", "SqlLineage")
    tallies: _Part[SqlTallies] = _Part("sql_activity", "SqlTallies")
    log: _Part[SqlLog] = _Part("sql_log", "SqlLog")
    upkeep: _Part[SqlUpkeep] = _Part("filters.sql_upkeep", "SqlUpkeep")
    archive: _Part[SqlArchive] = _Part("sql_archive", "SqlArchive")
    attachments: _Part[SqlAttachments] = _Part("sql_attachments", "SqlAttachments")
    desk: _Part[SqlDesk] = _Part("sql_archive", "SqlDesk")
    vectors: _Part[SqlVectors] = _Part("sql_vectors", "SqlVectors")
    links: _Part[SqlStatementLinks] = _Part("sql_links", "SqlStatementLinks")
    receipts: _Part[SqlReceipts] = _Part("sql_log", "SqlReceipts", in_part=True)
    reminders: _Part[SqlReminders] = _Part("sql_log", "SqlReminders", in_part=True)
    tokens: _Part[SqlAccessTokens] = _Part("sql_access", "SqlAccessTokens")
    jobs: _Part[SqlJobs] = _Part("jobs.sql_jobs", "SqlJobs")
    sign_ins: _Part[SqlSignIns] = _Part("sql_access", "SqlSignIns")
    webhooks: _Part[SqlWebhooks] = _Part("jobs.sql_webhooks", "SqlWebhooks")
    activity: _Part[SqlActivity] = _Part("sql_activity", "SqlActivity")
    spend: _Part[SqlSpendLedger] = _Part("sql_spend", "SqlSpendLedger")
    provider_keys: _Part[SqlProviderKeys] = _Part("sql_spend", "SqlProviderKeys")
    evaluations: _Part[SqlEvaluations] = _Part("sql_evaluations", "SqlEvaluations")
    entities: _Part[SqlEntities] = _Part("sql_entities", "SqlEntities")
    brains: _Part[SqlBrains] = _Part("jobs.sql_brains", "SqlBrains")

    def __init__(self, database: Database, schema: int, within: Scope = ANYWHERE) -> None:
        super().__init__(database)
        self._schema, self._within = schema, within
        # By space, until when it is known whether it is here, and whether it is.
        self._seen: dict[str, tuple[float, bool]] = {}

    def bound_to(self, within: Scope) -> SqlStore:
        """The same store, of which a part of each space can be read and written. It is not closed by itself."""
        from recollect.stores.bound.bound_database import BoundDatabase

        return SqlStore(BoundDatabase(self._database, within), self._schema, within)

    @property
    def database(self) -> Database:
        """The database itself, for a move between two of them."""
        return self._database

    @property
    def kind(self) -> str:
        return self._database.dialect

    @property
    def location(self) -> str:
        return self._database.location

    @property
    def schema(self) -> int:
        return self._schema

    def apply(self, changes: Changes, *, rehearse: bool = False) -> Receipt:
        from recollect.redaction.clean_records import clean_changes, holds_secret, refuse_secret
        from recollect.stores.application import apply

        if holds_secret(changes.space) and self.space(changes.space) is None:
            refuse_secret(changes.space, "space")
        clean = clean_changes(changes)
        with self._database.writing(changes.space, rehearse=rehearse) as transaction:
            return apply(transaction, clean, self._within)

    def replay(self, space: str, request: Idempotency) -> Receipt | None:
        from recollect.stores.application import replay

        with self._database.reading(space) as transaction:
            return replay(transaction, space, request, self._within)

    def reading(self, space: str) -> AbstractContextManager[object]:
        return self._database.reading(space)

    def serves(self, space: str) -> bool:
        until, is_here = self._seen.get(space, (0.0, False))
        if monotonic() < until:
            return is_here
        with self._database.reading(space) as transaction:
            if transaction.rows("served_elsewhere", space=space):
                raise moved_away(space)
            is_here = bool(transaction.rows("space", space=space))
        if len(self._seen) >= _SEEN_SPACES:
            self._seen.clear()
        self._seen[space] = (monotonic() + _SERVED_SEEN_WITHIN, is_here)
        return is_here

    def spaces(self) -> Sequence[Space]:
        with self._database.reading(None) as transaction:
            found = [_space(row) for row in transaction.rows("spaces")]
        # Ordered here because the two databases sort text differently.
        return sorted(found, key=lambda space: space.name)

    def space(self, name: str) -> Space | None:
        found = self._read(name, "space")
        return _space(found[0]) if found else None

    def summary(self, space: Space) -> SpaceSummary:
        states: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        with self._database.reading(space.name) as transaction:
            for state, kind, count in transaction.rows("count_notes", space=space.name):
                states[state] += count
                kinds[kind] += count
            [(versions,)] = transaction.rows("count_versions", space=space.name)
            [(erased,)] = transaction.rows("count_tombstones", space=space.name)
            quota = transaction.rows("quota", space=space.name)
        sessions, observations = self.archive.counts(space.name)
        verdicts = self.archive.verdicts(space.name)
        judged = sum(verdicts.values())
        files, most_of_files = self.attachments.size(space.name)
        from recollect.domain.answers.recollections import KEPT, SpaceSummary

        return SpaceSummary(
            name=space.name,
            description=space.description,
            created_at=space.created_at,
            changes=space.seq,
            notes=states.total(),
            versions=versions,
            erased=erased,
            by_state=dict(sorted(states.items())),
            by_kind=dict(sorted(kinds.items())),
            sessions=sessions,
            observations=observations,
            verdicts=dict(sorted(verdicts.items())),
            max_notes=quota[0][0] if quota else None,
            max_messages=quota[0][1] if quota else None,
            attachment_bytes=files,
            max_attachment_bytes=most_of_files,
            junk_rate=round(1 - verdicts.get(KEPT, 0) / judged, 4) if judged else 0.0,
        )

    def note(self, space: str, note_id: str, *, known_at: datetime | None = None) -> Note | None:
        if known_at is None:
            found = self._read(space, "current_note", id=note_id)
        else:
            found = self._read(space, "note_known_at", id=note_id, known_at=format_time(known_at))
        return note_from_row(found[0]) if found else None

    def current(self, space: str, note_ids: Sequence[str]) -> dict[str, Note]:
        found: dict[str, Note] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(note_ids):
                where, values = among(self._statements, "note.id", some)
                sql = f"{self._statements['notes']}{where}\nAND note.replaced_at IS NULL"
                rows = transaction.query(sql, space=space, **values)
                found.update((note.id, note) for note in map(note_from_row, rows))
        return found

    def version(self, space: str, note_id: str, version: int) -> Note | None:
        found = self._read(space, "note_version", id=note_id, version=version)
        return note_from_row(found[0]) if found else None

    def versions(self, space: str, note_ids: Sequence[str]) -> Sequence[Note]:
        with self._database.reading(space) as transaction:
            return [
                note_from_row(row)
                for note_id in sorted(set(note_ids))
                for row in transaction.rows("note_versions", space=space, id=note_id)
            ]

    def notes(self, space: str, selection: Selection, *, before: str | None, limit: int) -> Sequence[Note]:
        with self._database.reading(space) as transaction:
            tagged = self._database.tagged(transaction, selection.tag, space) if selection.tag else None
            few = self._few(transaction, selection, space)
            if few is None:
                sql, values = self.listing(selection, before=before, tagged=tagged)
                return list(map(note_from_row, transaction.query(sql, space=space, limit=limit, **values)))
            found: list[Note] = []
            older = sorted(few if before is None else (each for each in few if each < before), reverse=True)
            for some in in_pieces(older, min(limit + _MORE, MOST_MEMBERS)):
                sql, values = self.listing(selection, before=None, tagged=tagged, few=some)
                rows = transaction.query(sql, space=space, limit=limit - len(found), **values)
                found += map(note_from_row, rows)
                if len(found) == limit:
                    break
            return found

    def listing(
        self,
        selection: Selection,
        *,
        before: str | None,
        tagged: Search | None = None,
        few: Sequence[str] | None = None,
    ) -> tuple[str, dict[str, Value]]:
        """The statement that lists notes newest first, and what it binds beside the space and the limit.

        `tagged` are those among which the ones with the tag are looked for, and `few` the ids of those that may pass
        the filter; `None` for all.
        """
        where, values = conditions(selection)
        older, order = "AND note.id < :before", "ORDER BY note.id DESC"
        if tagged is not None:
            condition, older, order = (self._statements[name] for name in ("tagged", "tagged_before", "tagged_order"))
            where += f"\n{condition}"
            values |= tagged
        if few is not None:
            older, order = (self._statements[name] for name in ("tagged_before", "tagged_order"))
            condition, members = among(self._statements, "note.id", few)
            where += condition
            values |= members
        if before is not None:
            where += f"\n{older}"
            values["before"] = before
        notes = self._statements["notes"]
        if self._within != ANYWHERE:
            pass  # a view has no index to name
        elif selection.known_at is not None:
            notes = notes.replace("FROM note ", f"FROM note {self._statements['by_times']} ")
        elif selection.where is not None and few is None and not _has_index(selection):
            notes = notes.replace("FROM note ", f"FROM note {self._statements['in_order']} ")
        return f"{notes}{where}\n{order}\nLIMIT :limit", values

    def _few(self, transaction: Transaction, selection: Selection, space: str) -> list[str] | None:
        """The ids of the notes that may pass the filter of a selection, if they are few."""
        if selection.where is None or selection.known_at is not None:
            return None
        from recollect.stores.filters.filter_sql import few_ids

        return few_ids(self._database, transaction, selection.where, space)

    def ids(self, space: str, selection: Selection) -> Sequence[str]:
        where, values = conditions(selection)
        # Only tags stand with the words; without them the words need not be read.
        statement = "selected_ids_by_tag" if _reads_words(selection) else "selected_ids"
        with self._database.reading(space) as transaction:
            rows = transaction.query(f"{self._statements[statement]}{where}", space=space, **values)
        return list(dict.fromkeys(row[0] for row in rows))

    def matching(
        self, space: str, words: Sequence[str], selection: Selection, *, limit: int, beginnings: bool = False
    ) -> Sequence[Match]:
        if not words:
            return []
        where, values = conditions(selection)
        order = self._statements["matching_order"]
        sql = f"{self._statements['matching']}{where}\n{order}\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            rows = found_by(
                self._database,
                transaction,
                "note_words",
                words,
                sql,
                beginnings=beginnings,
                space=space,
                limit=limit,
                **values,
            )
        from recollect.domain.answers.recollections import Match

        return [Match(note_from_row(row), row[NOTE_WIDTH]) for row in rows]

    def known_words(self, space: str, words: Sequence[str]) -> frozenset[str]:
        return known_by(self._database, "note_with", words, space=space)

    def close(self) -> None:
        self._database.close()


def _has_index(selection: Selection) -> bool:
    """Whether an index finds what is selected beside the filter."""
    return bool(
        selection.kinds
        or selection.subject
        or selection.attribute
        or selection.tag
        or selection.pinned
        or selection.scope != ANYWHERE
        or (selection.states and State.ACTIVE not in selection.states)
    )


def _reads_words(selection: Selection) -> bool:
    """Whether a selection is about titles, texts or tags."""
    if selection.where is None:
        return selection.tag is not None
    from recollect.stores.filters.filter_sql import reads_words

    return selection.tag is not None or reads_words(selection.where)


@reads("space", ("name", "description", "created_at", "seq"))
def _space(row: Row) -> Space:
    name, description, created_at, seq, deleted_at = row
    return Space(name, description, datetime.fromisoformat(created_at), seq, time_from(deleted_at))


# As they stand in the indexes of those notes only: a value that is bound would not be recognised.
_NOT_ACTIVE, _PINNED, _NOT_PINNED = "note.state <> 'active'", "note.pinned = 1", "note.pinned = 0"


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


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
