"""The opinions that students learn from: the mean of the scores that several trained models give every example.

    python -m training.opinions teacher=training/weights/teacher.pt reranker=training/weights/one.pt

Models that erred in different places teach better together than each alone. A model has a say about the heads it has.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.model import HEADS_OF, PairHeads, exported, loaded, scores_of, tuned
from training.pool import Pool, pool_in
from training.rows import Pieces


def main() -> None:
    """Write the opinions into the pool of the folder of weights."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument(
        "models", nargs="+", metavar="KIND=PATH", help="weights of a training, or a folder that ships"
    )
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="the folder of MiniLM-L6")
    arguments.add_argument("--large", type=Path, default=Path(".models/arctic-embed-s"), help="where a teacher began")
    arguments.add_argument("--pool", type=Path, default=Path("training/weights/pool.npz"))
    given = arguments.parse_args()
    pool = pool_in(given.pool)
    held: dict[str, list[Any]] = {}
    for named in given.models:
        kind, _, path = named.partition("=")
        for head, scores in opinions(read_again(kind, Path(path), given), kind, pool).items():
            held.setdefault(head, []).append(scores)
    pool.opinions = {head: np.mean(scores, axis=0).astype("f2") for head, scores in held.items()}
    pool.save(given.pool)


def read_again(kind: str, path: Path, given: Any) -> PairHeads:
    """A model that was trained, from its weights or from the folder in which it ships."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = PairHeads(loaded((given.large if kind == "teacher" else given.start) / "model.onnx"), HEADS_OF[kind])
    return (exported if path.is_dir() else tuned)(model, path).to(device).eval()  # type: ignore[no-any-return]


def scorer(kind: str, path: Path, given: Any) -> Callable[[Sequence[tuple[str, ...]], str], Any]:
    """The scores of a trained model for rows of texts, for `training.evaluate`."""
    model, pieces = read_again(kind, path, given), Pieces(given.start)
    return lambda rows, head: scores_of(model, [tuple(map(pieces.of, row)) for row in rows], head)


def opinions(model: PairHeads, kind: str, pool: Pool) -> dict[str, Any]:
    """Its scores of every example, by head; a head of which the pool has no example is left out."""
    rows = {head: pool.rows(head) for head in HEADS_OF[kind]}
    made = {head: scores_of(model, each, head) for head, each in rows.items() if each}
    return {head: each.reshape(pool.known.shape) if head == "relevance" else each for head, each in made.items()}


if __name__ == "__main__":
    main()
