"""A model of one's own: what its folder says about it is believed, and what it does not say is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from recollect.domain.errors import Misconfigured
from recollect.inference.choice import choose_embedder, model_in
from recollect.inference.models import ENCODER, Pooling
from tests.inference.making import FILES, a_folder

# A field that says nothing, at the end of an ONNX file: other bytes, and the same model.
REMARK = b"\x32\x04mine"


@pytest.fixture
def own(encoder_folder: Path, tmp_path: Path) -> Path:
    """A folder as a user would have it: an encoder with its papers."""
    folder = a_folder(
        tmp_path / "own",
        {
            "model.onnx": (encoder_folder / "model.onnx").read_bytes() + REMARK,
            "vocab.txt": (encoder_folder / "vocab.txt").read_bytes(),
            "config.json": json.dumps({"hidden_size": 384, "max_position_embeddings": 512}).encode(),
            "config_sentence_transformers.json": json.dumps({"prompts": {"query": "question: "}}).encode(),
        },
    )
    a_folder(folder / "1_Pooling", {"config.json": json.dumps({"pooling_mode_mean_tokens": True}).encode()})
    return folder


def test_a_model_of_ones_own_is_used_the_way_its_folder_says(own: Path, tmp_path: Path) -> None:
    model = model_in(own)
    assert (model.dimension, model.query_prefix, model.pooling) == (384, "question: ", Pooling.MEAN)
    embedder = choose_embedder(str(own), tmp_path)
    assert embedder is not None

    [passage] = embedder.passages(["question: where do I live?"])
    assert embedder.query("where do I live?") == passage
    assert len(passage) == 4 * embedder.dimension
    assert np.linalg.norm(np.frombuffer(passage, "<f4")) == pytest.approx(1, abs=1e-5)


def test_another_rule_makes_another_model(own: Path) -> None:
    before = model_in(own)
    (own / "config_sentence_transformers.json").unlink()
    without_prefix = model_in(own)
    (own / "1_Pooling" / "config.json").unlink()

    assert len({before.id, without_prefix.id, model_in(own).id}) == 3


def test_a_model_that_is_known_is_known_wherever_it_lies(encoder_folder: Path) -> None:
    assert model_in(encoder_folder) == ENCODER


def test_an_encoder_that_does_not_say_how_long_its_vectors_are_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured) as caught:
        model_in(a_folder(tmp_path / "mute", FILES))

    assert "hidden_size" in caught.value.hint


def test_papers_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "torn", {**FILES, "config.json": b"{"})
    with pytest.raises(Misconfigured) as caught:
        model_in(folder)

    assert "config.json" in caught.value.message
