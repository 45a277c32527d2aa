"""Which embedder there is: the one that was asked for, or the default one if it is installed, or none."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from recollect.domain.errors import Misconfigured, NotFound, Unsupported
from recollect.domain.ports import Embedder
from recollect.inference.models import DEFAULT, MODELS, folder_of, is_installed, model_named


def choose_embedder(wanted: str, models: Path) -> Embedder | None:
    """The embedder for a setting: `auto`, `off`, a model's name or a folder. Nothing is loaded yet."""
    if wanted == "off":
        return None
    runtime = all(find_spec(package) is not None for package in ("numpy", "onnxruntime"))
    if wanted == "auto":
        model = model_named(DEFAULT)
        if not runtime or not is_installed(model, models):
            return None
        folder = folder_of(model, models)
    elif wanted in MODELS:
        model, folder = model_named(wanted), folder_of(model_named(wanted), models)
        if not is_installed(model, models):
            raise NotFound(
                f"The model {wanted} is not installed.",
                code="model_not_installed",
                hint=f"Run `recollect models install {wanted}`.",
            )
    else:
        folder = Path(wanted).expanduser()
        if not (folder / "model.onnx").is_file() or not (folder / "vocab.txt").is_file():
            raise Misconfigured(
                f"The setting `embedding` is `{wanted}`, which is neither a model nor a folder with one.",
                hint="A folder has model.onnx and vocab.txt; `recollect models list` shows the models.",
            )
        model = replace(model_named(DEFAULT), name=f"folder:{folder.resolve()}", query_prefix="")
    if not runtime:
        raise Unsupported(
            "A model needs packages that are not installed.",
            code="extra_missing",
            hint="Install them with: pip install 'recollect[local]'",
        )
    from recollect.inference.embedding import OnnxEmbedder

    return OnnxEmbedder(model, folder)
