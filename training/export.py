"""Tuned weights back into the int8 ONNX graph they came from: the same operators, other numbers, heads at the end.

The graph of MiniLM is known to run in onnxruntime on x86 and ARM, so nothing is traced anew. Matrices are rounded by
column to 7 bits: with 8, older x86 processors saturate in the sum of two products, and rank differently from ARM.

    python -m training.export judge
    python -m training.export judge --start weights/judge   # into a file of ours, in place of its numbers
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from training.model import HEADS_OF, MiniLM, PairHeads, exported, loaded, on, our_name, plain_names, products, tuned
from training.rows import Pieces

MOST = 25_000_000  # bytes of a model that ships
_WIDTH = 384  # of a state
LARGEST = 64  # of a rounded weight: 7 bits
_SAMPLES = (
    ("We get the flour from Kessler Mill.", "Switched mills. Oldbrook now."),
    ("My phone is a Nokia.", "My neighbour bought a Fairphone."),
    ("where do I work?", "Started at the bakery on Monday, up at three."),
)


def main() -> None:
    """Write `model.onnx` and `vocab.txt` into a folder, and say how near the file is to the weights."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("model", choices=tuple(HEADS_OF))
    arguments.add_argument(
        "--start", type=Path, default=Path(".models/minilm-l6"), help="the folder of MiniLM-L6, or of a model of ours"
    )
    arguments.add_argument("--weights", type=Path, help="training/weights/<model>.pt unless given")
    arguments.add_argument("--to", type=Path, help="training/weights/<model> unless given")
    arguments.add_argument(
        "--share", type=float, default=1.0, help="of the tuned numbers; the rest is as it was before"
    )
    given = arguments.parse_args()
    weights = given.weights or Path("training/weights") / f"{given.model}.pt"
    folder = given.to or Path("training/weights") / given.model
    encoder = loaded(given.start / "model.onnx")
    heads = HEADS_OF[given.model]
    model = PairHeads(encoder, heads) if heads else encoder
    file = onnx.load(given.start / "model.onnx")
    has_heads = set(heads) <= {each.name for each in file.graph.output}
    if heads and has_heads:
        exported(model, given.start)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    tuned(model, weights).eval()
    if given.share < 1.0:
        mixed = {name: torch.lerp(before[name], value, given.share) for name, value in model.state_dict().items()}
        model.load_state_dict(mixed)
    _write_back(file.graph, encoder)
    if heads and has_heads:
        _put(file.graph, {name: each for name, each in _numbers(model).items() if name.partition(".")[0] in heads})
    elif heads:
        _add_heads(file.graph, model, heads)
    onnx.checker.check_model(file)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    onnx.save(file, path)
    shutil.copy(given.start / "vocab.txt", folder)
    size = path.stat().st_size
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{path}: {size} bytes, sha256 {digest}, furthest from the weights {_distance(path, model, given.start):.3f}")
    if size > MOST:
        raise SystemExit(f"{path} has {size} bytes, and {MOST} is the most that ships.")


def _write_back(graph: Any, encoder: MiniLM) -> None:
    """The encoder's numbers in place of the graph's. Embeddings were not tuned and stay."""
    ours = _numbers(encoder)
    made = {theirs: ours[own] for own, theirs in plain_names()}
    for bias, matrix in products(graph):
        exact = ours[our_name(bias).replace(".bias", ".weight")].T
        scale = np.maximum(np.abs(exact).max(axis=0) / LARGEST, 1e-8).astype("f4")
        made[f"{matrix}_quantized"] = np.clip(np.rint(exact / scale), -LARGEST, LARGEST).astype("i1")
        made[f"{matrix}_scale"] = scale
        made[f"{matrix}_zero_point"] = np.zeros(len(scale), dtype="i1")
    _put(graph, made)


def _numbers(model: nn.Module) -> dict[str, Any]:
    return {name: value.detach().numpy() for name, value in model.state_dict().items()}


def _put(graph: Any, made: Mapping[str, Any]) -> None:
    """Arrays in place of those of their names."""
    stored = {each.name: each for each in graph.initializer}
    for name, array in made.items():
        stored[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array), name))


def _add_heads(graph: Any, model: nn.Module, heads: Mapping[str, int]) -> None:
    """First state and mean state side by side, then one product for each head; the states are no output any more."""
    states = graph.output[0].name
    float_, whole = TensorProto.FLOAT, TensorProto.INT64
    graph.initializer.append(helper.make_tensor("first_place", whole, [], [0]))
    graph.node.extend(
        [
            helper.make_node("Gather", [states, "first_place"], ["first_state"], axis=1),
            helper.make_node("Cast", ["attention_mask"], ["there"], to=float_),
            helper.make_node("Unsqueeze", ["there"], ["there_wide"], axes=[2]),
            helper.make_node("Mul", [states, "there_wide"], ["states_there"]),
            helper.make_node("ReduceSum", ["states_there"], ["sum_of_states"], axes=[1], keepdims=0),
            helper.make_node("ReduceSum", ["there_wide"], ["many_there"], axes=[1], keepdims=0),
            helper.make_node("Div", ["sum_of_states", "many_there"], ["mean_state"]),
            helper.make_node("Concat", ["first_state", "mean_state"], ["pooled"], axis=1),
        ]
    )
    del graph.output[:]
    if "relevance" in heads:  # the net that orders hits sees the state that the number comes from
        graph.output.append(helper.make_tensor_value_info("pooled", float_, ["batch_size", 2 * _WIDTH]))
    for head, classes in heads.items():
        layer = getattr(model, head)
        for part in ("weight", "bias"):
            array = getattr(layer, part).detach().numpy()
            graph.initializer.append(numpy_helper.from_array(array, f"{head}.{part}"))
        inputs = ["pooled", f"{head}.weight", f"{head}.bias"]
        graph.node.append(helper.make_node("Gemm", inputs, [head], transB=1))
        graph.output.append(helper.make_tensor_value_info(head, float_, ["batch_size", classes]))


def _distance(path: Path, model: nn.Module, start: Path) -> float:
    """How far the file's probabilities, or its vectors of length one, are from the weights' at the most."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path)
    pieces = Pieces(start)
    most = 0.0
    for texts in _SAMPLES:
        told = on(model, pieces.batch([texts]))
        names = ("input_ids", "token_type_ids", "attention_mask")
        found = session.run(None, {name: each.numpy() for name, each in zip(names, told, strict=True)})
        for output, rounded in zip(session.get_outputs(), map(torch.from_numpy, found), strict=True):
            if output.name == "pooled":
                continue  # the state behind the numbers that are compared
            with torch.no_grad():
                if isinstance(model, PairHeads):
                    exact, near = (_certain(scores) for scores in (model(told, output.name), rounded))
                else:
                    exact, near = (functional.normalize(states.mean(1), dim=1) for states in (model(*told), rounded))
            most = max(most, float((exact - near).abs().max()))
    return most


def _certain(scores: Tensor) -> Tensor:
    """Scores of one head as probabilities."""
    return scores.softmax(1) if scores.shape[1] > 1 else scores.sigmoid()


if __name__ == "__main__":
    main()
