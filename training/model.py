"""Small models of BERT's kind in PyTorch, with the numbers of their int8 ONNX files, and the heads put on them.

All-MiniLM-L6 ships, with our numbers; arctic-embed-s has twice its layers, and is there to teach it.

The file names biases and norms but not the matrices. A matrix belongs to the bias that its product is added to, and
`products` finds that by following the graph; `training.export` goes the same way back. Embeddings stay as they are:
they are half of the numbers, and a few hundred thousand examples cannot improve them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from training.data import RELATIONS, STANCES
from training.rows import batch

WIDTH = 384
HEADS = 12
EMBEDDINGS = ("word.weight", "place.weight", "kind.weight")  # never tuned
HEADS_OF = {
    "teacher": {"relevance": 1},
    "judge": {"relation": len(RELATIONS), "stance": len(STANCES)},
    "reranker": {"relevance": 1},
    "encoder": {},
}
Batch = tuple[Tensor, Tensor, Tensor]  # ids, kinds, mask
_MOST_LAYERS = 12
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

    width = WIDTH

    def __init__(self, layers: int = 6) -> None:
        super().__init__()
        self.word, self.place, self.kind = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

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


class PairHeads(nn.Module):
    """An encoder of any width with heads on it: the relation of two messages, the stance of one, a text as answer."""

    def __init__(self, encoder: nn.Module, heads: Mapping[str, int]) -> None:
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(0.1)
        for name, classes in heads.items():
            self.add_module(name, nn.Linear(2 * encoder.width, classes))  # type: ignore[operator]

    def forward(self, told: Batch, head: str) -> Tensor:
        """The scores of one head before softmax, or for `relevance` before the sigmoid."""
        states = self.encoder(*told)
        pooled = torch.cat([states[:, 0], mean(states, told[2])], dim=1)
        return getattr(self, head)(self.drop(pooled))  # type: ignore[no-any-return]


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean state of the pieces that are there."""
    there = mask[:, :, None].to(states.dtype)
    return (states * there).sum(1) / there.sum(1)


def on(model: nn.Module, given: Any) -> Any:
    """An array, or several, as tensors on the device of the model; the teacher's half numbers in full. `None` stays."""
    if given is None:
        return None
    if isinstance(given, tuple | list):
        return tuple(on(model, each) for each in given)
    tensor = torch.as_tensor(given).to(next(model.parameters()).device, non_blocking=True)
    return tensor.float() if tensor.is_floating_point() else tensor


def scores_of(model: nn.Module, rows: Sequence[tuple[Any, ...]], head: str) -> Any:
    """The scores of one head for rows of word pieces, as numpy has them."""
    return _run(model, rows, lambda told: model(told, head))


def vectors(model: nn.Module, rows: Sequence[tuple[Any, ...]]) -> Any:
    """The mean states of rows of word pieces, of length one, as numpy has them."""
    return _run(model, rows, lambda told: functional.normalize(mean(model(*told), told[2]).float(), dim=1))


def _run(model: nn.Module, rows: Sequence[tuple[Any, ...]], made: Callable[[Any], Tensor]) -> Any:
    """Rows of like length together, and the results in the order of the rows."""
    order = sorted(range(len(rows)), key=lambda at: sum(map(len, rows[at])))
    found: list[Any] = []
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, enabled=next(model.parameters()).is_cuda):
        for start in range(0, len(order), _AT_ONCE):
            told = on(model, batch([rows[at] for at in order[start : start + _AT_ONCE]]))
            found.append(made(told).float().cpu().numpy())
    back = np.empty(len(order), dtype=int)
    back[order] = np.arange(len(order))
    return np.concatenate(found)[back]


_AT_ONCE = 512  # rows that are run together where nothing is learned


def loaded(path: Path) -> MiniLM:
    """The encoder with the numbers of an int8 ONNX file, as near as its rounding allows."""
    graph = onnx.load(path).graph
    numbers = {each.name: numpy_helper.to_array(each) for each in graph.initializer}

    def exact(name: str) -> Tensor:
        """A quantised array in full: (q - zero) * scale, by column for matrices."""
        quantised = numbers[f"{name}_quantized"].astype("f4")
        return torch.from_numpy((quantised - numbers[f"{name}_zero_point"]) * numbers[f"{name}_scale"])

    layers = sum(name.endswith(".query.bias") for name in numbers)
    model = MiniLM(layers)
    values = {
        "word.weight": exact("embeddings.word_embeddings.weight"),
        "place.weight": exact("embeddings.position_embeddings.weight"),
        "kind.weight": exact("embeddings.token_type_embeddings.weight"),
    }
    for ours, theirs in plain_names(layers):
        values[ours] = torch.from_numpy(numbers[theirs].copy())
    for bias, matrix in products(graph):
        values[_OURS[bias].replace(".bias", ".weight")] = exact(matrix).T
    model.load_state_dict(values)
    return model


def tuned(model: Any, path: Path) -> Any:
    """The same model with the numbers that a training wrote; its embeddings, which none tunes, stay."""
    learned = {name: value.float() for name, value in torch.load(path, weights_only=True).items()}
    model.load_state_dict({**model.state_dict(), **learned})
    return model


def exported(model: PairHeads, folder: Path) -> PairHeads:
    """The same model with the numbers of a folder that ships, rounded as they are."""
    model.encoder.load_state_dict(loaded(folder / "model.onnx").state_dict())
    numbers = {each.name: numpy_helper.to_array(each) for each in onnx.load(folder / "model.onnx").graph.initializer}
    heads = {name: torch.from_numpy(numbers[name].copy()) for name in model.state_dict() if name in numbers}
    model.load_state_dict({**model.state_dict(), **heads})
    return model


def plain_names(layers: int = 6) -> Iterator[tuple[str, str]]:
    """Our name and the file's name of every bias and norm, which the file holds as they are."""
    yield "norm.weight", "embeddings.LayerNorm.weight"
    yield "norm.bias", "embeddings.LayerNorm.bias"
    for layer in range(layers):
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
_OURS = {theirs: ours for ours, theirs in plain_names(_MOST_LAYERS)}
