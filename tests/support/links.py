"""A link between two records, as a model would have judged it, without a model."""

from __future__ import annotations

from recollect import Memory
from recollect.domain.changes import Changes, RefuteLink
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.domain.origin import Origin


def link(
    memory: Memory, older: str, newer: str, relation: StatementRelation = StatementRelation.REPLACES
) -> StatementLink:
    """Keep that one record replaces or ends another, with nobody's word against it."""
    now = memory._engine.clock.now()
    made = StatementLink(older, newer, relation, 0.9, "tiny/1", now)
    memory._engine.store.apply(Changes("default", "judge", now, Origin(), (RefuteLink(made),)))
    return made
