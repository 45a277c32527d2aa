"""How a message is meant, how two statements relate, the link that is kept of it, and the ports of both.

A link is derived: a model made it, another model may make it anew. A refutation is a person's word, and stays.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from recollect.domain.dataclass import dataclass, replace
from recollect.domain.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.domain.notes import Note
    from recollect.domain.observations import Observation


class StatementRelation(StrEnum):
    """How a newer statement relates to an older one."""

    UNRELATED = "unrelated"
    SAME = "same"  # says it again
    ADDS = "adds"  # another value that holds beside the older one
    REPLACES = "replaces"
    ENDS = "ends"  # the older one holds no longer, and nothing is said to hold instead


class Stance(StrEnum):
    """How a message is meant. Only what is asserted, of whomever, or decided for a day can change what is known."""

    ASSERTED = "asserted"  # now, of the speaker
    PLANNED = "planned"
    OTHERS = "others"  # of somebody else than the speaker
    QUOTED = "quoted"  # quoted, played or made up
    PAST = "past"
    HYPOTHETICAL = "hypothetical"
    ASKED = "asked"
    TALK = "talk"  # nothing is said that could be true or false
    SCHEDULED = "scheduled"  # decided, and true from a day on that it names


class Settlement(StrEnum):
    """How two statements relate that the judge was unsure of, as a language model settled it."""

    UNRELATED = "unrelated"
    SAME = "same"
    ADDS = "adds"
    REPLACES = "replaces"
    ENDS = "ends"
    CONTRADICTS = "contradicts"  # both cannot hold, and neither says that something changed


CHANGES = frozenset({StatementRelation.REPLACES, StatementRelation.ENDS})
CLEAR = 0.3  # a score below which nobody is told of a link: it is only weighed where hits are put in order
SETTLED = 0.9  # how much the word of a language model counts: as much as a judge that is sure


@dataclass(frozen=True, slots=True, repr=False)
class StatementLink(Value):
    """A newer statement and the older one it replaces, ends or repeats. Both are ids of messages or notes.

    `score` is the probability of the relation, that of a change weighed by how like the two are, times that of the
    newer one being asserted, of whomever. `refuted_at` is when a person said that the relation is none; `None` if
    nobody did. Where the judge was unsure a language model may have been asked: `settled_as` is its word, `settled_by`
    the model and the version of its prompt, `settled_because` its reason.
    """

    older: str
    newer: str
    relation: StatementRelation
    score: float
    model: str
    judged_at: datetime
    refuted_at: datetime | None = None
    refuted_by: str | None = None
    settled_as: Settlement | None = None
    settled_by: str | None = None
    settled_because: str | None = None
    settled_at: datetime | None = None

    @property
    def stands_as(self) -> Settlement | StatementRelation:
        """The relation that counts: the word of a language model, if one was asked, or else that of the judge."""
        return self.settled_as or self.relation

    @property
    def strength(self) -> float:
        """How sure the relation is that counts, from 0 to 1."""
        return self.score if self.settled_as is None else SETTLED

    @property
    def is_faint(self) -> bool:
        """Whether the judge hardly believes it, and nobody else has spoken on it."""
        return self.strength < CLEAR and not self.is_refuted

    @property
    def is_refuted(self) -> bool:
        """Whether a person said that there is no such relation."""
        return self.refuted_at is not None

    @property
    def is_change(self) -> bool:
        """Whether the newer statement takes the place of the older one."""
        return self.stands_as.value in CHANGES and not self.is_refuted

    def unsettled(self) -> StatementLink:
        """The same link before a language model was asked about it."""
        return replace(self, settled_as=None, settled_by=None, settled_because=None, settled_at=None)

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


class Judge(Protocol):
    """A model that tells how a message is meant and how two of them relate. The same texts give the same numbers."""

    @property
    def model_id(self) -> str:
        """The model, so exactly that two with the same id give the same numbers."""
        ...

    def stances(self, text: str) -> Mapping[Stance, float]:
        """The probability of each stance of a message."""
        ...

    def relations(self, older: str, newer: str) -> Mapping[StatementRelation, float]:
        """The probability of each relation of a newer statement to an older one."""
        ...


class StatementLinks(Protocol):
    """Links and judgements, read beside the store and written by the same `Store.apply`."""

    def links_of(self, space: str, record_ids: Sequence[str], *, with_faint: bool = False) -> Sequence[StatementLink]:
        """The links that begin or end at some records, by older and then newer; refuted ones too, and faint ones if
        they are asked for.
        """
        ...

    def judgements(self, space: str, record_ids: Sequence[str]) -> dict[str, Judgement]:
        """The newest judgement of each of some records, without its links."""
        ...

    def unjudged_notes(self, space: str, model: str, *, limit: int) -> Sequence[tuple[Note, int]]:
        """Notes whose words the model has not judged yet, oldest id first, with the version of their words."""
        ...

    def unjudged_messages(self, space: str, model: str, *, limit: int) -> Sequence[Observation]:
        """Messages that the model has not judged yet, oldest id first."""
        ...

    def waiting(self, space: str, model: str) -> int:
        """How many texts the model has not judged yet."""
        ...

    def models(self, space: str) -> Sequence[str]:
        """The models that judged something in a space."""
        ...

    def doubtful(
        self, space: str, *, between: tuple[float, float], after: tuple[str, str], limit: int
    ) -> Sequence[StatementLink]:
        """Links in doubt, by older and newer, on which neither a language model nor a person has spoken: those with
        such a score, and those on which facts that were read from both messages say otherwise.
        """
        ...

    def unlinked_changes(self, space: str, *, after: tuple[str, str], limit: int) -> Sequence[StatementLink]:
        """Changes of facts that the judge saw nothing of, by older and newer: links that are not kept, unrelated."""
        ...

    def refuted(self, space: str, *, after: tuple[str, str], limit: int) -> Sequence[StatementLink]:
        """Refuted links by older and newer, for an export."""
        ...
