"""Pure: a proposal never stands before the note it contradicts; both are shown, the higher one first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.domain.answers.recollections import Hit
from recollect.domain.notes import Note
from recollect.domain.trust.disputes import dispute_of

NAME = "higher first"


def contested(ranked: Sequence[Hit]) -> dict[str, str]:
    """The hits that are proposals, each with the note that it contradicts from below."""
    return {hit.id: dispute.note_id for hit in ranked if hit.note is not None and (dispute := dispute_of(hit.note))}


def higher_first(ranked: Sequence[Hit], proposals: Mapping[str, str], others: Mapping[str, Note]) -> list[Hit]:
    """The hits, each proposal behind the note it contradicts; that one is taken from `others` if it is no hit."""
    hits = {hit.id: hit for hit in ranked}
    told: dict[str, Hit] = {}
    for hit in ranked:
        higher = proposals.get(hit.id)
        if higher is not None and higher not in told:
            before = hits.get(higher) or _beside(hit, others.get(higher))
            if before is not None:
                told[before.id] = before
        told.setdefault(hit.id, hit)
    return list(told.values())


def _beside(hit: Hit, note: Note | None) -> Hit | None:
    if note is None or hit.note is None or note.scope != hit.note.scope:
        return None
    return Hit(note, hit.score, (f"{NAME}: contradicted by “{hit.text}”",), evidence=tuple(reversed(note.derived_from)))
