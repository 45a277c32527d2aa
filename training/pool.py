"""The examples of a run as numbers: texts by their place in one list, labels by their place in their classes.

A pool is drawn once. The teacher learns from its labels and then gives its opinion of every row, the unlabelled ones
included; the students learn from both. Needs numpy only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from training.data import (
    RELATIONS,
    STANCES,
    Bank,
    Question,
    group,
    messages,
    neighbours,
    pairs,
    questions,
    worlds,
)
from training.likeness import Likeness
from training.rows import Pieces

UNLABELLED = -1
WRONG, RIGHT, OUTDATED = 0, 1, 2
_NO_TEXT = -1


@dataclass(slots=True)
class Pool:
    """Every array has one row for each example; texts are places in `pieces`."""

    pieces: list[Any]  # the word pieces of each text
    pairs: Any  # older, newer, relation or UNLABELLED
    messages: Any  # text, stance
    asks: Any  # text of each question
    shown: Any  # its group of texts
    known: Any  # of each of them WRONG, RIGHT or OUTDATED
    answers: Any  # every text that is right or outdated, in the group or not; then _NO_TEXT
    neighbours: Any  # a message, and the earlier one it has to do with
    described: Any  # a description, and the function it is of
    by_labels: Any  # of each question whether it is one of near misses, which labels alone teach
    asks_by_labels: Any  # of each question, pair and message whether its author is one that what ships has not read
    pairs_by_labels: Any
    messages_by_labels: Any
    opinions: dict[str, Any] = field(default_factory=dict)  # scores by the name of a head, a row for each example

    def rows(self, head: str) -> list[tuple[Any, ...]]:
        """The rows of a head, in the order of its opinions; for `relevance` a group is a row after another.

        `near` are questions with the one text that answers them or only seems to: the first of its group.
        """
        match head:
            case "relation":
                return [(self.pieces[older], self.pieces[newer]) for older, newer, _ in self.pairs]
            case "stance":
                return [(self.pieces[text],) for text, _ in self.messages]
            case "near":
                alone = np.flatnonzero(self.by_labels)
                return [(self.pieces[self.asks[at]], self.pieces[self.shown[at, 0]]) for at in alone]
            case _:
                asked = zip(self.asks, self.shown, strict=True)
                return [(self.pieces[ask], self.pieces[text]) for ask, texts in asked for text in texts]

    def labels(self, head: str) -> Any:
        """The classes of a head's examples; for `relevance` a row for each group."""
        match head:
            case "relation":
                return self.pairs[:, 2]
            case "stance":
                return self.messages[:, 1]
            case "near":
                return (self.known[self.by_labels, 0] == RIGHT).astype(int)
            case _:
                return self.known

    def save(self, path: Path) -> None:
        """One file; `pool_in` reads it."""
        arrays = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _APART}
        opinions = {f"opinions.{head}": scores for head, scores in self.opinions.items()}
        ends = np.cumsum([len(each) for each in self.pieces])
        np.savez_compressed(path, pieces=np.concatenate(self.pieces), ends=ends, **arrays, **opinions)


_APART = ("pieces", "opinions")


def pool_in(path: Path) -> Pool:
    """The pool that was saved there."""
    with np.load(path) as read:
        arrays = dict(read)
    pieces = np.split(arrays.pop("pieces"), arrays.pop("ends")[:-1])
    heads = [name for name in arrays if name.startswith("opinions.")]
    opinions = {name.removeprefix("opinions."): arrays.pop(name) for name in heads}
    return Pool(pieces=pieces, opinions=opinions, **arrays)


def pool_of(
    material: Sequence[Bank],
    pieces: Pieces,
    likeness: Likeness,
    data: Any,
    draw: Random,
    functions: Sequence[tuple[str, str]] = (),
) -> Pool:
    """Draw the examples of a run from the banks of its authors; `functions` are descriptions with their code."""
    texts = _Texts()
    swapped = data["swapped"]
    told: list[tuple[int, int, int]] = []
    said: list[tuple[int, int]] = []
    asked: list[tuple[Question, bool]] = []
    linked: list[tuple[int, int]] = []
    sorted_out = (
        ([each for each in material if (each.author in data["later"]) is unread], unread) for unread in (False, True)
    )
    parts = [(part, unread) for part, unread in sorted_out if part]
    read: tuple[int, int] | None = None  # how many of the pairs and messages are of authors that were read before
    for part, unread in parts:
        read = (len(told), len(said)) if unread else None
        told += _pairs(part, texts, likeness, data, draw)
        for _ in range(data["draws"]):
            said += [(texts(m.text), STANCES.index(m.stance)) for m in messages(part, draw, swapped=swapped)]
    read = read or (len(told), len(said))
    for drawn in range(data["draws"]):
        for part, unread in parts:
            made = questions(part, draw, swapped=swapped)
            kept = [each for each in made if not drawn or each.kind.startswith(("slot ", "act"))]
            asked += [(each, unread) for each in likeness.ordered(kept)]
        found = neighbours(material, draw, each=data["neighbours"], swapped=swapped)
        linked += [(texts(newer), texts(older)) for newer, older in found]
    drawn_of = [(each, group(each, draw, data["group"]), unread) for each, unread in asked]
    full = [(each, places, unread) for each, places, unread in drawn_of if len(places) == data["group"]]
    groups = [(each, places) for each, places, _ in full]
    return Pool(
        pairs=np.array(told),
        messages=np.array(said),
        asks=np.array([texts(each.ask) for each, _ in groups]),
        shown=np.array([[texts(each.texts[at]) for at in places] for each, places in groups]),
        known=np.array([[known(each, at) for at in places] for each, places in groups]),
        answers=_padded([sorted({texts(q.texts[at]) for at in q.right | q.neutral}) for q, _ in groups]),
        neighbours=np.array(linked),
        described=np.array([(texts(said), texts(text)) for said, text in functions], dtype=int).reshape(-1, 2),
        by_labels=np.array([each.kind.startswith("near") for each, _ in groups]),
        asks_by_labels=np.array([unread for *_, unread in full]),
        pairs_by_labels=np.arange(len(told)) >= read[0],
        messages_by_labels=np.arange(len(said)) >= read[1],
        pieces=[pieces.of(text) for text in texts.places],  # last: by now every text has its place
    )


def _pairs(
    material: Sequence[Bank], texts: _Texts, likeness: Likeness, data: Any, draw: Random
) -> Iterator[tuple[int, int, int]]:
    """Pairs with their relations, and pairs that a memory would look at, without."""
    swapped = data["swapped"]
    for drawn in range(data["pair_draws"]):
        labelled = pairs(
            material, draw, each=data["pairs"], swapped=swapped, talk_unrelated=data["talk_unrelated"]
        ) + likeness.strangers(material, draw, data["strangers"], swapped)
        for talk in (each for bank in material for each in bank.talks if each["changes"]):
            labelled += likeness.beside_changes(talk, draw, data["talk_strangers"])
        yield from ((texts(p.older), texts(p.newer), RELATIONS.index(p.relation)) for p in labelled)
        for world in worlds(material, draw, swapped=swapped):
            if not (world.told_once and drawn):
                each = data["near_talk" if world.told_once else "near_slots"]
                yield from ((texts(o), texts(n), UNLABELLED) for o, n in likeness.earlier(world.texts, draw, each))


def known(question: Question, place: int) -> int:
    """Whether the text at a place is a right answer, an outdated one, or wrong."""
    return RIGHT if place in question.right else OUTDATED if place in question.neutral else WRONG


class _Texts:
    """The place of each text in one list; a new text is put at its end."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))


def _padded(rows: Sequence[Sequence[int]]) -> Any:
    filled = np.full((len(rows), max(map(len, rows), default=0)), _NO_TEXT)
    for at, row in enumerate(rows):
        filled[at, : len(row)] = row
    return filled


def alike_in_length(places: Sequence[int], length: Any, draw: Random, size: int) -> Iterator[list[int]]:
    """Batches without end, each of rows of like length: a batch is as slow as its longest row."""
    order = list(places)
    size = min(size, len(order))
    while True:
        draw.shuffle(order)
        for at in range(0, len(order) - size + 1, 20 * size):
            chunk = sorted(order[at : at + 20 * size], key=length)
            made = [chunk[start : start + size] for start in range(0, len(chunk) - size + 1, size)]
            draw.shuffle(made)
            yield from made
