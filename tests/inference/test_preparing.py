"""What the runtime makes of a model is kept beside it, and is never believed more than the model itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recollect.inference.encoder import Encoder
from recollect.inference.models import ENCODER, folder_of, verify
from tests.inference.making import installed_models

TEXTS = ["I moved to Berlin last week.", "x", "My sister Ana still lives in Paris and works at a bakery. " * 6]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of our own, of which nothing was made yet."""
    ours = tmp_path / ENCODER.name
    ours.mkdir()
    for name in ENCODER.files:
        shutil.copyfile(folder_of(ENCODER, installed_models()) / name, ours / name)
    return ours


def states(folder: Path, *, keeps: bool = True) -> list[list[list[float]]]:
    encoder = Encoder(folder, longest=ENCODER.longest, keeps=keeps)
    return [encoder.states(text)[1].tolist() for text in TEXTS]


def made_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name not in ENCODER.files)


def test_what_was_made_of_a_model_gives_the_same_vectors(folder: Path) -> None:
    as_it_came = states(folder, keeps=False)
    while_it_is_made, from_what_was_made = states(folder), states(folder)

    assert while_it_is_made == as_it_came
    assert from_what_was_made == as_it_came
    assert len(made_in(folder)) == 1


def test_a_folder_that_is_not_ours_is_left_as_it_is(folder: Path) -> None:
    states(folder, keeps=False)

    assert made_in(folder) == []


def test_one_that_cannot_be_read_is_made_anew(folder: Path) -> None:
    whole = states(folder)
    [made] = made_in(folder)
    made.write_bytes(b"torn")

    assert states(folder) == whole
    assert [path.read_bytes() for path in made_in(folder)] != [b"torn"]
    assert states(folder) == whole, "from what was made anew"


def test_one_of_another_model_in_the_same_place_is_replaced(folder: Path) -> None:
    states(folder)
    [before] = made_in(folder)
    shutil.copyfile(folder_of(ENCODER, installed_models()) / "model.onnx", folder / "model.onnx")
    states(folder)

    [after] = made_in(folder)
    assert after != before


def test_checking_a_model_takes_away_what_was_made_of_it(folder: Path) -> None:
    states(folder)
    verify(ENCODER, folder)

    assert made_in(folder) == []
