"""`recollect bench`: play the sets that are there, take the speed, and hand back one card.

A set whose files are missing is named with what it is looked for as, one that fails with its reason; the others go on.
"""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import facts, hooks, judging, knowing, serving, soak, speed, truths, updates, vaults
from bench.card import Card, Table
from bench.corpus import ASKABLE
from bench.machine import facts as facts_of_machine
from bench.machine import load_at
from bench.measuring import say
from bench.peers.beside import beside
from bench.places import Places, prepare
from bench.retelling import retell
from bench.sets.finding import SOURCES, load
from bench.targets import targets_table
from recollect import __version__
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput
from recollect.inference.choice import choose_embedder
from recollect.settings import Settings

USUAL = (*SOURCES, "updates", "factconsolidation", "speed", "hooks")
SETS = (*USUAL, "serving", "soak", "vault")  # the last ones only where they are named: each takes ten minutes or more


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured.

    `quick` limits corpora, and questions of each; `sizes` are notes of the speed part; `peers` is the folder of their
    environments.
    """

    data: Path | None = None
    sets: tuple[str, ...] = USUAL
    all_in_one: bool = True
    quick: int | None = None
    sizes: tuple[int, ...] = ()
    store: str | None = None
    peers: Path | None = None
    seed: int = 7


def run(wanted: Wanted, settings: Settings, *, command: str) -> Card:
    """Measure everything that is wanted and there."""
    embedder = choose_embedder(settings.embedding, settings.models)
    sets: dict[str, Any] = {}
    absent: dict[str, str] = {}
    failed: dict[str, str] = {}
    tables: list[Table] = []
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as scratch:
        places = prepare(wanted.store, Path(scratch), settings.models)
        machine = facts_of_machine(places)
        for name in wanted.sets:
            embedding = "off" if embedder is None else settings.embedding
            measured = []
            try:
                for each in _measured(name, wanted, settings, places, embedding):
                    measured.append(each)  # noqa: PERF402 - what was measured before a failure is kept
            except Exception as problem:
                failed[name] = f"{type(problem).__name__}: {problem}"
                say(f"{name}: failed\n{traceback.format_exc()}")
            for key, figure, shown in measured:
                sets[key] = figure
                tables += shown
                peers = figure.get("peers", {})
                absent |= {f"{key}, {who}": each["absent"] for who, each in peers.items() if "absent" in each}
            if name not in failed and (not measured or not _is_there(name, wanted.data)):
                absent[name] = _missing(name, wanted.data)
                say(f"{name}: {absent[name]}")
    machine |= load_at("end")
    aims = targets_table(sets)
    return Card(
        recollect=__version__,
        date=SystemClock().now().isoformat(timespec="seconds"),
        command=command,
        machine=machine,
        tables=[*tables, *([aims] if aims else [])],
        embedding=embedder.model_id if embedder else "none: words do the work",
        sets=sets,
        absent=absent,
        failed=failed,
    )


def checked_sets(text: str) -> tuple[str, ...]:
    """The sets in `a,b,c`, each once, in the order of the card."""
    asked = {name.strip() for name in text.split(",") if name.strip()}
    unknown = sorted(asked - set(SETS))
    if unknown or not asked:
        named = unknown[0] if unknown else text
        raise InvalidInput(f"There is no set `{named}`.", code="unknown_set", hint=f"There are: {', '.join(SETS)}.")
    return tuple(name for name in SETS if name in asked)


def checked_sizes(text: str) -> tuple[int, ...]:
    """The sizes in `1000,10000`, from the smallest on."""
    try:
        sizes = tuple(sorted({int(size.replace("_", "")) for size in text.split(",")}))
    except ValueError:
        raise InvalidInput(
            f"`--sizes` is `{text}`; it must be a list of whole numbers.", code="invalid_number"
        ) from None
    if sizes[0] < ASKABLE:
        raise InvalidInput(
            f"`--sizes` has {sizes[0]:,}; the questions are about {ASKABLE:,} notes, and a store needs them all.",
            code="invalid_number",
        )
    return sizes


def checked_data(path: Path | None) -> Path | None:
    """The folder of the data sets, if one was named; it must be there."""
    if path is not None and not path.is_dir():
        raise InvalidInput(f"{path} is not a folder.", code="data_missing", hint="Name the folder of the data sets.")
    return path


def _measured(
    name: str, wanted: Wanted, settings: Settings, places: Places, embedding: str
) -> Iterator[tuple[str, dict[str, Any], list[Table]]]:
    """What a set scores, under its name in the card; one set may be scored in several forms."""
    match name:
        case "speed":
            sizes = wanted.sizes or (speed.QUICK_SIZES if wanted.quick else speed.FULL_SIZES)
            shown = speed.run(
                places, sizes=sizes, quick=wanted.quick is not None, seed=wanted.seed, embedding=embedding
            )
            yield name, speed.figures(shown, embedding=embedding), shown
        case "serving":
            served = wanted.sizes or (serving.QUICK_SIZES if wanted.quick else serving.FULL_SIZES)
            shown = serving.run(
                places, sizes=served, quick=wanted.quick is not None, seed=wanted.seed, embedding=embedding
            )
            yield name, serving.figures(shown), shown
        case "soak":
            held = wanted.sizes[0] if wanted.sizes else soak.SIZE
            shown = soak.run(places, size=held, quick=wanted.quick is not None, seed=wanted.seed, embedding=embedding)
            yield name, soak.figures(shown), shown
        case "hooks":
            shown = hooks.run(
                places,
                size=wanted.sizes[0] if wanted.sizes else hooks.QUICK_SIZE if wanted.quick else hooks.SIZE,
                starts=hooks.QUICK if wanted.quick else hooks.FULL,
                seed=wanted.seed,
                embedding=embedding,
            )
            yield name, hooks.figures(shown), shown
        case "vault":
            kept = wanted.sizes or (vaults.QUICK_SIZES if wanted.quick else vaults.FULL_SIZES)
            shown = vaults.run(
                places, sizes=kept, runs=vaults.QUICK_RUNS if wanted.quick else vaults.RUNS, seed=wanted.seed
            )
            yield name, vaults.figures(shown), shown
        case "updates":
            figure = truths.updates_figures(wanted.data, settings, most=wanted.quick, seed=wanted.seed)
            yield name, figure, [truths.updates_table(figure)]
        case "factconsolidation":
            found = truths.facts_figures(wanted.data, settings, most=wanted.quick, seed=wanted.seed)
            if found is not None:
                yield name, found, [truths.facts_table(found)]
        case _:
            for each in load(name, wanted.data):
                given = each.first(wanted.quick)
                say(f"{given.name}: {sum(len(corpus.items) for corpus in given.corpora):,} things to tell")
                beside_peers = wanted.peers is not None
                retold = retell(given, settings, places.folder, all_in_one=wanted.all_in_one, for_peers=beside_peers)
                figure = judging.figures(given, retold, seed=wanted.seed)
                figure["coverage"] = knowing.figures(given, retold)
                if wanted.peers is not None:
                    figure["peers"] = beside(given, retold.vectors, wanted.peers, seed=wanted.seed)
                say(judging.in_a_line(given.name, figure))
                shown = [judging.table(given.name, figure), knowing.table(given.name, figure["coverage"])]
                yield given.name, figure, [*shown, *([judging.peers_table(given.name, figure)] if beside_peers else [])]


# What each set is looked for as, below the folder of the data.
_PATTERNS = {name: source.pattern for name, source in SOURCES.items() if source.pattern is not None}
_PATTERNS |= {"updates": updates.FILES, "factconsolidation": facts.FILES}


def _is_there(name: str, data: Path | None) -> bool:
    return name not in _PATTERNS or (data is not None and any(data.glob(_PATTERNS[name])))


def _missing(name: str, data: Path | None) -> str:
    if data is None:
        return f"`--data` names the folder where `{_PATTERNS[name]}` is."
    if _is_there(name, data):
        return f"`{_PATTERNS[name]}` in {data} has no question that can be asked."
    return f"There is no `{_PATTERNS[name]}` in {data}."
