"""Values: how a message is meant, how two statements relate, and the link that is kept of it.

A link is derived: a model made it, another model may make it anew. A refutation is a person's word, and stays.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.values import Value


class StatementRelation(StrEnum):
    """How a newer statement relates to an older one."""

    UNRELATED = "unrelated"
    SAME = "same"  # says it again
    ADDS = "adds"  # another value that holds beside the older one
    REPLACES = "replaces"
    ENDS = "ends"  # the older one holds no longer, and nothing is said to hold instead


class Stance(StrEnum):
    """How a message is meant. Only what is asserted or decided for a day can change what is known."""

    ASSERTED = "asserted"  # now, of the speaker
    PLANNED = "planned"
    OTHERS = "others"  # of somebody else than the speaker
    QUOTED = "quoted"  # quoted, played or made up
    PAST = "past"
    HYPOTHETICAL = "hypothetical"
    ASKED = "asked"
    TALK = "talk"  # nothing is said that could be true or false
    SCHEDULED = "scheduled"  # decided, and true from a day on that it names


CHANGES = frozenset({StatementRelation.REPLACES, StatementRelation.ENDS})


@dataclass(frozen=True, slots=True, repr=False)
class StatementLink(Value):
    """A newer statement and the older one it replaces, ends or repeats. Both are ids of messages or notes.

    `score` is the probability of the relation times that of the newer one being asserted. `refuted_at` is when a person
    said that the relation is none; `None` if nobody did.
    """

    older: str
    newer: str
    relation: StatementRelation
    score: float
    model: str
    judged_at: datetime
    refuted_at: datetime | None = None
    refuted_by: str | None = None

    @property
    def is_refuted(self) -> bool:
        """Whether a person said that there is no such relation."""
        return self.refuted_at is not None

    @property
    def is_change(self) -> bool:
        """Whether the newer statement takes the place of the older one."""
        return self.relation in CHANGES and not self.is_refuted

    def refuted(self, at: datetime, by: str) -> StatementLink:
        """The same link with a person's word against it."""
        return replace(self, refuted_at=at, refuted_by=by)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything a model says of one text: how it is meant, and its links to older ones.

    `version` is that of the note's words, 0 for a message. `asserted` is the probability that it is asserted. It takes
    the place of any earlier judgement of the record.
    """

    record_id: str
    version: int
    model: str
    stance: Stance
    asserted: float
    judged_at: datetime
    links: tuple[StatementLink, ...] = ()
