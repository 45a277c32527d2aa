"""Judgements and links between statements in any SQL database: read, and edited with what caused them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.changes import Changes, RefuteLink, SettleLink, WriteJudgement
from recollect.domain.clock import format_time
from recollect.domain.errors import NotFound
from recollect.domain.links.statement_link import CLEAR, Judgement, Settlement, Stance, StatementLink, StatementRelation
from recollect.domain.notes import Note
from recollect.domain.observations import Observation
from recollect.stores.conditions import among, in_pieces
from recollect.stores.damaged_rows import reads
from recollect.stores.database import NOTE_WIDTH, Row, SqlPart, Transaction, Value
from recollect.stores.records import note_from_row, observation_from_row, time_from, time_or_none


class SqlStatementLinks(SqlPart):
    """Judgements and links in an SQL database."""

    def links_of(self, space: str, record_ids: Sequence[str], *, with_faint: bool = False) -> list[StatementLink]:
        found: set[Row] = set()
        least = 0.0 if with_faint else CLEAR
        links = self._statements["links_from"]
        with self._database.reading(space) as transaction:
            for some in in_pieces(record_ids):
                # Each half has an index of its own; a condition with OR would have none on one of the databases.
                older, values = among(self._statements, "older", some)
                newer = older.replace("older", "newer")
                found.update(
                    transaction.query(f"{links}{older}\nUNION\n{links}{newer}", space=space, least=least, **values)
                )
        return sorted(map(link_from_row, found), key=lambda link: (link.older, link.newer))

    def judgements(self, space: str, record_ids: Sequence[str]) -> dict[str, Judgement]:
        found: dict[str, Judgement] = {}
        with self._database.reading(space) as transaction:
            for some in in_pieces(record_ids):
                where, values = among(self._statements, "record_id", some)
                rows = transaction.query(f"{self._statements['judgements']}{where}", space=space, **values)
                found.update((judged.record_id, judged) for judged in map(judgement_from_row, rows))
        return found

    def unjudged_notes(self, space: str, model: str, *, limit: int) -> list[tuple[Note, int]]:
        rows = self._read(space, "unjudged_notes", model_id=model, limit=limit)
        return [(note_from_row(row), row[NOTE_WIDTH]) for row in rows]

    def unjudged_messages(self, space: str, model: str, *, limit: int) -> list[Observation]:
        return [
            observation_from_row(row) for row in self._read(space, "unjudged_messages", model_id=model, limit=limit)
        ]

    def waiting(self, space: str, model: str) -> int:
        with self._database.reading(space) as transaction:
            [(notes,)] = transaction.rows("count_unjudged_notes", space=space, model_id=model)
            [(messages,)] = transaction.rows("count_unjudged_messages", space=space, model_id=model)
        return int(notes + messages)

    def models(self, space: str) -> list[str]:
        return sorted(model for (model,) in self._read(space, "judging_models"))

    def doubtful(
        self, space: str, *, between: tuple[float, float], after: tuple[str, str], limit: int
    ) -> list[StatementLink]:
        bounds: dict[str, Value] = {"least": between[0], "most": between[1], "clear": CLEAR}
        rows = self._read(space, "doubtful_links_after", older=after[0], newer=after[1], limit=limit, **bounds)
        return [link_from_row(row) for row in rows]

    def unlinked_changes(self, space: str, *, after: tuple[str, str], limit: int) -> list[StatementLink]:
        rows = self._read(space, "unlinked_changes_after", older=after[0], newer=after[1], limit=limit, clear=CLEAR)
        return [link_from_row(row) for row in rows]

    def refuted(self, space: str, *, after: tuple[str, str], limit: int) -> list[StatementLink]:
        rows = self._read(space, "refuted_links_after", older=after[0], newer=after[1], limit=limit)
        return [link_from_row(row) for row in rows]


def link_values(link: StatementLink) -> dict[str, Value]:
    """A link's columns, without a person's word on it."""
    return {
        "older": link.older,
        "newer": link.newer,
        "relation": link.relation.value,
        "score": link.score,
        "model_id": link.model,
        "judged_at": format_time(link.judged_at),
    }


@reads("statement_link")
def link_from_row(row: Row) -> StatementLink:
    """A link from the columns of `LINK_COLUMNS`."""
    older, newer, relation, score, model, judged_at, refuted_at, refuted_by, *settled = row
    settled_as, settled_by, because, settled_at = settled
    return StatementLink(
        older,
        newer,
        StatementRelation(relation),
        float(score),
        model,
        datetime.fromisoformat(judged_at),
        time_from(refuted_at),
        refuted_by,
        None if settled_as is None else Settlement(settled_as),
        settled_by,
        because,
        time_from(settled_at),
    )


@reads("judgement")
def judgement_from_row(row: Row) -> Judgement:
    """A judgement without its links."""
    record_id, version, model, stance, asserted, judged_at = row
    moment = datetime.fromisoformat(judged_at)
    return Judgement(record_id, int(version), model, Stance(stance), float(asserted), moment)


# What goes with a record, and with a space.
ERASE_LINKS = ("erase_statement_links", "erase_judgement")
ERASE_SPACE_LINKS = ("erase_space_statement_links", "erase_space_judgements")


def write_judgement(transaction: Transaction, changes: Changes, edit: WriteJudgement) -> None:
    """Put a judgement with its links in the place of the earlier one. What was erased meanwhile is passed over."""
    judged, space = edit.judgement, changes.space
    there = transaction.rows(
        "write_judgement",
        space=space,
        record_id=judged.record_id,
        version=judged.version,
        model_id=judged.model,
        stance=judged.stance.value,
        asserted=judged.asserted,
        judged_at=format_time(judged.judged_at),
    )
    if there:
        transaction.rows("drop_judged_links", space=space, id=judged.record_id)
        for link in judged.links:
            transaction.rows("write_statement_link", space=space, **link_values(link))


def settle_link(transaction: Transaction, changes: Changes, edit: SettleLink) -> None:
    """Keep the word of a language model; a link that is gone, judged anew or refuted by a person is passed over."""
    asked = {"older": edit.older, "newer": edit.newer, "judged_at": format_time(edit.judged_at)}
    transaction.rows("write_unlinked_change", space=changes.space, **asked)
    transaction.rows(
        "settle_link",
        space=changes.space,
        **asked,
        settled_as=edit.settled_as and edit.settled_as.value,
        settled_by=edit.settled_by,
        settled_because=edit.settled_because,
        settled_at=format_time(changes.at),
    )


def refute_link(transaction: Transaction, changes: Changes, edit: RefuteLink) -> None:
    """Keep a person's word on a link; both of its ends must be there."""
    link = edit.link
    word = {"refuted_at": time_or_none(link.refuted_at), "refuted_by": link.refuted_by}
    if not transaction.rows("refute_link", space=changes.space, **link_values(link), **word):
        raise NotFound(f"One of {link.older} and {link.newer} is not in `{changes.space}`.", code="record_not_found")
