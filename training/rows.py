"""Texts as the models read them: word pieces between marks, one text or two in a row, rows padded to a batch.

Needs numpy only, so that the examples of a run and the files that ship are read without PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from recollect.inference.wordpiece import WordPiece, read_vocabulary

START, END, PAD = 101, 102, 0  # in BERT's vocabulary
LONGEST = 128  # word pieces of a row
_TEXTS = 1_000_000  # whose pieces are remembered: a pool has some hundred thousand, and reads each a few times


class Pieces:
    """The word pieces of texts, by the vocabulary in a model's folder."""

    def __init__(self, folder: Path) -> None:
        words = WordPiece(read_vocabulary(folder))
        self.of = lru_cache(maxsize=_TEXTS)(lambda text: np.array(words.bare_ids(text, most=LONGEST), dtype=np.int32))

    def batch(self, rows: Sequence[tuple[str, ...]], longest: int = LONGEST) -> tuple[Any, Any, Any]:
        """See `batch`."""
        return batch([tuple(map(self.of, row)) for row in rows], longest)


def batch(rows: Sequence[tuple[Any, ...]], longest: int = LONGEST) -> tuple[Any, Any, Any]:
    """Ids, kinds (0 first text, 1 second) and mask of rows that are one text's pieces, or two's."""
    marked = [_marked(row, longest) for row in rows]
    width = max(len(ids) for ids, _ in marked)
    ids, kinds, mask = np.full((3, len(rows), width), PAD, dtype=np.int64)
    for at, (own_ids, own_kinds) in enumerate(marked):
        ids[at, : len(own_ids)] = own_ids
        kinds[at, : len(own_ids)] = own_kinds
        mask[at, : len(own_ids)] = 1
    return ids, kinds, mask


def _marked(row: tuple[Any, ...], longest: int) -> tuple[list[int], list[int]]:
    """A row with its marks, and to which text each piece belongs. Of two long texts the longer is cut first."""
    bare = [list(part) for part in row]
    while sum(map(len, bare)) > longest - 1 - len(bare):
        max(bare, key=len).pop()
    ids, kinds = [START], [0]
    for number, part in enumerate(bare):
        ids += [*part, END]
        kinds += [number] * (len(part) + 1)
    return ids, kinds
