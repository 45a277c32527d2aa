"""Vectors that are looked up: the mean of the pieces of a text, the same ones every time, whatever the text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from recollect.domain.errors import Damaged
from recollect.domain.meanings import Vector
from recollect.inference.choice import choose_embedder, model_in
from recollect.inference.static import StaticEmbedder
from tests.inference.making import a_folder

PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] tea coffee moon ##light !".split()


def a_table(numbers: np.ndarray[tuple[int, int], np.dtype[np.float64]], *, kind: str = "F32") -> bytes:
    """A file of the format: the length of the header, the header, the numbers."""
    written = numbers.astype("<f4").tobytes()
    about = {"embeddings": {"dtype": kind, "shape": list(numbers.shape), "data_offsets": [0, len(written)]}}
    header = json.dumps(about).encode()
    return len(header).to_bytes(8, "little") + header + written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    vocabulary = "".join(f"{piece}\n" for piece in PIECES).encode()
    return a_folder(
        tmp_path / "table", {"model.safetensors": a_table(np.eye(len(PIECES), 12)), "vocab.txt": vocabulary}
    )


@pytest.fixture
def embedder(folder: Path) -> StaticEmbedder:
    return StaticEmbedder(model_in(folder), folder)


def numbers(vector: Vector) -> list[float]:
    return [round(float(number), 4) for number in np.frombuffer(vector, "<f4")]


def test_the_vector_of_a_text_is_the_mean_of_its_pieces(embedder: StaticEmbedder) -> None:
    [vector] = embedder.passages(["Tea moonlight tea"])

    shares = {PIECES[place]: share for place, share in enumerate(numbers(vector)) if share}
    assert shares == {"tea": 0.8165, "moon": 0.4082, "##light": 0.4082}
    assert embedder.dimension == 12


def test_what_the_table_does_not_know_counts_for_nothing(embedder: StaticEmbedder) -> None:
    known, beside, nothing, empty = embedder.passages(["tea", "tea 東京 zebra", "zebra", ""])

    assert known == beside
    assert set(numbers(nothing)) == set(numbers(empty)) == {0.0}


def test_a_text_has_the_same_vector_alone_and_in_company(embedder: StaticEmbedder, folder: Path) -> None:
    texts = ["tea", "coffee!", "moonlight and coffee", "tea"]
    alone = [StaticEmbedder(model_in(folder), folder).query(text) for text in texts]

    assert embedder.passages(texts) == alone


def test_a_folder_with_a_table_is_a_model_of_ones_own(folder: Path, tmp_path: Path) -> None:
    chosen = choose_embedder(str(folder), tmp_path)

    assert isinstance(chosen, StaticEmbedder)
    assert chosen.model_id.startswith("folder:")


@pytest.mark.parametrize(
    "torn",
    [b"", b"\xff" * 8, b"\x02" + bytes(7) + b"{}", a_table(np.eye(4, 4), kind="F16"), a_table(np.eye(9, 12))[:-4]],
)
def test_a_table_that_is_torn_is_refused(folder: Path, torn: bytes) -> None:
    (folder / "model.safetensors").write_bytes(torn)
    (folder / "config.json").write_text('{"hidden_dim": 12}')
    with pytest.raises(Damaged) as caught:
        StaticEmbedder(model_in(folder), folder).passages(["tea"])

    assert caught.value.code == "model_damaged"
