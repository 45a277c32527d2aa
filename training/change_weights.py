"""The weights by which a change that a judge sees is held likely, fitted on pairs as the engine compares them.

    python -m training.change_weights t37 t38 --models .models --checked v1 t46

Worlds of the authors are told to a memory, as for `training.lists`, and every pair of texts that its judge is asked
about is noted: how likely a change the judge sees, how like the texts are by the encoder, and how surely the newer one
is asserted. Whether something did change is known from the world. The judge must not have read the authors: it is surer
of what it has read. `recollect.remember.link_decision.ChangeWeights` has the weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.playing import SPACE, Part, Track, WorldClock, _Told, noon
from recollect import Memory, Settings
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import CHANGES, Judge, Stance, StatementRelation
from recollect.domain.meanings import embedder_for, likeness_of
from recollect.remember.link_decision import logit, share_asserted
from training.data import Bank, banks
from training.lists import world_of
from training.settings import BANKS

_SAID = frozenset({"assert", "wrong", "upd", "imp", "corr", "restate", "multi"})  # what states a value
_RECALLS = (0.5, 0.6, 0.7, 0.8)


class PairRecorder:
    """See `Judge`: a judge, which notes what it is asked about."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.model_id = judge.model_id
        self.seen: list[tuple[str, str, float, float]] = []

    def stances(self, text: str) -> Mapping[Stance, float]:
        return self._judge.stances(text)

    def relations(self, older: str, newer: str) -> Mapping[StatementRelation, float]:
        told = self._judge.relations(older, newer)
        change = sum(told[each] for each in CHANGES)
        self.seen.append((older, newer, change, share_asserted(self._judge.stances(newer))))
        return told


def main() -> None:
    """Print the weights, and how many of the pairs believed are changes, at several shares of the changes found."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("authors", nargs="+")
    arguments.add_argument("--checked", nargs="*", default=[], help="other authors, for the figures")
    arguments.add_argument("--each", type=int, default=2, help="worlds of each author")
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--models", type=Path, default=Path(".models"))
    arguments.add_argument("--processes", type=int, default=2)
    given = arguments.parse_args()
    pairs = _pairs(given, given.authors)
    if not pairs[:, 3].any():
        arguments.error("these authors tell of no change")
    weights = fitted(pairs[:, :3], pairs[:, 3])
    print("weights of judged, likeness, asserted; constant:", *(f"{each:.3f}" for each in weights))
    for name, told in (("fitted", pairs), *((("checked", _pairs(given, given.checked)),) if given.checked else ())):
        print(f"{name}: {len(told)} pairs, {int(told[:, 3].sum())} changes")
        print("  precision by the judge alone  ", *_precisions(told[:, 0], told[:, 3]))
        print("  precision by all three signs  ", *_precisions(told[:, :3] @ weights[:3], told[:, 3]))


def fitted(signs: Any, changes: Any, rounds: int = 60) -> Any:
    """Weights of a logistic with a constant, by Newton's method."""
    columns = np.column_stack([signs, np.ones(len(signs))])
    weights = np.zeros(columns.shape[1])
    for _ in range(rounds):
        likely = 1 / (1 + np.exp(-columns @ weights))
        curve = (columns * (likely * (1 - likely))[:, None]).T @ columns + 1e-6 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, columns.T @ (likely - changes))
    return weights


def _precisions(scores: Any, changes: Any) -> list[str]:
    found = np.cumsum(changes[np.argsort(-scores, kind="stable")])
    places = [int(np.searchsorted(found, share * found[-1])) for share in _RECALLS]
    return [f"{found[at] / (at + 1):.3f} at {share}" for share, at in zip(_RECALLS, places, strict=True)]


def _pairs(given: argparse.Namespace, authors: Sequence[str]) -> Any:
    """A row for each pair: three signs, and whether it is a change."""
    jobs = [
        (bank, number, given.models.absolute())
        for bank in banks(given.banks, authors)
        if bank.slots
        for number in range(given.each)
    ]
    with get_context("spawn").Pool(given.processes) as pool:
        found = []
        for number, rows in enumerate(pool.imap_unordered(_told, jobs), 1):
            found += rows
            print(f"\r{number} of {len(jobs)} worlds, {len(found)} pairs", end="", flush=True)
    print()
    return np.array(found).reshape(-1, 4)


def _told(job: tuple[Bank, int, Path]) -> list[tuple[float, ...]]:
    """Tell one world: the pairs that the judge was asked about."""
    bank, number, models = job
    world, clock = world_of(bank, number), WorldClock()
    with TemporaryDirectory() as folder:
        home = Path(folder)
        settings = Settings(home=home, store=str(home / "m.db"), space=SPACE, principal="someone", models=models)
        with closing(Memory(settings=settings, clock=clock)) as memory:
            told, inference = _Told(memory, Part(world, Track.RAW, models=models)), memory._engine.inference
            judge, embedder = inference.get().judge, memory._engine.embedder
            assert judge is not None and embedder is not None
            recorder = PairRecorder(judge)
            inference.made = replace(inference.get(), judge=recorder)
            for message in world["messages"]:
                clock.moment = noon(message["ts"])
                told.say(message, clock.moment)
            measure = embedder_for(SPACE, embedder)
            truths = {each["text"]: world["truth"][each["id"]] for each in world["messages"]}
            rows: list[tuple[float, ...]] = []
            for older, newer, change, asserted in recorder.seen:
                changed = (
                    None if older not in truths or newer not in truths else _is_change(truths[older], truths[newer])
                )
                if changed is not None:
                    likeness = likeness_of(measure, newer, older)
                    rows.append((logit(change), likeness, logit(asserted), float(changed)))
            return rows


def _is_change(older: Mapping[str, Any], newer: Mapping[str, Any]) -> bool | None:
    """Whether a newer message of a world changes what an older one says; `None` where either answer would do."""
    if older["slot"] is None or older["slot"] != newer["slot"]:
        return False
    if older["kind"] not in _SAID or newer["kind"] == "future":
        return None
    if newer["kind"] == "retract":
        return True
    return newer["kind"] in _SAID - {"multi", "wrong"} and older["value"] != newer["value"]


if __name__ == "__main__":
    main()
