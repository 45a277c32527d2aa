"""A judge for tests: it knows a few sentences by their form, gives the same numbers always, and counts its looks."""

from __future__ import annotations

from typing import TypeVar

from recollect import Memory
from recollect.assembly import _inference
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import Stance, StatementRelation
from recollect.inference.static import HashedEmbedder
from tests.support.raw import store_of

SURE = 0.9

C = TypeVar("C")


class TinyJudge:
    """Takes "My NAME is VALUE" for a fact, another VALUE for a change, "I have no NAME now" for an end."""

    def __init__(self, model_id: str = "tiny/1", *, broken: bool = False) -> None:
        self.model_id = model_id
        self.broken = broken
        self.compared: list[tuple[str, str]] = []

    def stances(self, text: str) -> dict[Stance, float]:
        if self.broken:
            raise RuntimeError("the model cannot be run")
        meant = (
            Stance.ASKED if text.endswith("?") else Stance.HYPOTHETICAL if text.startswith("If ") else Stance.ASSERTED
        )
        return _sure_of(meant, tuple(Stance))

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        self.compared.append((older, newer))
        known, said = _fact(older), _fact(newer)
        found = StatementRelation.UNRELATED
        if known is not None and said is not None and known[0] == said[0]:
            found = StatementRelation.SAME if known[1] == said[1] else StatementRelation.REPLACES
            found = StatementRelation.ENDS if not said[1] else found
        return _sure_of(found, tuple(StatementRelation))


class UnsureJudge(TinyJudge):
    """Thinks of every change that it may well be none."""

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        sure = super().relations(older, newer)
        if sure[StatementRelation.REPLACES] < 0.5:
            return sure
        return {**sure, StatementRelation.REPLACES: 0.45, StatementRelation.ADDS: 0.5}


def with_judge(memory: Memory, judge: TinyJudge) -> Memory:
    """The memory with vectors of hashed features, and a judge."""
    store = store_of(memory)
    made = _inference(HashedEmbedder(), None, store, store.log, store.vectors)
    memory._engine.inference.made = replace(made, judge=judge)
    return memory


def _fact(text: str) -> tuple[str, str] | None:
    words = text.rstrip(".").split()
    if words[:1] == ["My"] and "is" in words:
        at = words.index("is")
        return " ".join(words[1:at]), " ".join(words[at + 1 :])
    return (" ".join(words[3:-1]), "") if words[:3] == ["I", "have", "no"] and words[-1] == "now" else None


def _sure_of(one: C, classes: tuple[C, ...]) -> dict[C, float]:
    return {each: SURE if each is one else (1 - SURE) / (len(classes) - 1) for each in classes}
