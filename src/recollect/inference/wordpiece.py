"""Pure: text into the word pieces a BERT model was trained on.

The same steps, in the same order, as the reference tokenizer of the uncased models: clean, fold, split at white
space and punctuation, then the longest known piece first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

_LONGEST_WORD = 100  # characters; longer ones are unknown, as in the reference
_CACHE = 65_536


class WordPiece:
    """A vocabulary, and how text is cut by it."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._ids["[UNK]"]
        self.start = self._ids["[CLS]"]
        self.end = self._ids["[SEP]"]
        self.pad = self._ids["[PAD]"]
        self._pieces = lru_cache(maxsize=_CACHE)(self._cut)

    def ids(self, text: str, *, most: int) -> list[int]:
        """The ids of a text's pieces between the marks for its start and end, `most` of them at the most."""
        return [self.start, *self.bare_ids(text, most=most - 2), self.end]

    def bare_ids(self, text: str, *, most: int) -> list[int]:
        """The ids of a text's pieces by themselves, the first `most` of them."""
        found: list[int] = []
        for word in _words(text):
            found.extend(self._pieces(word))
            if len(found) >= most:
                break
        return found[:most]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self.unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = self._ids.get(word[start:end] if start == 0 else f"##{word[start:end]}")
                if piece is not None:
                    pieces.append(piece)
                    break
                end -= 1
            else:
                return (self.unknown,)
            start = end
        return tuple(pieces)


def _words(text: str) -> list[str]:
    """Words and single punctuation marks, in lower case and without accents."""
    if text.isascii():
        folded = text.lower()
    else:
        decomposed = unicodedata.normalize("NFD", text.lower())
        folded = "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")
    found: list[str] = []
    word: list[str] = []
    for letter in folded:
        if letter.isalnum() and not _is_ideograph(letter):
            word.append(letter)
            continue
        kind = unicodedata.category(letter)
        if kind[0] == "C" and letter not in "\t\n\r":
            continue
        if not letter.isspace() and kind != "Zs" and not _is_mark(letter, kind):
            word.append(letter)
            continue
        if word:
            found.append("".join(word))
            word.clear()
        if not letter.isspace() and kind != "Zs":
            found.append(letter)
    if word:
        found.append("".join(word))
    return found


def _is_mark(letter: str, kind: str) -> bool:
    """Whether a character stands by itself: punctuation, ASCII symbols, ideographs."""
    return kind[0] == "P" or (letter.isascii() and not letter.isalnum()) or _is_ideograph(letter)


def _is_ideograph(letter: str) -> bool:
    code = ord(letter)
    return code >= 0x3400 and (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2CEAF
        or 0x2F800 <= code <= 0x2FA1F
    )


def read_vocabulary(folder: Path) -> list[str]:
    """The pieces of a model's vocabulary, in the order of their numbers."""
    return [piece for piece in (folder / "vocab.txt").read_text(encoding="utf-8").split("\n") if piece]
