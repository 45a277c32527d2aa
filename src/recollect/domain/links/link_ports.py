"""Ports: the model that judges statements, and the store of what it judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.domain.links.statement_link import Judgement, Stance, StatementLink, StatementRelation
    from recollect.domain.notes import Note
    from recollect.domain.observations import Observation


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

    def links_of(self, space: str, record_ids: Sequence[str]) -> Sequence[StatementLink]:
        """The links that begin or end at some records, by older and then newer; refuted ones too."""
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
