"""The two sets about what is true now, in the form of the card: `updates` and `factconsolidation`.

How they are played and scored is said in `playing`, `shares` and `facts`; here they only take the card's shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench import facts, updates
from bench.baselines import BM25
from bench.card import Row, Table
from bench.facts import Asked, FactList
from bench.figures import interval
from bench.measuring import say
from bench.playing import Part, Played, Stands, Track
from bench.shares import shares
from bench.updates import WorldBank
from recollect.settings import Settings

OWN_WORLDS = 8
OWN = "own worlds"

_WAYS = {Track.RAW: "recollect", Track.WORDS: BM25}


def updates_figures(data: Path | None, settings: Settings, *, most: int | None, seed: int) -> dict[str, Any]:
    """The worlds below a path, if there are any, and beside them worlds of our own in other words.

    The main figures are those of the first bank; every bank has its own under `banks`.
    """
    banks = updates.shared_banks(data) if data else []
    found = {bank.name: _world_figures(bank, settings, most=most, seed=seed) for bank in banks}
    figure: dict[str, Any] = {**next(iter(found.values()), {}), "banks": found}
    own = updates.own_bank(min(OWN_WORLDS, most or OWN_WORLDS), seed=seed)
    figure["own"] = _world_figures(own, settings, most=most, seed=seed)
    return figure


def updates_table(figure: dict[str, Any]) -> Table:
    rows: list[Row] = []
    banks = {"": figure} if len(figure["banks"]) < 2 else {f"{name}: ": each for name, each in figure["banks"].items()}
    for bank, found in (*banks.items(), (f"{OWN}: ", figure["own"])):
        if "baselines" in found:
            rows.append(_update_row(f"{bank}recollect", found))
            rows += [_update_row(f"{bank}{who}", each) for who, each in found["baselines"].items()]
    return Table("updates", rows)


def facts_figures(data: Path | None, settings: Settings, *, most: int | None, seed: int) -> dict[str, Any] | None:
    """Every list below a path, and all of their questions together; nothing if there is no list."""
    lists = [
        FactList(each.name, each.facts, each.questions[:most]) for each in (facts.fact_lists(data) if data else [])
    ]
    if not lists:
        return None
    answered: list[tuple[FactList, dict[str, Asked]]] = []
    for each in lists:
        ways = {
            "recollect": facts.remembered(each, settings.embedding, settings.models),
            BM25: facts.by_words_only(each),
        }
        say(f"factconsolidation: {each.name}: {len(each.facts):,} facts told, {len(each.questions)} questions asked")
        answered.append((each, ways))
    figure = _fact_figures(answered, "recollect", seed)
    figure["baselines"] = {BM25: _fact_figures(answered, BM25, seed)}
    figure["lists"] = {each.name: _fact_figures([(each, ways)], "recollect", seed) for each, ways in answered}
    return figure


def facts_table(figure: dict[str, Any]) -> Table:
    named = {"recollect": figure, **figure["baselines"]}
    named |= {f"recollect: {name}": each for name, each in figure["lists"].items()}
    rows: list[Row] = []
    for name, each in named.items():
        row: Row = {"factconsolidation": name, "questions": each["questions"]}
        row |= {f"{score}_%": 100 * each[score] for score in ("answer@1", "answer@5")}
        rows.append(row)
    return Table("factconsolidation", rows)


def _world_figures(bank: WorldBank, settings: Settings, *, most: int | None, seed: int) -> dict[str, Any]:
    parts = [
        Part(world, track, bank.slots, settings.embedding, settings.models)
        for world in bank.worlds[:most]
        for track in _WAYS
    ]
    played: dict[Track, list[Played]] = {}
    for each in updates.play_all(bank.name, parts, 2):
        played.setdefault(each.track, []).append(each)
    figures = {_WAYS[track]: _share_figures(found, seed) for track, found in played.items()}
    return {**figures["recollect"], "baselines": {BM25: figures[BM25]}}


def _share_figures(played: Sequence[Played], seed: int) -> dict[str, Any]:
    answers = [answer for each in played for answer in each.answers[Stands.FIRST]]
    found = {name.removesuffix(" (low)"): share for name, share in shares(answers, seed=seed).items()}
    return {
        "questions": len(answers),
        **{name: round(share.percent / 100, 4) for name, share in found.items()},
        "intervals": {name: [round(share.low / 100, 4), round(share.high / 100, 4)] for name, share in found.items()},
    }


def _update_row(title: str, figure: dict[str, Any]) -> Row:
    row: Row = {"updates": title, "questions": figure["questions"]}
    return row | {f"{name}_%": 100 * figure[name] for name in figure["intervals"]}


def _fact_figures(answered: Sequence[tuple[FactList, dict[str, Asked]]], way: str, seed: int) -> dict[str, Any]:
    figure: dict[str, Any] = {"questions": sum(len(each.questions) for each, _ in answered), "intervals": {}}
    for top in (1, 5):
        right = [
            float(facts.is_answered(texts[:top], answers))
            for each, ways in answered
            for texts, (_, answers) in zip(ways[way].found, each.questions, strict=True)
        ]
        low, high = interval(right, Random(f"{seed}/{top}"))
        figure[f"answer@{top}"] = round(sum(right) / len(right), 4)
        figure["intervals"][f"answer@{top}"] = [round(low, 4), round(high, 4)]
    return figure
