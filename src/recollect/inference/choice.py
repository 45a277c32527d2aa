"""Which models there are: those asked for, the best that are installed, one in a folder of one's own, or none.

What its files say is believed: how long its vectors are, how they are pooled, what goes before a question. Its id has
a digest of its weights, so that vectors of a model that was exchanged are never compared with those of the old one.
"""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.domain.errors import Misconfigured, NotFound, Unsupported
from recollect.domain.meanings import Embedder
from recollect.inference import static
from recollect.inference.models import (
    ENCODER,
    JUDGE,
    MODELS,
    PIECES,
    RERANKER,
    Model,
    Pooling,
    folder_of,
    is_installed,
    is_usable,
    model_named,
)

if TYPE_CHECKING:
    from recollect.domain.links.statement_link import Judge
    from recollect.domain.meanings import Relevance

_LONGEST = 256  # word pieces, unless the folder says less
_ENCODER, _TABLE = "model.onnx", "model.safetensors"


def model_in(folder: Path) -> Model:
    """The model that a folder has, or an error that says what is missing."""
    encoder = (folder / _ENCODER).is_file()
    if not (encoder or (folder / _TABLE).is_file()) or not (folder / "vocab.txt").is_file():
        raise Misconfigured(
            f"The setting `embedding` is `{folder}`, which is neither a model nor a folder with one.",
            hint="It has vocab.txt and model.onnx or model.safetensors; `recollect models list` shows the models.",
        )
    weights = folder / (_ENCODER if encoder else _TABLE)
    digest = _digest(weights)
    for model in MODELS.values():
        if any(file.sha256 == digest for file in model.files.values()):
            return model  # wherever it lies, how it is to be used is known
    return Model(
        name=f"folder:{digest[:16]}",
        about=f"a model in {folder}",
        licence="",
        dimension=_dimension(folder, encoder=encoder),
        query_prefix=_query_prefix(folder),
        longest=min(_LONGEST, _whole_number(_read(folder / "config.json").get("max_position_embeddings")) or _LONGEST),
        pooling=_pooling(folder) if encoder else Pooling.STATIC,
    )


def _dimension(folder: Path, *, encoder: bool) -> int:
    config = _read(folder / "config.json")
    told = _whole_number(config.get("hidden_size")) or _whole_number(config.get("hidden_dim"))
    if told is not None:
        return told
    if not encoder:
        from recollect.inference.static import table_in

        return int(table_in(folder / _TABLE).shape[1])
    raise Misconfigured(
        f"The model in {folder} does not say how long its vectors are.",
        hint="Put a config.json with `hidden_size` beside model.onnx.",
    )


def _pooling(folder: Path) -> Pooling:
    told = _read(folder / "1_Pooling" / "config.json")
    return Pooling.MEAN if told.get("pooling_mode_mean_tokens") else Pooling.FIRST


def _query_prefix(folder: Path) -> str:
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts")
    told = prompts.get("query") if isinstance(prompts, dict) else None
    return told if isinstance(told, str) else ""


def _read(file: Path) -> dict[str, Any]:
    """The object in a JSON file; empty, if the file is missing or holds no object."""
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Misconfigured(f"{file} cannot be read: {problem}.") from None
    return found if isinstance(found, dict) else {}


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def choose_embedder(wanted: str, models: Path) -> Embedder | None:
    """The embedder for a setting: `auto`, `off`, a model's name, `hashed` or a folder. Nothing is loaded yet."""
    if wanted == "off":
        return None
    if wanted == "auto":
        return _best_of_those_here(models)
    if wanted == static.NAME:
        _require("numpy")
        return static.HashedEmbedder()
    if wanted in MODELS:
        _require_alone(MODELS[wanted])
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
        _require_alone(model)
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
    """The embedder that compares word by word. Where our own encoder also finds whole texts, one reading gives both."""
    if wanted not in ("auto", ENCODER.name) or not is_installed(PIECES, models) or _missing(*runtime_of(PIECES)):
        return None
    from recollect.inference.pieces import PieceEmbedder

    return PieceEmbedder(PIECES, folder_of(PIECES, models))


def choose_judge(wanted: str, models: Path) -> Judge | None:
    """The judge for a setting: `auto`, `off` or a folder. Nothing is loaded yet."""
    found = _reader_of_pairs("judge", wanted, JUDGE, models)
    if found is None:
        return None
    from recollect.inference.judge import OnnxJudge

    return OnnxJudge(found.folder, found.model_id, keeps=found.keeps)


def choose_reranker(wanted: str, models: Path) -> Relevance | None:
    """The reranker for a setting, likewise."""
    found = _reader_of_pairs("reranker", wanted, RERANKER, models)
    if found is None:
        return None
    from recollect.inference.reranker import OnnxReranker

    return OnnxReranker(found.folder, found.model_id, keeps=found.keeps)


class _Chosen(NamedTuple):
    folder: Path
    model_id: str
    keeps: bool  # the folder is ours


def _reader_of_pairs(setting: str, wanted: str, model: Model, models: Path) -> _Chosen | None:
    """The folder of a model that reads texts side by side, and its id, which has a digest of all its files."""
    if wanted == "off" or (wanted == "auto" and (not is_usable(model, models) or _missing(*runtime_of(model)))):
        return None
    if wanted == "auto":
        folder = folder_of(model, models)
        digests = [file.sha256 for name, file in model.files.items() if (folder / name).is_file()]
        digest = hashlib.sha256("".join(digests).encode()).hexdigest()
        return _Chosen(folder, f"{setting}/{digest[:16]}", keeps=True)
    folder = Path(wanted).expanduser()
    if missing := [name for name in (_ENCODER, "vocab.txt") if not (folder / name).is_file()]:
        raise Misconfigured(
            f"The setting `{setting}` is `{wanted}`, a folder without {missing[0]}.",
            hint="It is `auto`, `off` or a folder with model.onnx and vocab.txt.",
        )
    _require(*runtime_of(model))
    there = (folder / name for name in model.files if (folder / name).is_file())
    digest = hashlib.sha256("".join(map(_digest, there)).encode()).hexdigest()
    return _Chosen(folder, f"{setting}/{digest[:16]}", keeps=False)


def _digest(path: Path) -> str:
    with path.open("rb") as reader:
        return hashlib.file_digest(reader, "sha256").hexdigest()


def _stands_alone(model: Model) -> bool:
    return model.pooling is not Pooling.NONE


def _require_alone(model: Model) -> None:
    if not _stands_alone(model):
        raise Unsupported(
            f"The model {model.name} works beside another, and cannot stand alone.",
            code="model_not_alone",
            hint="With `embedding = auto` it is used when it is installed.",
        )


def _embedder(model: Model, folder: Path) -> Embedder:
    if model.pooling is Pooling.STATIC:
        from recollect.inference.static import StaticEmbedder

        return StaticEmbedder(model, folder)
    from recollect.inference.encoder import OnnxEmbedder

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
