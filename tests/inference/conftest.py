"""The real model, loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.inference.encoder import OnnxEmbedder
from recollect.inference.models import ENCODER, PIECES, folder_of
from recollect.inference.pieces import PieceEmbedder
from recollect.inference.wordpiece import WordPiece
from tests.inference.making import installed_models


@pytest.fixture(scope="session")
def encoder_folder() -> Path:
    """The folder of the default model."""
    return folder_of(ENCODER, installed_models())


@pytest.fixture(scope="session")
def embedder(encoder_folder: Path) -> OnnxEmbedder:
    return OnnxEmbedder(ENCODER, encoder_folder)


@pytest.fixture(scope="session")
def pieces(encoder_folder: Path) -> WordPiece:
    """The real vocabulary."""
    return WordPiece((encoder_folder / "vocab.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture(scope="session")
def word_by_word() -> PieceEmbedder:
    return PieceEmbedder(PIECES, folder_of(PIECES, installed_models()))
