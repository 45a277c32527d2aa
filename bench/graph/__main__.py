"""`python -m bench.graph [--large] [--cpu] [POSTGRES-URL]`: reads of the graph among 1,000 and 10,000 notes.

With `--large` they are 10,000 and 100,000. A world of people, companies and places is written, with one person in 500
notes and twenty animals. Each read is timed on entities chosen by chance, in the smaller and in the larger world by
turns, so that other programs disturb both alike; the run fails if the median of one grows more than twofold when the
notes grow tenfold. The pass over all notes, which export, communities and centrality are made of,
and a question that counts all people grow with what they find, and are told beside it. `--cpu` counts processor time,
which other programs disturb little.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from recollect import Memory
from recollect.dialects.kip.errors import TIMEOUT, KipError
from recollect.domain.changes import Changes, WriteNote
from recollect.domain.clock import SystemClock
from recollect.domain.errors import NotFound
from recollect.domain.notes import Kind, Note
from recollect.domain.origin import Channel, Origin
from recollect.stores.opening import open_store

SIZES, LARGE = (1_000, 10_000), (10_000, 100_000)
MOST = 2.0  # times as long among ten times as many notes
ROUNDS = 60
_AT_A_TIME = 2_000
_SEED = 19
_PERSON = '{type: "Person", name: :name}'
_ONE_HOP = f"FIND(?p, ?o.name) WHERE {{ ({_PERSON}, ?p, ?o) }}"
_TWO_HOPS = f'FIND(?t.name) WHERE {{ ({_PERSON}, "manager", ?m) (?m, "location", ?t) }}'
_BY_TYPE = 'FIND(COUNT(?p)) WHERE { ?p {type: "Person"} }'
_ANIMALS = 'FIND(?a.name) WHERE { ?a {type: "Animal"} }'
_PETS = 'FIND(?p.name, ?a.name) WHERE { (?p, "pets", ?a) }'
_A_PAGE = 'FIND(?p.name) WHERE { ?p {type: "Person"} } LIMIT 20'
_NAMED = "FIND(?p.type) WHERE { ?p {name: :name} }"
_ANIMALS_TOLD = 20  # in a world of any size
_FORMED = 50  # conversations whose formation is timed


def main(arguments: Sequence[str]) -> int:
    """Measure each size, print a line for each read, and say whether all stay within the bound."""
    sizes = LARGE if "--large" in arguments else SIZES
    address = next((each for each in arguments if not each.startswith("--")), None)
    clock = process_time if "--cpu" in arguments else perf_counter
    with ExitStack() as opened:
        memories = []
        for size in sizes:
            folder = opened.enter_context(tempfile.TemporaryDirectory())
            store, space = address or str(Path(folder) / "memory.db"), f"graph-{size}"
            print(f"{size:>9,} notes written in {filled(store, space, size):,.1f} s")
            memory = Memory(store=store, home=folder, embedding="off", judge="off", space=space)
            memories.append(opened.enter_context(memory))
        return told(timed(memories, clock), sizes)


def filled(address: str, space: str, size: int) -> float:
    """Write a world of so many notes; the seconds it took."""
    clock, chance = SystemClock(), random.Random(_SEED)
    people = size // 4
    begun = perf_counter()
    store = open_store(address, clock=clock, busy_timeout=30)
    notes = []
    for number in range(size):
        who = "Hub" if number % 2 == 0 and number < 1_000 else f"Person {chance.randrange(people)}"
        attribute, value = chance.choice(
            [
                ("manager", f"Person {chance.randrange(people)}"),
                ("employer", f"Company {chance.randrange(people // 5 + 1)}"),
                ("location", f"Town {chance.randrange(people // 5 + 1)}"),
                ("age", str(chance.randrange(18, 90))),
            ]
        )
        if number < _ANIMALS_TOLD:
            who, attribute, value = f"Person {number}", "pets", f"Rex {number}"
        now = clock.now()
        text, moment = f"{who}: {attribute} {value}", {"recorded_at": now, "updated_at": now, "valid_from": now}
        said = {"subject": who, "attribute": attribute, "value": value}
        notes.append(
            Note(id=clock.new_id(), space=space, version=1, kind=Kind.SEMANTIC, text=text, **moment, **said)  # type: ignore[arg-type]
        )
    for start in range(0, size, _AT_A_TIME):
        edits = tuple(WriteNote(note) for note in notes[start : start + _AT_A_TIME])
        store.apply(Changes(space, "save", clock.now(), Origin(Channel.LIBRARY, "bench"), edits))
    store.close()
    return perf_counter() - begun


def timed(memories: Sequence[Memory], clock: Callable[[], float]) -> dict[str, list[float]]:
    """The median of each read in each world, in milliseconds. The worlds take turns."""
    took = partial(_took, clock=clock)
    reads = [_reads(memory) for memory in memories]
    found: dict[str, list[float]] = {}
    for name in reads[0]:
        rounds = [[took(own[name]) for own in reads] for _ in range(ROUNDS)]
        found[name] = [median(taken) for taken in zip(*rounds, strict=True)]
    found["one conversation formed"] = [took(partial(_form, each)) / _FORMED for each in memories]
    found["pass over all notes"] = [took(partial(each.graph_export, format="cypher")) for each in memories]
    found["KIP, all people (all notes)"] = [took(partial(each.kip, _BY_TYPE)) for each in memories]
    return found


def _reads(memory: Memory) -> dict[str, Callable[[], object]]:
    """The reads of one world, each on entities chosen by chance."""
    chance = random.Random(_SEED)
    names = [each.name for each in memory.graph_list(type="Person", limit=500) if each.name != "Hub"]

    def one() -> str:
        return chance.choice(names)

    return {
        "show one entity": lambda: memory.graph_show(one()),
        "show the one in 500 notes": lambda: memory.graph_show("Hub"),
        "two steps around one": lambda: memory.graph_around(one(), budget=400),
        "path between two": lambda: memory.graph_path(one(), one()),
        "timeline of one": lambda: memory.graph_timeline(one()),
        "KIP, one hop from a name": lambda: memory.kip(_ONE_HOP, parameters={"name": one()}),
        "KIP, two hops from a name": lambda: memory.kip(_TWO_HOPS, parameters={"name": one()}),
        "KIP, a name alone": lambda: memory.kip(_NAMED, parameters={"name": one()}),
        "KIP, a type of twenty": lambda: memory.kip(_ANIMALS),
        "KIP, a predicate of twenty": lambda: memory.kip(_PETS),
        "KIP, a page of all people": lambda: memory.kip(_A_PAGE),
    }


def _form(memory: Memory) -> None:
    """Take some conversations in, and form them without a model."""
    memory.create_space("formed")
    for number in range(_FORMED):
        said = [{"role": "user", "content": f"I moved to Town {number}, and my manager is Person {number}."}]
        memory.form_conversation(said, space="formed")
    memory.run_jobs(space="formed")


def told(found: dict[str, list[float]], sizes: Sequence[int]) -> int:
    """Print the figures; 1 if a read grew too much."""
    wrong = 0
    print(f"{'milliseconds':34}" + "".join(f"{size:>12,}" for size in sizes) + "      growth")
    for name, taken in found.items():
        growth = max(after / before for before, after in pairwise(taken))
        bounded = "all notes" not in name
        wrong += bounded and growth > MOST
        mark = "" if not bounded else "  too much" if growth > MOST else ""
        print(f"{name:34}" + "".join(f"{each:>12,.2f}" for each in taken) + f"{growth:>11.2f}x{mark}")
    return int(wrong > 0)


def _took(read: Callable[[], object], *, clock: Callable[[], float]) -> float:
    begun = clock()
    try:
        read()
    except NotFound:  # no path is an answer, and the dearest one
        pass
    except KipError as refused:
        if refused.code != TIMEOUT:  # KIP's limit of 15 seconds is an answer, too
            raise
    return (clock() - begun) * 1000


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
