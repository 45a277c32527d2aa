"""Many texts told plain by one pass over all of them, instead of one pass over each.

They are joined with a sign between them that is in none. No keyword has that sign, so the place of each hit names the
text it is in; every other text is plain. Nothing is decided here about a text with a hit: it is looked at by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from recollect.domain.late import Late
from recollect.redaction.scanner import keyword_places, keywords_with_equals
from recollect.redaction.structures import MIDDLE_OF_TOKEN

_BETWEEN = "\0"
_AT_A_TIME = 32_000  # characters; the keywords of hostile text are looked for in a few milliseconds
_LONG = 16_000  # characters of a text that is looked at by itself
_BY_ITSELF = Late(r"[\0\\%]")
_WORDS = ("private", "kind: secret")  # beside the keywords of the rules


def plain_among(texts: Iterable[str]) -> Iterator[str]:
    """Those of some texts that are surely plain, as `is_plain` says it of one; it may say so of others, too."""
    some: list[str] = []
    many = 0
    for text in texts:
        if not text.isascii() or len(text) > _LONG or _BY_ITSELF.search(text):
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
    joined = _BETWEEN.join(texts).lower()
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    hit = {bisect_right(starts, place) - 1 for place in _places(joined)}
    return (text for number, text in enumerate(texts) if number not in hit)


def _places(joined: str) -> Iterator[int]:
    yield from keyword_places(joined)
    yield from (found.start() for found in MIDDLE_OF_TOKEN.finditer(joined))
    for word in _WORDS:
        at = joined.find(word)
        while at >= 0:
            yield at
            at = joined.find(word, at + 1)
