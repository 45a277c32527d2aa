"""Rows of judgements and links, and their values."""

from __future__ import annotations

from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.links.statement_link import Judgement, Settlement, Stance, StatementLink, StatementRelation
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value
from recollect.stores.records import time_from


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
