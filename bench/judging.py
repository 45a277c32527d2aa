"""What a retold set scores: the main figure, each category, sessions, baselines, and all corpora in one space.

A figure is a mapping that programs can read and a row that people can. Scores are from 0 to 1 in both places; only
the tables of people show hundredths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from bench.card import Row, Table
from bench.figures import DRAWS, Figures, is_above, together
from bench.material import DataSet
from bench.measuring import median
from bench.retelling import ALONE, OURS, TOGETHER, Found, Retold, scored_by
from recollect.reflect.metrics import TOP, judged

UPDATED_ABOVE = "updated above original"
TOKENS = f"tokens@{TOP}"

_SHARES = ("recall@1", "recall@5", "recall@10", "recall@20", "all@10", "any@10")  # shown in hundredths


def figures(given: DataSet, retold: Retold, *, seed: int, draws: int = DRAWS) -> dict[str, Any]:
    """Everything a set scores, for programs."""

    def plain(found: Sequence[Found], *, sessions: bool = False) -> dict[str, object]:
        return _figures(found, sessions=sessions, seed=seed, draws=draws).as_plain()

    def place(where: str) -> dict[str, Any]:
        answers = {who: _main(given, found) for who, found in scored_by(retold, where).items()}
        ours = answers.pop(OURS)
        return {**plain(ours), "baselines": {who: plain(found) for who, found in answers.items()}}

    answers = scored_by(retold, ALONE)
    main = place(ALONE)
    main["about"] = given.about
    main["corpora"], main["items"], main["unanswerable"] = len(given.corpora), retold.items, given.dropped
    main["items_per_second"] = round(retold.items / retold.told_in, 1) if retold.told_in else None
    main["question_ms"] = round(1000 * retold.asked_in / len(answers[OURS]), 1)
    main["categories"] = {name: plain(found) for name, found in _by_category(answers[OURS]).items()}
    for who, figure in main["baselines"].items():
        figure["categories"] = {name: plain(found) for name, found in _by_category(answers[who]).items()}
    if retold.asked_again_in:
        again = retold.told_again_in
        main["vectors_known"] = {
            "question_ms": round(1000 * median(retold.asked_again_in), 2),
            "items_per_second": round(retold.items / again, 1) if again else None,
        }
    if given.by_session:
        main["sessions"] = {who: plain(_main(given, found), sessions=True) for who, found in answers.items()}
    if (TOGETHER, OURS) in retold.found:
        main[TOGETHER] = place(TOGETHER)
    return main


def table(name: str, figure: dict[str, Any]) -> Table:
    """The same for people: who answered what how well."""
    rows = [_row(name, "recollect", figure)]
    rows += [_row(name, who, each) for who, each in figure["baselines"].items()]
    rows += [_row(name, f"peer: {who}", each) for who, each in figure.get("peers", {}).items() if "mrr" in each]
    if TOGETHER in figure:
        rows.append(_row(name, "recollect, all in one", figure[TOGETHER]))
        rows += [_row(name, f"{who}, all in one", each) for who, each in figure[TOGETHER]["baselines"].items()]
    rows += [_row(name, f"recollect: {category}", each) for category, each in sorted(figure["categories"].items())]
    rows += [_row(name, f"sessions: {who}", each) for who, each in figure.get("sessions", {}).items()]
    return Table(name, rows)


def in_a_line(name: str, figure: dict[str, Any]) -> str:
    """The main figures, for whoever waits for the others."""
    ways = {"recollect": figure, **figure["baselines"]}
    shown = ", ".join(f"{who} {100 * each['recall@10']:.1f} / {each['ndcg@10']:.3f}" for who, each in ways.items())
    return f"{name}: recall@10 in % / nDCG@10: {shown}"


def peers_table(name: str, figure: dict[str, Any]) -> Table:
    """How fast peers are beside us, with every vector known. Each of our items is durable before the next is told."""
    timed = {"recollect": figure["vectors_known"]}
    timed |= {who: each for who, each in figure["peers"].items() if "absent" not in each}
    columns = ("items_per_second", "question_ms")
    rows: list[Row] = [
        {f"{name}: peers": who} | {each: found[each] for each in columns} for who, found in timed.items()
    ]
    return Table(f"{name}: peers", rows)


def _row(name: str, title: str, figure: dict[str, Any]) -> Row:
    row: Row = {name: title, "questions": figure["questions"]}
    row |= {f"{score}_%": 100 * figure[score] for score in _SHARES}
    low, high = figure["intervals"]["recall@10"]
    row["recall@10_from–to_%"] = f"{100 * low:.1f}–{100 * high:.1f}"
    row |= {score: figure[score] for score in ("mrr", "ndcg@10")}
    if TOKENS in figure:
        row[TOKENS] = figure[TOKENS]
    if UPDATED_ABOVE in figure:
        row["updated_above_%"] = 100 * figure[UPDATED_ABOVE]
    return row


def _main(given: DataSet, found: Sequence[Found]) -> list[Found]:
    """The questions that count in the main figure; all, if none would be left."""
    counted = [each for each in found if each.question.category not in given.apart]
    return counted or list(found)


def _by_category(found: Sequence[Found]) -> dict[str, list[Found]]:
    groups: dict[str, list[Found]] = defaultdict(list)
    for each in found:
        groups[each.question.category].append(each)
    return dict(sorted(groups.items()))


def _figures(found: Sequence[Found], *, sessions: bool, seed: int, draws: int) -> Figures:
    if sessions:
        return together([judged(each.sessions, each.gold_sessions) for each in found], seed=seed, draws=draws)
    return together([_scores(each) for each in found], seed=seed, draws=draws)


def _scores(found: Found) -> dict[str, float]:
    asked = found.question
    scores = judged(found.ids, asked.gold) | {TOKENS: float(found.tokens)}
    if asked.newer and asked.older and not set(asked.newer) & set(asked.older):
        scores[UPDATED_ABOVE] = float(is_above(asked.newer, asked.older, found.ids))
    return scores
