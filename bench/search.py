"""How fast it answers, and how that grows with what it holds: questions, lists, bytes on the disk and in memory.

The stores of all sizes are filled first. Then each question is put to one after the other, so that whatever
else the machine does falls on all of them alike, and the ratio between two sizes can be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from itertools import pairwise
from time import process_time
from typing import Any

from bench import corpus, floors
from bench.card import Row, Table, ratio
from bench.corpus import Question
from bench.measuring import cpu, median, say, spread, timed, times
from bench.places import Places, take_in
from bench.resident import first_search
from bench.vectors import give_vectors
from recollect import Memory
from recollect.domain.dataclass import dataclass

POINTED = "2–6 words of one note, by words alone"
WITH_MODEL = "2–6 words of one note, with the model"
VECTOR_KNOWN = "the same again, the question's vector known"

_HITS = 10
_REMEMBERED = 200  # questions whose vectors the embedder surely still has
_PAGE = 50  # notes

_ONWARDS = "onwards, by cursor"  # the list that goes on where its last page ended
_LISTS: dict[str, dict[str, Any]] = {
    "newest": {},
    _ONWARDS: {},
    "of a project": {"project": "project-3"},
    "with a tag": {"tag": "tag-9"},
    "pinned": {"pinned": True},
    "as known a year before": {"known_at": "2025-01-01"},
}


@dataclass(frozen=True, slots=True)
class Effort:
    """How often each store is asked."""

    pointed: int
    broad: int
    pages: int
    lists: int
    saves: int
    beside: int  # questions beside the floor


FULL = Effort(pointed=400, broad=80, pages=12, lists=80, saves=200, beside=200)
QUICK = Effort(pointed=200, broad=50, pages=10, lists=50, saves=100, beside=100)


def run(places: Places, *, sizes: Sequence[int], effort: Effort, seed: int, embedding: str = "off") -> list[Table]:
    """With a model the notes have vectors, made up: what they mean plays no part in how long it takes."""
    with ExitStack() as stack:
        stores: dict[int, Memory] = {}
        by_words: dict[int, Memory] = {}
        held: list[Row] = []
        for size in sizes:
            say(f"speed: filling a store with {size:,} notes")
            held.append(_filled(places, size, seed, embedding) | first_search(places, f"{size}", embedding))
            stores[size] = stack.enter_context(closing(places.open(f"{size}", embedding=embedding)))
            by_words[size] = stack.enter_context(closing(places.open(f"{size}")))

        say("speed: asking every store in turns")
        pointed = corpus.pointed_questions(effort.pointed, seed=seed)
        asked = _asked(POINTED, by_words, pointed)
        over: list[Row] = []
        if embedding != "off":
            # Vectors that point anywhere find anything, so what is found plays no part here.
            aimless = [Question(each.text) for each in pointed]
            asked += _asked(WITH_MODEL, stores, aimless)
            asked += _asked(VECTOR_KNOWN, stores, aimless[-_REMEMBERED:])
            say("speed: the floor, and searches beside it")
            over = [row for size in sizes for row in floors.beside(stores[size], size, effort.beside, seed)]
        asked += [
            *_asked("2–6 common words", stores, corpus.broad_questions(effort.broad, seed=seed)),
            *_asked("a page of 200 words", stores, corpus.page_questions(effort.pages, seed=seed)),
        ]
        say("speed: listing, every store in turns")
        listed = [row for name in _LISTS for row in _listed(name, stores, effort.lists)]

        say("speed: saving into the full stores")
        texts = corpus.texts(effort.saves, seed=seed)
        for row, memory in zip(held, stores.values(), strict=True):
            row["save_p50_ms"] = median(times(memory.save, texts)) * 1000
    ratios = [*over, *_growth(asked, "search", "cpu_p50_ms"), *_growth(listed, "list", "p50_ms")]
    return [Table("search", asked), Table("list", listed), Table("store", held), Table("ratios", ratios)]


def _filled(places: Places, size: int, seed: int, embedding: str) -> Row:
    """Fill a store and close it, so that its size is that of a file at rest."""
    name = f"{size}"
    notes = corpus.entries(size, seed=seed)
    lines = corpus.lines(notes, space=places.settings(name).space)
    # Taken in without the model: with it every text would be embedded, which takes most of an hour.
    with closing(places.open(name)) as memory:
        before = memory.status().size_bytes or 0
        seconds = take_in(memory, lines)
    if embedding != "off":
        with closing(places.open(name, embedding=embedding)) as memory:
            give_vectors(memory, notes, seed=seed)
    with closing(places.open(name)) as memory:
        grown = (memory.status().size_bytes or 0) - before
    return {
        "store_of_notes": size,
        "versions": len(lines),
        "import_per_second": len(lines) / seconds,
        "size_mb": grown / 1e6,
        "bytes_per_note": round(grown / size),
        "times_its_text": grown / sum(len(note.text.encode()) for note in notes),
    }


def _asked(name: str, stores: dict[int, Memory], questions: Sequence[Question]) -> list[Row]:
    seconds: dict[int, list[float]] = {size: [] for size in stores}
    busy: dict[int, list[float]] = {size: [] for size in stores}
    found = dict.fromkeys(stores, 0)
    for memory in stores.values():
        memory.search(questions[0].text, limit=_HITS)  # not counted: it opens the connection and reads the index
    for question in questions:
        for size, memory in stores.items():
            begun = process_time()
            took, answer = timed(memory.search, question.text, limit=_HITS)
            seconds[size].append(took)
            busy[size].append(process_time() - begun)
            found[size] += any(hit.note is not None and hit.note.id == question.target for hit in answer.hits)
    rows: list[Row] = [{"search": name, "notes": size, **spread(seconds[size]), **cpu(busy[size])} for size in stores]
    if questions[0].target is not None:
        for row, right in zip(rows, found.values(), strict=True):
            row["hit_at_10"] = right / len(questions)
    return rows


def _listed(name: str, stores: dict[int, Memory], rounds: int) -> list[Row]:
    seconds: dict[int, list[float]] = {size: [] for size in stores}
    cursors: dict[int, str | None] = dict.fromkeys(stores)
    for _ in range(rounds):
        for size, memory in stores.items():
            took, page = timed(memory.list, limit=_PAGE, cursor=cursors[size], **_LISTS[name])
            seconds[size].append(took)
            cursors[size] = page.next_cursor if name == _ONWARDS else None
    return [{"list": f"{_PAGE} {name}", "notes": size, **spread(seconds[size])} for size in stores]


def _growth(rows: Sequence[Row], column: str, figure: str) -> list[Row]:
    """What became of each median from one size to the next larger one."""
    of_name: dict[str, list[Row]] = {}
    for row in rows:
        of_name.setdefault(str(row[column]), []).append(row)
    title = figure.removesuffix("_ms").replace("_", " ")
    return [
        ratio(f"{column} {title}, {name}: {larger['notes']:,} notes to {smaller['notes']:,}", larger, smaller, figure)
        for name, sizes in of_name.items()
        for smaller, larger in pairwise(sizes)
    ]
