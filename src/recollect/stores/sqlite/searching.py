"""How to look for words among very many texts without weighing each that has one.

Weighing a text takes microseconds, and a common word is in tens of thousands. So rare words are looked for first, and
common ones among the newest texts. Only when that is not enough, because a filter lets few of them pass, everything
is weighed: nothing is ever left out for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.stores.database import Search, Transaction

_FEW = 2000  # texts that are weighed without a thought: one with more is a common word, or a large space
_WEIGHED = 4000  # texts at a time, where there are more
_BEST = 600  # of them that are read

_TEXTS = {"note_words": "note_text", "observation_words": "observation_text"}  # what each index is of


def searches(
    transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
) -> Iterator[Search]:
    """Ways to look for any of the words, until one has found enough; the best come first."""
    everything = Search(terms_in(space, words, beginnings=beginnings))
    if not words or not _has_many(transaction, index, space):
        yield everything
        return
    counts = {word: _count(transaction, index, _any_of([word], beginnings)) for word in words}
    rare: list[str] = []
    total = 0
    for word in sorted(words, key=lambda each: counts[each]):
        total += counts[word]
        if total > _WEIGHED or counts[word] >= _FEW:
            break
        rare.append(word)
    if rare:
        yield Search(_any_of(rare, beginnings), best=_BEST)
    if len(rare) < len(words):
        terms = _any_of(words, beginnings)
        yield Search(terms, oldest=_oldest(transaction, index, terms), best=_BEST)
    elif total <= _BEST:
        return  # all of them were read
    yield everything


def terms_in(space: str, words: Sequence[str], *, beginnings: bool) -> str:
    """Any of the words in texts of a space, in the language of FTS5."""
    return f"space : {_quoted(space)} AND {_any_of(words, beginnings)}"


def _has_many(transaction: Transaction, index: str, space: str) -> bool:
    """Whether a space has too many texts to weigh all. The table tells it in a quarter of the time the index takes."""
    sql = f"SELECT 1 FROM {_TEXTS[index]} WHERE space = :space LIMIT 1 OFFSET :others"  # noqa: S608
    return bool(transaction.query(sql, space=space, others=_FEW - 1))


def _count(transaction: Transaction, index: str, terms: str) -> int:
    """In how many texts something is; no further than it matters."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH :terms LIMIT :most)"  # noqa: S608
    [(count,)] = transaction.query(sql, terms=terms, most=_FEW)
    return int(count)


def _oldest(transaction: Transaction, index: str, terms: str) -> int:
    """The oldest of the newest texts that have something."""
    newest = f"SELECT rowid AS doc FROM {index} WHERE {index} MATCH :terms ORDER BY rowid DESC LIMIT :most"  # noqa: S608
    [(oldest,)] = transaction.query(f"SELECT min(doc) FROM ({newest})", terms=terms, most=_WEIGHED)  # noqa: S608
    return int(oldest or 0)


def _any_of(words: Sequence[str], beginnings: bool) -> str:
    return f"- space : ({' OR '.join(_quoted(word) + ' *' * beginnings for word in words)})"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
