"""Lists of hits as a memory finds them, with the label of each: what the net that orders hits learns from.

    python -m training.lists --to training/weights/lists.npz                    # the training authors
    python -m training.lists --part validation --to training/weights/checked.npz

The slots of an author become worlds of dated messages, as `bench.worlds` makes them: facts that change, are corrected
and end, with plans, quotations and other people's affairs between. They are told to a memory with the models that are
installed, and asked for, with questions about slots that the world does not speak of among them. Conversations are told
as they are. Worlds of our own wordings are added, in which the rules find more to file. The blind
authors are for the final figure.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import bench.worlds as worlds
from bench.playing import SPACE, Part, Stands, Track, WorldClock, _Told, noon
from recollect import Memory, Settings
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Listed, Ordered
from recollect.inference.hit_order import read_signs
from recollect.inference.reranker import OnnxReranker
from recollect.recall.evidence.answers import told_text
from recollect.recall.evidence.listing import MANY
from training.data import Bank, banks
from training.labels import KINDS, RIGHT, STALE, TRAP
from training.settings import BANKS, settings

_SAYS = {  # kinds of wordings in a bank, by what `bench.worlds` calls them
    "assert": ("statement",),
    "wrong": ("statement",),
    "corr": ("correction",),
    "upd": ("update",),
    "imp": ("implicit",),
    "restate": ("restatement",),
    "retract": ("retraction",),
    "hyp": ("hypothetical",),
    "third": ("third_person",),
    "back": ("backdated",),
    "quoted": ("quoted",),
    "plan": ("future", "undecided"),
    "future": ("scheduled",),
    "multi": ("statement", "implicit", "second"),
}
_CHANCES = worlds.Chances(traps={"hyp": 0.5, "third": 0.5, "back": 0.45, "quoted": 0.3, "plan": 0.45})
_ASKED = ("current", "stable", "retracted", "multi", "as_of", "absent")
_ABSENT = 12  # questions of a world about slots that it does not speak of
_WORDINGS = 5  # in which a question is asked at the most: telling a world takes long, asking does not


class Recorder:
    """See `Relevance`: the reranker, which notes what the net would see."""

    def __init__(self, reranker: OnnxReranker) -> None:
        self._reranker = reranker
        self.model_id = reranker.model_id
        self.seen: tuple[Sequence[Listed], Sequence[float], Any] | None = None

    def prepare(self) -> None:
        self._reranker.prepare()

    def answers(self, question: str, texts: Sequence[str]) -> list[float | None]:
        return self._reranker.answers(question, texts)

    def ordered(self, question: str, listed: Sequence[Listed], *, several: bool = False) -> Ordered | None:
        del several
        self.seen = (listed, *self._reranker.read(question, [each.text for each in listed]))
        return None


def main() -> None:
    """Write the lists of a part of the authors into one file."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--part", choices=("train", "validation", "blind"), default="train")
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--models", type=Path, default=Path(".models"))
    arguments.add_argument("--to", type=Path, default=Path("training/weights/lists.npz"))
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--profile")
    given = arguments.parse_args()
    chosen = settings(given.profile)
    many = chosen["lists"]
    jobs: list[tuple[Any, ...]] = []
    for bank in banks(given.banks, chosen["banks"][given.part]):
        jobs += [("slots", bank, number) for number in range(many["worlds"] if bank.slots else 0)]
        jobs += [("talk", bank, number) for number in range(min(many["talks"], len(bank.talks)))]
    if given.part == "train":
        jobs += [("own", None, number) for number in range(many["own"])]
    found: list[tuple[Any, ...]] = []
    with get_context("spawn").Pool(given.processes) as pool:
        told = pool.imap_unordered(_lists, [(*job, given.models) for job in jobs])
        for number, rows in enumerate(told, 1):
            found += rows
            print(f"\r{number} of {len(jobs)} worlds, {len(found)} lists", end="", flush=True)
    print()
    given.to.parent.mkdir(parents=True, exist_ok=True)
    names = ("signs", "beside", "states", "labels", "kinds")
    stacked = (np.stack(column) for column in zip(*found, strict=True))
    arrays: dict[str, Any] = dict(zip(names, stacked, strict=True))
    np.savez_compressed(given.to, **arrays)


def _lists(job: tuple[str, Bank | None, int, Path]) -> list[tuple[Any, ...]]:
    """Tell one world, ask its questions, and keep the lists that the net would have been asked to order."""
    kind, bank, number, models = job
    world = _talk(bank, number) if kind == "talk" and bank else world_of(bank, number, wordings=_WORDINGS)
    recorder = Recorder(OnnxReranker(models / "reranker", "reranker"))
    clock = WorldClock()
    rows: list[tuple[Any, ...] | None] = []
    with TemporaryDirectory() as folder:
        home = Path(folder)
        given = Settings(
            home=home, store=str(home / "m.db"), space=SPACE, principal="someone", models=models.absolute()
        )
        with closing(Memory(settings=given, clock=clock)) as memory:
            told = _Told(memory, Part(world, Track.RAW, models=models))
            for message in world["messages"]:
                clock.moment = _moment(message["ts"])
                heard = memory.add([message["said"]] if "said" in message else message["text"], at=clock.moment)
                told.said.update(dict.fromkeys(heard.observation_ids, message["id"]))
            memory._engine.inference.made = replace(memory._engine.inference.get(), relevance=recorder)
            for query in world["queries"]:
                clock.moment, recorder.seen = _moment(query["now"]), None
                hits = told.ask(query)
                if recorder.seen is not None:
                    sources = {told_text(hit): told.messages([hit], Stands.FIRST) for hit in hits}
                    rows.append(_row(query, *recorder.seen, sources))
    return [row for row in rows if row is not None]


def _row(
    query: Mapping[str, Any],
    listed: Sequence[Listed],
    logits: Sequence[float],
    states: Any,
    sources: Mapping[str, Sequence[str]],
) -> tuple[Any, ...] | None:
    """The arrays of one full list; nothing where the answer is known and not among the hits."""
    if len(listed) < MANY:
        return None
    labels = np.zeros(MANY, "i1")
    for name, label in (("traps", TRAP), ("stale", STALE), ("gold", RIGHT)):
        for place, each in enumerate(listed):
            if not set(query[name]).isdisjoint(sources.get(each.text, ())):
                labels[place] = label
    if query["gold"] and not (labels == RIGHT).any():
        return None
    read = zip(read_signs(listed, logits), listed, strict=True)
    signs = np.array([(*of_reader, *each.signs) for of_reader, each in read], "f2")
    if np.isnan(signs).any(axis=0).sum() > 1:  # no hit was compared word by word
        return None
    kind = "nothing" if not query["gold"] else "several" if query["type"] == "multi" else "one"
    beside = np.array([each.beside for each in listed], "f2")
    return signs, beside, np.asarray(states, "f2"), labels, np.int8(KINDS.index(kind))


def world_of(bank: Bank | None, number: int, *, wordings: int = 0) -> dict[str, Any]:
    """A world of an author's slots, or of our own wordings; with `wordings` each question of the present in so many."""
    draw = Random(f"{bank.author if bank else 'own'}/{number}")
    if bank is None:
        made = worlds.make_worlds(1, seed=draw.randrange(10**9), bank=worlds.own_banks()[number % 2])["worlds"][0]
        return {**made, "queries": [each for each in made["queries"] if each["type"] in _ASKED]}
    slots = [slot for each in bank.slots if (slot := _slot(each)) is not None]
    chatter = [text for each in bank.slots for text in (*each["other_slot"], *each["filler"]) if "{" not in text]
    made = worlds.world_of(number, worlds.Bank(tuple(slots), tuple(dict.fromkeys(chatter)), ()), _CHANCES, draw)
    spoken_of = {truth["slot"] for truth in made["truth"].values()}
    silent = [slot for slot in slots if slot.name not in spoken_of]
    now = made["queries"][0]["now"]
    absent = [
        {"qid": f"absent{place}", "type": "absent", "q": draw.choice(slot.questions["current"]), "as_of": None,
         "now": now, "gold": [], "stale": [], "traps": []}
        for place, slot in enumerate(draw.sample(silent, min(_ABSENT, len(silent))))
    ]  # fmt: skip
    asked = [each for each in made["queries"] if each["type"] in _ASKED]
    return {**made, "queries": asked + _in_other_words(asked, slots, wordings, draw) + absent}


def _in_other_words(
    asked: Sequence[Mapping[str, Any]], slots: Sequence[worlds.Slot], wordings: int, draw: Random
) -> list[dict[str, Any]]:
    """The questions about the present in further words of their slots, each in `wordings` at the most."""
    present = {each["slot"]: each for each in asked if each["type"] != "as_of"}
    heard = {each["q"] for each in asked}
    found = []
    for slot in slots:
        if query := present.get(slot.name):
            new = [text for text in slot.questions["current"] if text not in heard]
            texts = draw.sample(new, max(0, min(wordings - len(slot.questions["current"]) + len(new), len(new))))
            found += [{**query, "q": text} for text in texts]
    return found


def _slot(slot: Mapping[str, Any]) -> worlds.Slot | None:
    """A slot of a bank as `bench.worlds` knows it; nothing for one with too few values."""
    says = {name: _wordings(slot, name, kinds) for name, kinds in _SAYS.items()}
    values = tuple(dict.fromkeys(slot["values"]))
    if len(values) < _VALUES or not all(texts for name, texts in says.items() if name != "future"):
        return None
    now = tuple(slot["ask_now"])
    asked = {
        "current": now,
        "multi": now,
        "as_of": tuple(f"In {{month}}: {text}" for text in now),
        "history": tuple(slot["ask_history"]),
        "when_changed": now,
    }
    said = {name: texts for name, texts in says.items() if texts}
    return worlds.Slot(slot["slot"], slot["slot"], values, said, asked, many=bool(slot["many"]))


_VALUES = 5  # a line of four, and one that was never true


def _wordings(slot: Mapping[str, Any], name: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """Wordings with the places that `bench.worlds` fills; those with other braces are left out."""
    texts = [text for kind in kinds for text in slot.get(kind, ())]
    if name == "corr":
        texts = [text.replace("{old}", "{wrong}") for text in texts]
    if name == "plan":
        texts = [text.replace("{date}", "next month") for text in texts]
    return tuple(text for text in texts if "{" not in _PLACES.sub("", text) and "}" not in _PLACES.sub("", text))


_PLACES = re.compile(r"\{(?:v|old|wrong|date)\}")


def _talk(bank: Bank, number: int) -> dict[str, Any]:
    """A conversation, as it was held, and its questions a week later."""
    talk = bank.talks[number]
    messages = []
    for said in talk["messages"]:
        who = said["who"]
        spoken = {"role": "assistant" if who == "assistant" else "user", "content": said["text"]}
        named = spoken if who in ("user", "assistant") else {**spoken, "name": who}
        messages.append({"id": f"m{said['id']}", "ts": said["at"], "text": said["text"], "said": named})
    now = (datetime.fromisoformat(messages[-1]["ts"]) + timedelta(days=7)).isoformat()
    return {
        "messages": messages,
        "truth": {each["id"]: {"slot": None, "value": None, "kind": "filler"} for each in messages},
        "queries": [
            {
                "qid": f"q{place}",
                "type": asked["kind"],
                "q": asked["ask"],
                "as_of": None,
                "now": now,
                "gold": [f"m{each}" for each in asked["evidence"]],
                "stale": [f"m{each}" for each in asked.get("stale", ())],
                "traps": [],
            }
            for place, asked in enumerate(talk["questions"])
        ],
    }


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC) if "T" in written else noon(written)


if __name__ == "__main__":
    main()
