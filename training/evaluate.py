"""Measure models on authors that were in no training; the files that ship are run one text at a time.

Needs numpy and onnxruntime only, but for the teacher, which is never exported.

    python -m training.evaluate judge --model weights/judge --card 1
    python -m training.evaluate reranker --blind    # once, at the very end
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np

from training.data import RELATIONS, STANCES, Bank, Question, banks, group, messages, pairs, questions
from training.likeness import Likeness
from training.pool import OUTDATED, RIGHT, WRONG, known
from training.rows import Pieces
from training.settings import BANKS, settings

CHANGES = ("replaces", "ends")
_DRAWS = 500  # questions are drawn anew this often for an interval
_SEED = 7
_TEMPERATURES = tuple(round(0.5 + 0.1 * step, 1) for step in range(31))


class Scorer(Protocol):
    """A model with heads: a row of scores for each row of one text or two."""

    def __call__(self, rows: Sequence[tuple[str, ...]], head: str) -> Any: ...


class Exported:
    """A model in a folder. One row at a time: int8 takes its scales over a batch, and rows would change each other."""

    def __init__(self, folder: Path, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(folder / "model.onnx", options)
        self._pieces = Pieces(folder)

    def __call__(self, rows: Sequence[tuple[str, ...]], head: str) -> Any:
        return np.stack([self._of(row, head) for row in rows])

    def vectors(self, texts: Sequence[str]) -> Any:
        """The mean states of texts, of length one."""
        means = np.stack([self._of((text,), "last_hidden_state").mean(axis=0) for text in texts])
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def _of(self, row: tuple[str, ...], output: str) -> Any:
        ids, kinds, mask = self._pieces.batch([row])
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        return self._session.run([output], given)[0][0]


def main() -> None:
    """Print the figures of one model as JSON; the texts themselves are never printed."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("what", choices=("teacher", "judge", "reranker", "encoder"))
    arguments.add_argument("--model", type=Path, help="its folder; of the teacher its weights")
    arguments.add_argument("--banks", type=Path, default=BANKS)
    arguments.add_argument("--start", type=Path, default=Path(".models/minilm-l6"), help="the encoder before tuning")
    arguments.add_argument("--large", type=Path, default=Path(".models/arctic-embed-s"), help="where a teacher began")
    arguments.add_argument("--blind", action="store_true", help="the authors of the final figure")
    arguments.add_argument("--card", metavar="VERSION", help="write <what>.json, with temperatures, beside the model")
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    chosen = settings()
    material = banks(given.banks, chosen["banks"]["blind" if given.blind else "validation"])
    before = Exported(given.start, given.threads)
    figures: dict[str, Any] = {"authors": [bank.author for bank in material]}
    if given.what == "teacher":
        from training.opinions import scorer

        scores: Any = scorer(given.what, given.model or Path("training/weights/teacher.pt"), given)
    else:
        scores = Exported(given.model or Path("training/weights") / given.what, given.threads)
    if given.what == "encoder":
        for sort, asked in _asked(material).items():
            made = {"before": before, "tuned": scores}
            figures[f"dense, {sort}"] = {name: dense(each.vectors, asked) for name, each in made.items()}
    card: dict[str, Any] = {"version": given.card}
    if given.what == "judge":
        figures |= {"relation": relation(scores, material, chosen["data"]), "stance": stance(scores, material)}
        figures["calibration"] = calibrated(scores, material, chosen["data"])
        heats = {name: each["temperature"] for name, each in figures["calibration"].items()}
        card |= {"relations": RELATIONS, "stances": STANCES, "temperatures": heats}
    if given.what in ("teacher", "reranker"):
        figures["relevance"] = relevance(scores, material, Likeness(before.vectors), chosen["data"]["group"])
        card["temperature"] = figures["relevance"]["temperature"]
    if given.card and given.what in ("judge", "reranker"):
        folder = given.model or Path("training/weights") / given.what
        (folder / f"{given.what}.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


def relation(scores: Scorer, material: Sequence[Bank], data: Any) -> dict[str, Any]:
    """Precision, recall and F1 of every relation, apart for slots and for talk; wrong kinds of newer message."""
    drawn = pairs(material, Random(_SEED), each=30, swapped=0.0, talk_unrelated=data["talk_unrelated"])
    found = [RELATIONS[at] for at in scores([(p.older, p.newer) for p in drawn], "relation").argmax(axis=1)]
    meant = [STANCES[at] for at in scores([(p.newer,) for p in drawn], "stance").argmax(axis=1)]
    figures: dict[str, Any] = {}
    for part, is_talk in (("slots", False), ("talk", True)):
        rows = [(p.relation, f) for p, f in zip(drawn, found, strict=True) if p.kind.startswith("talk ") is is_talk]
        if rows:
            changes = _found_again([p in CHANGES for p, _ in rows], [f in CHANGES for _, f in rows])
            figures[part] = {**by_class(rows, RELATIONS), "a change": changes}
    wanted = [pair.relation in CHANGES for pair in drawn]
    is_change = [each in CHANGES for each in found]
    asserted = [change and each == "asserted" for change, each in zip(is_change, meant, strict=True)]
    figures["a change"] = _found_again(wanted, is_change)
    figures["a change, and asserted"] = _found_again(wanted, asserted)
    taken = [p.kind for p, said in zip(drawn, is_change, strict=True) if p.relation == "unrelated" and said]
    all_of = Counter(pair.kind for pair in drawn if pair.relation == "unrelated")
    figures["unrelated taken for a change"] = {
        kind: f"{count}/{all_of[kind]}" for kind, count in Counter(taken).most_common()
    }
    return figures


def stance(scores: Scorer, material: Sequence[Bank]) -> dict[str, Any]:
    """Accuracy, and precision, recall and F1 of every stance, apart for slots and for talk."""
    told = messages(material, Random(_SEED), swapped=0.0)
    found = [STANCES[at] for at in scores([(each.text,) for each in told], "stance").argmax(axis=1)]
    figures: dict[str, Any] = {}
    for part, is_talk in (("slots", False), ("talk", True)):
        rows = [(m.stance, f) for m, f in zip(told, found, strict=True) if (m.kind == "talk") is is_talk]
        if rows:
            right = sum(wanted == got for wanted, got in rows)
            figures[part] = {"accuracy": round(right / len(rows), 3), **by_class(rows, STANCES)}
    return figures


def calibrated(scores: Scorer, material: Sequence[Bank], data: Any) -> dict[str, Any]:
    """For each head of the judge the temperature at which its probabilities are least wrong, and the loss."""
    drawn = pairs(material, Random(_SEED + 1), each=20, swapped=0.0, talk_unrelated=data["talk_unrelated"])
    told = messages(material, Random(_SEED + 1), swapped=0.0)
    relations = [RELATIONS.index(p.relation) for p in drawn]
    stances = [STANCES.index(m.stance) for m in told]
    return {
        "relation": cooled(scores([(p.older, p.newer) for p in drawn], "relation"), relations),
        "stance": cooled(scores([(m.text,) for m in told], "stance"), stances),
    }


def cooled(scores: Any, wanted: Sequence[int]) -> dict[str, float]:
    """The temperature at which the right classes are least unlikely, and the mean logarithm before and after."""
    losses = {heat: _loss(scores / heat, np.array(wanted)) for heat in _TEMPERATURES}
    best = min(losses, key=lambda heat: losses[heat])
    return {"temperature": best, "before": round(losses[1.0], 3), "after": round(losses[best], 3)}


def _loss(scores: Any, wanted: Any) -> float:
    highest = scores.max(axis=1)
    every = np.log(np.exp(scores - highest[:, None]).sum(axis=1)) + highest
    return float((every - scores[np.arange(len(wanted)), wanted]).mean())


def relevance(scores: Scorer, material: Sequence[Bank], likeness: Likeness, size: int) -> dict[str, Any]:
    """How often a right text is first in its group, and how many right ones are among five; a temperature."""
    draw = Random(_SEED)
    asked = [(sort, each) for sort, found in _asked(material).items() for each in likeness.ordered(found)]
    groups = [(sort, each, group(each, draw, size)) for sort, each in asked]
    groups = [(sort, each, places) for sort, each, places in groups if len(places) == size]
    rows = [(each.ask, each.texts[at]) for _, each, places in groups for at in places]
    found = scores(rows, "relevance").reshape(len(groups), size)
    labels = np.array([[known(each, at) for at in places] for _, each, places in groups])
    sorts = np.array([sort for sort, _, _ in groups])
    figures: dict[str, Any] = {
        sort: ranked(found[sorts == sort], labels[sorts == sort]) for sort in dict.fromkeys(sorts)
    }
    sure = 1 / (1 + np.exp(-found))
    figures["probability"] = {
        name: round(float(sure[labels == label].mean()), 3)
        for name, label in (("right", RIGHT), ("outdated", OUTDATED), ("wrong", WRONG))
        if (labels == label).any()
    }
    fair = labels != OUTDATED
    as_classes = np.stack([np.zeros(int(fair.sum())), found[fair]], axis=1)  # a sigmoid is a softmax beside nought
    return {**figures, **cooled(as_classes, (labels[fair] == RIGHT).astype(int))}


def ranked(scores: Any, labels: Any) -> dict[str, Any]:
    """Of the groups that hold a right text: whether it comes first, and the share of the right ones in five."""
    order = np.argsort(-scores, axis=1, kind="stable")
    right = np.take_along_axis(labels, order, axis=1) == RIGHT
    right = right[right.any(axis=1)]
    if not len(right):
        return {}
    recall = right[:, :5].sum(axis=1) / right.sum(axis=1)
    return {"groups": len(right), "first": _with_interval(right[:, 0]), "R@5": _with_interval(recall)}


def dense(vectors: Callable[[Sequence[str]], Any], asked: Sequence[Question]) -> dict[str, Any]:
    """Recall by cosine: over a question's own conversation, and over all texts of its sort together."""
    names = list(dict.fromkeys(text for each in asked for text in each.texts))
    together = vectors(names)
    place = {name: at for at, name in enumerate(names)}
    own, pooled = [], []
    for each in asked:
        if each.right:
            scores = together @ vectors([each.ask])[0]
            own.append(_places(each.texts, scores[[place[text] for text in each.texts]], each))
            pooled.append(_places(names, scores, each))
    return {"own conversation": _recalls(own), "all together": _recalls(pooled)}


def _asked(material: Sequence[Bank]) -> dict[str, list[Question]]:
    """Questions about slots and about talk, acts, and questions that come near to a message."""
    every = questions(material, Random(_SEED), swapped=0.0)
    parts = {
        "slots": [each for each in every if each.kind.startswith("slot ")],
        "talk": [each for each in every if not each.kind.startswith(("slot ", "act", "near"))],
        "acts": [each for each in every if each.kind.startswith("act")],
        "near": [each for each in every if each.kind.startswith("near")],
    }
    return {name: found for name, found in parts.items() if found}


def _places(texts: Sequence[str], scores: Any, question: Question) -> list[int]:
    """The places of a question's right texts in the order of the scores, from 1."""
    right = {question.texts[at] for at in question.right}
    return [place for place, at in enumerate(np.argsort(-scores, kind="stable"), start=1) if texts[at] in right]


def _recalls(ranks: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Recall of the right texts at depths, the first one's reciprocal place, and an interval for R@1 and MRR."""
    if not ranks:
        return {}
    by_depth = {
        f"R@{depth}": [sum(p <= depth for p in places) / len(places) for places in ranks] for depth in (1, 5, 10)
    }
    by_depth["first@1"] = [float(min(places) == 1) for places in ranks]
    by_depth["MRR"] = [1 / min(places) for places in ranks]
    return {"questions": len(ranks), **{name: _with_interval(values) for name, values in by_depth.items()}}


def _with_interval(values: Sequence[float]) -> str:
    """The mean, and in brackets where it lies with 95 % certainty."""
    draw = np.random.default_rng(0)
    array = np.array(values)
    means = np.sort(array[draw.integers(0, len(array), (_DRAWS, len(array)))].mean(axis=1))
    return f"{array.mean():.3f} [{means[int(0.025 * _DRAWS)]:.3f} {means[int(0.975 * _DRAWS)]:.3f}]"


def _found_again(wanted: Sequence[bool], said: Sequence[bool]) -> str:
    return by_class([(str(one), str(other)) for one, other in zip(wanted, said, strict=True)], ["True"])["True"]


def by_class(rows: Sequence[tuple[str, str]], classes: Sequence[str]) -> dict[str, str]:
    """`precision recall F1 (how many there are)` of every class that is there."""
    figures = {}
    for name in classes:
        there = sum(wanted == name for wanted, _ in rows)
        said = sum(found == name for _, found in rows)
        right = sum(wanted == found == name for wanted, found in rows)
        if there or said:
            precision, recall = right / max(1, said), right / max(1, there)
            f1 = 2 * precision * recall / max(1e-9, precision + recall)
            figures[name] = f"P {precision:.3f} R {recall:.3f} F1 {f1:.3f} ({there})"
    return figures


if __name__ == "__main__":
    main()
