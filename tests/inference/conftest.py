"""The real model, loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.inference.encoder import OnnxEmbedder
from recollect.inference.models import ARCTIC, MINILM, folder_of
from recollect.inference.pieces import PieceEmbedder
from recollect.inference.wordpiece import WordPiece
from tests.inference.making import installed_models


@pytest.fixture(scope="session")
def arctic() -> Path:
    """The folder of the default model."""
    return folder_of(ARCTIC, installed_models())


@pytest.fixture(scope="session")
def embedder(arctic: Path) -> OnnxEmbedder:
    return OnnxEmbedder(ARCTIC, arctic)


@pytest.fixture(scope="session")
def pieces(arctic: Path) -> WordPiece:
    """The real vocabulary."""
    return WordPiece((arctic / "vocab.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture(scope="session")
def word_by_word() -> PieceEmbedder:
    return PieceEmbedder(MINILM, folder_of(MINILM, installed_models()))
