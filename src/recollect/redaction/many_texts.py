"""Many texts told plain by their words, each of which is looked at once, instead of one pass over each text.

A keyword without a blank in it stands within one word, whatever is around that word. So a text is plain if all its
words are innocent: they have no keyword, and none begins with their end. Words come again and again, and are
remembered. New ones are joined with a sign between them that is in none, and searched in one pass. A text with a word
that is not innocent is looked at by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from recollect.domain.late import Late
from recollect.redaction.redactor import AFTER_BLANK, is_plain, keyword_heads, keyword_places, keywords_with_equals
from recollect.redaction.structures import MIDDLE_OF_TOKEN

_BETWEEN = "\0"
_AT_A_TIME = 32_000  # characters; the keywords of hostile text are looked for in a few milliseconds
_LONG = 16_000  # characters of a text that is looked at by itself
_BY_ITSELF = Late(r"[\0\\%]")
_MOST_WORDS = 50_000  # that are remembered
_LONGEST_WORD = 80  # characters of one that is remembered
_PRIVATE, _KIND = "private", "kind:"  # beside the keywords of the rules: a word, and the first word of `kind: secret`

_INNOCENT: set[str] = set()


def plain_among(texts: Iterable[str]) -> Iterator[str]:
    """Those of some texts that are surely plain, as `is_plain` says it of one; it may say so of others, too."""
    some: list[str] = []
    many = 0
    for text in texts:
        if len(text) > _LONG or _BY_ITSELF.search(text):
            continue
        some.append(text)
        many += len(text) + 1
        if many >= _AT_A_TIME:
            yield from _sifted(some)
            some, many = [], 0
    yield from _sifted(some)


def spells_keyword(name: str, value: str) -> bool:
    """Whether a name and a value, neither with a keyword in it, have one in `name=value`: half in each."""
    tails = _tails_of(name[-_longest_head() :].lower())
    return bool(tails) and value.lower().startswith(tails)


@lru_cache(4096)  # names come again and again
def _tails_of(end: str) -> tuple[str, ...]:
    """How the keywords go on behind an equals sign that have the end of a name before it."""
    return tuple(tail for head, tail in keywords_with_equals() if end.endswith(head))


@lru_cache(1)
def _longest_head() -> int:
    return max((len(head) for head, _ in keywords_with_equals()), default=1)


def _sifted(texts: list[str]) -> Iterator[str]:
    each = [set(text.lower().split()) for text in texts]
    words = set().union(*each)
    if len(_INNOCENT) + len(words) > _MOST_WORDS:
        _INNOCENT.clear()
    new = words - _INNOCENT
    ascii_only = {word for word in new if word.isascii()}  # keywords of other letters need not be looked for in them
    innocent = _innocent_among(ascii_only) | _innocent_among(new - ascii_only)
    _INNOCENT.update(word for word in innocent if len(word) <= _LONGEST_WORD)
    innocent |= words & _INNOCENT
    return (text for text, said in zip(texts, each, strict=True) if _is_plain(text, said, innocent))


def _is_plain(text: str, words: set[str], innocent: set[str]) -> bool:
    # One letter becomes two in lower case, so that nothing would stand where it was found.
    return (words <= innocent and (text.isascii() or "İ" not in text)) or is_plain(text)


def _innocent_among(words: set[str]) -> set[str]:
    """Those words that have no keyword in them, and with which none begins that goes on in the next word."""
    some = [word for word in words if not word.endswith(_endings()) and not word.startswith(AFTER_BLANK)]
    joined = _BETWEEN.join(some)
    starts = [0]
    for word in some:
        starts.append(starts[-1] + len(word) + 1)
    hit = {bisect_right(starts, place) - 1 for place in _places(joined)}
    return {word for number, word in enumerate(some) if number not in hit}


@lru_cache(1)
def _endings() -> tuple[str, ...]:
    return (*keyword_heads(), _KIND)


def _places(joined: str) -> Iterator[int]:
    yield from keyword_places(joined)
    yield from (found.start() for found in MIDDLE_OF_TOKEN.finditer(joined))
    at = joined.find(_PRIVATE)
    while at >= 0:
        yield at
        at = joined.find(_PRIVATE, at + 1)
