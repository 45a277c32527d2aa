"""What we aim at, beside what was measured. A target is printed and never asserted: machines and data differ.

The quality targets are for the development halves of the sets; other conversations will score a little lower.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.adding import STATIC, WITH_MODEL
from bench.card import Row, Table
from bench.hooks import SPOOL, WARM
from bench.judging import UPDATED_ABOVE
from bench.retelling import TOGETHER
from recollect.domain.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A figure, by the path to it in a card's sets, and where it should be: at least, or at most, so much."""

    path: tuple[str, ...]
    least: float | None = None
    most: float | None = None

    @property
    def name(self) -> str:
        return ", ".join(part for part in self.path if part not in ("categories", "sizes", "search", "per_second"))

    def is_met_by(self, measured: float) -> bool:
        return (self.least is None or measured >= self.least) and (self.most is None or measured <= self.most)


_LARGE = ("speed", "sizes", "100000")
TARGETS = (
    Target(("locomo", "recall@5"), least=0.79),
    Target(("locomo", "recall@10"), least=0.87),
    Target(("locomo", "ndcg@10"), least=0.71),
    Target(("locomo", "categories", "multi-hop", "recall@10"), least=0.66),
    Target(("locomo", "categories", "adversarial", "recall@5"), least=0.78),
    Target(("realmem", "ndcg@10"), least=0.37),
    Target(("beam", "ndcg@10"), least=0.64),
    Target(("beam", UPDATED_ABOVE), least=0.90),
    Target(("lifebench", "ndcg@10"), least=0.54),
    Target(("updates", "current@1"), least=0.70),
    Target(("updates", "stable@1"), least=0.70),
    Target(("updates", "as_of@1"), least=0.60),
    Target(("updates", "stale in top 5"), most=0.05),
    Target(("factconsolidation", "answer@1"), least=0.95),
    Target((*_LARGE, "search", "with_model", "p50_ms"), most=15),
    Target((*_LARGE, "search", "with_model", "p95_ms"), most=40),
    Target((*_LARGE, "search", "with_model", "cpu_p50_ms"), most=15),
    Target((*_LARGE, "search", "with_model", "cpu_p95_ms"), most=40),
    Target(("speed", "growth", "10000 to 100000"), most=2),
    Target(("speed", "growth", "100000 to 1000000"), most=2),
    Target((*_LARGE, "first_search_ms"), most=400),
    Target((*_LARGE, "resident_mb"), most=400),
    Target((*_LARGE, "first_search_cpu_ms"), most=400),
    Target(("speed", "per_second", WITH_MODEL), least=150),
    Target(("speed", "per_second", STATIC), least=2000),
    Target(("hooks", WARM, "UserPromptSubmit", "p50_ms"), most=100),
    Target(("hooks", WARM, "PostToolUse", "p50_ms"), most=100),
    Target(("hooks", SPOOL, "PostToolUse", "p50_ms"), most=60),
    Target(("soak", "shims", "first_answer_p50_ms"), most=300),
    Target(("soak", "shims", "processes_left"), most=0),
    Target(("soak", "shims", "sockets_left"), most=0),
)
_FASTER = 10  # times, than mem0 with the same embedder
_MOST_LOST = 0.03  # of LoCoMo's recall@10, when all conversations are in one space


def targets_table(sets: Mapping[str, Any]) -> Table | None:
    """Every target whose figure was measured; nothing if none was."""
    rows = [_row(target, float(found)) for target in TARGETS if (found := _at(sets, target.path)) is not None]
    as_one = _at(sets, ("locomo", TOGETHER, "recall@10"))
    if as_one is not None:
        lost = Target(("locomo", "recall@10 lost when all are in one space"), most=_MOST_LOST)
        rows.append(_row(lost, sets["locomo"]["recall@10"] - as_one))
    peer, ours = (_at(sets, ("locomo", *path, "question_ms")) for path in (("peers", "mem0"), ("vectors_known",)))
    if peer is not None and ours:
        rows.append(_row(Target(("locomo", "times as fast as mem0, vectors known"), least=_FASTER), peer / ours))
    return Table("targets", rows) if rows else None


def _row(target: Target, measured: float) -> Row:
    aim = f"≥ {target.least:g}" if target.least is not None else f"≤ {target.most:g}"
    shown = f"{measured:.3f}" if abs(measured) < 10 else f"{measured:,.0f}"
    return {"target": target.name, "aim": aim, "measured": shown, "met": "yes" if target.is_met_by(measured) else "no"}


def _at(sets: Mapping[str, Any], path: tuple[str, ...]) -> float | None:
    found: Any = sets
    for part in path:
        if not isinstance(found, Mapping) or part not in found:
            return None
        found = found[part]
    return None if found is None else float(found)
