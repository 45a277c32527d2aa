"""Pure: the words of texts and questions, and the words of memory that a misspelt one may stand for.

Both databases stem words in their own way when they gather candidates. Here is the one way in which they are
then compared, so that the order of the answers does not depend on the database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from recollect.recall.weights import WEIGHTS

_WORD = re.compile(r"[^\W_]+")  # an underscore stands between words, for the databases too
# Of each ASCII character what it is folded to: letters and figures to lower case, everything else to a space.
_FOLDED = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
_ACCENT = re.compile("[\u0300-\u036f]")
_MOST_ASKED = 200  # words; of a page that is pasted as a question the rest would sharpen nothing
_PIECE = 16_000  # characters

# Words that say how something is asked, not what about.
STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both but
    by can could d did do does doing don down during each few for from further had has have having he her here
    hers him his how i if in into is it its itself just let ll m me more most my myself no nor not now of off on
    once only or other our ours out over own please re s same she should so some such t tell than that the their
    theirs them then there these they this those through to too under until up us ve very was we were what when
    where which while who whom why will with would you your yours
    """.split()
)

_ENDINGS = "ingly edly ations ation ings ing ies ied ers er ed es ly s e".split()
SHORTEST_STEM = 3  # letters; a shorter word is its own stem


def words_of(text: str) -> list[str]:
    """The words of a text, folded to lower case and without accents, in order."""
    if text.isascii():  # most texts; a search folds hundreds, and a table does it ten times as fast as a pattern
        return text.translate(_FOLDED).split()
    # Composed again: what is not an accent, such as the parts of a Korean syllable, belongs to its letter.
    # Taken apart before and after: folding can make both capitals out of signs and accents out of letters.
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).lower())
    # In pieces, because to take half a million accents out in one step keeps other threads waiting.
    bare = "".join(_ACCENT.sub("", apart[start : start + _PIECE]) for start in range(0, len(apart), _PIECE))
    return _WORD.findall(unicodedata.normalize("NFC", bare))


def asked_words(query: str) -> list[str]:
    """The words a question is about, each once; all of its words, if it has no others."""
    found: dict[str, None] = {}
    telling: dict[str, None] = {}
    for piece in _pieces(query):
        words = dict.fromkeys(words_of(piece))
        found |= words
        telling.update((word, None) for word in words if word not in STOP_WORDS)
        if len(telling) >= _MOST_ASKED:
            break
    return list(telling or found)[:_MOST_ASKED]


def spellings(query: str, asked: Sequence[str]) -> list[str]:
    """The asked words to gather by, also as they were written: a database may know them with their accents only."""
    if query.isascii():
        return list(asked)  # they are written as they are asked
    meant, found = set(asked), dict.fromkeys(asked)
    for piece in _pieces(query):
        written = dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", piece.lower())))
        found.update((word, None) for word in written if meant.intersection(words_of(word)))
    return list(found)


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that end between words, each short enough to be gone through without holding up others."""
    start = 0
    while start < len(text):
        near = start + _PIECE
        space = text.find(" ", near, near + _PIECE) if near < len(text) else -1
        end = space if space >= 0 else near
        yield text[start:end]
        start = end


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude stem: `deploys`, `deployed` and `deploying` become one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word + "y" if ending in ("ies", "ied") else word
    return word


_LIMITS = WEIGHTS.spelling
SHORTEST = _LIMITS.shortest


def unmet(asked: Sequence[str], spoken: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The asked words that no text has, by their stems, and which are long enough to be looked for otherwise.

    Texts, each as its words, are read only until all are met: mostly the first few have them.
    """
    missing = {stem(word) for word in asked if len(word) >= SHORTEST and word.isalpha()}
    # A word that begins otherwise cannot have one of the stems, and most begin otherwise.
    begun = frozenset(root[:SHORTEST_STEM] for root in missing)
    for words in spoken:
        if not missing:
            return ()
        missing.difference_update([stem(word) for word in words if word[:SHORTEST_STEM] in begun])
    return tuple(word for word in asked if len(word) >= SHORTEST and word.isalpha() and stem(word) in missing)


def beginnings(words: Iterable[str]) -> tuple[str, ...]:
    """By which words to look for those that were meant."""
    return tuple(dict.fromkeys(word[: _LIMITS.kept] for word in words))


def meant(word: str, known: Collection[str]) -> tuple[str, ...]:
    """The known words that are nearest in spelling, nearest first; none if none is near."""
    slips = 2 if len(word) >= _LIMITS.long else 1
    near = ((_distance(word, other, slips), other) for other in _alike(word, known, slips))
    begun = ((slips, other) for other in known if other.startswith(word))
    ranked = sorted({(far, other) for far, other in (*near, *begun) if far <= slips})
    return tuple(dict.fromkeys(other for _, other in ranked))[: _LIMITS.most]


def _alike(word: str, known: Iterable[str], slips: int) -> Iterator[str]:
    """The words that can be so few slips away at all: each slip makes at most two letters differ."""
    letters = frozenset(word)
    for other in known:
        if abs(len(other) - len(word)) <= slips and len(letters.symmetric_difference(other)) <= 2 * slips:
            yield other


def _distance(one: str, other: str, most: int) -> int:
    """How many letters are wrong, missing, too many, or swapped with the next; more than `most` is not counted out."""
    before: Sequence[int] = ()
    above: Sequence[int] = range(len(other) + 1)
    for row, letter in enumerate(one, start=1):
        line = [row]
        for column, against in enumerate(other, start=1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > most:
            return most + 1
        before, above = above, line
    return above[-1]
