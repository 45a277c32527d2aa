"""Figures say of a model what its user would notice, and a card makes it as sure as it is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from training.evaluate import by_class, cooled, ranked
from training.pool import OUTDATED, RIGHT, WRONG

SHIPPED = sorted((Path(__file__).parents[2] / "weights").glob("*/model.onnx"))
OUTPUTS = {"judge": {"relation", "stance"}, "reranker": {"relevance"}, "encoder": {"last_hidden_state"}}


def test_precision_and_recall_are_counted_by_class() -> None:
    rows = [("same", "same"), ("same", "ends"), ("ends", "ends")]
    assert by_class(rows, ("same", "ends", "adds")) == {
        "same": "P 1.000 R 0.500 F1 0.667 (2)",
        "ends": "P 0.500 R 1.000 F1 0.667 (1)",
    }


def test_groups_without_a_right_text_are_not_ranked() -> None:
    labels = np.array([[RIGHT, WRONG], [WRONG, RIGHT], [WRONG, OUTDATED]])
    figures = ranked(np.array([[2.0, 1.0], [2.0, 1.0], [0.0, 0.0]]), labels)
    assert figures["groups"] == 2
    assert figures["first"].startswith("0.500 ")
    assert figures["R@5"].startswith("1.000 ")


def test_a_model_that_is_too_sure_of_itself_is_cooled() -> None:
    scores = np.array([[4.0, 0.0]] * 10)
    figures = cooled(scores, [0] * 8 + [1] * 2)
    assert figures["temperature"] > 2
    assert figures["after"] < figures["before"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_a_model_that_ships_is_small_and_has_the_outputs_of_its_export(path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    found = {output.name for output in onnxruntime.InferenceSession(path).get_outputs()}
    assert OUTPUTS[path.parent.name] <= found
    assert path.stat().st_size <= 25_000_000
