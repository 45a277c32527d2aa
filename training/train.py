"""Fit a teacher on the labels, and the small models on the labels and on the opinions that the pool holds of them.

    python -m training.train teacher     # its opinions are put into the pool by `training.opinions`
    python -m training.train encoder     # the students; the others start from this one
    python -m training.train judge
    python -m training.train reranker

Where there is no pool, the first command draws one; without opinions the students learn from labels alone. Runs on a
GPU where there is one. The examples of a run follow from its seed; the numbers agree within noise.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.code_pairs import code_pairs
from training.data import banks
from training.likeness import Likeness
from training.losses import class_loss, group_loss, retrieval_loss
from training.model import EMBEDDINGS, HEADS_OF, PairHeads, exported, loaded, mean, on, scores_of, tuned, vectors
from training.pool import RIGHT, Pool, alike_in_length, pool_in, pool_of
from training.rounding import RoundedLinear, begin, rounding
from training.rows import Pieces, batch
from training.settings import BANKS, settings

Step = tuple[Any, ...]  # the arrays of one batch, as `_heads` and `_encoder` put them together


def main() -> None:
    """Train one model and write `<model>.pt` and `<model>.json` into the folder of weights."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("model", choices=tuple(HEADS_OF))
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="the folder of MiniLM-L6")
    arguments.add_argument("--large", type=Path, default=Path(".models/arctic-embed-s"), help="where a teacher begins")
    arguments.add_argument("--weights", type=Path, default=Path("training/weights"), help="the pool is there too")
    arguments.add_argument("--profile")
    arguments.add_argument("--seed", type=int, help="instead of the one in the settings")
    arguments.add_argument("--steps", type=int, help="instead of those in the settings")
    arguments.add_argument("--seconds", type=float, help="for so long, in place of a number of steps")
    arguments.add_argument("--name", help="of the files that are written, instead of the model's")
    arguments.add_argument("--rate", type=float, help="instead of that in the settings")
    arguments.add_argument("--go-on", type=Path, help="train these weights further, or a folder that ships")
    arguments.add_argument("--keep", action="store_true", help="with --go-on: what they hold counts as the teacher's")
    given = arguments.parse_args()
    if given.seconds is not None and given.seconds <= 0:
        arguments.error("--seconds is above 0")
    chosen = settings(given.profile)
    own = chosen[given.model]
    own["seed"] = own["seed"] if given.seed is None else given.seed
    own["steps"] = given.steps or own["steps"]
    own["seconds"] = given.seconds
    own["rate"] = given.rate or own["rate"]
    if own["threads"]:
        torch.set_num_threads(own["threads"])
    torch.manual_seed(own["seed"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    given.weights.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    pool = _pool(given, chosen, device)
    start = _start(given, device)
    start.freeze(own["frozen_layers"])
    model: nn.Module = start
    rounded = [] if given.model == "teacher" else rounding(start)
    if given.model != "encoder":
        model = PairHeads(start, HEADS_OF[given.model]).to(device)
    if given.go_on:
        (exported if given.go_on.is_dir() else tuned)(model, given.go_on)
    if given.keep:
        pool.opinions = _held(model.eval(), pool, own["turns"])
    (_encoder if given.model == "encoder" else _heads)(model.train(), pool, own, rounded)
    # Half precision and no embeddings: the export rounds to int8 anyway, and the embeddings are those of the start.
    learned = {key: value for key, value in model.state_dict().items() if not key.endswith(EMBEDDINGS)}
    name = given.name or given.model
    torch.save({key: value.half().cpu() for key, value in learned.items()}, given.weights / f"{name}.pt")
    card = {
        "model": given.model,
        "authors": chosen["banks"]["train"],
        "settings": {"data": chosen["data"], given.model: own},
        "taught": bool(pool.opinions) and given.model != "teacher",
        "device": device,
        "seconds": round(time.monotonic() - began),
    }
    (given.weights / f"{name}.json").write_text(json.dumps(card, indent=1), encoding="utf-8")


def _pool(given: Any, chosen: Any, device: str) -> Pool:
    """The pool of the folder; drawn where there is none."""
    path = given.weights / "pool.npz"
    if path.exists():
        return pool_in(path)
    pieces = Pieces(given.start)
    before = loaded(given.start / "model.onnx").to(device).eval()
    likeness = Likeness(lambda texts: vectors(before, [(pieces.of(text),) for text in texts]))
    draw = Random(chosen["teacher"]["seed"])
    functions = code_pairs(draw)[: chosen["data"]["functions"]]
    pool = pool_of(banks(given.banks, chosen["banks"]["train"]), pieces, likeness, chosen["data"], draw, functions)
    pool.save(path)
    counts = {"texts": len(pool.pieces), "pairs": len(pool.pairs), "messages": len(pool.messages)}
    print("pool", {**counts, "questions": len(pool.asks), "neighbours": len(pool.neighbours)}, flush=True)
    return pool


def _start(given: Any, device: str) -> Any:
    """arctic-embed-s for the teacher; MiniLM for the encoder, and for the rest too until an encoder has been tuned."""
    before = loaded((given.large if given.model == "teacher" else given.start) / "model.onnx").to(device)
    encoder = given.weights / "encoder.pt"
    return tuned(before, encoder) if given.model in ("judge", "reranker") and encoder.exists() else before


def _held(model: nn.Module, pool: Pool, turns: Sequence[str]) -> dict[str, Any]:
    """The scores of every example before training goes on; none of those that labels alone teach."""
    heads = set(turns) - {"near"}
    made = {head: scores_of(model, pool.rows(head), head).astype("f2") for head in heads}
    if "relevance" in made:
        made["relevance"] = made["relevance"].reshape(pool.known.shape)
        made["relevance"][pool.by_labels | pool.asks_by_labels] = np.nan
    for head, alone in (("relation", pool.pairs_by_labels), ("stance", pool.messages_by_labels)):
        if head in made:
            made[head][alone] = np.nan
    return made


def _heads(model: nn.Module, pool: Pool, own: Any, rounded: list[RoundedLinear]) -> None:
    """Heads by turns. A head's rows come in batches of like length; a question's group stays together."""
    taught = bool(own["alpha"] and pool.opinions)
    turns = [head for head in own["turns"] if head != "near" or pool.by_labels.any()]

    def steps(draw: Random) -> Iterator[Step]:
        rows = {head: pool.rows(head) for head in set(turns)}
        labels = {head: pool.labels(head) for head in rows}
        next_of = {head: _batches(pool, head, rows[head], own, taught, draw) for head in rows}
        turn = draw.randrange(len(turns))
        while True:
            head = turns[turn % len(turns)]
            at = next(next_of[head])
            size = pool.shown.shape[1] if head == "relevance" else 1
            told = [rows[head][size * row + nth] for row in at for nth in range(size)]
            opinions = pool.opinions[head][at] if taught and head != "near" else None
            yield head, batch(told), labels[head][at], opinions
            turn += 1

    def loss(step: Step) -> Tensor:
        head, told, labels, opinions = step
        known, held = on(model, labels), on(model, opinions)
        scores = model(on(model, told), "relevance" if head == "near" else head).float()
        if head == "near":
            return functional.binary_cross_entropy_with_logits(scores[:, 0], known.float())
        if head == "relevance":
            return group_loss(scores.view(known.shape), known, held, own["alpha"])
        return class_loss(scores, known, held, own["alpha"])

    _fit(model, steps, loss, own, rounded)


def _batches(pool: Pool, head: str, rows: list[Any], own: Any, taught: bool, draw: Random) -> Iterator[list[int]]:
    """Places of a head's examples. Those without a label are left out where nobody has an opinion of them."""
    if head == "relevance":
        return alike_in_length(range(len(pool.asks)), lambda _: 0, draw, own["questions"])
    places = range(len(rows)) if taught or head == "near" else np.flatnonzero(pool.labels(head) >= 0).tolist()
    return alike_in_length(places, lambda at: sum(map(len, rows[at])), draw, own["batch"])


def _encoder(model: nn.Module, pool: Pool, own: Any, rounded: list[RoundedLinear]) -> None:
    """Questions and their answers near to each other, messages that have to do with each other, functions and their
    descriptions.

    Near as whole texts, and word by word: both ways are used for recall.
    """
    taught = bool(own["alpha"] and pool.opinions)
    size = own["texts"]

    def rows(texts: Any) -> Any:
        return batch([(pool.pieces[text],) for text in texts], own["longest"])

    def steps(draw: Random) -> Iterator[Step]:
        having = np.flatnonzero((pool.known[:, :size] == RIGHT).any(axis=1)).tolist()
        asked = alike_in_length(having, lambda _: 0, draw, own["questions"])
        linked = alike_in_length(range(len(pool.neighbours)), lambda _: 0, draw, own["neighbours"])
        described = alike_in_length(range(len(pool.described)), lambda _: 0, draw, own["described"])
        while True:
            for _ in range(3):
                at = next(asked)
                shown = pool.shown[at, :size].ravel()
                fair = ~(shown[None, :, None] == pool.answers[at][:, None, :]).any(axis=2)
                opinions = pool.opinions["relevance"][at, :size] if taught else None
                yield "questions", rows(pool.asks[at]), rows(shown), pool.known[at, :size], fair, opinions
            yield "neighbours", *map(rows, pool.neighbours[next(linked)].T), None, None, None
            if len(pool.described):
                yield "described", *map(rows, pool.described[next(described)].T), None, None, None

    def loss(step: Step) -> Tensor:
        kind, asks, texts, labels, fair, opinions = step
        whole, by_word = _likenesses(model, on(model, asks), on(model, texts), own)
        if kind != "questions":
            same = torch.arange(len(whole), device=whole.device)
            return functional.cross_entropy(whole, same) + 0.5 * functional.cross_entropy(by_word, same)
        told = on(model, labels), on(model, fair), on(model, opinions), own["alpha"]
        return retrieval_loss(whole, *told) + own["word_share"] * retrieval_loss(by_word, *told)

    _fit(model, steps, loss, own, rounded)


def _likenesses(model: nn.Module, asks: Any, texts: Any, own: Any) -> tuple[Tensor, Tensor]:
    """Of every question to every text: the cosine of their means, and the mean over words of the best cosine."""
    asked, shown = model(*asks), model(*texts)
    whole = functional.normalize(mean(asked, asks[2]).float(), dim=1) @ (
        functional.normalize(mean(shown, texts[2]).float(), dim=1).T
    )
    words = torch.einsum(
        "qid,tjd->qitj", functional.normalize(asked.float(), dim=2), functional.normalize(shown.float(), dim=2)
    )
    best = words.masked_fill(~texts[2].bool()[None, None], -1.0).amax(3) * asks[2][:, :, None]
    return whole / own["temperature"], best.sum(1) / asks[2].sum(1)[:, None] / own["word_temperature"]


def _fit(
    model: nn.Module,
    steps: Callable[[Random], Iterator[Step]],
    loss: Callable[[Step], Tensor],
    own: Any,
    rounded: list[RoundedLinear],
) -> None:
    """AdamW, one cycle; a line every twelfth part of the way. Rounding is simulated in the last part."""
    learned = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=own["rate"], weight_decay=0.01)
    on_gpu = learned[0].is_cuda
    source = torch.utils.data.DataLoader(_Source(steps, own["seed"]), batch_size=None, num_workers=own["workers"])
    recent: dict[str, list[float]] = {}
    told, is_rounded, way, number, began = 0, False, 0.0, 0, time.monotonic()
    for number, step in enumerate(source):
        way = (time.monotonic() - began) / own["seconds"] if own["seconds"] else number / own["steps"]
        if way >= 1.0:
            break
        if rounded and not is_rounded and way >= own["rounded_from"]:
            begin(rounded)
            is_rounded = True
        for part in optimiser.param_groups:
            part["lr"] = own["rate"] * _pace(way)
        with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
            value = loss(step)
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        if not on_gpu or number % 10 == 0:
            recent.setdefault(step[0], []).append(float(value.detach()))
        if way * 12 >= told:
            print(f"step {number}", {name: round(sum(v) / len(v), 3) for name, v in recent.items()}, flush=True)
            recent.clear()
            told += 1
    own["steps"] = number


def _pace(way: float) -> float:
    """The share of the highest rate at a part of the way: it rises at first, then falls as a cosine does."""
    rising, falling = way / _RISING, (way - _RISING) / (1 - _RISING)
    return max(rising, 0.02) if rising < 1 else 0.5 * (1 + math.cos(math.pi * falling))


_RISING = 0.08


class _Source(torch.utils.data.IterableDataset[Any]):
    """Batches without end; each process that puts them together draws its own."""

    def __init__(self, steps: Callable[[Random], Iterator[Step]], seed: int) -> None:
        self._steps, self._seed = steps, seed

    def __iter__(self) -> Iterator[Step]:
        worker = torch.utils.data.get_worker_info()
        return self._steps(Random(self._seed + 7919 * (worker.id if worker else 0)))


if __name__ == "__main__":
    main()
