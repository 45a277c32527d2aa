"""How much can be taken in in a second: notes with and without a model, and messages that are listened to."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from bench import corpus
from bench.card import Row, Table
from bench.measuring import say, spread, times
from bench.places import Places, take_in
from bench.worlds import make_worlds
from recollect.inference.models import POTION, is_installed

WITH_MODEL, BY_WORDS = "save, with the model", "save, words only"
AT_ONCE, STATIC = "import, with the model", "import, with the static model"
LISTENING = "listen: rules, gate and reconciling, words only"


def run(places: Places, *, count: int, seed: int, embedding: str) -> list[Table]:
    """Every note and every message in a transaction of its own, into a store that begins empty.

    A model reads a made-up word as three or four pieces of one, so it is given sentences that people might say.
    """
    say(f"speed: adding {count:,} notes and listening to as many messages")
    made_up = [text.partition(".")[0] + "." for text in corpus.texts(count, seed=seed)]
    rows = [_row(BY_WORDS, _saves(places, "adding", "off", made_up))]
    if embedding != "off":
        said = [message["text"] for message in _messages(count, seed)]
        rows.append(_row(WITH_MODEL, _saves(places, "embedding", embedding, said)))
        rows.append(_imported(AT_ONCE, places, "at-once", embedding, count, seed))
        if is_installed(POTION, places.models):
            rows.append(_imported(STATIC, places, "static", POTION.name, 10 * count, seed))
    rows.append(_row(LISTENING, _heard(places, count, seed)))
    return [Table("adding", rows)]


def _saves(places: Places, name: str, embedding: str, texts: list[str]) -> list[float]:
    with closing(places.open(name, embedding=embedding)) as memory:
        memory.save("The first note makes the space, and wakes the model.")
        return times(memory.save, texts)


def _imported(name: str, places: Places, store: str, embedding: str, count: int, seed: int) -> Row:
    """Many notes in few transactions, as when something is moved in from elsewhere."""
    lines = corpus.lines(corpus.entries(count, seed=seed), space=places.settings(store).space)
    with closing(places.open(store, embedding=embedding)) as memory:
        memory.save("The first note makes the space, and wakes the model.")
        return {"adding": name, "per_second": len(lines) / take_in(memory, lines)}


def _heard(places: Places, count: int, seed: int) -> list[float]:
    with closing(places.open("listening")) as memory:
        return times(lambda message: memory.add(message["text"], at=message["ts"]), _messages(count, seed))


def _messages(count: int, seed: int) -> list[dict[str, Any]]:
    return [message for world in make_worlds(3, seed=seed)["worlds"] for message in world["messages"]][:count]


def _row(name: str, seconds: list[float]) -> Row:
    return {"adding": name, "per_second": len(seconds) / sum(seconds), **spread(seconds)}
