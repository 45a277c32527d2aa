"""The net that puts hits in order, each seen beside the others: fitted on lists, written as the engine reads it.

    python -m training.hit_order training/weights/lists.npz --checked training/weights/checked.npz
    python -m training.hit_order training/weights/lists.npz --go-on weights/reranker/order.npz  # teach what ships more
    python -m training.hit_order --to weights/reranker --checked training/weights/checked.npz   # figures of what ships

Right texts should stand first; what is outdated, and what only sounds like an answer, behind everything else. The
three sorts of nets differ by how much the second weighs beside the first. One more score stands for "none of these": it
learns from questions about what was never told. `recollect.inference.hit_order` computes the same in NumPy, and its
arrays have the names that the parts have here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from recollect.inference.hit_order import BEHIND, FILE, FIRST, HEADS, SEVERAL, SORTS, HitOrder, led
from training.labels import KINDS, RIGHT, STALE, TRAP
from training.settings import settings

_FAR = -1e4  # the score of a place that counts for nothing


class OrderNet(nn.Module):
    """Layers of attention over the hits of a question. `beside` says how each stands to each other."""

    def __init__(self, signs: int, beside: int, own: Mapping[str, Any], states: int = 768) -> None:
        super().__init__()
        width, seen = own["width"], own["states"]
        self.norm = nn.BatchNorm1d(signs)
        self.dropped_states = nn.Dropout(own["dropped_states"])
        self.dropped = nn.Dropout(own["dropped"])
        self.state = nn.Linear(states, seen)
        self.in1, self.in2 = nn.Linear(signs + seen, width), nn.Linear(width, width)
        self.layers = nn.ModuleList(_layer(width, beside) for _ in range(own["layers"]))
        self.out, self.plain, self.none = nn.Linear(width, 1), nn.Linear(signs, 1), nn.Linear(2 * width, 1)

    def forward(self, signs: Tensor, beside: Tensor, states: Tensor) -> Tensor:
        """A score for each hit, and after them one for "none of them answers"."""
        lists, many, _ = signs.shape
        known = self.norm(signs.flatten(0, 1)).view_as(signs)
        seen = torch.tanh(self.state(self.dropped_states(states)))
        hits = self.in2(self.dropped(functional.gelu(self.in1(torch.cat([known, seen], -1)))))
        for layer in self.layers:
            normed = layer["n1"](hits)
            asks, offers, gives = (layer[name](normed).view(lists, many, HEADS, -1).transpose(1, 2) for name in "qkv")
            near = asks @ offers.transpose(-1, -2) / asks.shape[-1] ** 0.5
            near = near + layer["b2"](functional.gelu(layer["b1"](beside))).permute(0, 3, 1, 2)
            near = near.softmax(-1)
            between = layer["p"](beside).view(lists, many, many, HEADS, -1)
            told = (near @ gives).transpose(1, 2) + torch.einsum("bhij,bijhd->bihd", near, between)
            hits = hits + self.dropped(layer["o"](told.flatten(2)))
            hits = hits + self.dropped(layer["f2"](self.dropped(functional.gelu(layer["f1"](layer["n2"](hits))))))
        scores = (self.out(hits) + self.plain(known)).squeeze(-1)
        return torch.cat([scores, self.none(torch.cat([hits.mean(1), hits.max(1).values], -1))], -1)


def _layer(width: int, beside: int) -> nn.ModuleDict:
    parts = {name: nn.Linear(width, width) for name in "qkvo"}
    between = {"b1": nn.Linear(beside, 16), "b2": nn.Linear(16, HEADS), "p": nn.Linear(beside, width)}
    after = {"f1": nn.Linear(width, 2 * width), "f2": nn.Linear(2 * width, width)}
    return nn.ModuleDict({**parts, **between, **after, "n1": nn.LayerNorm(width), "n2": nn.LayerNorm(width)})


def loss(scores: Tensor, labels: Tensor, kinds: Tensor, push: float) -> Tensor:
    """Of one answer any of its messages will do, of several values all; `push` weighs what should stand behind."""
    of_hits, none = scores[:, :-1], scores.log_softmax(-1)[:, -1]
    right, absent, several = labels == RIGHT, kinds == KINDS.index("nothing"), kinds == KINDS.index("several")
    shares = of_hits.log_softmax(-1)
    one = -shares.masked_fill(~right, _FAR).logsumexp(-1)
    every = -(shares * right).sum(-1) / right.sum(-1).clamp(min=1)
    found = (torch.where(several, every, one) * ~absent).sum() / (~absent).sum().clamp(min=1)
    something = 0.5 * -torch.log1p(-none.exp().clamp(max=0.9999))
    nothing = torch.where(absent, -none, something).mean()
    behind = (labels == STALE) | (labels == TRAP)
    pairs = behind[:, :, None] & ~behind[:, None, :]
    above = functional.softplus(of_hits[:, :, None] - of_hits[:, None, :]) * pairs
    return found + 0.5 * nothing + push * above.sum() / pairs.sum().clamp(min=1)


def fitted(
    lists: Mapping[str, Tensor], own: Mapping[str, Any], push: float, seed: int, begun: OrderNet | None = None
) -> OrderNet:
    """One net, of one seed; one that was begun keeps its measure of the signs. `push` is the weight of
    what should stand behind, beside what should stand first.
    """
    torch.manual_seed(seed)
    device = lists["signs"].device
    net: OrderNet = begun or OrderNet(lists["signs"].shape[-1], lists["beside"].shape[-1], own)
    net.to(device).train()
    if begun is not None:
        net.norm.eval()
    many = len(lists["labels"])
    steps = own["epochs"] * -(-many // own["batch"])
    learner = torch.optim.AdamW(net.parameters(), lr=own["rate"], weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, own["rate"], total_steps=steps, pct_start=0.1)
    for _ in range(own["epochs"]):
        for places in torch.randperm(many, device=device).split(own["batch"]):
            scores = net(*(lists[name][places].float() for name in ("signs", "beside", "states")))
            cost = loss(scores, lists["labels"][places], lists["kinds"][places], push)
            learner.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            learner.step()
            pace.step()
    net.eval()
    return net


def begun(file: Path, own: Mapping[str, Any]) -> dict[str, list[OrderNet]]:
    """The nets of a file by their sort, to go on with; those of a file without sorts stand for each."""
    with np.load(file) as stored:
        arrays = {name: torch.from_numpy(stored[name].astype("f4")) for name in stored.files}
    found: dict[str, list[OrderNet]] = {sort: [] for sort in SORTS}
    sorted_ = {name.rpartition("/")[0] for name in arrays}
    for key in sorted(sorted_):
        for sort in SORTS if "/" not in key else [key.partition("/")[0]]:
            found[sort].append(_begun(key, arrays, own))
    return found


def _begun(key: str, arrays: Mapping[str, Tensor], own: Mapping[str, Any]) -> OrderNet:
    of = {name.rpartition("/")[2]: each for name, each in arrays.items() if name.rpartition("/")[0] == key}
    mean, scale, shift = of.pop("mean"), of.pop("scale"), of.pop("shift")
    net = OrderNet(len(mean), of["layers.0.b1.weight"].shape[0], own)
    weights = {name: each.T if each.ndim == 2 else each for name, each in of.items()}
    norm = {
        "weight": scale,
        "bias": shift,
        "running_mean": mean,
        "running_var": torch.ones_like(mean) - net.norm.eps,
    }
    net.load_state_dict({**net.state_dict(), **weights, **{f"norm.{name}": each for name, each in norm.items()}})
    return net


def exported(nets: Mapping[str, list[OrderNet]]) -> dict[str, Any]:
    """The arrays of the nets by the names the engine knows them by: matrices turned, the norm in three rows."""
    arrays: dict[str, Any] = {}
    for key, net in ((f"{sort}/{number}", net) for sort in SORTS for number, net in enumerate(nets[sort])):
        state = {name: value.cpu().numpy() for name, value in net.state_dict().items()}
        spread = np.sqrt(state["norm.running_var"] + net.norm.eps)
        arrays[f"{key}/mean"] = state["norm.running_mean"]
        arrays[f"{key}/scale"] = state["norm.weight"] / spread
        arrays[f"{key}/shift"] = state["norm.bias"]
        for name, value in state.items():
            if not name.startswith("norm."):
                arrays[f"{key}/{name}"] = (value.T if value.ndim == 2 else value).astype("f2")
    return arrays


def figures(scores: Any, labels: Any, kinds: Any) -> dict[str, float]:
    """How often a right hit is first, something outdated among the first five, and how well "nothing" is told."""
    known = kinds != KINDS.index("nothing")
    placed = np.take_along_axis(labels, np.argsort(-scores[:, :-1], axis=1, kind="stable"), axis=1)
    shares = np.exp(scores - scores.max(1, keepdims=True))
    nothing = shares[:, -1] / shares.sum(1)
    told = {
        "first": float((placed[known, 0] == RIGHT).mean()),
        "outdated in five": float((placed[known, :5] == STALE).any(1).mean()),
        "trap first": float((placed[known, 0] == TRAP).mean()),
    }
    if (~known).any():
        limit = np.quantile(nothing[known], 0.97)
        told["nothing said, wrongly 3 in 100"] = float((nothing[~known] > limit).mean())
    return told


def main() -> None:
    """Fit the nets of all seeds, print figures of lists that none of them saw, and write the file."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("lists", type=Path, nargs="?", help="nothing is fitted without them")
    arguments.add_argument("--checked", type=Path, help="lists of other authors, for the figures")
    arguments.add_argument("--to", type=Path, default=Path("training/weights"), help="the folder")
    arguments.add_argument("--go-on", type=Path, metavar="FILE", help="begin with the nets of a file")
    arguments.add_argument("--epochs", type=int, help="instead of those in the settings")
    arguments.add_argument("--rate", type=float, help="instead of that in the settings")
    arguments.add_argument("--profile")
    given = arguments.parse_args()
    if given.lists:
        own = settings(given.profile)["hit_order"]
        own |= {name: told for name in ("epochs", "rate") if (told := getattr(given, name)) is not None}
        lists = _loaded(given.lists, "cuda" if torch.cuda.is_available() else "cpu")
        none = [None] * own["seeds"]
        first = begun(given.go_on, own) if given.go_on else dict.fromkeys(SORTS, none)
        nets = {
            sort: [fitted(lists, own, own["push"][sort], seed, net) for seed, net in enumerate(first[sort])]
            for sort in SORTS
        }
        given.to.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(given.to / FILE, **exported(nets))
    if given.checked:
        with np.load(given.checked) as stored:
            checked = {name: stored[name] for name in stored.files}
        net, names = HitOrder(given.to / FILE), ("signs", "beside", "states")
        read = [checked[name].astype("f4") for name in names]
        scores = np.stack([_in_order(net, *each) for each in zip(*read, checked["kinds"], strict=True)])
        labels, kinds = checked["labels"], checked["kinds"]
        known = kinds != KINDS.index("nothing")
        as_found = np.tile(-np.arange(scores.shape[1], dtype="f4"), (known.sum(), 1))
        _show("as they were found", figures(as_found, labels[known], kinds[known]))
        _show("in the order of the net", figures(scores, labels, kinds))


def _in_order(net: HitOrder, signs: Any, beside: Any, states: Any, kind: int) -> Any:
    """The scores as the engine puts them together, with that of "none of them" as it stands beside the first."""
    if kind == KINDS.index("several"):
        return net.scores(signs, beside, states, SEVERAL)
    first = net.scores(signs, beside, states, FIRST)
    scores = led(first[:-1], net.scores(signs, beside, states, BEHIND)[:-1])
    return np.append(scores, scores.max() + first[-1] - first[:-1].max())


def _show(title: str, told: Mapping[str, float]) -> None:
    print(title, *(f"  {name:<32}{value:.3f}" for name, value in told.items()), sep="\n")


def _loaded(file: Path, device: str) -> dict[str, Tensor]:
    """The lists of a file. A sign that was not measured, as of a hit that a link led to, counts as the mean."""
    with np.load(file) as stored:
        lists = {name: stored[name] for name in stored.files}
    signs = lists["signs"].astype("f4")
    lists["signs"] = np.where(np.isnan(signs), np.nanmean(signs, axis=(0, 1)), signs)
    return {name: torch.from_numpy(each).to(device) for name, each in lists.items()}


if __name__ == "__main__":
    main()
