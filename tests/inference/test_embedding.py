"""The real model: texts become vectors of length one, the same ones every time, near where the meaning is near."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recollect.domain.meanings import Vector, some_at_a_time
from recollect.inference.encoder import Encoder, OnnxEmbedder, encoder_of
from recollect.inference.models import ENCODER, PIECES
from recollect.inference.pieces import PieceEmbedder

TEXTS = [
    "I moved to Berlin last week.",
    "The cellar is damp.",
    "We deploy storefront with make release, never from CI.",
    "x",
    "My sister Ana still lives in Paris and works at a bakery. " * 6,
    "東京の支社は十時に開きます。",
    "Ünïcödé, emoji 🙂 and a tab\there",
    "word " * 2000,
]


def numbers(vector: Vector) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.frombuffer(vector, dtype="<f4")


def likeness(one: Vector, other: Vector) -> float:
    return float(numbers(one) @ numbers(other))


def test_a_vector_has_its_dimension_and_length_one(embedder: OnnxEmbedder) -> None:
    for vector in [*embedder.passages(TEXTS), embedder.query("where do I live?")]:
        assert len(vector) == 4 * embedder.dimension == 4 * 384
        assert np.linalg.norm(numbers(vector)) == pytest.approx(1, abs=1e-5)


def test_the_same_text_has_the_same_vector_in_any_process(embedder: OnnxEmbedder, encoder_folder: Path) -> None:
    another = OnnxEmbedder(ENCODER, encoder_folder)
    for text in TEXTS[:3]:
        assert another.passages([text]) == OnnxEmbedder(ENCODER, encoder_folder).passages([text])
        assert another.query(text) == another.query(text)


def test_vectors_come_in_the_order_of_their_texts(encoder_folder: Path) -> None:
    embedder = OnnxEmbedder(ENCODER, encoder_folder)
    twice = embedder.passages([*TEXTS, *reversed(TEXTS)])

    assert twice[: len(TEXTS)] == list(reversed(twice[len(TEXTS) :]))
    assert embedder.passages([]) == []


def test_a_text_in_a_batch_has_the_vector_it_has_alone(encoder_folder: Path) -> None:
    batch = OnnxEmbedder(ENCODER, encoder_folder).passages(TEXTS)
    alone = OnnxEmbedder(ENCODER, encoder_folder)

    for text, vector in zip(TEXTS, batch, strict=True):
        assert np.abs(numbers(vector) - numbers(alone.passages([text])[0])).max() < 1e-3, text


def test_a_text_in_a_batch_is_all_but_where_it_is_alone(encoder_folder: Path) -> None:
    batch = OnnxEmbedder(ENCODER, encoder_folder).passages(TEXTS)
    alone = OnnxEmbedder(ENCODER, encoder_folder)

    for text, vector in zip(TEXTS, batch, strict=True):
        assert likeness(vector, alone.passages([text])[0]) > 0.98, text


def test_a_model_that_wants_it_has_a_prefix_before_a_question(encoder_folder: Path) -> None:
    embedder, text = OnnxEmbedder(replace(ENCODER, query_prefix="A question: "), encoder_folder), "where do I live?"

    assert embedder.query(text) == embedder.passages([f"A question: {text}"])[0]
    assert likeness(embedder.query(text), embedder.passages([text])[0]) < 0.95


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do I live?", "I moved to Berlin last week and found a flat."),
        ("Which food am I allergic to?", "The user is allergic to peanuts."),
        ("How do we ship a new version?", "We deploy storefront with make release, never from CI."),
        ("What is my sibling called?", "My sister is Ana."),
        ("When does the office open?", "The branch in Tokyo opens at ten in the morning."),
    ],
)
def test_a_question_is_nearer_to_its_answer_than_to_anything_else(
    embedder: OnnxEmbedder, question: str, answer: str
) -> None:
    others = [
        "The cellar is damp in spring.",
        "A lighthouse keeper climbs three hundred steps.",
        "The orchestra played until midnight.",
        "Quarterly figures are due on Thursday.",
    ]
    asked = embedder.query(question)
    near, *far = (likeness(asked, vector) for vector in embedder.passages([answer, *others]))

    assert near > max(far)


def test_only_the_beginning_of_a_long_text_is_read(embedder: OnnxEmbedder) -> None:
    beginning = "word " * ENCODER.longest

    assert embedder.passages([beginning + "lighthouse"]) == embedder.passages([beginning + "cellar"])


def test_threads_may_share_it(encoder_folder: Path) -> None:
    embedder = OnnxEmbedder(ENCODER, encoder_folder)
    texts = [f"note number {number}" for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda text: embedder.passages([text])[0], texts, timeout=120))

    alone = OnnxEmbedder(ENCODER, encoder_folder)
    assert together == [alone.passages([text])[0] for text in texts]


def test_a_model_that_was_exchanged_in_its_folder_is_read_anew(encoder_folder: Path, tmp_path: Path) -> None:
    for name in ENCODER.files:
        shutil.copyfile(encoder_folder / name, tmp_path / name)
    first = encoder_of(tmp_path, longest=ENCODER.longest, keeps=False)
    assert encoder_of(tmp_path, longest=ENCODER.longest, keeps=False) is first
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"\0")
    assert encoder_of(tmp_path, longest=ENCODER.longest, keeps=False) is not first


def test_whole_texts_and_pieces_come_from_one_reading(encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    made = Encoder._made

    def counted(encoder: Encoder, text: str) -> tuple[Sequence[int], Any]:
        read.append(text)
        return made(encoder, text)

    monkeypatch.setattr(Encoder, "_made", counted)
    texts = [f"The {number}th of all the letters of the archive" for number in range(100)]
    embedders = OnnxEmbedder(ENCODER, encoder_folder), PieceEmbedder(PIECES, encoder_folder)
    for some in some_at_a_time(texts):
        for embedder in embedders:
            assert len(embedder.passages(some)) == len(some)
    assert sorted(read) == sorted(texts)


def test_numpy_is_there_before_the_runtime_that_breaks_it_among_threads(encoder_folder: Path) -> None:
    script = f"""
import builtins, sys
from pathlib import Path
found = []
real = builtins.__import__
def watched(name, *rest, **named):
    if name in ("numpy", "onnxruntime"):
        found.append(name)
    return real(name, *rest, **named)
builtins.__import__ = watched
from recollect.inference.prepared import session_of
session_of(Path({str(encoder_folder)!r}), keeps=False)
print(found[0])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "numpy"
