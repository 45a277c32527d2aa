"""How to look for words among very many texts without weighing each that has one.

The index's own weighing takes five microseconds for a text, and a common word is in tens of thousands. Which texts have
a word it tells a hundred times as fast. So of each word the newest texts that have it are read, and every text counts
as much as those of the words are rare that it has; the few best of them are compared closely by whoever asked. Only
when that is not enough, because a filter lets few of them pass, everything is weighed: nothing is left out for good.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import apsw

from recollect.stores.conditions import has_words
from recollect.stores.database import Search, Transaction

_FEW = 2000  # texts that are read of a word: one that more have is a common word
_WEIGHED = 1000  # texts that are weighed by the index itself, where one word is all there is to tell them apart
_BEST = 200  # texts of which the notes are read first
_MEASURED = 150  # texts whose length is looked at
_MOST_SIZES = 1000  # of indexes that are remembered; a server has many spaces
_K1, _B = 1.2, 0.75  # as everywhere: how much a word counts, and how much a long text is held against it

_TEXTS = {"note_words": "note_text", "observation_words": "observation_text"}  # what each index is of
_FORMS = {"note_words": "note_forms", "observation_words": "observation_forms"}  # of the same texts, see `search_forms`


class IndexSize(NamedTuple):
    """How many texts of a space an index has, no further than it matters, and whether any text has forms."""

    texts: int
    formed: bool


def size_of(transaction: Transaction, index: str, space: str) -> IndexSize:
    """Count the texts of a space in an index."""
    return IndexSize(_how_many(transaction, index, space), _has_any(transaction, _FORMS[index]))


class IndexSizes:
    """The sizes of text indexes as one connection sees them, counted once for as long as nobody writes to the file."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._version = -1  # of the file, by which SQLite tells this connection that somebody has written to it
        self._seen: Transaction | None = None  # the last one, in which no other version is read
        self._sizes: dict[tuple[str, str], IndexSize] = {}

    def of(self, transaction: Transaction, index: str, space: str) -> IndexSize:
        """The size of an index, in a transaction of this connection."""
        if transaction is not self._seen:
            transaction.query("SELECT 1 FROM space LIMIT 1")  # only a first statement settles which version is read
            self._seen, version = transaction, self._connection.data_version()
            if version != self._version or len(self._sizes) >= _MOST_SIZES:
                self._version, self._sizes = version, {}
        known = self._sizes.get((index, space))
        if known is None:
            known = self._sizes[index, space] = size_of(transaction, index, space)
        return known


def searches(
    transaction: Transaction, index: str, words: Sequence[str], space: str, size: IndexSize, *, beginnings: bool
) -> Iterator[Search]:
    """Ways to look for any of the words, until one has found enough; the best come first."""
    texts, formed = size
    if not texts or not words:
        return
    # Among many, asking for the space as well would read a list of all its texts for each word.
    within = None if texts >= _FEW else space
    if formed and not beginnings:  # of a beginning the index would gather all texts, to tell whether there is one
        formed = _is_in(transaction, _FORMS[index], _any_of(words, within, beginnings))
    newest = [_newest_of(transaction, index, word, within, beginnings, formed=formed) for word in words]
    if len(words) == 1:
        oldest = newest[0][_WEIGHED - 1] if len(newest[0]) > _WEIGHED else 0
        best = _weighed(transaction, index, _any_of(words, within, beginnings), oldest)
        if formed:
            best = _joined(best, newest[0][:_WEIGHED])
        rest = newest[0]
    else:
        weights = _rarities(newest, texts if within else _number_of_newest(transaction, index))
        best, rest = _best_first(transaction, index, weights), []
    yield _docs(best[:_BEST])
    if len(best) > _BEST or rest:
        yield _docs([*best[_BEST:], *rest])
    if any(len(docs) == _FEW for docs in newest):
        every = _weighed(transaction, index, terms_in(space, words, beginnings=beginnings), 0)
        if formed:
            every = _joined(every, _every(transaction, _FORMS[index], _any_of(words, space, beginnings)))
        yield _docs(every)


def tagged(transaction: Transaction, tag: str, space: str) -> Search | None:
    """The ids of the notes that have or had a tag, and of a few others; `None` if many do: those are soon met."""
    if not has_words(tag):
        return None
    found = _newest(transaction, "note_words", f"tags : {_quoted(tag)}")
    if len(found) == _FEW:
        return None
    sql = (
        "SELECT DISTINCT found.note_id FROM json_each(:docs) AS best"
        " CROSS JOIN note_text AS found ON found.doc = best.value WHERE found.space = :space"
    )
    ids = transaction.query(sql, **_docs(found), space=space)
    return {"tagged": json.dumps([note_id for (note_id,) in ids])}


def terms_in(space: str, words: Sequence[str], *, beginnings: bool) -> str:
    """Any of the words in texts of a space, in the language of FTS5."""
    return _any_of(words, space, beginnings)


def _rarities(newest: Sequence[Sequence[int]], texts: int) -> dict[int, float]:
    """Of each text how rare the words are that it has."""
    weights: defaultdict[int, float] = defaultdict(float)
    for docs in newest:
        rarity = math.log(1 + max(0, texts - len(docs)) / (len(docs) + 0.5))
        for doc in docs:
            weights[doc] += rarity
    return weights


def _best_first(transaction: Transaction, index: str, weights: Mapping[int, float]) -> list[int]:
    """The texts, those with the rarest and the most words first, the best of them measured by their length too; of
    equals the newer one.
    """
    # Sorted twice, which keeps the order of equals: a key of two numbers is made and compared in three times the time.
    ordered = sorted(sorted(weights, reverse=True), key=weights.__getitem__, reverse=True)
    best, rest = ordered[:_MEASURED], ordered[_MEASURED:]
    sql = f"SELECT doc, length(text) FROM json_each(:docs) CROSS JOIN {_TEXTS[index]} ON doc = value"  # noqa: S608
    lengths: dict[int, int] = dict(transaction.query(sql, **_docs(best)))
    usual = sum(lengths.values()) / max(1, len(lengths)) or 1.0
    told = {doc: weights[doc] / (1 + _K1 * (1 - _B + _B * lengths.get(doc, 0) / usual)) for doc in best}
    return [*sorted(sorted(best, reverse=True), key=told.__getitem__, reverse=True), *rest]


def _how_many(transaction: Transaction, index: str, space: str) -> int:
    """How many texts a space has; no further than it matters. The table tells it sooner than the index.

    Whether there are that many is told in half the time of counting them.
    """
    some = f"SELECT 1 FROM {_TEXTS[index]} WHERE space = :space LIMIT"  # noqa: S608
    if transaction.query(f"{some} 1 OFFSET :others", space=space, others=_FEW - 1):
        return _FEW
    [(count,)] = transaction.query(f"SELECT count(*) FROM ({some} :most)", space=space, most=_FEW)  # noqa: S608
    return int(count)


def _number_of_newest(transaction: Transaction, index: str) -> int:
    """The number of the newest text: about how many there are, of all spaces."""
    [(number,)] = transaction.query(f"SELECT max(doc) FROM {_TEXTS[index]}")  # noqa: S608
    return int(number or 0)


def _newest_of(
    transaction: Transaction, index: str, word: str, within: str | None, beginnings: bool, *, formed: bool
) -> list[int]:
    """The newest texts that have a word as it is written, or as one of their forms."""
    found = _newest(transaction, index, _any_of([word], within, beginnings))
    if not formed:
        return found
    others = _newest(transaction, _FORMS[index], _any_of([word], within, beginnings))
    return sorted({*found, *others}, reverse=True)[:_FEW] if others else found


def _has_any(transaction: Transaction, index: str) -> bool:
    """Whether an index has any text at all."""
    return bool(transaction.query(f"SELECT 1 FROM {index}_docsize LIMIT 1"))  # noqa: S608


def _is_in(transaction: Transaction, index: str, terms: str) -> bool:
    """Whether an index has any text with something. Most words are in no forms: then none is looked for by itself."""
    sql = f"SELECT 1 FROM {index} WHERE {index} MATCH :terms LIMIT 1"  # noqa: S608
    return bool(transaction.query(sql, terms=terms))


def _joined(some: Sequence[int], others: Sequence[int]) -> list[int]:
    return list(dict.fromkeys((*some, *others)))


def _every(transaction: Transaction, index: str, terms: str) -> list[int]:
    """All texts that have something, the newest first."""
    sql = f"SELECT rowid FROM {index} WHERE {index} MATCH :terms ORDER BY rowid DESC"  # noqa: S608
    return [doc for (doc,) in transaction.query(sql, terms=terms)]


def _newest(transaction: Transaction, index: str, terms: str) -> list[int]:
    """The newest texts that have something."""
    sql = f"SELECT rowid FROM {index} WHERE {index} MATCH :terms ORDER BY rowid DESC LIMIT :most"  # noqa: S608
    return [doc for (doc,) in transaction.query(sql, terms=terms, most=_FEW)]


def _weighed(transaction: Transaction, index: str, terms: str, oldest: int) -> list[int]:
    """The texts that have something, from a number on, as the index weighs them."""
    sql = (
        f"SELECT rowid FROM {index} WHERE {index} MATCH :terms AND rowid >= :oldest"  # noqa: S608
        " AND rank MATCH 'bm25(0.0, 1.0, 1.0, 1.0)' ORDER BY rank"
    )
    return [doc for (doc,) in transaction.query(sql, terms=terms, oldest=oldest)]


def _docs(docs: list[int]) -> Search:
    return {"docs": str(docs)}  # a list of whole numbers is spelled as in JSON, and so in a fifth of the time


def _any_of(words: Sequence[str], space: str | None, beginnings: bool) -> str:
    texts = f"- space : ({' OR '.join(_quoted(word) + ' *' * beginnings for word in words)})"
    return texts if space is None else f"space : {_quoted(space)} AND {texts}"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
