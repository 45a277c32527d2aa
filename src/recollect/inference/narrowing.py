"""The directions in which the pieces of texts differ most, and how they are found.

    python -m recollect.inference.narrowing MODEL_FOLDER TEXT_FILE...

writes them beside this file. They belong to the vectors that were made with them: whoever makes them anew gives the
model another name, so that new and old are never compared.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

_WIDTH = 384  # numbers of a piece before it is narrowed
_SENTENCE = re.compile(r"\n\n|(?<=[.!?])\s|[\"|`]")
_SHORTEST = 15  # characters; less is no sentence
_LONGEST = 600


def read_directions(dimension: int) -> Any:
    """A matrix with one column for each direction, the one in which most is told first."""
    import numpy as np

    return np.fromfile(_file(dimension), dtype="<f2").reshape(_WIDTH, dimension).astype("<f4")


def find_directions(states: Any, dimension: int) -> Any:
    """The directions in which the states of many pieces, each of length one, are longest."""
    import numpy as np

    rows = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)
    turned, _, _ = np.linalg.svd(rows.T @ rows)
    return turned[:, :dimension].astype("<f2")


def sentences_of(text: str) -> list[str]:
    """The sentences of a page, without those that are too short or too long."""
    return [part for each in _SENTENCE.split(text) if _SHORTEST < len(part := each.strip()) < _LONGEST]


def main(arguments: list[str]) -> None:
    """Find the directions in the texts of some files, and keep them."""
    import numpy as np

    from recollect.inference.encoder import Encoder
    from recollect.inference.models import MINILM

    encoder = Encoder(Path(arguments[0]), longest=MINILM.longest)
    sentences = [each for name in arguments[1:] for each in sentences_of(Path(name).read_text(encoding="utf-8"))]
    states = np.concatenate([encoder.states(each)[1][1:-1] for each in dict.fromkeys(sentences)])
    find_directions(states, MINILM.dimension).tofile(_file(MINILM.dimension))


def _file(dimension: int) -> Path:
    return Path(__file__).with_name(f"directions-{dimension}.f2")


if __name__ == "__main__":
    main(sys.argv[1:])
