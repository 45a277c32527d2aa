"""Fit the judge or the encoder on the banks of training; write the weights and what they were made with.

    python -m training.train judge --weights training/weights
    python -m training.train encoder --weights training/weights --profile small

Runs on a GPU where there is one. The examples of a run follow from its seed; the numbers agree within noise.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from training.data import (
    RELATIONS,
    STANCES,
    Bank,
    Pair,
    Question,
    banks,
    hardest,
    messages,
    neighbours,
    pairs,
    questions,
    told_of,
)
from training.model import EMBEDDINGS, Batches, Judge, MiniLM, loaded, mean
from training.settings import BANKS, settings

# Half of the steps are for the relation: it has the most classes that are rare.
_TURNS = ("relation", "stance", "relation", "relevance", "relation", "relevance")


def main() -> None:
    """Train one model and write `<name>.pt` and `<name>.json` into the folder of weights."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("model", choices=("judge", "encoder"))
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="the folder of MiniLM-L6")
    arguments.add_argument("--weights", type=Path, default=Path("training/weights"))
    arguments.add_argument("--profile")
    arguments.add_argument("--seed", type=int, help="instead of the one in the settings")
    arguments.add_argument("--steps", type=int, help="instead of those in the settings")
    given = arguments.parse_args()
    chosen = settings(given.profile)
    own = chosen[given.model]
    own["seed"] = own["seed"] if given.seed is None else given.seed
    own["steps"] = given.steps or own["steps"]
    if own["threads"]:
        torch.set_num_threads(own["threads"])
    torch.manual_seed(own["seed"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    material = banks(given.banks, chosen["banks"]["train"])
    batches = Batches(given.start, device)
    start = loaded(given.start / "model.onnx").to(device)
    start.freeze(own["frozen_layers"])
    began = time.monotonic()
    fit = _judge if given.model == "judge" else _encoder
    model = fit(start, material, batches, own, chosen["data"])
    name = f"{given.model}-{own['seed']}"
    given.weights.mkdir(parents=True, exist_ok=True)
    # Half precision and no embeddings: the export rounds to int8 anyway, and the embeddings are those of the start.
    tuned = {key: value for key, value in model.state_dict().items() if not key.endswith(EMBEDDINGS)}
    torch.save({key: value.half().cpu() for key, value in tuned.items()}, given.weights / f"{name}.pt")
    card = {
        "model": given.model,
        "authors": [bank.author for bank in material],
        "settings": {"data": chosen["data"], given.model: own},
        "device": device,
        "seconds": round(time.monotonic() - began),
    }
    (given.weights / f"{name}.json").write_text(json.dumps(card, indent=1), encoding="utf-8")


def _judge(start: MiniLM, material: Sequence[Bank], batches: Batches, own: Any, data: Any) -> Judge:
    model = Judge(start).to(batches.device).train()
    draw = Random(own["seed"])
    size, group = own["batch"], data["negatives"] + 1
    likeness = Likeness(batches, own["longest"])
    given_pairs = _endless(
        lambda: [
            *pairs(
                material,
                draw,
                each=data["pairs"],
                swapped=data["swapped"],
                talk_unrelated=data["talk_unrelated"],
            ),
            *likeness.strangers(material, draw, data["strangers"], data["swapped"]),
        ],
        draw,
        size,
    )
    given_messages = _endless(lambda: messages(material, draw, swapped=data["swapped"]), draw, size)
    given_questions = _endless(
        lambda: likeness.ordered(questions(material, draw, swapped=data["swapped"])), draw, own["questions"]
    )

    def loss(step: int) -> Tensor:
        match _TURNS[step % len(_TURNS)]:
            case "relation":
                told = next(given_pairs)
                scores = model(batches.of([(each.older, each.newer) for each in told], own["longest"]), "relation")
                return functional.cross_entropy(scores.float(), _labels([p.relation for p in told], RELATIONS, scores))
            case "stance":
                said = next(given_messages)
                scores = model(batches.of([(each.text,) for each in said], own["longest"]), "stance")
                return functional.cross_entropy(scores.float(), _labels([m.stance for m in said], STANCES, scores))
            case _:
                groups = [_group(each, draw, group) for each in next(given_questions)]
                texts = [(ask, text) for ask, shown, _ in groups for text in shown]
                scores = model(batches.of(texts, own["longest"]), "relevance").float().view(len(groups), group)
                return _relevance_loss(scores, torch.tensor([known for _, _, known in groups], device=scores.device))

    _fit(model, loss, own)
    return model


class Likeness:
    """The nearest texts by the encoder as it was before training: those a memory would look at."""

    def __init__(self, batches: Batches, longest: int) -> None:
        self._batches, self._longest = batches, longest
        self._model = loaded(batches.folder / "model.onnx").to(batches.device).eval()

    def ordered(self, asked: Sequence[Question]) -> list[Question]:
        """The questions with the nearest of their texts."""
        texts = dict.fromkeys(text for each in asked for text in (each.ask, *each.texts))
        vectors = dict(zip(texts, self._vectors(list(texts)), strict=True))
        worlds = {each.texts: torch.stack([vectors[text] for text in each.texts]) for each in asked}
        found = []
        for each in asked:
            scores = worlds[each.texts] @ vectors[each.ask]
            near = torch.topk(scores, min(_NEAREST, len(each.texts))).indices.tolist()
            found.append(replace(each, near=tuple(near)))
        return found

    def strangers(self, material: Sequence[Bank], draw: Random, each: int, swapped: float) -> list[Pair]:
        """Pairs of messages that sound alike and are about different things: `each` for every message."""
        found = []
        for bank in material:
            told = told_of(bank, draw, swapped=swapped)
            if not told:
                continue
            vectors = torch.stack(self._vectors([text for _, text in told]))
            scores = vectors @ vectors.T
            numbers = torch.tensor([number for number, _ in told], device=scores.device)
            scores = scores.masked_fill(numbers[:, None] == numbers[None, :], -1.0)
            near = torch.topk(scores, min(8, len(told))).indices.tolist()
            for (_, text), places in zip(told, near, strict=True):
                for place in draw.sample(places, min(each, len(places))):
                    sides = [text, told[place][1]]
                    draw.shuffle(sides)
                    found.append(Pair(sides[0], sides[1], "unrelated", "stranger"))
        return found

    def _vectors(self, texts: Sequence[str]) -> list[Tensor]:
        made: list[Tensor] = []
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=self._batches.device == "cuda"):
            for at in range(0, len(texts), 512):
                made.extend(_vectors(self._model, self._batches, texts[at : at + 512], self._longest).cpu())
        return made


_NEAREST = 40  # texts of a question among which its wrong ones are chosen


def _group(question: Question, draw: Random, size: int) -> tuple[str, list[str], bool]:
    """A question with `size` texts, the first of them right, and whether one of them is."""
    known = bool(question.right)
    first = [draw.choice(sorted(question.right))] if known else []
    wrong = hardest(question, draw, size - len(first))
    shown = [question.texts[at] for at in first + wrong]
    return question.ask, (shown * size)[:size], known


def _relevance_loss(scores: Tensor, known: Tensor) -> Tensor:
    """The right text above the others, and each by itself a probability; without a right one only the latter."""
    right = torch.zeros_like(scores)
    right[:, 0] = known.float()
    each = functional.binary_cross_entropy_with_logits(scores, right)
    if not known.any():
        return each
    first = torch.zeros(int(known.sum()), dtype=torch.long, device=scores.device)
    return functional.cross_entropy(scores[known], first) + each


def _encoder(start: MiniLM, material: Sequence[Bank], batches: Batches, own: Any, data: Any) -> MiniLM:
    model = start.train()
    draw = Random(own["seed"])
    likeness = Likeness(batches, own["longest"])
    asked = _endless(
        lambda: [
            *likeness.ordered([each for each in questions(material, draw, swapped=data["swapped"]) if each.right]),
            *neighbours(material, draw, each=own["neighbours"], swapped=data["swapped"]),
        ],
        draw,
        own["batch"],
    )

    def loss(_: int) -> Tensor:
        told = next(asked)
        right = [each.texts[draw.choice(sorted(each.right))] for each in told]
        wrong = [each.texts[hardest(each, draw, 2)[0]] for each in told]
        shown = right + wrong
        asks = _vectors(model, batches, [each.ask for each in told], own["longest"])
        texts = _vectors(model, batches, shown, own["longest"])
        scores = asks @ texts.T / own["temperature"]
        # Another right or outdated answer to the same question is no example of a wrong one.
        fair = torch.tensor(
            [
                [
                    at == place or text not in {each.texts[i] for i in each.right | each.neutral}
                    for place, text in enumerate(shown)
                ]
                for at, each in enumerate(told)
            ],
            device=scores.device,
        )
        scores = scores.masked_fill(~fair, -1e4)
        return functional.cross_entropy(scores, torch.arange(len(told), device=scores.device))

    _fit(model, loss, own)
    return model


def _vectors(model: MiniLM, batches: Batches, texts: Sequence[str], longest: int) -> Tensor:
    batch = batches.of([(text,) for text in texts], longest)
    return functional.normalize(mean(model(*batch), batch[2]).float(), dim=1)


def _fit(model: torch.nn.Module, loss: Any, own: Any) -> None:
    """AdamW, one cycle; a line every twentieth part of the way."""
    learned = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=own["rate"], weight_decay=0.01)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, own["rate"], total_steps=own["steps"], pct_start=0.1)
    on_gpu = next(model.parameters()).is_cuda
    recent: list[float] = []
    for step in range(own["steps"]):
        with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
            value = loss(step)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        pace.step()
        if not on_gpu or step % 10 == 0:
            recent.append(float(value.detach()))
        if step % max(1, own["steps"] // 20) == 0 and recent:
            print(f"step {step} loss {sum(recent) / len(recent):.3f}", flush=True)
            recent.clear()


def _endless(make: Any, draw: Random, size: int) -> Iterator[Any]:
    """Batches of what `make` makes, shuffled and made anew each time round."""
    while True:
        made = make()
        draw.shuffle(made)
        for at in range(0, len(made) - size + 1, size):
            yield made[at : at + size]


def _labels(names: Sequence[str], order: Sequence[str], like: Tensor) -> Tensor:
    return torch.tensor([order.index(name) for name in names], device=like.device)


if __name__ == "__main__":
    main()
