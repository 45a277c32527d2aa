"""Which embedder there is: the one that was asked for, or the best that is installed, or none."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from recollect.domain.errors import NotFound, Unsupported
from recollect.domain.meanings import Embedder
from recollect.inference import hashing
from recollect.inference.folders import model_in
from recollect.inference.models import ARCTIC, MINILM, MODELS, Model, Pooling, folder_of, is_installed, model_named


def choose_embedder(wanted: str, models: Path) -> Embedder | None:
    """The embedder for a setting: `auto`, `off`, a model's name, `hashed` or a folder. Nothing is loaded yet."""
    if wanted == "off":
        return None
    if wanted == "auto":
        return _best_of_those_here(models)
    if wanted == hashing.NAME:
        _require("numpy")
        return hashing.HashedEmbedder()
    if wanted in MODELS and not _stands_alone(MODELS[wanted]):
        raise Unsupported(
            f"The model {wanted} works beside another, and cannot stand alone.",
            code="model_not_alone",
            hint="With `embedding = auto` it is used when it is installed.",
        )
    if wanted in MODELS:
        model, folder = model_named(wanted), folder_of(model_named(wanted), models)
        if not is_installed(model, models):
            raise NotFound(
                f"The model {wanted} is not installed.",
                code="model_not_installed",
                hint=f"Run `recollect models install {wanted}`.",
            )
    else:
        folder = Path(wanted).expanduser()
        _require("numpy")
        model = model_in(folder)
    _require(*runtime_of(model))
    return _embedder(model, folder)


def runtime_of(model: Model) -> tuple[str, ...]:
    """The packages a model needs to run."""
    return ("numpy",) if model.pooling is Pooling.STATIC else ("numpy", "onnxruntime")


def _best_of_those_here(models: Path) -> Embedder | None:
    for model in filter(_stands_alone, MODELS.values()):
        if is_installed(model, models) and not _missing(*runtime_of(model)):
            return _embedder(model, folder_of(model, models))
    return None


def choose_pieces(wanted: str, models: Path) -> Embedder | None:
    """The embedder that compares word by word, if the setting leaves the choice to us and a model is run anyway.

    Beside a model that is looked up in a table it would cost twenty times as much as everything else.
    """
    if wanted != "auto" or not is_installed(MINILM, models) or not is_installed(ARCTIC, models):
        return None
    if _missing(*runtime_of(MINILM)):
        return None
    from recollect.inference.pieces import PieceEmbedder

    return PieceEmbedder(MINILM, folder_of(MINILM, models))


def _stands_alone(model: Model) -> bool:
    return model.pooling is not Pooling.EACH


def _embedder(model: Model, folder: Path) -> Embedder:
    if model.pooling is Pooling.STATIC:
        from recollect.inference.static import StaticEmbedder

        return StaticEmbedder(model, folder)
    from recollect.inference.embedding import OnnxEmbedder

    return OnnxEmbedder(model, folder)


def _missing(*packages: str) -> list[str]:
    return [package for package in packages if find_spec(package) is None]


def _require(*packages: str) -> None:
    if _missing(*packages):
        raise Unsupported(
            "A model needs packages that are not installed.",
            code="extra_missing",
            hint="Install them with: pip install 'recollect[local]'",
        )
