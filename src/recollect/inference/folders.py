"""A model of one's own: a folder with the files of an encoder or of a table, as the usual tools leave them.

What its files say is believed: how long its vectors are, how they are pooled, what goes before a question. Its id has
a digest of its weights, so that vectors of a model that was exchanged are never compared with those of the old one.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from recollect.domain.errors import Misconfigured
from recollect.inference.models import MODELS, Model, Pooling

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
    with weights.open("rb") as reader:
        digest = hashlib.file_digest(reader, "sha256").hexdigest()
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
