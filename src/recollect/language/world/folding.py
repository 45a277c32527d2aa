"""Pure: a text as the words by which it is compared, in any script.

Words are folded: lower case, no accents, one spelling for letters that have several. In scripts without spaces between
words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in Korean, whose particles are written to the word, each two
neighbouring signs are a word, and so is each single Chinese sign and Korean syllable.
"""

# ruff: noqa: RUF001 - letters of every script

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

# Of each ASCII character what it is folded to: letters and figures to lower case, everything else to a space.
_FOLDED = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256))
_PIECE = 16_000  # characters

# Marks above and below letters, the vowel signs that Hebrew and Arabic may leave out, the line that stretches an Arabic
# word, and marks that only say how letters are joined.
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u09bc\u00ad\u200d]"
)
# Letters that no normal form takes apart, as people type them who do not have them.
SPECIAL = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "n", "ς": "σ", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا", "ँ": "ं",
}  # fmt: skip
_SPECIAL = str.maketrans(SPECIAL)
_CAPITALS = "".join(letter.upper() for letter in SPECIAL if len(letter.upper()) == 1 and not letter.upper().isascii())
_OURS = re.compile(f"[{''.join(SPECIAL)}{_CAPITALS}ẞ\ufb00-\ufb4f\uff01-\uffee]")

# The vowel signs of Indian scripts are parts of words, and no letters to the standard library.
_WORD = re.compile(
    r"[\w\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u1000-\u1049\u1050-\u109f\u1780-\u17d3]+"
)
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED = (
    f"{_HAN}\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u3041-\u30ff\u31f0-\u31ff\uac00-\ud7a3"
)
UNSPACED_SIGN = re.compile(f"[{_UNSPACED}]")
_RUN = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_SINGLE = re.compile(f"[{_HAN}\uac00-\ud7a3]")
# A sign with what is written above, below and behind it; a Khmer consonant also with the one that stands below it.
_CLUSTER = re.compile(
    ".(?:\u17d2.|[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d1\u17d3"
    "\u3099\u309a])*",
    re.DOTALL,
)


def words_of(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    if text.isascii():  # most texts; a search folds hundreds, and a table of bytes does it twenty times as fast
        return folded_ascii(text).split()
    bare = folded(text)
    words = _WORD.findall(bare)
    if UNSPACED_SIGN.search(bare) is None:
        return words
    return [term for word in words for term in _terms(word)]


def folded_ascii(text: str) -> str:
    """A text of ASCII characters only, as its words with spaces between them."""
    return text.encode("ascii").translate(_FOLDED).decode("ascii")


def folded(text: str) -> str:
    """A text in lower case and without accents; an underscore stands between words, and is a space."""
    # Composed again: what is not an accent, such as the parts of a Korean syllable, belongs to its letter.
    # Taken apart before and after: folding can make both capitals out of signs and accents out of letters.
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).lower())
    # In pieces, because to take half a million accents out in one step keeps other threads waiting.
    bare = "".join(_MARKS.sub("", apart[start : start + _PIECE]) for start in range(0, len(apart), _PIECE))
    return unicodedata.normalize("NFC", bare.translate(_SPECIAL).replace("_", " "))


def words_of_our_folding(text: str) -> Iterator[str]:
    """The words of a text with letters that the databases do not fold as we do: `Straße` is found by `strasse`."""
    if _OURS.search(text) is not None:
        for piece in text.split():
            if _OURS.search(piece) is not None:
                yield from words_of(piece)


def _terms(word: str) -> Iterator[str]:
    """A word, or the neighbours of which a run of signs consists."""
    for run in _RUN.findall(word):
        if UNSPACED_SIGN.match(run) is None:
            yield run
            continue
        signs = _CLUSTER.findall(run)
        if len(signs) == 1:
            yield run
            continue
        for one, other in pairwise(signs):
            yield one + other
        yield from _SINGLE.findall(run)
