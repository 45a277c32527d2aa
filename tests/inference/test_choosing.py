"""Which embedder there is: the one that was asked for, the default if it is installed, or none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.errors import Misconfigured, NotFound, Unsupported
from recollect.inference.choice import choose_embedder, choose_pieces
from recollect.inference.models import ARCTIC, DEFAULT, ENCODER, JUDGE, PIECES, POTION
from recollect.settings import load_settings
from tests.inference.making import FILES, a_folder, installed_models

PACKAGES = ("numpy", "onnxruntime")
OWN = {**FILES, "config.json": b'{"hidden_size": 4}'}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder in which the default model seems to be installed."""
    a_folder(tmp_path / "models" / DEFAULT)
    return tmp_path / "models"


def test_by_itself_the_default_model_is_used_where_it_is_installed(models: Path, tmp_path: Path) -> None:
    chosen = choose_embedder("auto", models)

    assert chosen is not None
    assert chosen.model_id == ENCODER.id
    assert choose_embedder("auto", tmp_path / "empty") is None


def test_by_itself_the_static_model_is_used_where_it_is_the_only_one(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_folder(tmp_path / "small" / POTION.name, {"model.safetensors": b"", "vocab.txt": b""})
    chosen = choose_embedder("auto", tmp_path / "small")
    assert chosen is not None
    assert (chosen.model_id, chosen.dimension) == (POTION.id, 256)

    a_folder(models / POTION.name, {"model.safetensors": b"", "vocab.txt": b""})
    better = choose_embedder("auto", models)
    assert better is not None
    assert better.model_id == ENCODER.id

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    runs_without_it = choose_embedder("auto", models)
    assert runs_without_it is not None
    assert runs_without_it.model_id == POTION.id


def test_hashed_features_need_no_model_and_are_used_only_by_name(tmp_path: Path) -> None:
    chosen = choose_embedder("hashed", tmp_path)

    assert chosen is not None
    assert chosen.model_id.startswith("hashed/")
    assert choose_embedder("auto", tmp_path) is None


def test_off_means_none(models: Path) -> None:
    assert choose_embedder("off", models) is None


def test_a_model_is_chosen_by_its_name(models: Path, tmp_path: Path) -> None:
    chosen = choose_embedder(DEFAULT, models)
    assert chosen is not None
    assert chosen.model_id == ENCODER.id

    with pytest.raises(NotFound) as caught:
        choose_embedder(DEFAULT, tmp_path / "empty")
    assert caught.value.code == "model_not_installed"
    assert f"recollect models install {DEFAULT}" in caught.value.hint


def test_a_folder_of_ones_own_is_a_model_of_its_own(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "mine", OWN)
    chosen = choose_embedder(str(folder), tmp_path / "empty")
    assert chosen is not None
    assert chosen.model_id.startswith("folder:")
    assert chosen.dimension == 4

    moved = choose_embedder(str(folder.rename(tmp_path / "moved")), tmp_path / "empty")
    assert moved is not None
    assert moved.model_id == chosen.model_id
    (tmp_path / "moved" / "model.onnx").write_bytes(b"other weights")
    exchanged = choose_embedder(str(tmp_path / "moved"), tmp_path / "empty")
    assert exchanged is not None
    assert exchanged.model_id != chosen.model_id


@pytest.mark.parametrize("wanted", ["no-such-model", "/nowhere"])
def test_what_is_neither_a_model_nor_a_folder_with_one_is_a_wrong_setting(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        choose_embedder(wanted, tmp_path)

    assert wanted in caught.value.message
    assert "recollect models list" in caught.value.hint


@pytest.mark.parametrize("missing", PACKAGES)
def test_without_its_packages_the_default_is_not_used_and_a_named_one_says_what_to_install(
    models: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)  # how Python itself marks what cannot be imported

    assert choose_embedder("auto", models) is None
    own = a_folder(models.parent / "own", OWN)
    for wanted in (DEFAULT, str(own)):
        with pytest.raises(Unsupported) as caught:
            choose_embedder(wanted, models)
        assert caught.value.code == "extra_missing"
        assert "recollect[local]" in caught.value.hint


def test_nothing_heavy_is_loaded_before_the_first_text(models: Path, tmp_path: Path) -> None:
    script = f"""
import importlib, pkgutil, sys
import recollect.inference
for module in pkgutil.iter_modules(recollect.inference.__path__):
    importlib.import_module(f"recollect.inference.{{module.name}}")
from recollect import Memory
with Memory(home={str(tmp_path)!r}) as memory:
    assert memory._engine.embedder is not None
    memory.list()
    memory.status()
print([package for package in {PACKAGES!r} if package in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60, env={"PATH": ""}
    )

    assert done.stdout == "[]\n"


def test_a_memory_with_a_model_finds_what_has_no_word_in_common(tmp_path: Path) -> None:
    given = {"home": tmp_path, "models": installed_models()}
    for embedding, found in (("auto", "Priya is allergic to peanuts"), ("off", None)):
        settings, _ = load_settings({**given, "store": ":memory:", "embedding": embedding}, environment={})
        with Memory(settings=settings) as memory:
            for text in ("Priya is allergic to peanuts", "The cellar is damp", "We deploy with make release"):
                memory.save(text)
            hits = memory.search("what should nobody serve her for dinner").hits
            assert (hits[0].text if hits else None) == found


def test_words_are_compared_one_by_one_by_the_encoder_that_finds_whole_texts(models: Path) -> None:
    for wanted in ("auto", DEFAULT):
        chosen = choose_pieces(wanted, models)
        assert chosen is not None
        assert (chosen.model_id, chosen.dimension) == (PIECES.id, 96)
    for wanted in ("off", ARCTIC.name, "hashed"):
        assert choose_pieces(wanted, models) is None


def test_beside_another_model_words_are_not_compared_one_by_one(tmp_path: Path) -> None:
    a_folder(tmp_path / POTION.name, {"model.safetensors": b"", "vocab.txt": b""})
    a_folder(tmp_path / ARCTIC.name)

    assert choose_pieces("auto", tmp_path) is None


@pytest.mark.parametrize("missing", PACKAGES)
def test_without_its_packages_nothing_is_compared_word_by_word(
    models: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    assert choose_pieces("auto", models) is None


def test_a_model_that_judges_cannot_stand_alone(models: Path) -> None:
    a_folder(models / JUDGE.name, dict.fromkeys(JUDGE.files, b""))
    with pytest.raises(Unsupported) as caught:
        choose_embedder(JUDGE.name, models)
    assert caught.value.code == "model_not_alone"

    (models / DEFAULT / "model.onnx").unlink()
    assert choose_embedder("auto", models) is None
