"""all-mpnet-base-v2 in PyTorch: five times the size of what ships, and only there to teach it.

A large model that has learned the same examples says of any pair of texts how it would judge it. The small ones learn
from that as well as from the labels, on pairs that nobody has labelled: those that a memory would look at.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.data import banks, written_in
from training.model import HEADS_OF, PairHeads, scores_of, tuned
from training.rows import END, START, Pieces
from training.settings import BANKS, settings

HEADS = {**HEADS_OF["judge"], **HEADS_OF["reranker"]}
MPNET = Path(".models/mpnet.npz")
WIDTH, LOOKS, LAYERS, BUCKETS = 768, 12, 12, 32
_EPSILON = 1e-5
_FURTHEST = 128  # pieces apart from which on the distance makes no difference
_SPECIAL = 4  # marks that stand before BERT's vocabulary in MPNet's
_START, _PAD, _END = 0, 1, 2
_LARGEST = 31  # of a packed number: 6 bits


class TeacherLayer(nn.Module):
    """One layer; the distances of the pieces are added to their attention."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.after_mixing, self.after_widening = (nn.LayerNorm(WIDTH, eps=_EPSILON) for _ in range(2))
        self.drop = nn.Dropout(0.1)

    def forward(self, states: Tensor, distances: Tensor) -> Tensor:
        texts, pieces, _ = states.shape
        query, key, value = (
            part(states).view(texts, pieces, LOOKS, WIDTH // LOOKS).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=distances.to(query.dtype))
        mixed = self.o(mixed.transpose(1, 2).reshape(texts, pieces, WIDTH))
        states = self.after_mixing(states + self.drop(mixed))
        return self.after_widening(states + self.drop(self.narrow(functional.gelu(self.wide(states)))))  # type: ignore[no-any-return]


class MPNet(nn.Module):
    """The same three tensors as `MiniLM` takes, in BERT's vocabulary, into the states of the pieces."""

    width = WIDTH

    def __init__(self) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(30527, WIDTH), nn.Embedding(514, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.near = nn.Embedding(BUCKETS, LOOKS)
        self.layers = nn.ModuleList(TeacherLayer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, _: Tensor, mask: Tensor) -> Tensor:
        theirs = torch.where(ids == START, _START, torch.where(ids == END, _END, ids + _SPECIAL))
        theirs = torch.where(mask.bool(), theirs, _PAD)
        places = torch.cumsum(mask, 1) * mask + 1
        states = self.norm(self.word(theirs) + self.place(places))
        distances = self.near(_buckets(ids.shape[1], ids.device)).permute(2, 0, 1)[None]
        unseen = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            states = layer(states, distances + unseen)
        return states  # type: ignore[no-any-return]

    def freeze(self, layers: int) -> None:
        """Leave the embeddings and this many of the lowest layers as they are."""
        for part in (self.word, self.place, self.norm, *self.layers[:layers]):
            part.requires_grad_(False)


def _buckets(pieces: int, device: Any) -> Tensor:
    """Which of the distances lies between each two pieces: single ones near by, ever wider ones further off."""
    places = torch.arange(pieces, device=device)
    apart = places[:, None] - places[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    far = apart.abs()
    wide = exact + (
        torch.log(far.clamp(min=1).float() / exact) / math.log(_FURTHEST / exact) * (half - exact)
    ).long().clamp(max=half - exact - 1)
    return (apart < 0).long() * half + torch.where(far < exact, far, wide)


def teacher(file: Path) -> MPNet:
    """The model from a file that `pack` wrote."""
    model = MPNet()
    with np.load(file) as packed:
        numbers = {name: packed[name].astype("f4") for name in packed.files}
    scales = {name: numbers.pop(name) for name in [*numbers] if name.endswith(_SCALE)}
    values = {name: array * scales.get(name + _SCALE, 1.0) for name, array in numbers.items()}
    model.load_state_dict({name: torch.from_numpy(array) for name, array in values.items()})
    return model


def taught(weights: Path, file: Path, start: Path) -> Callable[[Sequence[tuple[str, ...]], str], Any]:
    """The scores of a trained teacher, for `training.evaluate`."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = tuned(PairHeads(teacher(file), HEADS), weights).to(device).eval()
    pieces = Pieces(start)
    return lambda rows, head: scores_of(model, [tuple(map(pieces.of, row)) for row in rows], head)


def pack(source: Path, file: Path, used: Set[int]) -> None:
    """Write the published weights in 6 bits a number, by row. Words outside `used`, in BERT's ids, become nothing."""
    from safetensors.numpy import load_file

    packed: dict[str, Any] = {}
    for theirs, published in load_file(source).items():
        name, array = _ours(theirs), published
        if name == "word.weight":
            rows = [*range(_SPECIAL), *(each + _SPECIAL for each in used)]
            array = np.zeros_like(published)
            array[rows] = published[rows]
        if name and array.ndim == 2 and len(array) > BUCKETS:
            scale = np.maximum(np.abs(array).max(axis=1, keepdims=True) / _LARGEST, 1e-8).astype("f4")
            packed |= {name: np.rint(array / scale).astype("i1"), name + _SCALE: scale}
        elif name:
            packed[name] = array.astype("f2")
    np.savez_compressed(file, **packed)


def _ours(name: str) -> str | None:
    """Our name of a part of the published file; `None` for the one that is not used."""
    name = name.removeprefix("mpnet.")
    for theirs, ours in _NAMES.items():
        if name.startswith(theirs):
            return name.replace(theirs, ours)
    if not name.startswith("encoder.layer."):
        return None
    number, rest = name.removeprefix("encoder.layer.").split(".", 1)
    for theirs, ours in _NAMES_IN_A_LAYER.items():
        if rest.startswith(theirs):
            return f"layers.{number}.{rest.replace(theirs, ours)}"
    return None


_SCALE = ".scale"
_NAMES = {
    "embeddings.word_embeddings.": "word.",
    "embeddings.position_embeddings.": "place.",
    "embeddings.LayerNorm.": "norm.",
    "encoder.relative_attention_bias.": "near.",
}
_NAMES_IN_A_LAYER = {
    "attention.attn.": "",
    "attention.LayerNorm.": "after_mixing.",
    "intermediate.dense.": "wide.",
    "output.dense.": "narrow.",
    "output.LayerNorm.": "after_widening.",
}


def main() -> None:
    """Pack the published all-mpnet-base-v2 for training: the words of the banks, 6 bits a number, one small file."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("source", type=Path, help="model.safetensors, as published")
    arguments.add_argument("--to", type=Path, default=MPNET)
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="for its vocabulary")
    given = arguments.parse_args()
    chosen = settings()["banks"]
    material = banks(given.banks, [*chosen["train"], *chosen["validation"]])
    pieces = Pieces(given.start)
    pack(given.source, given.to, {int(piece) for text in written_in(material) for piece in pieces.of(text)})
    print(f"{given.to}: {given.to.stat().st_size} bytes")


if __name__ == "__main__":
    main()
