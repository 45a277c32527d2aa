"""Which attributes a question means that does not name them: who needs feeding while I'm away, that is my pets.

For every attribute of the catalogue some questions are written down that people put when they mean it, most of them by
purpose and in other words (`ways_of_asking.tsv`). A question that is near one of them means what that one means.

    python -m recollect.inference.ways_of_asking MODELS_FOLDER [MODEL]

writes the vectors of those questions beside this file; to make them when somebody asks would take ten seconds. They
belong to one model each, and with any other nothing is meant but what is named.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from recollect.domain.meanings import AnswerKind, Embedder, Vector
from recollect.inference.answer_kinds import AnswerKindHead, kind_head
from recollect.inference.choice import choose_embedder
from recollect.inference.models import ARCTIC, ENCODER
from recollect.inference.recent import RecentVectors
from recollect.products import with_each

# How like a question the likest written one is, by model: as any two questions are, and as a paraphrase.
_FAR_AND_NEAR = {ENCODER.id: (0.42, 0.76), ARCTIC.id: (0.65, 0.85)}
_REMEMBERED = 1_000_000  # bytes of shares: those of about a thousand questions
_FILE = Path(__file__)


class WaysOfAsking:
    """See `Meaning`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._attributes: list[str] = []
        self._starts: list[int] = []
        self._rows: Any = None
        self._head: AnswerKindHead | None = None
        self._recent = RecentVectors(_REMEMBERED)

    def meant_by(self, question: str) -> dict[str, float]:
        """See `Meaning.meant_by`. A question that comes again is not compared again."""
        import numpy as np

        self._read()
        shares = np.frombuffer(self._recent.of(question, self._shares), dtype="<f4").tolist()
        return {name: round(share, 4) for name, share in zip(self._attributes, shares, strict=True) if share}

    def kinds_of(self, question: str) -> dict[AnswerKind, float]:
        """See `Meaning.kinds_of`."""
        self._read()
        return self._head.shares(self._embedder.query(question)) if self._head is not None else {}

    def _shares(self, question: str) -> Vector:
        """How surely each attribute is meant, from 0 to 1."""
        import numpy as np

        asked = np.frombuffer(self._embedder.query(question), dtype="<f4")
        likeness = with_each(self._rows, asked)
        far, near = _FAR_AND_NEAR[self._embedder.model_id]
        shares = np.clip((np.maximum.reduceat(likeness, self._starts) - far) / (near - far), 0.0, 1.0)
        return bytes(shares.astype("<f4").tobytes())

    def _read(self) -> None:
        with self._lock:
            if self._rows is None:
                self._attributes, self._starts = _layout()
                self._head = kind_head(self._embedder.model_id, self._embedder.dimension)
                self._rows = read_vectors(self._embedder.model_id, self._embedder.dimension)


def ways_of_asking(embedder: Embedder | None) -> WaysOfAsking | None:
    """For a model that there are vectors of."""
    if embedder is None or embedder.model_id not in _FAR_AND_NEAR:
        return None
    return WaysOfAsking(embedder)


def written() -> Iterator[tuple[str, str]]:
    """The questions that are written down, with the attribute each means; those of one attribute together."""
    for line in _FILE.with_suffix(".tsv").read_text(encoding="utf-8").splitlines():
        attribute, _, question = line.partition("\t")
        yield attribute, question


def _file(model_id: str) -> Path:
    return _FILE.with_name(f"{_FILE.stem}-{model_id.partition('/')[0]}.i1")


def read_vectors(model_id: str, dimension: int) -> Any:
    """The vectors of the written questions by a model, one below the other and each one long."""
    import numpy as np

    rows = np.fromfile(_file(model_id), dtype="i1").reshape(-1, dimension).astype("<f4")
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return rows


def _layout() -> tuple[list[str], list[int]]:
    """The attributes, and at which question each begins."""
    attributes, starts, count = [], [], 0
    for attribute, questions in groupby(written(), key=lambda each: each[0]):
        attributes.append(attribute)
        starts.append(count)
        count += sum(1 for _ in questions)
    return attributes, starts


def main(arguments: list[str]) -> None:
    """Make the vectors anew, and keep them."""
    import numpy as np

    folder, name = (*arguments, ENCODER.name)[:2]
    embedder = choose_embedder(name, Path(folder))
    if embedder is None:
        raise SystemExit(f"There is no {name} in {folder}.")
    rows = np.stack([np.frombuffer(embedder.query(question), dtype="<f4") for _, question in written()])
    np.round(rows * (127 / np.abs(rows).max(axis=1, keepdims=True))).astype("i1").tofile(_file(embedder.model_id))


if __name__ == "__main__":
    main(sys.argv[1:])
