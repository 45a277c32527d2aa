"""Knowledge updates: does memory put what is true now first, and keep what was true then apart?

python -m bench.updates --data PATH                the shared bank below a path, and 20 worlds of our own
python -m bench.updates --verbose                  by slot, by kind, and what notes stand for
python -m bench.updates --why failures.json        what was read, and why answers failed, with examples
python -m bench.updates --own 50 --seed 11         other worlds of our own; `--own 0` for none

Worlds of dated messages are played into a memory of their own, then their questions are asked. What the tracks are
is said in `playing`, what the scores are in `shares`, how our own worlds are made in `worlds`.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.card import Row, Table
from bench.command import Command
from bench.failures import Account
from bench.measuring import say
from bench.playing import Part, Played, Stands, Track, play
from bench.shares import FIRST, TARGETS, Answer, shares
from bench.worlds import make_worlds
from recollect import Memory
from recollect.domain.dataclass import dataclass

FILES = "updates*.json"
PLACE = "RECOLLECT_BENCH_DATA"  # the variable that says where the shared files are
ABSENT = f"There is no {FILES} there. Name the folder with `--data` or {PLACE}."

_TITLES = {
    Track.WORDS: "words only (BM25 over all messages)",
    Track.RAW: "raw text (T1)",
    Track.TOLD: "facts handed over (T2)",
    Track.NAMED: "facts handed over, asked by name (T2)",
}
_NEEDED = {Track.WORDS: (), Track.RAW: ("add",), Track.TOLD: ("add", "learn"), Track.NAMED: ("add", "learn")}
_EXAMPLES = 12  # of each cause, in the file of failures


@dataclass(frozen=True, slots=True)
class WorldBank:
    """Worlds from one place, and what to call their slots."""

    name: str
    worlds: Sequence[Mapping[str, Any]]
    slots: Mapping[str, Mapping[str, str]]


def run(
    data: Path | None,
    *,
    own: int = 20,
    seed: int = 7,
    tracks: Sequence[Track] = tuple(Track),
    workers: int = 2,
    verbose: bool = False,
    embedding: str = "off",
    models: Path = Path("models"),
    most: int | None = None,
    why: dict[str, Any] | None = None,
) -> list[Table]:
    """Play the banks and score them. Into `why`, if given, goes what was read and why answers failed."""
    found = shared_banks(data)
    tables = [] if found else [Table("updates: shared worlds", [], ABSENT)]
    banks = [*found, *([own_bank(own, seed=seed)] if own else [])]
    for bank in banks:
        able = [track for track in tracks if all(hasattr(Memory, verb) for verb in _NEEDED[track])]
        parts = [
            Part(world, track, bank.slots, embedding, models, explained=why is not None and track is Track.RAW)
            for world in bank.worlds[:most]
            for track in able
        ]
        played = defaultdict(list)
        for each in play_all(bank.name, parts, workers):
            played[each.track].append(each)
        tables += _tables(bank, played, verbose=verbose, seed=seed)
        tables += [
            Table(f"updates: {bank.name}, {_TITLES[track]}", [], "This memory cannot listen yet.")
            for track in tracks
            if track not in able
        ]
        if why is not None and Track.RAW in played:
            accounts = [each.account for each in played[Track.RAW] if each.account is not None]
            tables += explained(bank.name, accounts)
            why[bank.name] = as_plain(accounts)
    return tables


def shared_banks(data: Path | None) -> list[WorldBank]:
    """Every file of the set below a folder, or one file. Without a path the variable says where."""
    if data is None:
        data = Path(os.environ[PLACE]) if os.environ.get(PLACE) else None
    files = [] if data is None else [data] if data.is_file() else sorted(data.glob(FILES))
    banks = [(file.stem, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return [WorldBank(name, made["worlds"], made.get("slots", {})) for name, made in banks]


def own_bank(count: int, *, seed: int) -> WorldBank:
    made = make_worlds(count, seed=seed)
    return WorldBank(f"own worlds, seed {seed}", made["worlds"], made["slots"])


def play_all(name: str, parts: Sequence[Part], workers: int) -> Iterator[Played]:
    """Play parts in processes of their own, saying how far it is."""
    if workers < 2:
        for done, part in enumerate(parts, 1):
            yield play(part)
            _progress(name, done, len(parts))
        return
    # Spawned and not forked: a child begins with nothing of what this process has open.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done, future in enumerate(as_completed([pool.submit(play, part) for part in parts]), 1):
            yield future.result()
            _progress(name, done, len(parts))


def _progress(name: str, done: int, total: int) -> None:
    if done == total or done % 10 == 0:
        say(f"updates: {name}: {done} of {total} played")


# -- tables ------------------------------------------------------------------------------------------------------------


def _tables(bank: WorldBank, played: Mapping[Track, Sequence[Played]], *, verbose: bool, seed: int) -> Iterator[Table]:
    answers = {track: _answers(each, Stands.FIRST) for track, each in played.items()}
    scores = {track: shares(answers[track], seed=seed) for track in Track if track in answers}
    rows: list[Row] = []
    for name, target in TARGETS.items():
        row: Row = {bank.name: name}
        for track, found in scores.items():
            share = found.get(name)
            row["questions"] = share.questions if share else 0
            row[f"{track}_%"] = round(share.percent, 1) if share else None
            row |= {f"{track}_low": round(share.low, 1), f"{track}_high": round(share.high, 1)} if share else {}
        rows.append({**row, "target_%": target})
    yield Table(f"updates: {bank.name}", rows)
    yield Table(f"updates: {bank.name}, speed", [_speed(bank, track, played[track]) for track in scores])
    if not verbose:
        return
    for track in scores:
        yield Table(
            f"updates: {bank.name}, {track}, by slot", _by(answers[track], f"{bank.name}, {track}, slot", _slot_of)
        )
        kinds = {message: truth["kind"] for world in bank.worlds for message, truth in world["truth"].items()}
        yield Table(
            f"updates: {bank.name}, {track}, by kind",
            _by(answers[track], f"{bank.name}, {track}, kind", _kind_in(kinds)),
        )
    if Track.RAW in scores:
        yield Table(f"updates: {bank.name}, raw, a note stands for", list(_by_standing(played[Track.RAW], seed)))


def _speed(bank: WorldBank, track: Track, played: Sequence[Played]) -> Row:
    messages = sum(len(world["messages"]) for world in bank.worlds[: len(played)])
    questions = sum(len(each.answers[Stands.FIRST]) for each in played)
    told_in, asked_in = sum(each.told_in for each in played), sum(each.asked_in for each in played)
    return {
        f"{bank.name}, speed": _TITLES[track],
        "worlds": len(played),
        "messages_per_second": messages / told_in,
        "question_ms": 1000 * asked_in / max(1, questions),
    }


def _by(answers: Iterable[Answer], name: str, group_of: Callable[[Answer], str]) -> list[Row]:
    """The scores of each group of questions, without intervals: the groups are small."""
    groups: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.query["gold"]:
            groups[group_of(answer)].append(answer)
    rows: list[Row] = []
    for group, members in sorted(groups.items()):
        row: Row = {name: group, "questions": len(members)}
        found = shares(members, draws=1)
        rows.append(row | {score: round(found[score].percent, 1) if score in found else None for score in TARGETS})
    return rows


def _by_standing(played: Sequence[Played], seed: int) -> Iterator[Row]:
    """How the scores depend on which message a note with several stands for."""
    for stands in Stands:
        found = shares(_answers(played, stands), seed=seed, draws=1)
        yield {"a_note_stands_for_its": f"{stands} message"} | {name: round(found[name].percent, 1) for name in found}


def _answers(played: Sequence[Played], stands: Stands) -> list[Answer]:
    return [answer for each in played for answer in each.answers[stands]]


def _slot_of(answer: Answer) -> str:
    return str(answer.query["slot"])


def _kind_in(kinds: Mapping[str, str]) -> Callable[[Answer], str]:
    """By the kind of message that is asked for; of several the first."""
    return lambda answer: kinds[answer.query["gold"][0]]


# -- failures ----------------------------------------------------------------------------------------------------------


def explained(name: str, accounts: Sequence[Account]) -> Iterator[Table]:
    """What was read of each kind of message, and what went wrong with which questions."""
    readings: Counter[tuple[str, str, str]] = Counter()
    for account in accounts:
        readings.update(account.readings)
    for column, place in (("kind", 1), ("slot", 0)):
        rows: list[Row] = []
        for group in sorted({mark[place] for mark in readings}):
            outcomes = Counter({mark: count for mark, count in readings.items() if mark[place] == group})
            row: Row = {f"{name}, read, {column}": group, "messages": outcomes.total()}
            for (_, _, outcome), count in sorted(outcomes.items()):
                row[outcome] = int(row.get(outcome) or 0) + count
            rows.append(row)
        yield Table(f"updates: {name}, what was read, by {column}", rows)
    fillers, notes = sum(each.fillers for each in accounts), sum(each.filler_notes for each in accounts)
    takeovers, wrong = sum(each.takeovers for each in accounts), sum(len(each.wrong_takeovers) for each in accounts)
    sound: Row = {f"{name}, sound": "all", "fillers": fillers, "notes_of_fillers": notes}
    yield Table(f"updates: {name}, sound", [sound | {"takeovers": takeovers, "wrong_takeovers": wrong}])

    failures = [failure for account in accounts for failure in account.failures]
    for title, label in (("cause", "cause"), ("what came first", "above"), ("slot", "slot"), ("kind", "kind")):
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for failure in failures:
            counted[str(getattr(failure, label))][failure.type] += 1
        rows = []
        for group, types in sorted(counted.items(), key=lambda item: -item[1].total()):
            row = {f"{name}, failures, {title}": group, "failures": types.total()}
            rows.append(row | {type_: types[type_] or None for type_ in (*FIRST, "history", "multi")})
        yield Table(f"updates: {name}, failures by {title}", rows)


def as_plain(accounts: Sequence[Account]) -> dict[str, Any]:
    """Readings and failures for a file: counts, and some examples of each."""
    readings: Counter[str] = Counter()
    read: dict[str, list[str]] = defaultdict(list)
    failed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for account in accounts:
        for (slot, kind, outcome), count in account.readings.items():
            readings[f"{slot} | {kind} | {outcome}"] += count
        for (slot, kind, outcome), example in account.examples.items():
            read[f"{slot} | {kind} | {outcome}"].append(example)
        for failure in account.failures:
            failed[f"{failure.cause} | {failure.slot} | {failure.kind} | {failure.type}"].append(asdict(failure))
    return {
        "wrong_takeovers": [shown for account in accounts for shown in account.wrong_takeovers],
        "readings": {
            mark: {"count": count, "examples": list(dict.fromkeys(read[mark]))[:_EXAMPLES]}
            for mark, count in sorted(readings.items())
        },
        "failures": {
            mark: {"count": len(found), "examples": found[:_EXAMPLES]}
            for mark, found in sorted(failed.items(), key=lambda item: -len(item[1]))
        },
    }


# -- the command -------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    command = Command("updates", "Knowledge updates, scored.")
    parser = command.parser
    parser.add_argument("--data", type=Path, metavar="PATH", help=f"a folder or a file; default: {PLACE}")
    parser.add_argument("--own", type=int, default=20, metavar="N", help="worlds of our own; default: 20")
    parser.add_argument("--seed", type=int, default=7, help="of our own worlds and of the intervals; default: 7")
    parser.add_argument("--tracks", default=",".join(Track), help="default: all of them")
    parser.add_argument("--most", type=int, metavar="N", help="play only the first worlds of each bank")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes; default: 2")
    parser.add_argument("--verbose", action="store_true", help="by slot, by kind, and what notes stand for")
    parser.add_argument("--why", type=Path, metavar="FILE", help="write what was read and why answers failed")
    asked = parser.parse_args(arguments)
    why: dict[str, Any] | None = {} if asked.why else None
    tables = run(
        asked.data,
        own=asked.own,
        seed=asked.seed,
        tracks=[Track(track) for track in asked.tracks.split(",")],
        workers=asked.workers,
        verbose=asked.verbose,
        embedding=asked.embedding,
        models=asked.models,
        most=asked.most,
        why=why,
    )
    command.show(tables, arguments, asked.json)
    if asked.why:
        asked.why.write_text(json.dumps(why, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
