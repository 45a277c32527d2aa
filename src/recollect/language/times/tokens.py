"""From a text to tokens: words with the classes their language gives them, and numbers by their shape.

A run of letters and digits held together by `.`, `/`, `:` or `-` is one token when it has digits, and opaque unless
its whole shape is known. So a date is one token, and the digits of a version, an address, a path or an identifier
are never taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.domain.dataclass import dataclass

Classes = Mapping[str, Any]

END: Classes = {"edge": True}  # the class of the end of a text, and of signs no pattern knows


class Token(NamedTuple):
    """A piece of a text, where it is, and what it can be. A phrase has at least one token that tells of time."""

    start: int
    end: int
    classes: Classes
    capital: bool = False
    telling: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a language, by their lower-case form. `weak` is for those not capitalised."""

    words: Mapping[str, Classes]
    weak: Mapping[str, Classes]
    telling: frozenset[str]
    endings: tuple[tuple[str, re.Pattern[str]], ...]


def tokens(text: str, vocabulary: Vocabulary) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        chunk = match.group()
        if chunk.isalpha():
            found.append(_word(chunk, start, vocabulary))
        elif match.lastgroup == "sign":
            found.append(_sign(chunk, start, vocabulary))
        elif classes := _shape(chunk):
            found.append(Token(start, end, classes, telling=not _MERE.issuperset(classes)))
        else:
            found.extend(_pieces(chunk, start, vocabulary))
    return found


def _word(chunk: str, start: int, vocabulary: Vocabulary) -> Token:
    lower = chunk.lower()
    capital = chunk[0].isupper()
    if lower in vocabulary.weak and chunk != lower.capitalize():
        classes = vocabulary.weak[lower]
    else:
        classes = vocabulary.words.get(lower) or _unlisted(lower, capital, vocabulary.endings)
    return Token(start, start + len(chunk), classes, capital, lower in vocabulary.telling)


def _sign(chunk: str, start: int, vocabulary: Vocabulary) -> Token:
    return Token(
        start,
        start + len(chunk),
        vocabulary.words.get("\n\n" if chunk[0] == "\n" else chunk.replace("’", "'").lower(), END),
    )


def _pieces(chunk: str, start: int, vocabulary: Vocabulary) -> Iterator[Token]:
    """A chunk of no known shape: words with signs between them, a word with a date after it, or opaque."""
    headed = _HEADED.match(chunk)
    if not _DIGIT.search(chunk):
        for piece in _PIECE.finditer(chunk):
            read = _word if piece.group().isalpha() else _sign
            yield read(piece.group(), start + piece.start(), vocabulary)
    elif headed and headed.group(1).lower() in vocabulary.words:
        middle = start + headed.end(1)
        yield _word(headed.group(1), start, vocabulary)
        yield _sign("-", middle, vocabulary)
        rest = _shape(chunk[headed.end() :])
        yield Token(middle + 1, start + len(chunk), rest or _OPAQUE, telling=not _MERE.issuperset(rest or _OPAQUE))
    else:
        yield Token(start, start + len(chunk), _OPAQUE)


_OPAQUE: Classes = {"opaque": True}
_MERE = frozenset(
    {"opaque", "number", "dom", "pair", "clock"}
)  # numbers that tell of time only beside a word that does

_TOKEN = re.compile(
    r"""
    (?P<stamp>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?(?!\w))
    | (?P<chunk>['’][0-9]{2}s?\b|\w+(?:[./:-]\w+)*)
    | (?P<sign>['’](?:s|ll|ve|re|m|d|t)\b|\n\s*\n|[^\w\s])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PIECE = re.compile(r"[^\W_]+|[\W_]")
_HEADED = re.compile(r"([^\W\d_]+)-")

_SHAPES = re.compile(
    r"""
    (?P<stamp>([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)
    | (?P<iso>([0-9]{4})(?:-([0-9]{1,2})-|/([0-9]{1,2})/)([0-9]{1,2}))
    | (?P<slash>([0-9]{1,2})(?:/([0-9]{1,2})/|-([0-9]{1,2})-)([0-9]{4}|[0-9]{2}))
    | (?P<dotted>([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4}))
    | (?P<isomonth>([0-9]{4})-(0[1-9]|1[0-2]))
    | (?P<monthyear>(0?[1-9]|1[0-2])/([12][0-9]{3}))
    | (?P<yearpair>([12][0-9]{3})[-/]([12][0-9]{3}|[0-9]{2}))
    | (?P<year>1[0-9]{3}|2[01][0-9]{2})
    | (?P<clock>([01]?[0-9]|2[0-4]):([0-5][0-9])(?::[0-5][0-9])?([ap]m)?)
    | (?P<hour>(1[0-2]|0?[1-9])(?:\.([0-5][0-9]))?([ap]m))
    | (?P<nth>([0-9]{1,2})(?:st|nd|rd|th))
    | (?P<pair>([0-9]{1,2})-([0-9]{1,2}))
    | (?P<number>[0-9]{1,4})
    | (?P<halves>[0-9]{1,3}\.[0-9])
    | (?P<decade>(1[0-9]{2}0|20[0-9]0)s)
    | (?P<shortdecade>['’]?([5-9]0)s)
    | (?P<shortyear>['’]([0-9]{2}))
    | (?P<quarter>q([1-4]))
    | (?P<half>h([12]))
    | (?P<datedquarter>(?:q([1-4])[-/]?([12][0-9]{3})|([12][0-9]{3})-?q([1-4])))
    """,
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def _unlisted(lower: str, capital: bool, endings: tuple[tuple[str, re.Pattern[str]], ...]) -> Classes:
    classes: dict[str, Any] = {"name": True} if capital else {}
    for name, ending in endings:
        if ending.fullmatch(lower):
            return classes | {name: True}
    return classes or {"word": True}


def _shape(chunk: str) -> Classes | None:
    """The classes of a chunk with digits, by its shape, or None."""
    match = _SHAPES.fullmatch(chunk)
    if match is None:
        return None
    kind = match.lastgroup or ""
    values = [value for value in match.groups()[match.re.groupindex[kind] :] if value is not None]
    return _READERS[kind](match.group(), values)


def _clock(hour: str, minutes: str, half: str) -> Classes:
    """Minutes of the day, and whether morning or afternoon was said."""
    hours = int(hour) % 12 + (12 if half.lower() == "pm" else 0) if half else int(hour)
    return {"clock": (hours * 60 + int(minutes), bool(half) or hours > 12)}


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else int(digits) + (2000 if int(digits) < 70 else 1900)


def _year_pair(values: list[str]) -> Classes:
    first, last = values
    return {"yearpair": (int(first), int(last) if len(last) == 4 else int(first) // 100 * 100 + int(last))}


def _number(text: str) -> Classes:
    value = int(text)
    return {"number": value, "dom": value} if 1 <= value <= 31 else {"number": value}


_READERS: dict[str, Callable[[str, list[str]], Classes]] = {
    "stamp": lambda text, _: {"stamp": text},
    "iso": lambda _, v: {"iso": (int(v[0]), int(v[1]), int(v[2]))},
    "slash": lambda _, v: {"slash": (int(v[0]), int(v[1]), _full_year(v[2]))},
    "dotted": lambda _, v: {"iso": (int(v[2]), int(v[1]), int(v[0]))},
    "isomonth": lambda _, v: {"isomonth": (int(v[0]), int(v[1]))},
    "monthyear": lambda _, v: {"isomonth": (int(v[1]), int(v[0]))},
    "yearpair": lambda _, v: _year_pair(v),
    "year": lambda text, _: {"year": int(text), "number": int(text)},
    "clock": lambda _, v: _clock(v[0], v[1], v[2] if len(v) > 2 else ""),
    "hour": lambda _, v: _clock(v[0], v[1] if len(v) > 2 else "0", v[-1]),
    "nth": lambda _, v: {"nth": int(v[0])},
    "pair": lambda _, v: {"pair": (int(v[0]), int(v[1]))},
    "number": lambda text, _: _number(text),
    "halves": lambda text, _: {"number": round(float(text) * 2) / 2},
    "decade": lambda _, v: {"decade": int(v[0])},
    "shortdecade": lambda _, v: {"shortdecade": 1900 + int(v[0])},
    "shortyear": lambda _, v: {"shortyear": _full_year(v[0])},
    "quarter": lambda _, v: {"quarter": int(v[0])},
    "half": lambda _, v: {"half": int(v[0])},
    "datedquarter": lambda text, v: {
        "datedquarter": (int(v[1]), int(v[0])) if text[0] in "qQ" else (int(v[0]), int(v[1]))
    },
}
