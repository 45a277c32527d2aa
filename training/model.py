"""MiniLM-L6 in PyTorch, with the numbers of its int8 ONNX file, and the heads that are put on it.

The file names biases and norms but not the matrices. A matrix belongs to the bias that its product is added to, and
`products` finds that by following the graph; `training.export` goes the same way back. Embeddings stay as they are:
they are half of the numbers, and a few thousand sentences cannot improve them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from recollect.inference.wordpiece import WordPiece, read_vocabulary
from training.data import RELATIONS, STANCES

WIDTH = 384
HEADS = 12
LAYERS = 6
EMBEDDINGS = ("word.weight", "place.weight", "kind.weight")  # never tuned
_EPSILON = 1e-12  # of BERT's norms


class Layer(nn.Module):
    """One layer of BERT; its parts are named as in the file."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.after_mixing, self.after_widening = (nn.LayerNorm(WIDTH, eps=_EPSILON) for _ in range(2))
        self.drop = nn.Dropout(0.1)

    def forward(self, states: Tensor, seen: Tensor) -> Tensor:
        texts, pieces, _ = states.shape
        query, key, value = (
            part(states).view(texts, pieces, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        mixed = self.mixed(mixed.transpose(1, 2).reshape(texts, pieces, WIDTH))
        states = self.after_mixing(states + self.drop(mixed))
        return self.after_widening(states + self.drop(self.narrow(functional.gelu(self.wide(states)))))  # type: ignore[no-any-return]


class MiniLM(nn.Module):
    """Ids, kinds (0 first text, 1 second) and mask of a batch into the states of its pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.word, self.place, self.kind = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        states = self.norm(self.word(ids) + self.place(places) + self.kind(kinds))
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            states = layer(states, seen)
        return states  # type: ignore[no-any-return]

    def freeze(self, layers: int) -> None:
        """Leave the embeddings and this many of the lowest layers as they are."""
        for part in (self.word, self.place, self.kind, self.norm, *self.layers[:layers]):
            part.requires_grad_(False)


class Judge(nn.Module):
    """One encoder, three heads: the relation of two messages, the stance of one, a text as answer to a question."""

    def __init__(self, encoder: MiniLM) -> None:
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(0.1)
        self.relation = nn.Linear(2 * WIDTH, len(RELATIONS))
        self.stance = nn.Linear(2 * WIDTH, len(STANCES))
        self.relevance = nn.Linear(2 * WIDTH, 1)

    def forward(self, batch: tuple[Tensor, Tensor, Tensor], head: str) -> Tensor:
        """The scores of one head before softmax, or for `relevance` before the sigmoid."""
        states = self.encoder(*batch)
        pooled = torch.cat([states[:, 0], mean(states, batch[2])], dim=1)
        return getattr(self, head)(self.drop(pooled))  # type: ignore[no-any-return]


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean state of the pieces that are there."""
    there = mask[:, :, None].to(states.dtype)
    return (states * there).sum(1) / there.sum(1)


class Batches:
    """Texts, or pairs of them, into the three tensors of a batch, on one device."""

    def __init__(self, folder: Path, device: str) -> None:
        self._pieces = WordPiece(read_vocabulary(folder))
        self._bare = lru_cache(maxsize=200_000)(lambda text, most: tuple(self._pieces.bare_ids(text, most=most)))
        self.device, self.folder = device, folder

    def of(self, texts: Sequence[tuple[str, ...]], longest: int) -> tuple[Tensor, Tensor, Tensor]:
        """Each is one text or two. Of two that are too long together, the longer one is cut first."""
        rows = [self.row(text, longest) for text in texts]
        width = max(len(ids) for ids, _ in rows)
        blank = self._pieces.pad
        ids = torch.tensor([ids + [blank] * (width - len(ids)) for ids, _ in rows])
        kinds = torch.tensor([kinds + [0] * (width - len(kinds)) for _, kinds in rows])
        mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in rows])
        return ids.to(self.device), kinds.to(self.device), mask.to(self.device)

    def row(self, texts: tuple[str, ...], longest: int) -> tuple[list[int], list[int]]:
        """The ids of one text or two with their marks, and to which text each belongs."""
        bare = [list(self._bare(text, longest)) for text in texts]
        while sum(map(len, bare)) > longest - 1 - len(bare):
            max(bare, key=len).pop()
        ids, kinds = [self._pieces.start], [0]
        for number, part in enumerate(bare):
            ids += [*part, self._pieces.end]
            kinds += [number] * (len(part) + 1)
        return ids, kinds


def loaded(path: Path) -> MiniLM:
    """The encoder with the numbers of an int8 ONNX file, as near as its rounding allows."""
    graph = onnx.load(path).graph
    numbers = {each.name: numpy_helper.to_array(each) for each in graph.initializer}

    def exact(name: str) -> Tensor:
        """A quantised array in full: (q - zero) * scale, by column for matrices."""
        quantised = numbers[f"{name}_quantized"].astype("f4")
        return torch.from_numpy((quantised - numbers[f"{name}_zero_point"]) * numbers[f"{name}_scale"])

    model = MiniLM()
    values = {
        "word.weight": exact("embeddings.word_embeddings.weight"),
        "place.weight": exact("embeddings.position_embeddings.weight"),
        "kind.weight": exact("embeddings.token_type_embeddings.weight"),
    }
    for ours, theirs in plain_names():
        values[ours] = torch.from_numpy(numbers[theirs].copy())
    for bias, matrix in products(graph):
        values[_OURS[bias].replace(".bias", ".weight")] = exact(matrix).T
    model.load_state_dict(values)
    return model


def plain_names() -> Iterator[tuple[str, str]]:
    """Our name and the file's name of every bias and norm, which the file holds as they are."""
    yield "norm.weight", "embeddings.LayerNorm.weight"
    yield "norm.bias", "embeddings.LayerNorm.bias"
    for layer in range(LAYERS):
        for ours, theirs in _PARTS.items():
            kinds = ("weight", "bias") if theirs.endswith("LayerNorm") else ("bias",)
            for kind in kinds:
                yield f"layers.{layer}.{ours}.{kind}", f"encoder.layer.{layer}.{theirs}.{kind}"


def products(graph: Any) -> Iterator[tuple[str, str]]:
    """The file's name of each bias, and of the matrix whose product is added to it."""
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            after = node
            while after.op_type != "Add":
                [after] = readers[after.output[0]]
            [bias] = [name for name in after.input if name.endswith(".bias")]
            yield bias, node.input[1].removesuffix("_quantized")


def our_name(bias: str) -> str:
    """Our name of a bias of the file."""
    return _OURS[bias]


_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "after_mixing": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "after_widening": "output.LayerNorm",
}
_OURS = {theirs: ours for ours, theirs in plain_names()}
